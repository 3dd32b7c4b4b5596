type Ids = string | Set<string>;

/** A first value with one record only, as most have: a Map of its own would weigh more than the record. */
interface Lone {
  readonly second: string;
  readonly id: string;
}

const NONE: readonly string[] = [];

/**
 * Ids under pairs of values: finds the few of a big set that concern somebody, without joining the
 * two values to a key and hashing it at every look-up.
 */
export class PairIndex {
  private readonly cells = new Map<string, Lone | Map<string, Ids>>();

  add(first: string, second: string, id: string): void {
    const cell = this.cells.get(first);
    if (!cell) {
      this.cells.set(first, { second, id });
      return;
    }
    const many = cell instanceof Map ? cell : new Map<string, Ids>([[cell.second, cell.id]]);
    this.cells.set(first, many);
    const held = many.get(second);
    if (held === undefined) many.set(second, id);
    else if (typeof held !== 'string') held.add(id);
    else if (held !== id) many.set(second, new Set([held, id]));
  }

  delete(first: string, second: string, id: string): void {
    const cell = this.cells.get(first);
    if (!cell) return;
    if (!(cell instanceof Map)) {
      if (cell.second === second && cell.id === id) this.cells.delete(first);
      return;
    }
    const held = cell.get(second);
    if (held instanceof Set) held.delete(id);
    if (held === id || (held instanceof Set && held.size === 0)) cell.delete(second);
    if (cell.size === 0) this.cells.delete(first);
  }

  /** Ids under the first value and any of the second ones. */
  among(first: string, seconds: ReadonlySet<string>): readonly string[] {
    const cell = this.cells.get(first);
    if (!cell) return NONE;
    if (!(cell instanceof Map)) return seconds.has(cell.second) ? [cell.id] : NONE;
    const ids: string[] = [];
    // Whichever is shorter: some resources have thousands of grantees, some users hundreds of groups.
    if (cell.size <= seconds.size) {
      for (const [second, held] of cell) if (seconds.has(second)) push(ids, held);
    } else
      for (const second of seconds) {
        const held = cell.get(second);
        if (held !== undefined) push(ids, held);
      }
    return ids;
  }
}

function push(ids: string[], held: Ids): void {
  if (typeof held === 'string') ids.push(held);
  else for (const id of held) ids.push(id);
}
