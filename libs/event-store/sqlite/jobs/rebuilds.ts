import type { DatabaseSync } from 'node:sqlite';

import type { HeardWithin, Rebuild, RebuildStore } from '../../jobs.js';
import { inTransaction, records } from '../files/database.js';

/** Created if missing: files of earlier releases lack this table, and those releases ignore it. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS rebuilds (
    drive_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    events_folded INTEGER NOT NULL,
    events_total INTEGER NOT NULL,
    documents_written INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    heard_ms INTEGER NOT NULL,
    finished_ms INTEGER,
    revision INTEGER,
    error TEXT,
    PRIMARY KEY (drive_id, job_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS rebuilds_started ON rebuilds (started_ms);`;

const COLUMNS =
  'drive_id, job_id, events_folded, events_total, documents_written, started_ms, heard_ms, ' +
  'finished_ms, revision, error';

/** Rebuilds in `jobs.db`. */
export class SqliteRebuildStore implements RebuildStore {
  /** @param db open for writing; null: nothing is known, and nothing may be written */
  constructor(private readonly db: DatabaseSync | null) {
    db?.exec(TABLE);
  }

  async begin(
    rebuild: Rebuild,
    { from_ms, to_ms }: HeardWithin,
  ): Promise<{ rebuild: Rebuild; is_new: boolean }> {
    const db = this.writable;
    const { drive_id } = rebuild;
    return inTransaction(db, () => {
      const running = records(
        db,
        `SELECT ${COLUMNS} FROM rebuilds
         WHERE drive_id = ? AND finished_ms IS NULL AND heard_ms BETWEEN ? AND ?`,
      ).maybe<Rebuild>(drive_id, from_ms, to_ms);
      if (running) return { rebuild: running, is_new: false };
      db.prepare(
        `INSERT OR REPLACE INTO rebuilds (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(...valuesOf(rebuild));
      return { rebuild, is_new: true };
    });
  }

  async note(rebuild: Rebuild): Promise<void> {
    const [drive_id, job_id, folded, total, documents, started_ms, ...rest] = valuesOf(rebuild);
    this.writable
      .prepare(
        `UPDATE rebuilds SET events_folded = ?, events_total = ?, documents_written = ?,
         heard_ms = ?, finished_ms = ?, revision = ?, error = ?
         WHERE drive_id = ? AND job_id = ? AND started_ms = ? AND finished_ms IS NULL`,
      )
      .run(folded!, total!, documents!, ...rest, drive_id!, job_id!, started_ms!);
  }

  async find(drive_id: string, job_id: string): Promise<Rebuild | null> {
    if (!this.db) return null;
    const sql = `SELECT ${COLUMNS} FROM rebuilds WHERE drive_id = ? AND job_id = ?`;
    return records(this.db, sql).maybe(drive_id, job_id);
  }

  async trim(before_ms: number): Promise<void> {
    this.writable.prepare('DELETE FROM rebuilds WHERE started_ms < ?').run(before_ms);
  }

  private get writable(): DatabaseSync {
    if (!this.db) throw new Error('the jobs are opened read-only');
    return this.db;
  }
}

/** In the order of the columns. */
function valuesOf(rebuild: Rebuild): (string | number | null)[] {
  const { drive_id, job_id, events_folded, events_total, documents_written } = rebuild;
  const { started_ms, heard_ms, finished_ms, revision, error } = rebuild;
  const progress = [events_folded, events_total, documents_written];
  return [drive_id, job_id, ...progress, started_ms, heard_ms, finished_ms, revision, error];
}
