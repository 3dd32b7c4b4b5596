import type { Db, MongoClient } from 'mongodb';

import type { PartitionLeases } from '../leases.js';
import type { SideStores } from '../stores.js';
import type { WindowCounts } from '../windows.js';
import { connectMongo } from './connection.js';
import { MongoEventIndex } from './event-index.js';
import { MongoJobStore } from './jobs.js';
import { MongoKeyVault } from './key-vault.js';
import { MongoPartitionLeases } from './leases.js';
import { MongoPresenceStore } from './presence.js';
import { MongoSnapshotStore } from './snapshots.js';
import { MongoTileStore } from './tiles.js';
import { MongoWindowCounts } from './windows.js';

export interface MongoOptions {
  /** Connection string; what is secret in it appears in no message. */
  readonly url: string;
  readonly database: string;
  /** 32 bytes, the same for every process. */
  readonly master_key: Uint8Array;
}

/** Side stores for any number of processes. */
export class MongoSideStores implements SideStores {
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly client: MongoClient,
    private readonly db: Db,
    readonly keys: MongoKeyVault,
    readonly snapshots: MongoSnapshotStore,
    readonly tiles: MongoTileStore,
    readonly index: MongoEventIndex,
    readonly presence: MongoPresenceStore,
    readonly jobs: MongoJobStore,
    /** Who does which part of the work. */
    readonly leases: PartitionLeases,
  ) {}

  /**
   * Connects and makes indexes that are missing.
   * @throws MongoUnusable when nobody answers; WrongMasterKey; RangeError for a master key of another length
   */
  static async open({ url, database, master_key }: MongoOptions): Promise<MongoSideStores> {
    const { client, db } = await connectMongo(url, database);
    try {
      // First the keys: with a wrong master key nothing else is touched.
      const keys = await MongoKeyVault.open(db, master_key);
      const [snapshots, tiles, index, presence, jobs] = await Promise.all([
        MongoSnapshotStore.open(db),
        MongoTileStore.open(db),
        MongoEventIndex.open(db),
        MongoPresenceStore.open(db),
        MongoJobStore.open(db),
      ]);
      const leases = new MongoPartitionLeases(db);
      return new MongoSideStores(
        ...([client, db, keys, snapshots, tiles, index, presence, jobs, leases] as const),
      );
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /** Counts in windows of that length, for rate limits that all processes share. */
  windows(window_ms: number): Promise<WindowCounts> {
    return MongoWindowCounts.open(this.db, window_ms);
  }

  close(): Promise<void> {
    return (this.closing ??= this.client.close());
  }
}
