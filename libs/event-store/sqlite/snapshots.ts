import type { DatabaseSync } from 'node:sqlite';
import type { Snapshot, SnapshotStore } from '../stores.js';
import type { Background } from './files/background.js';
import {
  openCache,
  clampInteger,
  rows,
  type DatabaseFile,
  type RowQuery,
} from './files/database.js';

const snapshotsFile = (path: string, read_only: boolean): DatabaseFile => ({
  path,
  read_only,
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
});

/**
 * Snapshots in their own file, `snapshots.db`: a cache that may be deleted at any time. Its large background writes
 * never block a key or a commit in another file.
 */
export class SqliteSnapshotStore implements SnapshotStore {
  private readonly db: DatabaseSync | null;
  private readonly newest: RowQuery | undefined;
  private readonly places: RowQuery | undefined;

  /** @param background null to open read-only; a missing file then means there are no snapshots */
  constructor(
    private readonly path: string,
    private readonly background: Background | null,
  ) {
    const db = (this.db = openCache(snapshotsFile(path, !background)));
    this.newest = db
      ? rows(
          db,
          `SELECT revision, event_hash, body FROM snapshots
         WHERE drive_id = ? AND state_version = ? AND revision <= ? ORDER BY revision DESC LIMIT 1`,
        )
      : undefined;
    this.places = db
      ? rows(
          db,
          `SELECT revision, state_version, length(body) FROM snapshots
         WHERE drive_id = ? ORDER BY revision, state_version`,
        )
      : undefined;
  }

  async latest(drive_id: string, state_version: string, at_most: number): Promise<Snapshot | null> {
    const row = this.newest?.maybe(drive_id, state_version, clampInteger(at_most));
    if (!row) return null;
    const [revision, event_hash, body] = row as [number, Uint8Array, Uint8Array];
    return { drive_id, revision, event_hash, state_version, body };
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

  async list(
    drive_id: string,
  ): Promise<readonly { revision: number; state_version: string; bytes: number }[]> {
    const found = (this.places?.all(drive_id) ?? []) as unknown as [number, string, number][];
    return found.map(([revision, state_version, bytes]) => ({ revision, state_version, bytes }));
  }

  async drop(drive_id: string, revisions: readonly number[]): Promise<void> {
    await this.write(
      revisions.map((revision) => ({
        sql: 'DELETE FROM snapshots WHERE drive_id = ? AND revision = ?',
        values: [drive_id, revision],
      })),
    );
  }

  close(): void {
    this.db?.close();
  }

  private write(statements: Parameters<Background['run']>[1]): Promise<void> {
    if (!this.background) return Promise.reject(new Error('the snapshots are opened read-only'));
    return this.background.run(this.path, statements);
  }
}
