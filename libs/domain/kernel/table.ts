import type { Journal } from './journal.js';
import { Multimap } from './multimap.js';
import { type OrderedId, OrderedIndex } from './ordered-index.js';
import { PairIndex } from './pair-index.js';

/** What every record has. Records are values: a changed record replaces the old one. */
export interface RecordBase {
  readonly id: string;
  /** Revision of the event that last changed the record's own fields. Not part of its hash. */
  readonly revision?: number;
  /** Labels pinned on the record, in the order of pinning; absent if there are none. */
  readonly label_ids?: readonly string[];
}

/** The value or values under which an index finds a record. */
export type Indexed = string | readonly string[] | null;

const NONE: readonly string[] = [];

function valuesOf(indexed: Indexed): readonly string[] {
  if (indexed === null || indexed === '') return NONE;
  return typeof indexed === 'string' ? [indexed] : indexed;
}

/** What one family declares about its records. */
export interface FamilyDefinition<R extends RecordBase> {
  /** Name in the API: `include` of replay, counts, hashes. */
  readonly name: string;
  /** Members equal to these are left out of the record's hash, so fields added later change no old hash. */
  readonly defaults: Partial<R>;
  /** Fields that hold a user id, or a list with user ids; superswap replaces it in all of them. */
  readonly user_fields: readonly (keyof R & string)[];
  /** What is looked up by value; null and '' are not indexed. */
  readonly indexes?: Readonly<Record<string, (record: R) => Indexed>>;
  /** What is looked up by two values at once. */
  readonly pairs?: Readonly<Record<string, (record: R) => readonly [string, string]>>;
  /** What is listed in the order of a text: the records under each value of an index that gives one value. */
  readonly orders?: Readonly<Record<string, { index: string; text: (record: R) => string }>>;
  /** Times at which the record begins or stops to count (only those above 0 matter). */
  readonly windows?: (record: R) => readonly number[];
  /** What history does not show: fields that mean nothing to people. Ids and digests never are shown. */
  readonly internal?: readonly (keyof R & string)[];
  /** True if the id of a deleted record may be used again. */
  readonly reusable_ids?: boolean;
}

/** A record that took another's place; undefined where there was or is none. */
export interface Replacement<R> {
  readonly before: R | undefined;
  readonly after: R | undefined;
}

/** True if it is known that no record, as it was or as it is, is meant. */
export function hasNone<R>(
  replaced: readonly Replacement<R>[] | null,
  isMeant: (record: R) => boolean,
): boolean {
  return (
    replaced !== null &&
    !replaced.some(({ before, after }) => (before && isMeant(before)) || (after && isMeant(after)))
  );
}

/** Replacements that are remembered; they hold on to former records, so not many. A power of two. */
const REMEMBERED = 128;

interface Pair<R extends RecordBase> {
  readonly name: string;
  readonly of: (record: R) => readonly [string, string];
  readonly index: PairIndex<R>;
}

interface Order<R extends RecordBase> {
  readonly group: (record: R) => string | null;
  readonly text: (record: R) => string;
  readonly members: Multimap;
  readonly index: OrderedIndex;
}

/** The live records of one family, with their indexes. All changes go through the journal. */
export class Table<R extends RecordBase> {
  private readonly records = new Map<string, R>();
  private readonly indexes: readonly { of: (record: R) => Indexed; map: Multimap }[];
  private readonly by_name: Readonly<Record<string, Multimap>>;
  private readonly pairs: readonly Pair<R>[];
  private readonly orders = new Map<string, Order<R>>();
  /** Goes up with every change; whoever caches something about this family compares it. */
  version = 0;
  /** The last replacements: that which made version v stands at v modulo their number. */
  private readonly befores: (R | undefined)[] = [];
  private readonly afters: (R | undefined)[] = [];

  constructor(
    readonly definition: FamilyDefinition<R>,
    private readonly journal: Journal,
  ) {
    const by_name: Record<string, Multimap> = {};
    this.indexes = Object.entries(definition.indexes ?? {}).map(([name, of]) => {
      const map = new Multimap();
      by_name[name] = map;
      return { of, map };
    });
    this.by_name = by_name;
    this.pairs = Object.entries(definition.pairs ?? {}).map(([name, of]) => ({
      name,
      of,
      index: new PairIndex<R>(),
    }));
    for (const [name, { index, text }] of Object.entries(definition.orders ?? {})) {
      const group = definition.indexes![index] as Order<R>['group'];
      this.orders.set(name, { group, text, members: by_name[index]!, index: new OrderedIndex() });
    }
  }

  get size(): number {
    return this.records.size;
  }

  get(id: string): R | undefined {
    return this.records.get(id);
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  values(): IterableIterator<R> {
    return this.records.values();
  }

  ids(): IterableIterator<string> {
    return this.records.keys();
  }

  /** Ids of the records whose indexed field has this value. */
  by(index: string, value: string): ReadonlySet<string> {
    return this.index(index).get(value);
  }

  /** How many records `by` would name. */
  count(index: string, value: string): number {
    return this.index(index).size(value);
  }

  /** The records whose indexed field has this value. */
  where(index: string, value: string): readonly R[] {
    return this.index(index)
      .list(value)
      .map((id) => this.records.get(id)!);
  }

  /** Looks records up by two values at once. */
  pair(name: string): PairIndex<R> {
    const found = this.pairs.find((pair) => pair.name === name);
    if (!found) throw new Error(`family ${this.definition.name} has no pair ${name}`);
    return found.index;
  }

  /** Ids of the records whose field has this value, in the order of their text. */
  ordered(name: string, value: string): readonly OrderedId[] {
    const { members, text, index } = this.orders.get(name)!;
    return index.of(value, () =>
      members.list(value).map((id) => [id, text(this.records.get(id)!)] as const),
    );
  }

  /** What was replaced since a version, undo included; null if that is too long ago to be remembered. */
  since(version: number): readonly Replacement<R>[] | null {
    const count = this.version - version;
    if (count > REMEMBERED) return null;
    return Array.from({ length: count }, (_, nth) => {
      const at = (version + 1 + nth) % REMEMBERED;
      return { before: this.befores[at], after: this.afters[at] };
    });
  }

  put(record: R): void {
    const stamped = record as { revision?: number };
    stamped.revision = this.journal.revision;
    this.journal.write(
      this as unknown as Table<RecordBase>,
      record.id,
      this.replace(record.id, record),
      record,
    );
  }

  remove(id: string): void {
    if (!this.records.has(id)) return;
    this.journal.write(
      this as unknown as Table<RecordBase>,
      id,
      this.replace(id, undefined),
      undefined,
    );
  }

  /** Puts a record back as it was, without a trace in the journal: undo and snapshots. */
  restore(id: string, record: R | undefined): R | undefined {
    return this.replace(id, record);
  }

  private index(name: string): Multimap {
    const map = this.by_name[name];
    if (!map) throw new Error(`family ${this.definition.name} has no index ${name}`);
    return map;
  }

  private replace(id: string, record: R | undefined): R | undefined {
    const before = this.records.get(id);
    for (const { of, map } of this.indexes) {
      const old_value = before ? of(before) : null;
      const new_value = record ? of(record) : null;
      if (old_value === new_value) continue;
      for (const value of valuesOf(old_value)) map.delete(value, id);
      for (const value of valuesOf(new_value)) map.add(value, id);
    }
    for (const { of, index } of this.pairs) {
      const old_pair = before && of(before);
      const new_pair = record && of(record);
      const stays = old_pair?.[0] === new_pair?.[0] && old_pair?.[1] === new_pair?.[1];
      if (old_pair && !stays) index.delete(...old_pair, id);
      if (new_pair) index.add(...new_pair, record);
    }
    for (const { group, text, index } of this.orders.values()) {
      const old_group = before ? group(before) : null;
      const new_group = record ? group(record) : null;
      const stays = old_group === new_group && before && record && text(before) === text(record);
      if (stays) continue;
      if (before && old_group) index.delete(old_group, id, text(before));
      if (record && new_group) index.add(new_group, id, text(record));
    }
    if (record) this.records.set(id, record);
    else this.records.delete(id);
    const at = ++this.version % REMEMBERED;
    this.befores[at] = before;
    this.afters[at] = record;
    this.journal.replaced(
      this.definition as unknown as FamilyDefinition<RecordBase>,
      before,
      record,
    );
    return before;
  }
}
