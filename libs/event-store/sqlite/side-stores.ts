import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { SideStores } from '../stores.js';
import type { Background } from './files/background.js';
import { IN_MEMORY, openDatabase, truncateLog, type DatabaseFile } from './files/database.js';
import { SqliteEventIndex } from './event-index/event-index.js';
import { SqliteExpiryStore } from './expiries.js';
import { SqliteJobStore } from './jobs/jobs.js';
import { SqliteKeyVault } from './key-vault.js';
import { SqliteNonceStore } from './nonces.js';
import { SqlitePresenceStore } from './presence.js';
import { SqliteSnapshotStore } from './snapshots.js';
import { SqliteTileStore } from './tiles.js';

/**
 * Keys and presence in `side.db`, snapshots in `snapshots.db`, tiles in `tiles.db`, the event index in `index.db`,
 * expiries in `expiries.db`, used nonces in `nonces.db`, jobs in `jobs.db`.
 */
export class SqliteSideStores implements SideStores {
  readonly keys: SqliteKeyVault;
  readonly presence: SqlitePresenceStore;
  readonly snapshots: SqliteSnapshotStore;
  readonly jobs: SqliteJobStore;
  readonly tiles: SqliteTileStore;
  readonly index: SqliteEventIndex;
  readonly expiries: SqliteExpiryStore;
  readonly nonces: SqliteNonceStore;
  private readonly db: DatabaseSync;
  private readonly caches: { close(): void }[] = [];
  private closed = false;

  /**
   * @param data_dir `IN_MEMORY` for no files
   * @param background null to open read-only
   */
  constructor(
    data_dir: string,
    master_key: Uint8Array,
    private readonly background: Background | null,
  ) {
    const read_only = !background;
    const pathOf = (file: string): string =>
      data_dir === IN_MEMORY ? IN_MEMORY : join(data_dir, file);
    const opened = <Opened extends { close(): void }>(cache: Opened): Opened => {
      this.caches.push(cache);
      return cache;
    };
    this.db = openDatabase(sideFile(pathOf('side.db'), read_only));
    try {
      this.keys = new SqliteKeyVault(this.db, master_key, read_only);
      this.presence = new SqlitePresenceStore(this.db);
      this.snapshots = opened(new SqliteSnapshotStore(pathOf('snapshots.db'), background));
      this.tiles = opened(new SqliteTileStore(pathOf('tiles.db'), background));
      this.index = opened(new SqliteEventIndex(pathOf('index.db'), background));
      this.expiries = opened(new SqliteExpiryStore(pathOf('expiries.db'), read_only));
      this.nonces = opened(new SqliteNonceStore(pathOf('nonces.db'), read_only));
      this.jobs = new SqliteJobStore(pathOf('jobs.db'), read_only);
    } catch (error) {
      for (const cache of this.caches) cache.close();
      this.db.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    // Its connections first: the last one to close a file deletes the file's log.
    await this.background?.close();
    for (const cache of this.caches) cache.close();
    this.jobs.shut();
    if (this.background) truncateLog(this.db);
    this.db.close();
  }
}

/**
 * `side.db`: keys (null once destroyed) and presence. secure_delete overwrites deleted data, so that a destroyed key
 * is removed from the file.
 */
const sideFile = (path: string, read_only: boolean): DatabaseFile => ({
  path,
  read_only,
  schema_version: 1,
  schema: `
    CREATE TABLE vault (name TEXT PRIMARY KEY, wrapped BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE keys (
      drive_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      wrapped BLOB,
      PRIMARY KEY (drive_id, key_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE presence (
      drive_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      seen_ms INTEGER NOT NULL,
      PRIMARY KEY (drive_id, user_id)
    ) STRICT, WITHOUT ROWID;`,
  pragmas: 'PRAGMA secure_delete = ON;',
});
