import type { DatabaseSync } from 'node:sqlite';
import type { Expiry, ExpiryStore } from '../stores.js';
import { openCache, type DatabaseFile, inTransaction, records, rows } from './files/database.js';

const expiriesFile = (path: string, read_only: boolean): DatabaseFile => ({
  path,
  read_only,
  schema_version: 2,
  schema: `
    CREATE TABLE expiries (
      drive_id TEXT PRIMARY KEY,
      at_ms INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      noted_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX expiries_at ON expiries (at_ms, drive_id);
    CREATE TABLE complete (id INTEGER PRIMARY KEY CHECK (id = 1), trash_ms INTEGER NOT NULL) STRICT;`,
});

const COLUMNS = 'drive_id, at_ms, revision, noted_ms';
const IS_SEEN = 'drive_id = ? AND at_ms = ? AND revision = ? AND noted_ms = ?';

/** Next expiries of drives, in their own file, `expiries.db`: a new file is filled again. */
export class SqliteExpiryStore implements ExpiryStore {
  private readonly db: DatabaseSync | null;

  /** Read-only, a missing file counts as empty. */
  constructor(path: string, read_only: boolean) {
    this.db = openCache(expiriesFile(path, read_only));
  }

  async note(expiries: readonly Expiry[]): Promise<void> {
    if (expiries.length === 0) return;
    const { writable } = this;
    const note = writable.prepare(
      `INSERT INTO expiries (${COLUMNS}) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET at_ms = min(at_ms, excluded.at_ms),
       revision = max(revision, excluded.revision), noted_ms = max(noted_ms, excluded.noted_ms)`,
    );
    inTransaction(writable, () => {
      for (const { drive_id, at_ms, revision, noted_ms } of expiries)
        note.run(drive_id, at_ms, revision, noted_ms);
    });
  }

  async due(now_ms: number, limit: number, after?: Expiry): Promise<readonly Expiry[]> {
    if (!this.db) return [];
    const { at_ms, drive_id } = after ?? { at_ms: -1, drive_id: '' };
    const due = records(
      this.db,
      `SELECT ${COLUMNS} FROM expiries WHERE at_ms <= ? AND (at_ms, drive_id) > (?, ?)
       ORDER BY at_ms, drive_id LIMIT ?`,
    );
    return due.all(now_ms, at_ms, drive_id, limit);
  }

  async advance(seen: Expiry, at_ms: number | null): Promise<boolean> {
    const { drive_id, revision, noted_ms } = seen;
    const place = [drive_id, seen.at_ms, revision, noted_ms];
    const { changes } =
      at_ms === null
        ? this.writable.prepare(`DELETE FROM expiries WHERE ${IS_SEEN}`).run(...place)
        : this.writable
            .prepare(`UPDATE expiries SET at_ms = ? WHERE ${IS_SEEN}`)
            .run(at_ms, ...place);
    return Number(changes) === 1;
  }

  async isComplete(trash_ms: number): Promise<boolean> {
    return !!this.db && rows(this.db, 'SELECT trash_ms FROM complete').maybe()?.[0] === trash_ms;
  }

  async complete(trash_ms: number): Promise<void> {
    this.writable.prepare('REPLACE INTO complete VALUES (1, ?)').run(trash_ms);
  }

  close(): void {
    this.db?.close();
  }

  private get writable(): DatabaseSync {
    if (!this.db) throw new Error('there is no file of expiries');
    return this.db;
  }
}
