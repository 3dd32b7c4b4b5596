import { Worker } from 'node:worker_threads';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

import { Thread } from '../../../threads/thread.js';
import { type DatabaseFile, openCache } from './database.js';

/** Size of the log after a passive checkpoint, in bytes, from which writers are blocked to empty it. */
const TRUNCATE_ABOVE_BYTES = 64 * 1024 * 1024;

/** Maximum prepared statements of each file. */
const MOST_PREPARED = 64;

/**
 * The worker's whole program, as text: it runs the same from compiled files and from sources under a test runner, and
 * needs only Node's own modules.
 *
 * It writes caches: a power failure may lose their last transactions (synchronous=NORMAL), but never breaks a
 * checkpoint's order.
 *
 * PASSIVE checkpoints never block the writer, but under steady load never empty the log either: its file grows.
 * TRUNCATE empties it and blocks the writer only for the little that PASSIVE has just left.
 */
const PROGRAM = `
const { parentPort } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
globalThis.hash = require('node:crypto').hash;
const files = new Map();
function open(path) {
  let file = files.get(path);
  if (!file) {
    const db = new DatabaseSync(path, { timeout: 200 });
    db.exec('PRAGMA synchronous = NORMAL');
    files.set(path, (file = { db, prepared: new Map() }));
  }
  return file;
}
function prepare({ db, prepared }, sql) {
  let statement = prepared.get(sql);
  if (!statement) {
    if (prepared.size >= ${MOST_PREPARED}) prepared.clear();
    prepared.set(sql, (statement = db.prepare(sql)));
  }
  return statement;
}
function checkpoint({ db }, truncate_above_bytes) {
  const { page_size } = db.prepare('PRAGMA page_size').get();
  const { log } = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  if (log * page_size > truncate_above_bytes) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
const routines = new Map();
function runRoutine(file, { routine, argument }) {
  if (!routines.has(routine)) routines.set(routine, (0, eval)(routine));
  routines.get(routine)((sql) => prepare(file, sql), argument);
}
function run(file, statements) {
  const { db } = file;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const statement of statements)
      if (statement.routine) runRoutine(file, statement);
      else prepare(file, statement.sql).run(...statement.values);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
parentPort.on('message', ({ id, question: { path, statements, truncate_above_bytes } }) => {
  try {
    if (path === undefined) for (const { db } of files.values()) db.close();
    else if (statements) run(open(path), statements);
    else checkpoint(open(path), truncate_above_bytes);
    parentPort.postMessage({ id, answer: undefined });
  } catch (error) {
    parentPort.postMessage({ id, failure: error.message });
  }
});
`;

export interface Statement {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Prepares a statement, or returns the prepared one. */
export type Prepare = (sql: string) => StatementSync;

/** A function created by `threadRoutine` that runs in the thread, in the same transaction as the statements. */
interface RoutineCall {
  /** Text of a function `(prepare: Prepare, argument) => void`. */
  readonly routine: string;
  /** Sent to the thread: texts and bytes are cheap, objects less so. */
  readonly argument: object;
}

/**
 * Text of a function for the thread, for the same reason as the thread's program.
 * @param routine uses only `helpers`, which use only each other, `hash` of node:crypto and globals
 */
export function threadRoutine<Argument extends object>(
  routine: (prepare: Prepare, argument: Argument) => void,
  helpers: readonly ((...given: never) => unknown)[],
): string {
  return `(() => {\n${[...helpers, routine].join('\n')}\nreturn ${routine.name};\n})()`;
}

/** Runs work on database files in a separate thread, so that no command waits for it. */
export class Background {
  private readonly thread = new Thread(
    'the database thread',
    () => new Worker(PROGRAM, { eval: true, name: 'sqlite-background' }),
  );

  /** Moves commits from the write-ahead log of a file into the file, and empties a log above that size. */
  checkpoint(path: string, truncate_above_bytes = TRUNCATE_ABOVE_BYTES): Promise<void> {
    return this.thread.ask({ path, truncate_above_bytes });
  }

  /**
   * Runs statements on a file in one transaction.
   * @param moved see `Thread.ask`
   */
  run(
    path: string,
    statements: readonly (Statement | RoutineCall)[],
    moved?: readonly Uint8Array[],
  ): Promise<void> {
    return this.thread.ask({ path, statements }, { moved });
  }

  /** Ends the thread after all earlier tasks. */
  async close(): Promise<void> {
    await this.thread.close({});
  }
}

/** A cache in its own file: read here, written by the thread. */
export class CacheFile {
  /** Null for a missing file opened read-only: the cache is empty. */
  protected readonly db: DatabaseSync | null;

  /** @param background null to open read-only */
  constructor(
    private readonly path: string,
    private readonly background: Background | null,
    file: Omit<DatabaseFile, 'path' | 'read_only'>,
  ) {
    this.db = openCache({ ...file, path, read_only: !background });
  }

  close(): void {
    this.db?.close();
  }

  /** @param moved see `Thread.ask` */
  protected write(
    statements: readonly (Statement | RoutineCall)[],
    moved?: readonly Uint8Array[],
  ): Promise<void> {
    if (!this.background) return Promise.reject(new Error(`${this.path} is opened read-only`));
    return this.background.run(this.path, statements, moved);
  }
}

/** Requests a checkpoint of a file whenever its log has grown enough, one at a time. */
export class Checkpoints {
  private grown_bytes = 0;
  private running = false;

  constructor(
    private readonly background: Background,
    private readonly path: string,
    private readonly every_bytes: number,
  ) {}

  grown(bytes: number): void {
    this.grown_bytes += bytes;
    if (this.running || this.grown_bytes < this.every_bytes) return;
    this.grown_bytes = 0;
    this.running = true;
    this.background
      .checkpoint(this.path)
      // A failed checkpoint loses nothing: the log is longer and the next one does more.
      .catch((error: unknown) =>
        process.emitWarning(`checkpoint of ${this.path}: ${String(error)}`),
      )
      .finally(() => {
        this.running = false;
      });
  }
}
