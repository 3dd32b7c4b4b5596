/** Interval at which a user's time is updated, ms. */
const THROTTLE_MS = 60_000;
/** Changes that are remembered at least, for caches. */
const REMEMBERED = 128;

/** When users of one drive were last seen. Stored beside the stream: no event, no hash, no history. */
export class Presence {
  private readonly seen: Map<string, number>;
  private readonly unsaved = new Map<string, number>();
  /** Number of changes so far, so that caches of presence can compare it. */
  version = 0;
  /** Users of the latest changes. */
  private readonly latest: string[] = [];

  /** @param now ms; later times are of a clock that was ahead */
  constructor(loaded: ReadonlyMap<string, number>, now: number) {
    this.seen = new Map(
      loaded.entries().map(([user_id, at_ms]) => [user_id, Math.min(at_ms, now)]),
    );
  }

  /** When the user was last seen, ms; 0 if never. */
  readonly lastOnline = (user_id: string): number => this.seen.get(user_id) ?? 0;

  /** Users whose time has changed since a version; null if they are not remembered. */
  changedSince(version: number): readonly string[] | null {
    const changes = this.version - version;
    return changes > this.latest.length ? null : this.latest.slice(this.latest.length - changes);
  }

  /** Records a call of the user; at most once a minute. */
  touch(user_id: string, now: number): void {
    const since_ms = now - this.lastOnline(user_id);
    // A time to come is of a clock that was ahead.
    if (since_ms >= 0 && since_ms < THROTTLE_MS) return;
    this.seen.set(user_id, now);
    this.unsaved.set(user_id, now);
    this.changed(user_id);
  }

  /** Moves a user's time to another id. */
  rename(old_id: string, new_id: string): void {
    const seen = this.seen.get(old_id);
    if (seen === undefined) return;
    this.seen.delete(old_id);
    this.unsaved.delete(old_id);
    const later = Math.max(seen, this.lastOnline(new_id));
    this.seen.set(new_id, later);
    this.unsaved.set(new_id, later);
    this.changed(old_id);
    this.changed(new_id);
  }

  delete(user_id: string): void {
    if (!this.seen.delete(user_id)) return;
    this.unsaved.delete(user_id);
    this.changed(user_id);
  }

  /** Merges times that other processes stored, unless they are far in the future. */
  learn(stored: ReadonlyMap<string, number>, now: number): void {
    for (const [user_id, at_ms] of stored) {
      if (at_ms <= this.lastOnline(user_id) || at_ms > now + THROTTLE_MS) continue;
      this.seen.set(user_id, at_ms);
      this.changed(user_id);
    }
  }

  private changed(user_id: string): void {
    this.version++;
    if (this.latest.push(user_id) > 2 * REMEMBERED) this.latest.splice(0, REMEMBERED);
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
