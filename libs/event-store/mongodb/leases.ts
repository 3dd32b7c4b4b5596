import type { Collection, Db } from 'mongodb';

import { IMPLAUSIBLE_LEASE_MS, type Lease, type PartitionLeases } from '../leases.js';
import { isDuplicate, sideCollection } from './rows.js';

interface PartitionRow {
  /** The partition's name. */
  readonly _id: string;
  /** Null for a free partition. */
  readonly owner: string | null;
  readonly token: number;
  readonly expires_ms: number;
  readonly position: number | null;
}

/** Leases in the collection `side_partitions`: each change is one conditional change of one document. */
export class MongoPartitionLeases implements PartitionLeases {
  private readonly partitions: Collection<PartitionRow>;

  constructor(db: Db) {
    this.partitions = sideCollection(db, 'partitions');
  }

  async acquire(
    partition: string,
    owner: string,
    now_ms: number,
    expires_ms: number,
  ): Promise<Lease | null> {
    return (
      (await this.taken(partition, owner, now_ms, expires_ms)) ??
      (await this.changed({ _id: partition, owner, expires_ms: running(now_ms) }, expires_ms))
    );
  }

  renew(lease: Lease, expires_ms: number): Promise<Lease | null> {
    return this.changed(held(lease), expires_ms);
  }

  async release(lease: Lease): Promise<void> {
    await this.partitions.updateOne(held(lease), { $set: { owner: null } });
  }

  async holders(now_ms: number): Promise<readonly Lease[]> {
    const rows = await this.partitions
      .find({ owner: { $ne: null }, expires_ms: running(now_ms) })
      .sort({ _id: 1 })
      .toArray();
    return rows.map(leaseOf);
  }

  async position(partition: string): Promise<number | null> {
    return (await this.partitions.findOne({ _id: partition }))?.position ?? null;
  }

  async savePosition(lease: Lease, position: number): Promise<boolean> {
    const { matchedCount } = await this.partitions.updateOne(held(lease), { $set: { position } });
    return matchedCount > 0;
  }

  /** Null if another process holds it. */
  private async taken(
    partition: string,
    owner: string,
    now_ms: number,
    expires_ms: number,
  ): Promise<Lease | null> {
    const is_free = { $or: [{ owner: null }, { expires_ms: { $not: running(now_ms) } }] };
    try {
      const row = await this.partitions.findOneAndUpdate(
        { _id: partition, ...is_free },
        { $set: { owner, expires_ms }, $inc: { token: 1 }, $setOnInsert: { position: null } },
        { upsert: true, returnDocument: 'after' },
      );
      return row && leaseOf(row);
    } catch (error) {
      // It exists, and it is not free.
      if (isDuplicate(error)) return null;
      throw error;
    }
  }

  private async changed(
    filter: Parameters<Collection<PartitionRow>['findOneAndUpdate']>[0],
    expires_ms: number,
  ): Promise<Lease | null> {
    const row = await this.partitions.findOneAndUpdate(
      filter,
      { $set: { expires_ms } },
      { returnDocument: 'after' },
    );
    return row && leaseOf(row);
  }
}

const running = (now_ms: number) => ({ $gt: now_ms, $lte: now_ms + IMPLAUSIBLE_LEASE_MS });
const held = ({ partition, owner, token }: Lease) => ({ _id: partition, owner, token });

function leaseOf({ _id: partition, owner, token, expires_ms }: PartitionRow): Lease {
  return { partition, owner: owner!, token, expires_ms };
}
