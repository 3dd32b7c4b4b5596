import type { Collection, Db } from 'mongodb';

import type { Expiry, ExpiryStore } from '../stores.js';
import { openCollection, upserting } from './rows.js';

/** The row with `trash_ms` belongs to no drive. */
interface ExpiryRow extends Omit<Expiry, 'drive_id'> {
  readonly _id: string;
  readonly trash_ms?: number;
}

/** Not the id of a drive. */
const ALL = ' all';

/** Next expiries of drives, in the collection `side_expiries`. */
export class MongoExpiryStore implements ExpiryStore {
  private constructor(private readonly expiries: Collection<ExpiryRow>) {}

  static async open(db: Db, read_only: boolean): Promise<MongoExpiryStore> {
    return new MongoExpiryStore(
      await openCollection(db, 'expiries', [{ at_ms: 1, _id: 1 }], read_only),
    );
  }

  async note(expiries: readonly Expiry[]): Promise<void> {
    if (expiries.length === 0) return;
    const writes = expiries.map(({ drive_id, at_ms, revision, noted_ms }) => ({
      updateOne: {
        filter: { _id: drive_id },
        update: { $min: { at_ms }, $max: { revision, noted_ms } },
        upsert: true,
      },
    }));
    await upserting(() => this.expiries.bulkWrite(writes, { ordered: false }));
  }

  async due(now_ms: number, limit: number, after?: Expiry): Promise<readonly Expiry[]> {
    const behind = after && {
      $or: [{ at_ms: { $gt: after.at_ms } }, { _id: { $gt: after.drive_id } }],
    };
    const from_there = after && { $gte: after.at_ms };
    const found = await this.expiries
      .find({ at_ms: { ...from_there, $lte: now_ms }, ...behind })
      .sort({ at_ms: 1, _id: 1 })
      .limit(limit)
      .toArray();
    return found.map(({ _id, at_ms, revision, noted_ms }) => {
      return { drive_id: _id, at_ms, revision, noted_ms };
    });
  }

  async advance(seen: Expiry, at_ms: number | null): Promise<boolean> {
    const { drive_id: _id, revision, noted_ms } = seen;
    const place = { _id, at_ms: seen.at_ms, revision, noted_ms };
    if (at_ms === null) return (await this.expiries.deleteOne(place)).deletedCount === 1;
    return (await this.expiries.updateOne(place, { $set: { at_ms } })).matchedCount === 1;
  }

  async isComplete(trash_ms: number): Promise<boolean> {
    return (await this.expiries.findOne({ _id: ALL, trash_ms })) !== null;
  }

  async complete(trash_ms: number): Promise<void> {
    const mark = { $set: { trash_ms } };
    await upserting(() => this.expiries.updateOne({ _id: ALL }, mark, { upsert: true }));
  }
}
