import type { Clause, FamilySchema } from '../port.js';
import type { Entry } from './entry.js';
import { FieldColumn } from './field-column.js';

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

  /** Sets the byte (by slot) of every entry that matches the clause. */
  mark({ field, among }: Clause, bytes: Uint8Array): void {
    if (field === 'id') this.visitIds(among, ({ slot }) => (bytes[slot] = 1));
    else this.column(field).mark(among, bytes);
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
