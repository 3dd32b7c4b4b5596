import { randomUUID } from 'node:crypto';
import type { Collection, Db, WithoutId } from 'mongodb';

import type { Snapshot, SnapshotPlace, SnapshotStore } from '../stores.js';
import { bytesOf, ensureIndexes, sideCollection, upserting } from './rows.js';

/** A snapshot and its parts. */
interface SnapshotRow extends Omit<Snapshot, 'body'> {
  readonly _id: string;
  readonly body_id: string;
  readonly bytes: number;
  readonly parts: number;
}

interface PartRow {
  readonly _id: string;
  readonly body_id: string;
  readonly drive_id: string;
  readonly made_ms: number;
  readonly bytes: Uint8Array;
}

/** Far below MongoDB's limit of 16 MB per document. */
const PART_BYTES = 4 * 1024 * 1024;
/** Time after which parts without a snapshot were left by a crash. */
const ABANDONED_MS = 3_600_000;

const rowId = (drive_id: string, state_version: string, revision: number): string =>
  `${drive_id}\n${state_version}\n${revision}`;
const partId = (body_id: string, nth: number): string => `${body_id}\n${nth}`;

/**
 * Snapshots in `snapshots`, their bodies in parts in `snapshot_parts`. A body is complete before the document that
 * names it is written, so a partial snapshot is never visible.
 */
export class MongoSnapshotStore implements SnapshotStore {
  private readonly snapshots: Collection<SnapshotRow>;
  private readonly parts: Collection<PartRow>;

  private constructor(
    db: Db,
    private readonly part_bytes: number,
  ) {
    this.snapshots = sideCollection(db, 'snapshots');
    this.parts = sideCollection(db, 'snapshot_parts');
  }

  /** @param part_bytes maximum bytes of a body in one document */
  static async open(
    db: Db,
    { part_bytes = PART_BYTES, read_only = false } = {},
  ): Promise<MongoSnapshotStore> {
    const store = new MongoSnapshotStore(db, part_bytes);
    if (read_only) return store;
    await store.snapshots.createIndex({ drive_id: 1, state_version: 1, revision: -1 });
    await ensureIndexes(store.parts, [{ body_id: 1 }, { drive_id: 1, made_ms: 1 }]);
    return store;
  }

  async latest(drive_id: string, state_version: string, at_most: number): Promise<Snapshot | null> {
    const revision = { $lte: Math.min(at_most, Number.MAX_SAFE_INTEGER) };
    const wanted = { drive_id, state_version, revision };
    // A body may disappear during the read, if its snapshot is replaced or dropped: then the read is repeated.
    for (let look = 0; look < 3; look++) {
      const [row] = await this.snapshots.find(wanted).sort({ revision: -1 }).limit(1).toArray();
      if (!row) return null;
      const body = await this.bodyOf(row);
      if (body)
        return {
          ...{ drive_id, state_version, revision: row.revision },
          event_hash: bytesOf(row.event_hash),
          body,
        };
    }
    return null;
  }

  async put({ body, ...snapshot }: Snapshot): Promise<void> {
    const { drive_id, state_version, revision } = snapshot;
    const body_id = randomUUID();
    const parts = Math.ceil(body.length / this.part_bytes);
    for (let nth = 0; nth < parts; nth++) {
      const bytes = body.subarray(nth * this.part_bytes, (nth + 1) * this.part_bytes);
      const _id = partId(body_id, nth);
      await this.parts.insertOne({ _id, body_id, drive_id, made_ms: Date.now(), bytes });
    }
    const row: WithoutId<SnapshotRow> = { ...snapshot, body_id, bytes: body.length, parts };
    const _id = rowId(drive_id, state_version, revision);
    const former = await upserting(() =>
      this.snapshots.findOneAndReplace({ _id }, row, { upsert: true, returnDocument: 'before' }),
    );
    if (former) await this.parts.deleteMany({ body_id: former.body_id });
    await this.sweep(drive_id);
  }

  async list(drive_id: string): Promise<readonly SnapshotPlace[]> {
    const rows = await this.snapshots
      .find({ drive_id })
      .sort({ revision: 1, state_version: 1 })
      .toArray();
    return rows.map(({ revision, state_version, bytes }) => ({ revision, state_version, bytes }));
  }

  async drop(drive_id: string, revisions: readonly number[]): Promise<void> {
    const rows = await this.snapshots
      .find({ drive_id, revision: { $in: [...revisions] } })
      .toArray();
    for (const { _id, body_id } of rows) {
      // By body too: a snapshot that was written again meanwhile stays.
      await this.snapshots.deleteOne({ _id, body_id });
      await this.parts.deleteMany({ body_id });
    }
  }

  /** Null if a part is missing. */
  private async bodyOf({ body_id, bytes, parts }: SnapshotRow): Promise<Uint8Array | null> {
    const found = await Promise.all(
      Array.from({ length: parts }, (_, nth) => this.parts.findOne({ _id: partId(body_id, nth) })),
    );
    const body = new Uint8Array(bytes);
    let at = 0;
    for (const part of found) {
      if (!part) return null;
      body.set(part.bytes, at);
      at += part.bytes.length;
    }
    return body;
  }

  /** Drops old parts without a snapshot. */
  private async sweep(drive_id: string): Promise<void> {
    const made_ms = { $lt: Date.now() - ABANDONED_MS };
    const old = await this.parts.distinct('body_id', { drive_id, made_ms });
    if (old.length === 0) return;
    const named = new Set(await this.snapshots.distinct('body_id', { drive_id }));
    const abandoned = old.filter((body_id) => !named.has(body_id));
    if (abandoned.length > 0) await this.parts.deleteMany({ body_id: { $in: abandoned } });
  }
}
