import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { SideStores } from '../stores.js';
import type { Background } from './files/background.js';
import { openDatabase, truncateLog, type DatabaseFile } from './files/database.js';
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
      this.nonces = new SqliteNonceStore(join(data_dir, 'nonces.db'), !background);
      caches.push(this.nonces);
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
    this.nonces.close();
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
