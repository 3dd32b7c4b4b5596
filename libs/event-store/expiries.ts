/** When something of a drive expires at the earliest. */
export interface Expiry {
  readonly drive_id: string;
  /** Nothing of it expires before, ms. */
  readonly at_ms: number;
  /** The drive rests on it once its stream has this revision; until then the event may still be on its way. */
  readonly revision: number;
  /** When it was noted last, ms. */
  readonly noted_ms: number;
}

/**
 * Tells which drives have something to be swept, so that nobody need load the others to find out. It may name a
 * drive too early, never too late. Disposable: fresh, `isComplete` says no, and all drives are noted anew.
 */
export interface ExpiryStore {
  /** Notes expiries before the events that bring them; of each drive the earlier time stays, and the higher revision. */
  note(expiries: readonly Expiry[]): Promise<void>;
  /** What is due at a time, the earliest first, behind one that this gave before; at most `limit`. */
  due(now_ms: number, limit: number, after?: Expiry): Promise<readonly Expiry[]>;
  /**
   * Says when something of a drive expires next; null: nothing will.
   * @returns false, with nothing changed, if it is not as it was seen: something was noted meanwhile
   */
  settle(seen: Expiry, at_ms: number | null): Promise<boolean>;
  /** True once every drive there was has been noted. */
  isComplete(): Promise<boolean>;
  complete(): Promise<void>;
}
