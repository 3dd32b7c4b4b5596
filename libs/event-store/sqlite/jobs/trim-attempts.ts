import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { prepared, rows } from '../files/database.js';

/** Attempts deleted between two turns of the event loop. */
const DELETED_PER_TURN = 500;

/** Deletes the attempts before a time, and of each webhook the oldest beyond a number; in turns. */
export async function trimAttempts(
  db: DatabaseSync,
  before_ms: number,
  most_per_webhook: number,
): Promise<void> {
  await deleteInTurns(db, 'at_ms < ?', before_ms);
  const next = rows(
    db,
    `SELECT drive_id, webhook_id FROM attempts WHERE (drive_id, webhook_id) > (?, ?)
     ORDER BY drive_id, webhook_id LIMIT 1`,
  );
  const newest_beyond = rows(
    db,
    `SELECT id FROM attempts WHERE drive_id = ? AND webhook_id = ?
     ORDER BY id DESC LIMIT 1 OFFSET ?`,
  );
  for (let line = next.maybe('', ''); line; line = next.maybe(...line)) {
    const [id] = newest_beyond.maybe(...line, most_per_webhook) ?? [];
    if (id === undefined) await nextTurn();
    else await deleteInTurns(db, 'drive_id = ? AND webhook_id = ? AND id <= ?', ...line, id);
  }
}

async function deleteInTurns(
  db: DatabaseSync,
  condition: string,
  ...values: SQLInputValue[]
): Promise<void> {
  const some = `SELECT id FROM attempts WHERE ${condition} LIMIT ${DELETED_PER_TURN}`;
  const deleting = prepared(db, `DELETE FROM attempts WHERE id IN (${some})`);
  while (deleting.run(...values).changes === DELETED_PER_TURN) await nextTurn();
}
