/** Interval at which a user's time is updated, ms. */
const THROTTLE_MS = 60_000;

/** When users of one drive were last seen. Stored beside the stream: no event, no hash, no history. */
export class Presence {
  private readonly seen: Map<string, number>;
  private readonly unsaved = new Map<string, number>();
  /** Increases with every change, so that caches of presence can compare it. */
  version = 0;

  constructor(loaded: ReadonlyMap<string, number>) {
    this.seen = new Map(loaded);
  }

  /** When the user was last seen, ms; 0 if never. */
  readonly lastOnline = (user_id: string): number => this.seen.get(user_id) ?? 0;

  /** Records a call of the user; at most once a minute. */
  touch(user_id: string, now: number): void {
    if (now - this.lastOnline(user_id) < THROTTLE_MS) return;
    this.version++;
    this.seen.set(user_id, now);
    this.unsaved.set(user_id, now);
  }

  /** Moves a user's time to another id. */
  rename(old_id: string, new_id: string): void {
    const seen = this.seen.get(old_id);
    if (seen === undefined) return;
    this.version++;
    this.seen.delete(old_id);
    this.unsaved.delete(old_id);
    const later = Math.max(seen, this.lastOnline(new_id));
    this.seen.set(new_id, later);
    this.unsaved.set(new_id, later);
  }

  /** Merges times that other processes stored. */
  learn(stored: ReadonlyMap<string, number>): void {
    for (const [user_id, at_ms] of stored) {
      if (at_ms <= this.lastOnline(user_id)) continue;
      this.version++;
      this.seen.set(user_id, at_ms);
    }
  }

  /** Returns the unsaved times and marks them as saved. */
  takeUnsaved(): ReadonlyMap<string, number> {
    const taken = new Map(this.unsaved);
    this.unsaved.clear();
    return taken;
  }

  /** Restores times whose storing failed, unless there is a later time. */
  putBack(taken: ReadonlyMap<string, number>): void {
    for (const [user_id, at_ms] of taken)
      if (this.lastOnline(user_id) === at_ms) this.unsaved.set(user_id, at_ms);
  }
}
