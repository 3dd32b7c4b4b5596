import type { Db } from 'mongodb';

import type { PartitionLeases, WindowCounts } from '../leases.js';
import type { SideStores } from '../stores.js';
import { MongoEventIndex } from './event-index.js';
import { MongoExpiryStore } from './expiries.js';
import { MongoJobStore } from './jobs.js';
import { MongoKeyVault } from './key-vault.js';
import { MongoPartitionLeases } from './leases.js';
import { MongoNonceStore } from './nonces.js';
import { MongoPresenceStore } from './presence.js';
import { MongoSnapshotStore } from './snapshots.js';
import { MongoTileStore } from './tiles.js';
import { MongoWindowCounts } from './windows.js';

export { WrongMasterKey } from '../key-wrap.js';

/** Side stores for any number of processes, on a connection owned by the opener. */
export class MongoSideStores implements SideStores {
  private constructor(
    private readonly db: Db,
    readonly keys: MongoKeyVault,
    readonly snapshots: MongoSnapshotStore,
    readonly tiles: MongoTileStore,
    readonly index: MongoEventIndex,
    readonly presence: MongoPresenceStore,
    readonly nonces: MongoNonceStore,
    readonly expiries: MongoExpiryStore,
    readonly jobs: MongoJobStore,
    readonly leases: PartitionLeases,
  ) {}

  /**
   * Creates missing indexes, unless they are only read: then nothing is written.
   * @param master_key 32 bytes, the same for every process
   * @throws WrongMasterKey before anything is changed; RangeError for a master key of another length
   */
  static async open(db: Db, master_key: Uint8Array, read_only = false): Promise<MongoSideStores> {
    const keys = await MongoKeyVault.open(db, master_key, read_only);
    const [snapshots, tiles, index, presence, nonces, expiries, jobs] = await Promise.all([
      MongoSnapshotStore.open(db, { read_only }),
      MongoTileStore.open(db, read_only),
      MongoEventIndex.open(db, read_only),
      MongoPresenceStore.open(db, read_only),
      MongoNonceStore.open(db, read_only),
      MongoExpiryStore.open(db, read_only),
      MongoJobStore.open(db, read_only),
    ]);
    const leases = new MongoPartitionLeases(db);
    const beside = [keys, snapshots, tiles, index, presence, nonces, expiries, jobs] as const;
    return new MongoSideStores(db, ...beside, leases);
  }

  /** Counts in windows of that length, for rate limits of all processes. */
  windows(window_ms: number): Promise<WindowCounts> {
    // A count lost with a primary does no harm; waiting for a majority would be slow.
    return MongoWindowCounts.open(this.db, window_ms, { writeConcern: { w: 1 } });
  }

  /** Nothing but the connection is open. */
  async close(): Promise<void> {}
}
