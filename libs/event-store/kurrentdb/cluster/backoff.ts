import { setTimeout as after } from 'node:timers/promises';

const FIRST_MS = 100;
/** After an outage of whatever length the next try is at most so far away. */
const LONGEST_MS = 1_000;

/** Waits ever longer between tries, with jitter so that processes do not return in step. */
export class Backoff {
  private next_ms = FIRST_MS;

  /** The last try succeeded. */
  reset(): void {
    this.next_ms = FIRST_MS;
  }

  /** Resolves early when `stopping`. */
  async wait(stopping: AbortSignal): Promise<void> {
    const wait_ms = this.next_ms * (0.5 + Math.random() / 2);
    this.next_ms = Math.min(2 * this.next_ms, LONGEST_MS);
    await after(wait_ms, undefined, { signal: stopping, ref: false }).catch(() => {});
  }
}
