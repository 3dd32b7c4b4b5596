import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import type { SideStores } from '../stores.js';
import type { Background } from './files/background.js';
import { openDatabase, truncateLog } from './files/database.js';
import { SqliteEventIndex } from './event-index/event-index.js';
import { SqliteExpiryStore } from './expiries.js';
import { SqliteJobStore } from './jobs/jobs.js';
import { SqliteKeyVault } from './key-vault.js';
import { SqlitePresenceStore } from './presence.js';
import { sideFile } from './files/side-file.js';
import { SqliteSnapshotStore } from './snapshots.js';
import { SqliteTileStore } from './tiles.js';

/**
 * Keys and presence in `side.db`, snapshots in `snapshots.db`, tiles in `tiles.db`, the event index in `index.db`,
 * expiries in `expiries.db`, jobs in `jobs.db`.
 */
export class SqliteSideStores implements SideStores {
  readonly keys: SqliteKeyVault;
  readonly presence: SqlitePresenceStore;
  readonly snapshots: SqliteSnapshotStore;
  readonly jobs: SqliteJobStore;
  readonly tiles: SqliteTileStore;
  readonly index: SqliteEventIndex;
  readonly expiries: SqliteExpiryStore;
  private readonly db: DatabaseSync;
  private closed = false;

  /** @param background null to open read-only */
  constructor(
    data_dir: string,
    master_key: Uint8Array,
    private readonly background: Background | null,
  ) {
    const db = (this.db = openDatabase(sideFile(join(data_dir, 'side.db'), !background)));
    const caches: { close(): void }[] = [];
    try {
      this.keys = new SqliteKeyVault(db, master_key, !background);
      this.presence = new SqlitePresenceStore(db);
      this.snapshots = new SqliteSnapshotStore(join(data_dir, 'snapshots.db'), background);
      caches.push(this.snapshots);
      this.tiles = new SqliteTileStore(join(data_dir, 'tiles.db'), background);
      caches.push(this.tiles);
      this.index = new SqliteEventIndex(join(data_dir, 'index.db'), background);
      caches.push(this.index);
      this.expiries = new SqliteExpiryStore(join(data_dir, 'expiries.db'), !background);
      caches.push(this.expiries);
      this.jobs = new SqliteJobStore(join(data_dir, 'jobs.db'), !background);
    } catch (error) {
      for (const cache of caches) cache.close();
      db.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    // Its connections first: the last one to close a file deletes the file's log.
    await this.background?.close();
    this.snapshots.close();
    this.jobs.shut();
    this.tiles.close();
    this.index.close();
    this.expiries.close();
    if (this.background) truncateLog(this.db);
    this.db.close();
  }
}
