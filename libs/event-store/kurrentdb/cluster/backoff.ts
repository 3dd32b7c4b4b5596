import { setTimeout as after } from 'node:timers/promises';

const FIRST_MS = 100;
/** Maximum pause before a retry, however long the outage. */
const LONGEST_MS = 1_000;

/** Increasing pauses between retries, with jitter to desynchronize processes. */
export class Backoff {
  private next_ms = FIRST_MS;

  /** The last attempt succeeded. */
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
