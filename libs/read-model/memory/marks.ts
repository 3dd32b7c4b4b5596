import type { Clause } from '../port.js';
import { type Bits, countBits, SlotSet, wordsFor } from './bits.js';
import type { Entry } from './entry.js';
import type { FieldIndex, Predicate } from './field-index.js';

/** Visibilities whose marks are cached per family and drive; each takes one bit per record. */
const KEPT_VISIBILITIES = 8;

/** The slots of the entries that match at least one clause. */
export function marked(clauses: readonly Clause[], fields: FieldIndex, slots: number): Bits {
  const bits = new Int32Array(wordsFor(slots));
  for (const clause of clauses) fields.mark(clause, bits);
  return bits;
}

/** The entries visible to a caller, in step with the records. */
class Marks {
  count: number;
  readonly slots: SlotSet;
  private readonly holds: Predicate;

  constructor(clauses: readonly Clause[], fields: FieldIndex, slots: number) {
    this.slots = new SlotSet(marked(clauses, fields, slots));
    this.count = countBits(this.slots.bits);
    this.holds = fields.anyOf(clauses);
  }

  put(entry: Entry): void {
    this.mark(entry.slot, this.holds(entry));
  }

  remove({ slot }: Entry): void {
    this.mark(slot, false);
  }

  private mark(slot: number, is_marked: boolean): void {
    this.count += Number(is_marked) - Number(this.slots.has(slot));
    this.slots.set(slot, is_marked);
  }
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
