import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { PresenceStore } from '../stores.js';
import { inTransaction, rows, type RowQuery } from './files/database.js';

/** Presence, in `side.db`. */
export class SqlitePresenceStore implements PresenceStore {
  private readonly of_drive: RowQuery;
  private readonly of_user: RowQuery;
  private readonly see: StatementSync;
  private readonly forget: StatementSync;

  constructor(private readonly db: DatabaseSync) {
    this.of_drive = rows(db, 'SELECT user_id, seen_ms FROM presence WHERE drive_id = ?');
    this.of_user = rows(db, 'SELECT seen_ms FROM presence WHERE drive_id = ? AND user_id = ?');
    this.see = db.prepare(
      `INSERT INTO presence (drive_id, user_id, seen_ms) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET seen_ms = max(seen_ms, excluded.seen_ms)`,
    );
    this.forget = db.prepare('DELETE FROM presence WHERE drive_id = ? AND user_id = ?');
  }

  async load(drive_id: string): Promise<ReadonlyMap<string, number>> {
    return new Map(this.of_drive.all(drive_id) as unknown as [string, number][]);
  }

  async save(drive_id: string, seen: ReadonlyMap<string, number>): Promise<void> {
    if (seen.size === 0) return;
    inTransaction(this.db, () => {
      for (const [user_id, seen_ms] of seen) this.see.run(drive_id, user_id, seen_ms);
    });
  }

  async rename(drive_id: string, from_user_id: string, to_user_id: string): Promise<void> {
    inTransaction(this.db, () => {
      const row = this.of_user.maybe(drive_id, from_user_id);
      if (!row) return;
      this.forget.run(drive_id, from_user_id);
      this.see.run(drive_id, to_user_id, Number(row[0]));
    });
  }

  async delete(drive_id: string, user_id: string): Promise<void> {
    this.forget.run(drive_id, user_id);
  }
}
