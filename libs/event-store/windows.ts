/** Port of counts in fixed time windows, shared by all processes of a store, for rate limits and nonces. */
export interface WindowCounts {
  /** Counts one for a key; its window begins with the first count. */
  add(key: string): Promise<WindowCount>;
}

export interface WindowCount {
  /** Count in this window, including this one. */
  readonly count: number;
  /** Time until the window ends, ms. */
  readonly rest_ms: number;
}
