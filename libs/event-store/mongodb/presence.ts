import type { Collection, Db } from 'mongodb';

import type { PresenceStore } from '../stores.js';
import { openCollection, rowId, upserting } from './rows.js';

interface PresenceRow {
  readonly _id: string;
  readonly drive_id: string;
  readonly user_id: string;
  readonly at_ms: number;
}

/** Presence, in the collection `side_presence`. */
export class MongoPresenceStore implements PresenceStore {
  private constructor(private readonly presence: Collection<PresenceRow>) {}

  static async open(db: Db, read_only: boolean): Promise<MongoPresenceStore> {
    return new MongoPresenceStore(
      await openCollection(db, 'presence', [{ drive_id: 1 }], read_only),
    );
  }

  async load(drive_id: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.presence.find({ drive_id }).toArray();
    return new Map(rows.map(({ user_id, at_ms }) => [user_id, at_ms]));
  }

  async save(drive_id: string, seen: ReadonlyMap<string, number>): Promise<void> {
    if (seen.size === 0) return;
    const writes = Array.from(seen, ([user_id, at_ms]) => ({
      updateOne: {
        filter: { _id: rowId(drive_id, user_id) },
        update: { $max: { at_ms }, $setOnInsert: { drive_id, user_id } },
        upsert: true,
      },
    }));
    await upserting(() => this.presence.bulkWrite(writes, { ordered: false }));
  }

  async rename(drive_id: string, from_user_id: string, to_user_id: string): Promise<void> {
    if (from_user_id === to_user_id) return;
    const from = await this.presence.findOne({ _id: rowId(drive_id, from_user_id) });
    if (!from) return;
    // In this order a crash leaves one time too many rather than one too few.
    await this.save(drive_id, new Map([[to_user_id, from.at_ms]]));
    await this.presence.deleteOne({ _id: from._id });
  }

  async delete(drive_id: string, user_id: string): Promise<void> {
    await this.presence.deleteOne({ _id: rowId(drive_id, user_id) });
  }
}
