import type { Clause } from '../port.js';
import type { Entry } from './entry.js';
import type { FieldIndex, Predicate } from './field-index.js';

/** Visibilities whose marks are cached per family and drive; each takes one byte per record. */
const KEPT_VISIBILITIES = 8;

/**
 * The entries of a family that match at least one clause, such as those visible to a caller: one byte per slot,
 * instead of a set of ids.
 */
export class Marks {
  /** Entries that are marked. */
  count = 0;
  bytes: Uint8Array;
  private readonly holds: Predicate;

  constructor(clauses: readonly Clause[], fields: FieldIndex, slots: number) {
    this.bytes = new Uint8Array(slots);
    this.holds = fields.anyOf(clauses);
    for (const clause of clauses) fields.mark(clause, this.bytes);
    this.count = sumOf(this.bytes);
  }

  put(entry: Entry): void {
    this.mark(entry.slot, this.holds(entry) ? 1 : 0);
  }

  remove({ slot }: Entry): void {
    this.mark(slot, 0);
  }

  private mark(slot: number, mark: 0 | 1): void {
    if (slot >= this.bytes.length) {
      const grown = new Uint8Array(2 * slot + 64);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.count += mark - this.bytes[slot]!;
    this.bytes[slot] = mark;
  }
}

function sumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 1) sum += bytes[at]!;
  return sum;
}

/** Cache of the marks of recent visibilities, identified by reference and updated with every change. */
export class KeptMarks {
  private readonly kept = new Map<readonly Clause[], Marks>();

  constructor(private readonly fields: FieldIndex) {}

  find(visible: readonly Clause[]): Marks | undefined {
    return this.kept.get(visible);
  }

  /** `slots`: how many are in use. */
  of(visible: readonly Clause[], slots: number): Marks {
    const marks = this.kept.get(visible) ?? new Marks(visible, this.fields, slots);
    this.kept.delete(visible);
    this.kept.set(visible, marks);
    if (this.kept.size > KEPT_VISIBILITIES) this.kept.delete(this.kept.keys().next().value!);
    return marks;
  }

  put(entry: Entry): void {
    for (const marks of this.kept.values()) marks.put(entry);
  }

  remove(entry: Entry): void {
    for (const marks of this.kept.values()) marks.remove(entry);
  }
}
