import type { Clause, FamilySchema } from '../port.js';
import type { Entry, FieldValue } from './entry.js';

export type Predicate = (entry: Entry) => boolean;

/** Value to entries. One entry stands bare, since most values of most fields have one and sets are heavy. */
type Postings = Map<string, Entry | Set<Entry>>;

interface Field {
  /** Index in `Entry.values`. */
  readonly slot: number;
  readonly postings: Postings;
}

/** Which entries of a family have which values in the fields that clauses may name. */
export class FieldIndex {
  private readonly fields: ReadonlyMap<string, Field>;

  constructor(
    schema: FamilySchema,
    private readonly by_id: ReadonlyMap<string, Entry>,
  ) {
    const names = Object.keys(schema.fields);
    this.fields = new Map(names.map((name, slot) => [name, { slot, postings: new Map() }]));
  }

  add(entry: Entry): void {
    for (const { slot, postings } of this.fields.values()) {
      for (const value of valuesOf(entry.values[slot]!)) put(postings, value, entry);
    }
  }

  remove(entry: Entry): void {
    for (const { slot, postings } of this.fields.values()) {
      for (const value of valuesOf(entry.values[slot]!)) take(postings, value, entry);
    }
  }

  /** At least as many entries as the clause holds for; costs a look-up per value of the clause. */
  estimate({ field, among }: Clause): number {
    if (field === 'id') return among.size;
    const { postings } = this.field(field);
    let entries = 0;
    for (const value of among) {
      const held = postings.get(value);
      if (held !== undefined) entries += held instanceof Set ? held.size : 1;
    }
    return entries;
  }

  /** Adds the entries that the clause holds for to `found`. */
  collect({ field, among }: Clause, found: Set<Entry>): void {
    const postings = field === 'id' ? this.by_id : this.field(field).postings;
    for (const value of among) {
      const held = postings.get(value);
      if (held instanceof Set) for (const entry of held) found.add(entry);
      else if (held !== undefined) found.add(held);
    }
  }

  predicate({ field, among }: Clause): Predicate {
    if (field === 'id') return (entry) => among.has(entry.id);
    const { slot } = this.field(field);
    return (entry) => {
      const value = entry.values[slot]!;
      return typeof value === 'string' ? among.has(value) : value.some((one) => among.has(one));
    };
  }

  private field(name: string): Field {
    const field = this.fields.get(name);
    if (field === undefined) throw new Error(`no field '${name}'`);
    return field;
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
