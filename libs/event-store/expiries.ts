/** A lower bound of a drive's next expiry. */
export interface Expiry {
  readonly drive_id: string;
  /** No item of the drive expires before, ms. */
  readonly at_ms: number;
  /** Revision that the stream must reach before the expiry is certain; until then the event may be in flight. */
  readonly revision: number;
  /** Time of the last note, ms. */
  readonly noted_ms: number;
}

/**
 * Finds drives with expired items without loading the others. The time of a drive may be too early, never too late.
 * Disposable: in a new store `isComplete` is false, and all drives are noted again.
 */
export interface ExpiryStore {
  /**
   * Stores expiries before the events that set them; of each drive the earlier time and the higher revision are kept.
   */
  note(expiries: readonly Expiry[]): Promise<void>;
  /** Drives due at a time, earliest first, after a given one; at most `limit`. */
  due(now_ms: number, limit: number, after?: Expiry): Promise<readonly Expiry[]>;
  /**
   * Sets the next expiry of a drive; null: none.
   * @returns false, with nothing changed, if it has changed since it was read
   */
  advance(seen: Expiry, at_ms: number | null): Promise<boolean>;
  /** True once every existing drive has been noted. */
  isComplete(): Promise<boolean>;
  complete(): Promise<void>;
}
