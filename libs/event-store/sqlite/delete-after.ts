import { eventsFile } from './events-file.js';
import { inTransaction, openDatabase } from './files/database.js';

/** Name of a file in a data folder whose restore has not ended: stores do not open the folder. */
export const UNFINISHED_RESTORE = 'restore.unfinished';

/**
 * Deletes all events later than a time, in a file that no store has opened. Times of a stream never decrease and the
 * events of a command have one time, so every stream ends after a whole command.
 * @param path of `events.db`
 * @returns how many events were deleted
 */
export function deleteEventsAfter(path: string, at_ms: number): number {
  const db = openDatabase(eventsFile(path, false));
  try {
    const deleted = inTransaction(db, () => {
      const { changes } = db.prepare('DELETE FROM events WHERE timestamp_ms > ?').run(at_ms);
      db.exec('DELETE FROM streams WHERE id NOT IN (SELECT stream_id FROM events)');
      return Number(changes);
    });
    // The deleted events are gone from the file, too.
    db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    return deleted;
  } finally {
    db.close();
  }
}
