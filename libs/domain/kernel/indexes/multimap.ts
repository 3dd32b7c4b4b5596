const NONE: ReadonlySet<string> = new Set();
const NO_IDS: readonly string[] = [];

/** Values to sets of ids. A set of one is kept as the bare id, since most are and sets are heavy. */
export class Multimap {
  private readonly sets = new Map<string, string | Set<string>>();

  add(value: string, id: string): void {
    const held = this.sets.get(value);
    if (held === undefined) this.sets.set(value, id);
    else if (typeof held !== 'string') held.add(id);
    else if (held !== id) this.sets.set(value, new Set([held, id]));
  }

  delete(value: string, id: string): void {
    const held = this.sets.get(value);
    if (held === undefined) return;
    if (typeof held === 'string') {
      if (held === id) this.sets.delete(value);
      return;
    }
    held.delete(id);
    if (held.size === 0) this.sets.delete(value);
  }

  get(value: string): ReadonlySet<string> {
    const held = this.sets.get(value);
    if (held === undefined) return NONE;
    return typeof held === 'string' ? new Set([held]) : held;
  }

  /** The same ids as a list, without making a set of one. */
  list(value: string): readonly string[] {
    const held = this.sets.get(value);
    if (held === undefined) return NO_IDS;
    return typeof held === 'string' ? [held] : [...held];
  }

  /** All values that ids are under. */
  values(): IterableIterator<string> {
    return this.sets.keys();
  }

  size(value: string): number {
    const held = this.sets.get(value);
    if (held === undefined) return 0;
    return typeof held === 'string' ? 1 : held.size;
  }
}
