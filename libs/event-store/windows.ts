/** Port of counts in fixed windows of time, shared by all processes of a store: what rate limits and nonces rest on. */
export interface WindowCounts {
  /** Counts one for a key; its window begins with the first. */
  add(key: string): Promise<WindowCount>;
}

export interface WindowCount {
  /** In this window, this one included. */
  readonly count: number;
  /** Until the window ends, ms. */
  readonly rest_ms: number;
}
