import type { Clause, FamilySchema } from '../port.js';
import type { Entry, FieldValue } from './entry.js';

export type Predicate = (entry: Entry) => boolean;

/** Value to entries. One entry stands bare, since most values of most fields have one and sets are heavy. */
type Postings = Map<string, Entry | Set<Entry>>;

/**
 * Which entries of a family have which values in the fields that clauses may name. A field is indexed
 * when a query first asks by it; many never do, above all in views of the past.
 */
export class FieldIndex {
  /** Index in `Entry.values`. */
  private readonly slots: ReadonlyMap<string, number>;
  private readonly built = new Map<string, Postings>();

  constructor(
    { fields }: FamilySchema,
    private readonly by_id: ReadonlyMap<string, Entry>,
  ) {
    this.slots = new Map(Object.keys(fields).map((field, slot) => [field, slot]));
  }

  /** Indexes every field from now on. */
  prepare(): void {
    for (const field of this.slots.keys()) this.postings(field);
  }

  add(entry: Entry): void {
    for (const [field, postings] of this.built) this.post(entry, field, postings);
  }

  remove(entry: Entry): void {
    for (const [field, postings] of this.built) {
      for (const value of valuesOf(entry.values[this.slot(field)]!)) take(postings, value, entry);
    }
  }

  /** At least as many entries as the clause holds for; costs a look-up per value of the clause. */
  estimate({ field, among }: Clause): number {
    if (field === 'id') return among.size;
    const postings = this.postings(field);
    let entries = 0;
    for (const value of among) {
      const held = postings.get(value);
      if (held !== undefined) entries += held instanceof Set ? held.size : 1;
    }
    return entries;
  }

  /** Shows `visit` the entries that the clause holds for, some perhaps more than once. */
  visit({ field, among }: Clause, visit: (entry: Entry) => void): void {
    const postings = field === 'id' ? this.by_id : this.postings(field);
    for (const value of among) {
      const held = postings.get(value);
      if (held instanceof Set) for (const entry of held) visit(entry);
      else if (held !== undefined) visit(held);
    }
  }

  /** Holds if at least one clause does. */
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

  private postings(field: string): Postings {
    const known = this.built.get(field);
    if (known !== undefined) return known;
    const postings: Postings = new Map();
    for (const entry of this.by_id.values()) this.post(entry, field, postings);
    this.built.set(field, postings);
    return postings;
  }

  private post(entry: Entry, field: string, postings: Postings): void {
    for (const value of valuesOf(entry.values[this.slot(field)]!)) put(postings, value, entry);
  }

  private slot(field: string): number {
    const slot = this.slots.get(field);
    if (slot === undefined) throw new Error(`no field '${field}'`);
    return slot;
  }
}

function valuesOf(value: FieldValue): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

function put(postings: Postings, value: string, entry: Entry): void {
  const held = postings.get(value);
  if (held === undefined) postings.set(value, entry);
  else if (held instanceof Set) held.add(entry);
  else if (held !== entry) postings.set(value, new Set([held, entry]));
}

function take(postings: Postings, value: string, entry: Entry): void {
  const held = postings.get(value);
  if (held === entry) postings.delete(value);
  if (!(held instanceof Set)) return;
  held.delete(entry);
  if (held.size === 0) postings.delete(value);
}
