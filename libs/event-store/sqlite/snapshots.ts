import type { SQLInputValue } from 'node:sqlite';
import type { Snapshot, SnapshotPlace, SnapshotStore } from '../stores.js';
import { type Background, CacheFile } from './files/background.js';
import { clampInteger, records } from './files/database.js';
import { isDamaged } from './files/unusable.js';

const SNAPSHOTS_FILE = {
  schema_version: 1,
  schema: `
    CREATE TABLE snapshots (
      drive_id TEXT NOT NULL,
      state_version TEXT NOT NULL,
      revision INTEGER NOT NULL,
      event_hash BLOB NOT NULL,
      body BLOB NOT NULL,
      PRIMARY KEY (drive_id, state_version, revision)
    ) STRICT;`,
  // Bodies have megabytes: large pages keep their chains short.
  pragmas: 'PRAGMA page_size = 16384;',
};

/**
 * Snapshots in their own file, `snapshots.db`: a cache that may be deleted at any time. Its large background writes
 * never block a key or a commit in another file.
 */
export class SqliteSnapshotStore extends CacheFile implements SnapshotStore {
  /** @param background null to open read-only */
  constructor(path: string, background: Background | null) {
    super(path, background, SNAPSHOTS_FILE);
  }

  async latest(drive_id: string, state_version: string, at_most: number): Promise<Snapshot | null> {
    const [newest] = await this.rows<Snapshot>(
      `SELECT drive_id, revision, event_hash, state_version, body FROM snapshots
       WHERE drive_id = ? AND state_version = ? AND revision <= ? ORDER BY revision DESC LIMIT 1`,
      [drive_id, state_version, clampInteger(at_most)],
    );
    return newest ?? null;
  }

  async put(snapshot: Snapshot): Promise<void> {
    const { drive_id, state_version, revision, event_hash, body } = snapshot;
    await this.write([
      {
        sql: `INSERT OR REPLACE INTO snapshots (drive_id, state_version, revision, event_hash, body)
              VALUES (?, ?, ?, ?, ?)`,
        values: [drive_id, state_version, revision, event_hash, body],
      },
    ]);
  }

  list(drive_id: string): Promise<readonly SnapshotPlace[]> {
    return this.rows(
      `SELECT revision, state_version, length(body) AS bytes FROM snapshots
       WHERE drive_id = ? ORDER BY revision, state_version`,
      [drive_id],
    );
  }

  async drop(drive_id: string, revisions: readonly number[]): Promise<void> {
    await this.write(
      revisions.map((revision) => ({
        sql: 'DELETE FROM snapshots WHERE drive_id = ? AND revision = ?',
        values: [drive_id, revision],
      })),
    );
  }

  /** None if damage is met: drives must load without snapshots, too. */
  private async rows<Selected extends object>(
    sql: string,
    values: readonly SQLInputValue[],
  ): Promise<readonly Selected[]> {
    const db = await this.connection();
    try {
      return db ? records(db, sql).all<Selected>(...values) : [];
    } catch (error) {
      if (!isDamaged(error)) throw error;
      process.emitWarning((error as Error).message);
      return [];
    }
  }
}
