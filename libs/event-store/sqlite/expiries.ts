import type { SQLInputValue } from 'node:sqlite';
import type { Expiry, ExpiryStore } from '../stores.js';
import {
  Cache,
  type DatabaseFile,
  inTransaction,
  prepared,
  records,
  rows,
} from './files/database.js';

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
  private readonly cache: Cache;

  /** Read-only, a missing file counts as empty. */
  constructor(path: string, read_only: boolean) {
    this.cache = new Cache(expiriesFile(path, read_only));
  }

  async note(expiries: readonly Expiry[]): Promise<void> {
    if (expiries.length === 0) return;
    const db = this.cache.writable();
    inTransaction(db, () => {
      const note = prepared(
        db,
        `INSERT INTO expiries (${COLUMNS}) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET at_ms = min(at_ms, excluded.at_ms),
         revision = max(revision, excluded.revision), noted_ms = max(noted_ms, excluded.noted_ms)`,
      );
      for (const { drive_id, at_ms, revision, noted_ms } of expiries)
        note.run(drive_id, at_ms, revision, noted_ms);
    });
  }

  async due(now_ms: number, limit: number, after?: Expiry): Promise<readonly Expiry[]> {
    const db = this.cache.connection();
    if (!db) return [];
    const { at_ms, drive_id } = after ?? { at_ms: -1, drive_id: '' };
    const due = records(
      db,
      `SELECT ${COLUMNS} FROM expiries WHERE at_ms <= ? AND (at_ms, drive_id) > (?, ?)
       ORDER BY at_ms, drive_id LIMIT ?`,
    );
    return due.all(now_ms, at_ms, drive_id, limit);
  }

  async advance(seen: Expiry, at_ms: number | null): Promise<boolean> {
    const { drive_id, revision, noted_ms } = seen;
    const place = [drive_id, seen.at_ms, revision, noted_ms];
    const changed =
      at_ms === null
        ? this.change(`DELETE FROM expiries WHERE ${IS_SEEN}`, place)
        : this.change(`UPDATE expiries SET at_ms = ? WHERE ${IS_SEEN}`, [at_ms, ...place]);
    return changed === 1;
  }

  async isComplete(trash_ms: number): Promise<boolean> {
    const db = this.cache.connection();
    return !!db && rows(db, 'SELECT trash_ms FROM complete').maybe()?.[0] === trash_ms;
  }

  async complete(trash_ms: number): Promise<void> {
    this.change('REPLACE INTO complete VALUES (1, ?)', [trash_ms]);
  }

  close(): void {
    this.cache.close();
  }

  /** @returns number of changed rows */
  private change(sql: string, values: readonly SQLInputValue[]): number {
    const db = this.cache.writable();
    return inTransaction(db, () => Number(prepared(db, sql).run(...values).changes));
  }
}
