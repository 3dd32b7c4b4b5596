import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

import { answerQuestions } from '../../../threads/answering.js';
import { applyChanges, type Change } from './changes.js';
import { rows, truncateLog } from './database.js';

/** Maximum wait for a lock of another connection. */
const BUSY_TIMEOUT_MS = 200;

/** What the thread is asked: changes of a file in one transaction, a checkpoint of its log, or to close one or all files. */
export type DatabaseQuestion =
  | { readonly path: string; readonly changes: readonly Change[] }
  | { readonly path: string; readonly truncate_above_bytes: number }
  | { readonly path: string; readonly disconnects: true }
  | { readonly closes: true };

/** The program of the database thread (see `Background`). */
const files = new Map<string, DatabaseSync>();

/** A power failure may lose the last transactions of a cache, but never breaks the order of a checkpoint. */
function opened(path: string): DatabaseSync {
  const known = files.get(path);
  if (known) return known;
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  db.exec('PRAGMA synchronous = NORMAL');
  files.set(path, db);
  return db;
}

function disconnect(path: string): void {
  files.get(path)?.close();
  files.delete(path);
}

/**
 * PASSIVE never blocks the writer, but under steady load never empties the log either: its file grows. TRUNCATE
 * empties it and blocks the writer only for the little that PASSIVE has just left.
 */
function checkpoint(db: DatabaseSync, truncate_above_bytes: number): void {
  const [page_bytes] = rows(db, 'PRAGMA page_size').get();
  const [, pages] = rows(db, 'PRAGMA wal_checkpoint(PASSIVE)').get();
  if (Number(pages) * Number(page_bytes) > truncate_above_bytes) truncateLog(db);
}

answerQuestions<DatabaseQuestion>(parentPort!, async (question) => {
  if ('closes' in question) for (const db of files.values()) db.close();
  else if ('disconnects' in question) disconnect(question.path);
  else if ('changes' in question) applyChanges(opened(question.path), question.changes);
  else checkpoint(opened(question.path), question.truncate_above_bytes);
  return { answer: undefined };
});
