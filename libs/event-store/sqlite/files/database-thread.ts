import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

import { answerQuestions } from '../../../threads/answering.js';
import { appendToIndex, type IndexChunk } from '../event-index/index-writer.js';

/** Maximum wait for a lock of another connection. */
const BUSY_TIMEOUT_MS = 200;

/** Maximum prepared statements of each file. */
const MOST_PREPARED = 64;

export interface Statement {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** A statement, or the events that an index takes. */
export type Change = Statement | { readonly index: IndexChunk };

/** What the thread is asked: changes of a file in one transaction, a checkpoint of its log, or to close all files. */
export type DatabaseQuestion =
  | { readonly path: string; readonly changes: readonly Change[] }
  | { readonly path: string; readonly truncate_above_bytes: number }
  | { readonly closes: true };

/** A file that the thread has open. */
class WrittenFile {
  private readonly db: DatabaseSync;
  private readonly prepared = new Map<string, StatementSync>();

  /** A power failure may lose the last transactions of a cache, but never breaks the order of a checkpoint. */
  constructor(path: string) {
    this.db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    this.db.exec('PRAGMA synchronous = NORMAL');
  }

  change(changes: readonly Change[]): void {
    const { db } = this;
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const change of changes)
        if ('index' in change) appendToIndex(this.prepare, change.index);
        else this.prepare(change.sql).run(...change.values);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * PASSIVE never blocks the writer, but under steady load never empties the log either: its file grows. TRUNCATE
   * empties it and blocks the writer only for the little that PASSIVE has just left.
   */
  checkpoint(truncate_above_bytes: number): void {
    const page_bytes = this.pragma('page_size', 'page_size');
    const pages = this.pragma('wal_checkpoint(PASSIVE)', 'log');
    if (pages * page_bytes > truncate_above_bytes) this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.db.close();
  }

  private pragma(name: string, column: string): number {
    return Number(this.db.prepare(`PRAGMA ${name}`).get()![column]);
  }

  private readonly prepare = (sql: string): StatementSync => {
    const known = this.prepared.get(sql);
    if (known) return known;
    if (this.prepared.size >= MOST_PREPARED) this.prepared.clear();
    const statement = this.db.prepare(sql);
    this.prepared.set(sql, statement);
    return statement;
  };
}

/** The program of the database thread (see `Background`). */
const files = new Map<string, WrittenFile>();

function opened(path: string): WrittenFile {
  const known = files.get(path);
  if (known) return known;
  const file = new WrittenFile(path);
  files.set(path, file);
  return file;
}

answerQuestions<DatabaseQuestion>(parentPort!, async (question) => {
  if ('closes' in question) for (const file of files.values()) file.close();
  else if ('changes' in question) opened(question.path).change(question.changes);
  else opened(question.path).checkpoint(question.truncate_above_bytes);
  return { answer: undefined };
});
