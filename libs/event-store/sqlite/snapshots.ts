import type { Snapshot, SnapshotPlace, SnapshotStore } from '../stores.js';
import { type Background, CacheFile } from './files/background.js';
import { clampInteger, type RecordQuery, records } from './files/database.js';

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
  private readonly newest: RecordQuery | undefined;
  private readonly places: RecordQuery | undefined;

  /** @param background null to open read-only */
  constructor(path: string, background: Background | null) {
    super(path, background, SNAPSHOTS_FILE);
    if (!this.db) return;
    this.newest = records(
      this.db,
      `SELECT drive_id, revision, event_hash, state_version, body FROM snapshots
       WHERE drive_id = ? AND state_version = ? AND revision <= ? ORDER BY revision DESC LIMIT 1`,
    );
    this.places = records(
      this.db,
      `SELECT revision, state_version, length(body) AS bytes FROM snapshots
       WHERE drive_id = ? ORDER BY revision, state_version`,
    );
  }

  async latest(drive_id: string, state_version: string, at_most: number): Promise<Snapshot | null> {
    return this.newest?.maybe<Snapshot>(drive_id, state_version, clampInteger(at_most)) ?? null;
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

  async list(drive_id: string): Promise<readonly SnapshotPlace[]> {
    return this.places?.all(drive_id) ?? [];
  }

  async drop(drive_id: string, revisions: readonly number[]): Promise<void> {
    await this.write(
      revisions.map((revision) => ({
        sql: 'DELETE FROM snapshots WHERE drive_id = ? AND revision = ?',
        values: [drive_id, revision],
      })),
    );
  }
}
