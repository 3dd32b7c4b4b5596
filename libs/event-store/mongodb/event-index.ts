import { randomUUID } from 'node:crypto';
import type { Collection, Db, Filter } from 'mongodb';

import { matching } from '../../mongodb/regex.js';
import {
  entriesIn,
  type EventFilter,
  type EventIndex,
  type IndexEntry,
  type IndexPosition,
  type RevisionRange,
} from '../event-index.js';
import { firstDifferent } from '../matching-events.js';
import { insertOrReplace } from '../../mongodb/put.js';
import { bytesOf, ensureIndexes, sideCollection, upserting } from './rows.js';

/** The indexed fields of one event. */
interface EntryRow {
  readonly _id: string;
  readonly index_id: string;
  readonly revision: number;
  readonly type: string;
  readonly actor: string | null;
  readonly command: string;
  readonly correlation_id: string;
  readonly allowed_by: readonly string[];
  readonly resource_ids: readonly string[];
  /** Lower-cased. */
  readonly reason: string | null;
}

/** The active index of a drive, and its position: entries beyond it are ignored. */
interface HeadRow {
  readonly _id: string;
  readonly index_id: string;
  /** -1 while it is empty. */
  readonly revision: number;
  readonly event_hash: Uint8Array;
}

/** Each leads to the entries of an index in order. */
const LOOKED_UP_BY = ['resource_ids', 'correlation_id', 'allowed_by', 'actor', 'command', 'type'];

/** Entries of these lack what records are found by besides their ids. */
const FORMER_COLLECTIONS = ['side_event_index', 'side_event_index_heads'];

/** The event index: entries in `event_index_2`, positions in `event_index_2_heads`. */
export class MongoEventIndex implements EventIndex {
  readonly append_events = 1024;
  private readonly entries: Collection<EntryRow>;
  private readonly heads: Collection<HeadRow>;

  private constructor(db: Db) {
    this.entries = sideCollection(db, 'event_index_2');
    this.heads = sideCollection(db, 'event_index_2_heads');
  }

  static async open(db: Db, read_only: boolean): Promise<MongoEventIndex> {
    const index = new MongoEventIndex(db);
    if (read_only) return index;
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
      if (FORMER_COLLECTIONS.includes(name)) await db.dropCollection(name);
    const lookups = LOOKED_UP_BY.map(
      (field) => ({ index_id: 1, [field]: 1, revision: 1 }) as const,
    );
    await ensureIndexes(index.entries, [{ index_id: 1, revision: 1 }, ...lookups]);
    return index;
  }

  async position(drive_id: string): Promise<IndexPosition | null> {
    const head = await this.head(drive_id);
    return head && { revision: head.revision, event_hash: bytesOf(head.event_hash) };
  }

  async append(
    drive_id: string,
    text: Uint8Array,
    { revision, event_hash }: IndexPosition,
  ): Promise<void> {
    const unread = { index_id: randomUUID(), revision: -1, event_hash: new Uint8Array() };
    const { index_id, revision: known } = (await upserting(() =>
      this.heads.findOneAndUpdate(
        { _id: drive_id },
        { $setOnInsert: unread },
        { upsert: true, returnDocument: 'after' },
      ),
    ))!;
    // Entries beyond the position were left by a crash and may be of a rewound stream.
    const fresh = entriesIn(text).filter(([at]) => at > known);
    // Another process has replaced the index by one that ends earlier; the missing events are indexed first.
    if (fresh[0] && fresh[0][0] > known + 1) return;
    await insertOrReplace(
      this.entries,
      fresh.map((event) => entryOf(index_id, event)),
    );
    const is_behind = { _id: drive_id, index_id, revision: { $lte: revision } };
    await this.heads.updateOne(is_behind, { $set: { revision, event_hash } });
  }

  async find(
    drive_id: string,
    filter: EventFilter,
    range: RevisionRange,
    direction: 'ASC' | 'DESC',
    limit: number,
  ): Promise<readonly number[]> {
    return this.looking(drive_id, [], async (head) => {
      const found = await this.entries
        .find(conditionOf(head, filter, range), { projection: { _id: 0, revision: 1 } })
        .sort({ revision: direction === 'ASC' ? 1 : -1 })
        .limit(limit)
        .toArray();
      return found.map(({ revision }) => revision);
    });
  }

  async count(drive_id: string, filter: EventFilter, range: RevisionRange): Promise<number> {
    return this.looking(drive_id, 0, (head) =>
      this.entries.countDocuments(conditionOf(head, filter, range)),
    );
  }

  async countTypes(
    drive_id: string,
    filter: Omit<EventFilter, 'types'>,
    types: readonly string[],
    range: RevisionRange,
  ): Promise<readonly number[]> {
    const counted = await this.looking(drive_id, [], (head) =>
      this.entries
        .aggregate<{ _id: string; events: number }>([
          { $match: conditionOf(head, { ...filter, types }, range) },
          { $group: { _id: '$type', events: { $sum: 1 } } },
        ])
        .toArray(),
    );
    const by_type = new Map(counted.map(({ _id: type, events }) => [type, events]));
    return types.map((type) => by_type.get(type) ?? 0);
  }

  async firstDifference(drive_id: string, text: Uint8Array): Promise<number | null> {
    const entries = entriesIn(text);
    return this.looking(drive_id, null, async (head) => {
      const rows = entries
        .filter(([revision]) => revision <= head.revision)
        .map((entry) => entryOf(head.index_id, entry));
      const [first, last] = [rows[0], rows.at(-1)];
      if (!first || !last) return null;
      const range = { from: first.revision, to: last.revision };
      return firstDifferent(rows, await this.entries.find(conditionOf(head, {}, range)).toArray());
    });
  }

  async replace(drive_id: string, by_drive_id: string): Promise<void> {
    const [former, by] = [
      await this.heads.findOne({ _id: drive_id }),
      await this.head(by_drive_id),
    ];
    if (!by) return this.drop(drive_id);
    const { index_id, revision, event_hash } = by;
    await upserting(() =>
      this.heads.replaceOne(
        { _id: drive_id },
        { index_id, revision, event_hash },
        { upsert: true },
      ),
    );
    await this.heads.deleteOne({ _id: by_drive_id });
    if (former) await this.entries.deleteMany({ index_id: former.index_id });
  }

  async drop(drive_id: string): Promise<void> {
    const head = await this.heads.findOneAndDelete({ _id: drive_id });
    if (head) await this.entries.deleteMany({ index_id: head.index_id });
  }

  /** The head of a non-empty index. */
  private async head(drive_id: string): Promise<HeadRow | null> {
    const head = await this.heads.findOne({ _id: drive_id });
    return head && head.revision >= 0 ? head : null;
  }

  /** Repeats a query if the index was replaced meanwhile, since its entries may already have been deleted. */
  private async looking<Found>(
    drive_id: string,
    nothing: Found,
    look: (head: HeadRow) => Promise<Found>,
  ): Promise<Found> {
    let head = await this.head(drive_id);
    while (head) {
      const found = await look(head);
      const now = await this.head(drive_id);
      if (now?.index_id === head.index_id) return found;
      head = now;
    }
    return nothing;
  }
}

function entryOf(index_id: string, [revision, type, resource_ids, metadata]: IndexEntry): EntryRow {
  const { actor, command, correlation_id, allowed_by, reason } = metadata;
  return {
    _id: `${index_id}\n${revision}`,
    ...{ index_id, revision, type, command, correlation_id, allowed_by, resource_ids },
    actor: actor.user_id,
    reason: reason?.toLowerCase() ?? null,
  };
}

function conditionOf(
  head: HeadRow,
  filter: EventFilter,
  { from, to }: RevisionRange,
): Filter<EntryRow> {
  const { resource_ids, actors, types, command, correlation_id, allowed_by, reason } = filter;
  return {
    index_id: head.index_id,
    revision: { $gte: from, $lte: Math.min(to, head.revision) },
    ...(resource_ids && { resource_ids: { $in: [...resource_ids] } }),
    ...(actors && { actor: { $in: [...actors] } }),
    ...(types && { type: { $in: [...types] } }),
    ...(command !== undefined && { command }),
    ...(correlation_id !== undefined && { correlation_id }),
    ...(allowed_by !== undefined && { allowed_by }),
    ...(reason !== undefined && { reason: { $regex: matching(reason.toLowerCase()) } }),
  } as Filter<EntryRow>;
}
