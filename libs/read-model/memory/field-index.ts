import type { Clause, FamilySchema } from '../port.js';
import type { Bits } from './bits.js';
import type { Entry, FieldValue } from './entry.js';

/** Code of slots without a value, or with a list of values. */
const NONE = 0;
/** Ends a list of slots. */
const END = -1;

/**
 * The values of one field, and the slots of their entries. Every value has a small code, so that a clause of many
 * values is resolved once and slots are then compared by number. The slots with one value are linked with each other.
 */
class FieldColumn {
  private readonly codes = new Map<string, number>();
  /** By code: slots with the value, and the first of them. */
  private readonly counts: number[] = [0];
  private readonly first: number[] = [END];
  private readonly free_codes: number[] = [];
  /** By slot. */
  private code_of_slot: Int32Array = new Int32Array(64);
  private next: Int32Array = new Int32Array(64);
  private previous: Int32Array = new Int32Array(64);
  /** Slots of the entries that have a list of values, with that list, and by value. */
  private readonly plural = new Map<number, readonly string[]>();
  private readonly plural_slots = new Map<string, Set<number>>();

  add({ slot }: Entry, value: FieldValue): void {
    if (typeof value === 'string') {
      this.link(slot, value);
      return;
    }
    for (const one of value) {
      const slots = this.plural_slots.get(one);
      if (slots === undefined) this.plural_slots.set(one, new Set([slot]));
      else slots.add(slot);
    }
    this.plural.set(slot, value);
  }

  remove({ slot }: Entry, value: FieldValue): void {
    if (typeof value === 'string') {
      this.unlink(slot, value);
      return;
    }
    this.plural.delete(slot);
    for (const one of value) {
      const slots = this.plural_slots.get(one);
      slots?.delete(slot);
      if (slots?.size === 0) this.plural_slots.delete(one);
    }
  }

  /**
   * Number of entries with one of the values, those with several possibly counted repeatedly; counting stops beyond
   * `most`.
   */
  estimate(among: ReadonlySet<string>, most: number): number {
    let entries = 0;
    for (const value of among) {
      const code = this.codes.get(value) ?? NONE;
      entries += this.counts[code]! + (this.plural_slots.get(value)?.size ?? 0);
      if (entries > most) break;
    }
    return entries;
  }

  /** Calls `visit` for the slots of the entries with one of the values, possibly repeatedly. */
  visit(among: ReadonlySet<string>, visit: (slot: number) => void): void {
    for (const value of among) {
      const code = this.codes.get(value) ?? NONE;
      for (let slot = this.first[code]!; slot !== END; slot = this.next[slot]!) visit(slot);
      for (const slot of this.plural_slots.get(value) ?? []) visit(slot);
    }
  }

  /** Sets the bit (by slot) of every entry with one of the values. */
  mark(among: ReadonlySet<string>, bits: Bits): void {
    const is_among = new Uint8Array(this.counts.length);
    for (const value of among) {
      const code = this.codes.get(value);
      if (code !== undefined) is_among[code] = 1;
    }
    const { code_of_slot } = this;
    const slots = Math.min(32 * bits.length, code_of_slot.length);
    for (let slot = 0; slot < slots; slot += 1)
      bits[slot >>> 5]! |= is_among[code_of_slot[slot]!]! << (slot & 31);
    for (const [slot, values] of this.plural)
      if (values.some((value) => among.has(value))) bits[slot >>> 5]! |= 1 << (slot & 31);
  }

  private link(slot: number, value: string): void {
    const code = this.codes.get(value) ?? this.newCode(value);
    if (slot >= this.code_of_slot.length) {
      const length = slot + (slot >>> 2) + 64;
      this.code_of_slot = enlarged(this.code_of_slot, length);
      this.next = enlarged(this.next, length);
      this.previous = enlarged(this.previous, length);
    }
    const second = this.first[code]!;
    this.code_of_slot[slot] = code;
    this.next[slot] = second;
    this.previous[slot] = END;
    if (second !== END) this.previous[second] = slot;
    this.first[code] = slot;
    this.counts[code]! += 1;
  }

  private unlink(slot: number, value: string): void {
    const code = this.code_of_slot[slot]!;
    const before = this.previous[slot]!;
    const after = this.next[slot]!;
    if (before === END) this.first[code] = after;
    else this.next[before] = after;
    if (after !== END) this.previous[after] = before;
    this.code_of_slot[slot] = NONE;
    this.counts[code]! -= 1;
    if (this.counts[code]! > 0) return;
    this.codes.delete(value);
    this.free_codes.push(code);
  }

  private newCode(value: string): number {
    const code = this.free_codes.pop() ?? this.counts.length;
    this.codes.set(value, code);
    this.counts[code] = 0;
    this.first[code] = END;
    return code;
  }
}

function enlarged(array: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

export type Predicate = (entry: Entry) => boolean;

/**
 * The values of the fields that clauses may name, and their entries. A field is indexed on first use; many never are,
 * above all for past states.
 */
export class FieldIndex {
  /** Index in `Entry.values`. */
  private readonly slots: ReadonlyMap<string, number>;
  private readonly built = new Map<string, FieldColumn>();

  constructor(
    { fields }: FamilySchema,
    private readonly by_id: ReadonlyMap<string, Entry>,
  ) {
    this.slots = new Map(Object.keys(fields).map((field, slot) => [field, slot]));
  }

  /** Indexes every field from now on. */
  prepare(): void {
    for (const field of this.slots.keys()) this.column(field);
  }

  add(entry: Entry): void {
    for (const [field, column] of this.built) column.add(entry, entry.values[this.slot(field)]!);
  }

  remove(entry: Entry): void {
    for (const [field, column] of this.built) column.remove(entry, entry.values[this.slot(field)]!);
  }

  /**
   * An upper bound of the entries that match the clause; counting stops beyond `most`. Costs a look-up per value of
   * the clause.
   */
  estimate({ field, among }: Clause, most: number): number {
    return field === 'id' ? among.size : this.column(field).estimate(among, most);
  }

  /** Calls `visit` for the slots of the entries that match the clause, possibly repeatedly. */
  visit({ field, among }: Clause, visit: (slot: number) => void): void {
    if (field === 'id') this.visitIds(among, visit);
    else this.column(field).visit(among, visit);
  }

  /** Sets the bit (by slot) of every entry that matches the clause. */
  mark({ field, among }: Clause, bits: Bits): void {
    if (field === 'id') this.visitIds(among, (slot) => (bits[slot >>> 5]! |= 1 << (slot & 31)));
    else this.column(field).mark(among, bits);
  }

  /** True if at least one clause matches. */
  anyOf(clauses: readonly Clause[]): Predicate {
    const predicates = clauses.map((clause) => this.predicate(clause));
    const [only] = predicates;
    if (only !== undefined && predicates.length === 1) return only;
    return (entry) => predicates.some((holds) => holds(entry));
  }

  private predicate({ field, among }: Clause): Predicate {
    if (field === 'id') return (entry) => among.has(entry.id);
    const slot = this.slot(field);
    return (entry) => {
      const value = entry.values[slot]!;
      return typeof value === 'string' ? among.has(value) : value.some((one) => among.has(one));
    };
  }

  private visitIds(ids: ReadonlySet<string>, visit: (slot: number) => void): void {
    for (const id of ids) {
      const entry = this.by_id.get(id);
      if (entry !== undefined) visit(entry.slot);
    }
  }

  private column(field: string): FieldColumn {
    const known = this.built.get(field);
    if (known !== undefined) return known;
    const column = new FieldColumn();
    const slot = this.slot(field);
    for (const entry of this.by_id.values()) column.add(entry, entry.values[slot]!);
    this.built.set(field, column);
    return column;
  }

  private slot(field: string): number {
    const slot = this.slots.get(field);
    if (slot === undefined) throw new Error(`no field '${field}'`);
    return slot;
  }
}
