const MOST_KEYS = 10_000;

interface Window {
  events: number;
  readonly end_ms: number;
}

/** Counts events per key in fixed windows. A window begins with the key's first events. */
export class EventWindows {
  /** Ordered by the end of the window, which is the order of insertion. */
  private readonly windows = new Map<string, Window>();

  constructor(private readonly window_ms: number) {}

  add(key: string, events: number): void {
    const now_ms = performance.now();
    const window = this.windows.get(key);
    if (window && window.end_ms > now_ms) {
      window.events += events;
      return;
    }
    this.windows.delete(key);
    this.windows.set(key, { events, end_ms: now_ms + this.window_ms });
    for (const [oldest, { end_ms }] of this.windows) {
      if (end_ms > now_ms && this.windows.size <= MOST_KEYS) return;
      this.windows.delete(oldest);
    }
  }

  /** Whole seconds until the window of a key that has reached the limit ends; 0 below the limit. */
  secondsToWait(key: string, limit: number): number {
    const window = this.windows.get(key);
    const rest_ms = window && window.events >= limit ? window.end_ms - performance.now() : 0;
    return Math.max(0, Math.ceil(rest_ms / 1000));
  }
}
