/** The records of one pair: nearly always one. */
type Held<R> = R | Map<string, R>;

/** A first value with one record only, as most have: a Map of its own would weigh more than the record. */
class Lone<R> {
  constructor(
    readonly second: number,
    readonly record: R,
  ) {}
}

/** Second values as one index knows them: those it never met are left out, nothing is under them. */
export interface Seconds {
  readonly numbers: ReadonlySet<number>;
  /** How many values the index had met; with more of them the numbers have to be asked for again. */
  readonly met: number;
}

/**
 * Records under pairs of values: finds the few of a big set that concern somebody. Second values are
 * numbered, because a look-up of a number needs no other memory than the Map's own, while one of a
 * text reads the texts it is compared with. For the same reason the records themselves are held.
 */
export class PairIndex<R extends { readonly id: string }> {
  /** Numbers are permanent, so that callers can keep them. */
  private readonly numbers = new Map<string, number>();
  private readonly cells = new Map<string, Lone<R> | Map<number, Held<R>>>();

  /** Adds a record, or puts it in the place of its former self under the same pair. */
  add(first: string, second_text: string, record: R): void {
    const second = this.numberOf(second_text);
    const cell = this.cells.get(first);
    if (!cell || (cell instanceof Lone && cell.record.id === record.id)) {
      this.cells.set(first, new Lone(second, record));
      return;
    }
    const many =
      cell instanceof Map ? cell : new Map<number, Held<R>>([[cell.second, cell.record]]);
    this.cells.set(first, many);
    const held = many.get(second);
    if (held instanceof Map) held.set(record.id, record);
    else if (held === undefined || held.id === record.id) many.set(second, record);
    else many.set(second, new Map([held, record].map((one) => [one.id, one])));
  }

  delete(first: string, second_text: string, id: string): void {
    const second = this.numbers.get(second_text);
    const cell = this.cells.get(first);
    if (!cell || second === undefined) return;
    if (cell instanceof Lone) {
      if (cell.second === second && cell.record.id === id) this.cells.delete(first);
      return;
    }
    const held = cell.get(second);
    if (held instanceof Map) held.delete(id);
    const is_empty = held instanceof Map ? held.size === 0 : held?.id === id;
    if (is_empty) cell.delete(second);
    if (cell.size === 0) this.cells.delete(first);
  }

  /** How many different second values were ever met. */
  get met(): number {
    return this.numbers.size;
  }

  /** Second values as `some` wants them, worked out once for many look-ups. */
  seconds(values: Iterable<string>): Seconds {
    const numbers = new Set<number>();
    for (const value of values) {
      const number = this.numbers.get(value);
      if (number !== undefined) numbers.add(number);
    }
    return { numbers, met: this.met };
  }

  /** Meets the records under the first value and any of the second ones; true if a visit ended the search. */
  some(first: string, { numbers }: Seconds, visit: (record: R) => boolean): boolean {
    const cell = this.cells.get(first);
    if (!cell) return false;
    if (cell instanceof Lone) return numbers.has(cell.second) && visit(cell.record);
    // Whichever is shorter: some resources have thousands of grantees, some users hundreds of groups.
    if (cell.size <= numbers.size) {
      for (const [second, held] of cell) if (numbers.has(second) && meet(held, visit)) return true;
      return false;
    }
    for (const second of numbers) {
      const held = cell.get(second);
      if (held !== undefined && meet(held, visit)) return true;
    }
    return false;
  }

  private numberOf(second: string): number {
    let number = this.numbers.get(second);
    if (number === undefined) this.numbers.set(second, (number = this.numbers.size));
    return number;
  }
}

function meet<R extends object>(held: Held<R>, visit: (record: R) => boolean): boolean {
  if (!(held instanceof Map)) return visit(held);
  for (const record of held.values()) if (visit(record)) return true;
  return false;
}
