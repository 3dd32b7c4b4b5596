import type { UndoLog } from './undo-log.js';
import { ChangedIds } from './indexes/changed-ids.js';
import { type IdGroup, IdGroups } from './indexes/id-groups.js';
import { Multimap } from './indexes/multimap.js';
import { type OrderedIds, OrderedIndex } from './indexes/ordered-index.js';
import { PairIndex } from './indexes/pair-index.js';
import type { FamilyDefinition, Indexed, RecordBase } from './record.js';
import type { Steps } from './steps.js';

const NONE: readonly string[] = [];

/** The index of all user fields. Only superswaps need it, so it is not prepared with the others. */
const HELD_USERS = 'held users';

function valuesOf(indexed: Indexed): readonly string[] {
  if (indexed === null || indexed === '') return NONE;
  return typeof indexed === 'string' ? [indexed] : indexed;
}

/** The index of all user fields of a family. */
function heldUsers<R extends RecordBase>({ user_fields }: FamilyDefinition<R>) {
  return (record: R): readonly string[] =>
    user_fields
      .flatMap((field) => record[field] as Indexed | undefined)
      .filter((held): held is string => typeof held === 'string' && held !== '');
}

/** A record before and after some changes; undefined if there was or is none. */
export interface Replacement<R> {
  readonly before: R | undefined;
  readonly after: R | undefined;
}

/** True if no changed record matches. */
export function hasNone<R>(
  replaced: readonly Replacement<R>[] | null,
  isMeant: (record: R) => boolean,
): boolean {
  return (
    replaced !== null &&
    !replaced.some(({ before, after }) => (before && isMeant(before)) || (after && isMeant(after)))
  );
}

/** Stored records, created on demand; each has a position. */
export interface StoredRecords<R extends RecordBase> {
  /** The record at a position, created on each call. */
  record(place: number): R;
  /** Reused object; do not retain. */
  view(place: number): R;
}

/** Maximum remembered former records, since they are retained. A power of two. */
const REMEMBERED = 1024;
/** Records per step when a table is filled or indexed. */
const FILLED_AT_ONCE = 100;
/** Characters after the family's prefix that the ids of a group have in common. */
const COMMON_CHARS = 3;
/** Group size up to which sorting at once is fast. */
const FEW_MEMBERS = 5_000;

interface Index<R extends RecordBase> {
  readonly of: (record: R) => Indexed;
  readonly map: Multimap;
}

interface Pair<R extends RecordBase> {
  readonly of: (record: R) => readonly [string, string];
  readonly index: PairIndex<R>;
}

interface Order<R extends RecordBase> {
  readonly group: (record: R) => string | null;
  readonly text: (record: R) => string;
  readonly members: Multimap;
  readonly index: OrderedIndex;
}

interface Sum<R extends RecordBase> {
  readonly of: (record: R) => readonly [value: string, amount: number];
  readonly totals: Map<string, number>;
}

function addTo<R extends RecordBase>({ of, totals }: Sum<R>, record: R, sign: 1 | -1): void {
  const [value, amount] = of(record);
  const total = (totals.get(value) ?? 0) + sign * amount;
  if (total === 0) totals.delete(value);
  else totals.set(value, total);
}

/**
 * The live records of one family, with their indexes. All changes go through the undo log. An index is built on first
 * use and updated from then on: most past states need few.
 */
export class Table<R extends RecordBase> {
  /** By id, in insertion order; a number is the position of a stored record. */
  private readonly records = new Map<string, R | number>();
  private stored: StoredRecords<R> | null = null;
  private readonly indexes = new Map<string, Index<R>>();
  private readonly pairs = new Map<string, Pair<R>>();
  private readonly orders = new Map<string, Order<R>>();
  private readonly sums = new Map<string, Sum<R>>();
  /** Increases with every change; caches about this family compare it. */
  version = 0;
  /** Former records: the one that version v replaced is at v modulo their number. */
  private readonly befores: (R | undefined)[] = [];
  private readonly changed_ids = new ChangedIds();
  private grouped_ids: IdGroups | null = null;

  constructor(
    readonly definition: FamilyDefinition<R>,
    private readonly undo_log: UndoLog,
  ) {}

  get size(): number {
    return this.records.size;
  }

  get(id: string): R | undefined {
    const held = this.records.get(id);
    return typeof held === 'number' ? this.make(id, held) : held;
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  values(): IteratorObject<R> {
    return this.stored ? this.made() : (this.records.values() as IteratorObject<R>);
  }

  /** All records as reused objects; do not retain. No record is created for stored ones. */
  *views(): IterableIterator<R> {
    for (const held of this.records.values())
      yield typeof held === 'number' ? this.stored!.view(held) : held;
  }

  ids(): IterableIterator<string> {
    return this.records.keys();
  }

  /** The ids in groups, which are in order. */
  get id_groups(): readonly IdGroup[] {
    const { prefix = '' } = this.definition;
    return (this.grouped_ids ??= new IdGroups(this.ids(), prefix.length + COMMON_CHARS)).inOrder;
  }

  /** Ids of the records whose indexed field has this value. */
  by(index: string, value: string): ReadonlySet<string> {
    return this.index(index).get(value);
  }

  count(index: string, value: string): number {
    return this.index(index).size(value);
  }

  /** Ids of the records with this user id in a user field. The first call visits all records, in small steps. */
  *findHolders(user_id: string): Steps<readonly string[]> {
    if (this.definition.user_fields.length === 0) return NONE;
    if (!this.indexes.has(HELD_USERS)) yield* this.indexSteps(HELD_USERS);
    return this.index(HELD_USERS).list(user_id);
  }

  /** The records whose indexed field has this value. */
  where(index: string, value: string): readonly R[] {
    return this.index(index)
      .list(value)
      .map((id) => this.get(id)!);
  }

  /** The records whose indexed field has one of these values, in no order. Costs as much as the fewer of both. */
  *whereAmong(index: string, values: ReadonlySet<string>): Generator<R> {
    for (const value of this.index(index).among(values)) yield* this.where(index, value);
  }

  /** Index by two values at once. */
  pair(name: string): PairIndex<R> {
    return (this.pairs.get(name) ?? this.makePair(name)).index;
  }

  /** Ids of the records whose field has this value, in the order of their text. */
  ordered(name: string, value: string): OrderedIds {
    const { members, text, index } = this.orders.get(name) ?? this.makeOrder(name);
    return index.of(value, () =>
      members.list(value).map((id) => [id, text(this.get(id)!)] as const),
    );
  }

  /** These records one by one; the table must not change meanwhile. */
  *inOrder(name: string, value: string): Generator<R> {
    for (const { id } of this.ordered(name, value)) yield this.get(id)!;
  }

  /** The total amount of the records with this value. */
  sum(name: string, value: string): number {
    return (this.sums.get(name) ?? this.makeSum(name)).totals.get(value) ?? 0;
  }

  /** The records changed since a version, as they were and are, each once; null if that is too long ago. */
  since(version: number): readonly Replacement<R>[] | null {
    if (this.version - version > REMEMBERED) return null;
    const befores = new Map<string, R | undefined>();
    this.changed_ids.after(version).forEach((id, nth) => {
      if (!befores.has(id)) befores.set(id, this.befores[(version + 1 + nth) % REMEMBERED]);
    });
    return Array.from(befores, ([id, before]) => ({ before, after: this.get(id) })).filter(
      ({ before, after }) => before !== after,
    );
  }

  /** Ids of the records replaced since a version, until another, each once; null if that is too long ago. */
  changedSince(version: number, until: number = this.version): ReadonlySet<string> | null {
    return this.changed_ids.between(version, until);
  }

  /** Inserts a record, which then belongs to the table: it is stamped with the event's revision. */
  put(record: R): void {
    const stamped = record as { revision?: number };
    stamped.revision = this.undo_log.revision;
    this.undo_log.write(
      this as unknown as Table<RecordBase>,
      record.id,
      this.replace(record.id, record),
      record,
    );
  }

  remove(id: string): void {
    if (!this.has(id)) return;
    this.undo_log.write(
      this as unknown as Table<RecordBase>,
      id,
      this.replace(id, undefined),
      undefined,
    );
  }

  /** All current records as a snapshot, even if they are consumed later. */
  currentRecords(): Iterable<R> {
    const held = [...this.records.values()];
    const { stored } = this;
    return (function* () {
      for (const one of held) yield typeof one === 'number' ? stored!.record(one) : one;
    })();
  }

  /** Fills an empty table with stored records, in small steps; the nth id is at position n. */
  *fill(ids: Iterable<string>, stored: StoredRecords<R>): Generator<void> {
    this.stored = stored;
    let place = 0;
    for (const id of ids) {
      this.records.set(id, place++);
      if (place % FILLED_AT_ONCE === 0) yield;
    }
  }

  /** All records, created one at a time. */
  private *made(): Generator<R> {
    for (const [id, held] of this.records)
      yield typeof held === 'number' ? this.make(id, held) : held;
    this.stored = null;
  }

  /** Restores a former record without an undo entry; used by rollback. */
  restore(id: string, record: R | undefined): R | undefined {
    return this.replace(id, record);
  }

  private index(name: string): Multimap {
    return (this.indexes.get(name) ?? this.makeIndex(name)).map;
  }

  /**
   * Builds missing indexes and sorts groups with many records, in small steps, so that their first use is fast. The
   * table must not change meanwhile.
   */
  *indexing(): Generator<void> {
    const { indexes = {}, pairs = {}, sums = {}, orders = {} } = this.definition;
    for (const name of Object.keys(indexes))
      if (!this.indexes.has(name)) yield* this.indexSteps(name);
    for (const name of Object.keys(pairs)) if (!this.pairs.has(name)) yield* this.pairSteps(name);
    for (const name of Object.keys(sums)) if (!this.sums.has(name)) yield* this.sumSteps(name);
    for (const name of Object.keys(orders)) {
      const { members, text, index } = this.orders.get(name) ?? this.makeOrder(name);
      for (const value of members.values())
        if (members.size(value) > FEW_MEMBERS)
          yield* index.prepare(value, this.textsOf(members.list(value), text));
    }
  }

  private *textsOf(
    ids: readonly string[],
    text: (record: R) => string,
  ): Generator<readonly [string, string]> {
    for (const id of ids) yield [id, text(this.get(id)!)];
  }

  private makeIndex(name: string): Index<R> {
    this.undo_log.atOnce(this.size, this.indexSteps(name));
    return this.indexes.get(name)!;
  }

  private *indexSteps(name: string): Generator<void> {
    const { definition } = this;
    const of = name === HELD_USERS ? heldUsers(definition) : definition.indexes?.[name];
    if (!of) throw new Error(`family ${definition.name} has no index ${name}`);
    const map = new Multimap();
    let nth = 0;
    for (const record of this.views()) {
      for (const value of valuesOf(of(record))) map.add(value, record.id);
      if (++nth % FILLED_AT_ONCE === 0) yield;
    }
    this.indexes.set(name, { of, map });
  }

  private makePair(name: string): Pair<R> {
    this.undo_log.atOnce(this.size, this.pairSteps(name));
    return this.pairs.get(name)!;
  }

  private *pairSteps(name: string): Generator<void> {
    const of = this.definition.pairs?.[name];
    if (!of) throw new Error(`family ${this.definition.name} has no pair ${name}`);
    const index = new PairIndex<R>();
    let nth = 0;
    for (const record of this.values()) {
      index.add(...of(record), record);
      if (++nth % FILLED_AT_ONCE === 0) yield;
    }
    this.pairs.set(name, { of, index });
  }

  private makeSum(name: string): Sum<R> {
    this.undo_log.atOnce(this.size, this.sumSteps(name));
    return this.sums.get(name)!;
  }

  private *sumSteps(name: string): Generator<void> {
    const of = this.definition.sums?.[name];
    if (!of) throw new Error(`family ${this.definition.name} has no sum ${name}`);
    const sum: Sum<R> = { of, totals: new Map() };
    let nth = 0;
    for (const record of this.views()) {
      addTo(sum, record, 1);
      if (++nth % FILLED_AT_ONCE === 0) yield;
    }
    this.sums.set(name, sum);
  }

  private makeOrder(name: string): Order<R> {
    const order = this.definition.orders?.[name];
    if (!order) throw new Error(`family ${this.definition.name} has no order ${name}`);
    const group = this.definition.indexes![order.index] as Order<R>['group'];
    const members = this.index(order.index);
    const made = { group, text: order.text, members, index: new OrderedIndex() };
    this.orders.set(name, made);
    return made;
  }

  private make(id: string, place: number): R {
    const record = this.stored!.record(place);
    this.records.set(id, record);
    return record;
  }

  /** Replaces a record in the table and its indexes. */
  protected replace(id: string, record: R | undefined): R | undefined {
    const before = this.get(id);
    for (const { of, map } of this.indexes.values()) {
      const old_value = before ? of(before) : null;
      const new_value = record ? of(record) : null;
      if (old_value === new_value) continue;
      for (const value of valuesOf(old_value)) map.delete(value, id);
      for (const value of valuesOf(new_value)) map.add(value, id);
    }
    for (const { of, index } of this.pairs.values()) {
      const old_pair = before && of(before);
      const new_pair = record && of(record);
      const stays = old_pair?.[0] === new_pair?.[0] && old_pair?.[1] === new_pair?.[1];
      if (old_pair && !stays) index.delete(...old_pair, id);
      if (new_pair) index.add(...new_pair, record);
    }
    for (const sum of this.sums.values()) {
      if (before) addTo(sum, before, -1);
      if (record) addTo(sum, record, 1);
    }
    for (const { group, text, index } of this.orders.values()) {
      const old_group = before ? group(before) : null;
      const new_group = record ? group(record) : null;
      const stays = old_group === new_group && before && record && text(before) === text(record);
      if (stays) continue;
      if (before && old_group) index.delete(old_group, id, text(before));
      if (record && new_group) index.add(new_group, id, text(record));
    }
    if (record && !before) this.grouped_ids?.add(id);
    if (before && !record) this.grouped_ids?.delete(id);
    if (record) this.records.set(id, record);
    else this.records.delete(id);
    this.befores[++this.version % REMEMBERED] = before;
    this.changed_ids.note(id, this.records.size);
    this.undo_log.replaced(
      this.definition as unknown as FamilyDefinition<RecordBase>,
      before,
      record,
    );
    return before;
  }
}
