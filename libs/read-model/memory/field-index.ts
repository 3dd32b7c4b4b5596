import type { Clause, FamilySchema } from '../port.js';
import type { Bits } from './bits.js';
import type { Entry, FieldValue } from './entry.js';

/** Code of entries that were removed or have a list of values. */
const NONE = 0;

/**
 * The values of one field, and their entries. Every value has a small code, so that a clause of many values is
 * resolved once and entries are then compared by number.
 */
export class FieldColumn {
  private readonly codes = new Map<string, number>();
  /** By code. A single entry is stored without a set, since sets are large and most values have one entry. */
  private readonly held: (Entry | Set<Entry> | null)[] = [null];
  private readonly free_codes: number[] = [];
  /** By slot, of the entries that have a value and no list. */
  private code_of_slot = new Uint32Array(64);
  /** Entries that have a list of values. */
  private readonly plural = new Map<Entry, readonly string[]>();

  add(entry: Entry, value: FieldValue): void {
    if (typeof value === 'string') {
      this.setCode(entry.slot, this.put(value, entry));
      return;
    }
    for (const one of value) this.put(one, entry);
    this.plural.set(entry, value);
  }

  remove(entry: Entry, value: FieldValue): void {
    this.setCode(entry.slot, NONE);
    this.plural.delete(entry);
    if (typeof value === 'string') this.take(value, entry);
    else for (const one of value) this.take(one, entry);
  }

  /**
   * Number of entries with one of the values, those with several possibly counted repeatedly; counting stops beyond
   * `most`.
   */
  estimate(among: ReadonlySet<string>, most: number): number {
    let entries = 0;
    for (const value of among) {
      const held = this.heldFor(value);
      if (held !== null) entries += held instanceof Set ? held.size : 1;
      if (entries > most) break;
    }
    return entries;
  }

  /** Calls `visit` for the entries with one of the values, possibly repeatedly. */
  visit(among: ReadonlySet<string>, visit: (entry: Entry) => void): void {
    for (const value of among) {
      const held = this.heldFor(value);
      if (held instanceof Set) for (const entry of held) visit(entry);
      else if (held !== null) visit(held);
    }
  }

  /** Sets the bit (by slot) of every entry with one of the values. */
  mark(among: ReadonlySet<string>, bits: Bits): void {
    const is_among = new Uint8Array(this.held.length);
    for (const value of among) {
      const code = this.codes.get(value);
      if (code !== undefined) is_among[code] = 1;
    }
    const { code_of_slot } = this;
    const slots = Math.min(32 * bits.length, code_of_slot.length);
    for (let slot = 0; slot < slots; slot += 1)
      bits[slot >>> 5]! |= is_among[code_of_slot[slot]!]! << (slot & 31);
    for (const [{ slot }, values] of this.plural)
      if (values.some((value) => among.has(value))) bits[slot >>> 5]! |= 1 << (slot & 31);
  }

  private heldFor(value: string): Entry | Set<Entry> | null {
    const code = this.codes.get(value);
    return code === undefined ? null : this.held[code]!;
  }

  private put(value: string, entry: Entry): number {
    const known = this.codes.get(value);
    if (known === undefined) {
      const code = this.free_codes.pop() ?? this.held.length;
      this.codes.set(value, code);
      this.held[code] = entry;
      return code;
    }
    const held = this.held[known]!;
    if (held instanceof Set) held.add(entry);
    else if (held !== entry) this.held[known] = new Set([held, entry]);
    return known;
  }

  private take(value: string, entry: Entry): void {
    const code = this.codes.get(value);
    if (code === undefined) return;
    const held = this.held[code]!;
    if (held instanceof Set) held.delete(entry);
    if (held instanceof Set ? held.size > 0 : held !== entry) return;
    this.codes.delete(value);
    this.held[code] = null;
    this.free_codes.push(code);
  }

  private setCode(slot: number, code: number): void {
    if (slot >= this.code_of_slot.length) {
      const grown = new Uint32Array(2 * slot);
      grown.set(this.code_of_slot);
      this.code_of_slot = grown;
    }
    this.code_of_slot[slot] = code;
  }
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

  /** Calls `visit` for the entries that match the clause, possibly repeatedly. */
  visit({ field, among }: Clause, visit: (entry: Entry) => void): void {
    if (field === 'id') this.visitIds(among, visit);
    else this.column(field).visit(among, visit);
  }

  /** Sets the bit (by slot) of every entry that matches the clause. */
  mark({ field, among }: Clause, bits: Bits): void {
    if (field === 'id') this.visitIds(among, ({ slot }) => (bits[slot >>> 5]! |= 1 << (slot & 31)));
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

  private visitIds(ids: ReadonlySet<string>, visit: (entry: Entry) => void): void {
    for (const id of ids) {
      const entry = this.by_id.get(id);
      if (entry !== undefined) visit(entry);
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
