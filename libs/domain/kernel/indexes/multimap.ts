const NONE: ReadonlySet<string> = new Set();
const NO_IDS: readonly string[] = [];

/**
 * Maps values to sets of ids. A set of one id is stored as the bare id: most sets have one, and a Set takes more
 * memory.
 */
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

  /** The ids of a value as a list, without creating a Set for a single id. */
  list(value: string): readonly string[] {
    const held = this.sets.get(value);
    if (held === undefined) return NO_IDS;
    return typeof held === 'string' ? [held] : [...held];
  }

  /** Those of some values that have ids, in no order. Costs as much as the fewer of both. */
  *among(values: ReadonlySet<string>): Generator<string> {
    if (values.size <= this.sets.size) {
      for (const value of values) if (this.sets.has(value)) yield value;
    } else for (const value of this.sets.keys()) if (values.has(value)) yield value;
  }

  /** All values that have ids. */
  values(): IterableIterator<string> {
    return this.sets.keys();
  }

  size(value: string): number {
    const held = this.sets.get(value);
    if (held === undefined) return 0;
    return typeof held === 'string' ? 1 : held.size;
  }
}
