/** The records of one pair of values; almost always one record. */
type RecordsOfPair<R> = R | Map<string, R>;

/** The entry of a first value with only one record. Most have one, and a Map would take more memory than the record. */
class SingleEntry<R> {
  constructor(
    readonly second: number,
    readonly record: R,
  ) {}
}

/** Second values as numbers of one index. Values unknown to the index are omitted, since they have no records. */
export interface SecondValues {
  readonly numbers: ReadonlySet<number>;
  /** Number of second values ever added until then. If it has grown, the numbers must be computed again. */
  readonly known_values: number;
}

/**
 * Finds records by pairs of values, such as a resource and its grantees. Second values are numbered: looking up a
 * number only reads the Map, while looking up a text also reads the texts it is compared with. For the same reason the
 * index holds the records themselves.
 */
export class PairIndex<R extends { readonly id: string }> {
  /** The second values of records. A number is never used for another value, so callers may keep it. */
  private readonly seconds = new Map<string, { readonly number: number; uses: number }>();
  /** Number of second values ever added. */
  known_values = 0;
  private readonly cells = new Map<string, SingleEntry<R> | Map<number, RecordsOfPair<R>>>();

  /** Adds a record, or replaces its former version under the same pair. */
  add(first: string, second_text: string, record: R): void {
    let second = this.seconds.get(second_text);
    if (!second) this.seconds.set(second_text, (second = { number: this.known_values++, uses: 0 }));
    if (this.put(first, second.number, record)) second.uses += 1;
  }

  delete(first: string, second_text: string, id: string): void {
    const second = this.seconds.get(second_text);
    if (!second || !this.remove(first, second.number, id)) return;
    second.uses -= 1;
    if (second.uses === 0) this.seconds.delete(second_text);
  }

  /** True if the record is new under this pair. */
  private put(first: string, second: number, record: R): boolean {
    const cell = this.cells.get(first);
    if (!cell || (cell instanceof SingleEntry && cell.record.id === record.id)) {
      this.cells.set(first, new SingleEntry(second, record));
      return !cell;
    }
    const many =
      cell instanceof Map ? cell : new Map<number, RecordsOfPair<R>>([[cell.second, cell.record]]);
    this.cells.set(first, many);
    const held = many.get(second);
    if (held instanceof Map) {
      const is_new = !held.has(record.id);
      held.set(record.id, record);
      return is_new;
    }
    if (held === undefined || held.id === record.id) many.set(second, record);
    else many.set(second, new Map([held, record].map((one) => [one.id, one])));
    return held?.id !== record.id;
  }

  /** True if the record was under this pair. */
  private remove(first: string, second: number, id: string): boolean {
    const cell = this.cells.get(first);
    if (!cell) return false;
    if (cell instanceof SingleEntry)
      return cell.second === second && cell.record.id === id && this.cells.delete(first);
    const held = cell.get(second);
    const was_held = held instanceof Map ? held.delete(id) : held?.id === id;
    const is_empty = held instanceof Map ? held.size === 0 : was_held;
    if (is_empty) cell.delete(second);
    if (cell.size === 0) this.cells.delete(first);
    return was_held;
  }

  /** Number of records under one pair. */
  count(first: string, second_text: string): number {
    const cell = this.cells.get(first);
    const second = this.seconds.get(second_text);
    if (!cell || !second) return 0;
    if (cell instanceof SingleEntry) return cell.second === second.number ? 1 : 0;
    const held = cell.get(second.number);
    return held instanceof Map ? held.size : held ? 1 : 0;
  }

  /** The argument of `some` for these second values; reusable for many look-ups. */
  secondValues(values: Iterable<string>): SecondValues {
    const numbers = new Set<number>();
    for (const value of values) {
      const second = this.seconds.get(value);
      if (second) numbers.add(second.number);
    }
    return { numbers, known_values: this.known_values };
  }

  /** Visits the records under the first value and any of the second values; true if a visit ended the search. */
  some(first: string, { numbers }: SecondValues, visit: (record: R) => boolean): boolean {
    const cell = this.cells.get(first);
    if (!cell) return false;
    if (cell instanceof SingleEntry) return numbers.has(cell.second) && visit(cell.record);
    // Iterates over the shorter side: some resources have thousands of grantees, some users hundreds of groups.
    if (cell.size <= numbers.size) {
      for (const [second, held] of cell)
        if (numbers.has(second) && visitAll(held, visit)) return true;
      return false;
    }
    for (const second of numbers) {
      const held = cell.get(second);
      if (held !== undefined && visitAll(held, visit)) return true;
    }
    return false;
  }
}

function visitAll<R extends object>(
  held: RecordsOfPair<R>,
  visit: (record: R) => boolean,
): boolean {
  if (!(held instanceof Map)) return visit(held);
  for (const record of held.values()) if (visit(record)) return true;
  return false;
}
