import type { Holder } from './places.js';

/** Minimum speed of a client whose place others need: so many times `min_bytes_per_s`. */
const BUSY_FACTOR = 16;
/** The speed counts for that after this part of a period. */
const MEASURED = 1 / 3;

export interface SpeedLimits {
  /** Minimum speed, bytes per second, over each `slow_ms` of waiting for the client; 0: any. */
  readonly min_bytes_per_s: number;
  readonly slow_ms: number;
}

/** Speed of a client, in periods of waiting for it: a store that stalls does not make the client slow. */
export class ClientSpeed implements Holder {
  private timer: NodeJS.Timeout | undefined;
  private started_ms = 0;
  private left_ms: number;
  /** In this period. */
  private bytes = 0;
  /** Called after each period in which the client was slower than the minimum. */
  tooSlow = (): void => {};
  evict = (): void => {};

  constructor(private readonly limits: SpeedLimits) {
    this.left_ms = limits.slow_ms;
  }

  get isSlow(): boolean {
    if (!this.timer) return false;
    const { min_bytes_per_s, slow_ms } = this.limits;
    const waited_ms = slow_ms - this.left_ms + performance.now() - this.started_ms;
    return (
      waited_ms >= slow_ms * MEASURED &&
      this.bytes * 1000 < waited_ms * min_bytes_per_s * BUSY_FACTOR
    );
  }

  /** Begins to wait for the client. */
  start(): void {
    this.started_ms = performance.now();
    this.timer = setTimeout(() => this.endPeriod(), this.left_ms).unref();
  }

  /** @param bytes that the client has sent or taken since `start` */
  stop(bytes: number): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.left_ms -= performance.now() - this.started_ms;
    this.bytes += bytes;
  }

  private endPeriod(): void {
    const { min_bytes_per_s, slow_ms } = this.limits;
    const is_slow = this.bytes * 1000 < min_bytes_per_s * slow_ms;
    this.left_ms = slow_ms;
    this.bytes = 0;
    this.start();
    if (is_slow) this.tooSlow();
  }
}
