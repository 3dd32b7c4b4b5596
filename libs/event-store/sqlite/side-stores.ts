import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import type { SideStores } from '../stores.js';
import type { Background } from './background.js';
import { openDatabase, truncateLog } from './database.js';
import { SqliteKeyVault } from './key-vault.js';
import { SqlitePresenceStore } from './presence.js';
import { sideFile } from './side-file.js';
import { SqliteSnapshotStore } from './snapshots.js';

/** Keys and presence in `side.db`, snapshots in `snapshots.db`. */
export class SqliteSideStores implements SideStores {
  readonly keys: SqliteKeyVault;
  readonly presence: SqlitePresenceStore;
  readonly snapshots: SqliteSnapshotStore;
  private readonly db: DatabaseSync;
  private closed = false;

  /** @param background null to open read-only */
  constructor(
    data_dir: string,
    master_key: Uint8Array,
    private readonly background: Background | null,
  ) {
    const db = (this.db = openDatabase(sideFile(join(data_dir, 'side.db'), !background)));
    try {
      this.keys = new SqliteKeyVault(db, master_key, !background);
      this.presence = new SqlitePresenceStore(db);
      this.snapshots = new SqliteSnapshotStore(join(data_dir, 'snapshots.db'), background);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    // Its connections first: the last one to close a file removes the file's log.
    await this.background?.close();
    this.snapshots.close();
    if (this.background) truncateLog(this.db);
    this.db.close();
  }
}
