import { existsSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StoreUnusable } from '../../port.js';
import { ensurePrivateFile, hasContent } from './folder-files.js';
import {
  damageMark,
  damageOf,
  isDamaged,
  isMarkedDamaged,
  openFailure,
  remedy,
} from './unusable.js';

/** Maximum wait of a statement for a lock of another connection. */
const BUSY_TIMEOUT_MS = 5_000;

/** In place of a path: a database in this process's memory, gone when it is closed. */
export const IN_MEMORY = ':memory:';

/** A row read as an array, in the order of the selected columns. */
export type Row = readonly (string | number | Uint8Array | null)[];

/** The file was written by a newer version of the service, and this one could misread it. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
  constructor(path: string, found: number, known: number) {
    super(
      `${path} has schema version ${found}, written by a newer version of this service; ` +
        `this one knows versions up to ${known}. Run the newer version again or restore a backup`,
    );
  }
}

/** The file was written by an older version of the service, with another schema. */
export class OlderSchema extends Error {
  override readonly name = 'OlderSchema';
  constructor(path: string, found: number, known: number) {
    super(`${path} has schema version ${found}; this version of the service reads ${known} only`);
  }
}

/** The file has tables, and this service has not made them. */
class ForeignDatabase extends StoreUnusable {
  constructor(path: string) {
    super(
      `${path} is a database of another program: set DATA_DIR to another folder, or move the file away`,
    );
  }
}

export interface DatabaseFile {
  readonly path: string;
  readonly read_only: boolean;
  /** `PRAGMA user_version` that this code writes and reads. */
  readonly schema_version: number;
  /** Creates the tables of `schema_version` in an empty file. */
  readonly schema: string;
  /** Settings of every connection. */
  readonly pragmas?: string;
  /** Prepares every connection. */
  readonly connected?: (db: DatabaseSync) => void;
}

/**
 * Opens a database file; creates a missing one with its schema. WAL, synchronous=FULL: a returned commit is on the
 * disk, unless the opener changes that for its file.
 * @throws NewerSchema; OlderSchema; StoreUnusable; Error naming the file if it is missing and opened read-only
 */
export function openDatabase(file: DatabaseFile): DatabaseSync {
  if (file.read_only && !existsSync(file.path)) {
    throw new Error(`${file.path} does not exist; nothing to open read-only`);
  }
  try {
    return open(file);
  } catch (error) {
    throw openFailure(file.path, error);
  }
}

function open(file: DatabaseFile): DatabaseSync {
  if (!file.read_only && file.path !== IN_MEMORY) ensurePrivateFile(file.path);
  const db = new DatabaseSync(file.path, { readOnly: file.read_only, timeout: BUSY_TIMEOUT_MS });
  try {
    if (file.pragmas) db.exec(file.pragmas);
    // Before anything is changed.
    if (versionOf(db) === 0 && rows(db, 'SELECT 1 FROM sqlite_master').maybe())
      throw new ForeignDatabase(file.path);
    if (!file.read_only) db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    const found = versionOf(db);
    if (found > file.schema_version) {
      throw new NewerSchema(file.path, found, file.schema_version);
    }
    if (found === 0) makeSchema(db, file);
    else if (found < file.schema_version) {
      throw new OlderSchema(file.path, found, file.schema_version);
    }
    file.connected?.(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(rows(db, 'PRAGMA user_version').get()[0]);
}

function makeSchema(db: DatabaseSync, file: DatabaseFile): void {
  if (file.read_only) throw new StoreUnusable(`${file.path} is empty: ${remedy(file.path)}`);
  inTransaction(db, () => {
    db.exec(file.schema);
    db.exec(`PRAGMA user_version = ${file.schema_version}`);
  });
}

/** A prepared query with rows as arrays, at about half the cost of rows as objects. */
export interface RowQuery {
  all(...values: SQLInputValue[]): Row[];
  get(...values: SQLInputValue[]): Row;
  maybe(...values: SQLInputValue[]): Row | undefined;
}

export function rows(db: DatabaseSync, sql: string): RowQuery {
  const statement = prepared(db, sql, true);
  const maybe = (...values: SQLInputValue[]): Row | undefined =>
    reading(db, () => statement.get(...values)) as unknown as Row | undefined;
  return {
    all: (...values) => reading(db, () => statement.all(...values)) as unknown as Row[],
    get: (...values) => {
      const row = maybe(...values);
      if (!row) throw new Error(`no row: ${sql}`);
      return row;
    },
    maybe,
  };
}

/** A prepared query with rows as objects, whose members are the selected columns; for queries that are not frequent. */
export interface RecordQuery {
  all<Selected extends object>(...values: SQLInputValue[]): Selected[];
  maybe<Selected extends object>(...values: SQLInputValue[]): Selected | null;
}

export function records(db: DatabaseSync, sql: string): RecordQuery {
  const statement = prepared(db, sql);
  const all = <Selected extends object>(...values: SQLInputValue[]): Selected[] =>
    // Copied: the driver's objects have no prototype.
    reading(db, () => statement.all(...values)).map((row) => ({ ...(row as Selected) }));
  return { all, maybe: (...values) => all<never>(...values)[0] ?? null };
}

/** Maximum prepared statements that are kept for a file. */
const MOST_PREPARED = 64;
const prepared_for = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** A statement, prepared once. Preparing reads the schema, which may be damaged too. */
export function prepared(db: DatabaseSync, sql: string, as_arrays = false): StatementSync {
  let known = prepared_for.get(db);
  if (!known || known.size >= MOST_PREPARED) prepared_for.set(db, (known = new Map()));
  const key = `${as_arrays} ${sql}`;
  let statement = known.get(key);
  if (!statement) {
    statement = reading(db, () => db.prepare(sql));
    statement.setReturnArrays(as_arrays);
    known.set(key, statement);
  }
  return statement;
}

function reading<T>(db: DatabaseSync, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw damageOf(db.location(), error);
  }
}

/**
 * Runs `work` in one transaction; a throw rolls it back.
 * @param kind `DEFERRED`: it only reads
 */
export function inTransaction<T>(
  db: DatabaseSync,
  work: () => T,
  kind: 'IMMEDIATE' | 'DEFERRED' = 'IMMEDIATE',
): T {
  try {
    db.exec(`BEGIN ${kind}`);
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors (such as a full disk) have already ended the transaction.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw damageOf(db.location(), error);
  }
}

/**
 * Moves the write-ahead log into the file and empties it.
 * @returns whether the log is empty; a reader in another process can prevent it
 */
export function truncateLog(db: DatabaseSync): boolean {
  return rows(db, 'PRAGMA wal_checkpoint(TRUNCATE)').get()[0] === 0;
}

/** The same without waiting for readers. */
export function truncateLogAtOnce(db: DatabaseSync): boolean {
  db.exec('PRAGMA busy_timeout = 0');
  try {
    return truncateLog(db);
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/** An integer that SQLite accepts as a limit: Infinity becomes the largest exact one. */
export function clampInteger(value: number): number {
  return Math.trunc(Math.max(-1, Math.min(value, Number.MAX_SAFE_INTEGER)));
}

/**
 * Opens a cache file. A cache never prevents a start: a file that is unusable or in which damage was met is replaced by
 * a new one; read-only, it counts as missing, like an empty one.
 * @returns null for a missing file opened read-only
 */
function openCache(file: DatabaseFile): DatabaseSync | null {
  const { path, read_only } = file;
  const is_marked = isMarkedDamaged(path);
  if (read_only && (is_marked || !hasContent(path))) return null;
  if (is_marked) return newCache(file);
  try {
    return openDatabase(file);
  } catch (error) {
    const is_other = OTHERS.some((kind) => error instanceof kind);
    if (!isDamaged(error) && !is_other) throw error;
    return read_only ? null : newCache(file);
  }
}

const OTHERS = [NewerSchema, OlderSchema, ForeignDatabase];

function newCache(file: DatabaseFile): DatabaseSync {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file.path + suffix, { force: true });
  const db = openDatabase(file);
  rmSync(damageMark(file.path), { force: true });
  return db;
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** The connection to a cache file. */
export class Cache {
  private db: DatabaseSync | null = null;
  private inode: number | undefined;
  private lost = 0;

  constructor(private readonly file: DatabaseFile) {
    this.connection();
  }

  /** Number of times that the file was replaced by an empty one since it was opened, or is to be. */
  get losses(): number {
    return this.lost + Number(this.is_lost);
  }

  /** True if damage was met, or the writer has replaced the file of a reader: the next connection is one to a new file. */
  get is_lost(): boolean {
    const { path, read_only } = this.file;
    if (!this.db) return false;
    return isMarkedDamaged(path) || (read_only && inodeOf(path) !== this.inode);
  }

  /** The open connection; null for a missing or damaged file opened read-only. */
  connection(): DatabaseSync | null {
    if (this.is_lost) {
      this.close();
      this.lost += 1;
      this.db = null;
    }
    if (!this.db) {
      this.db = openCache(this.file);
      this.inode = inodeOf(this.file.path);
    }
    return this.db;
  }

  /** @throws Error if the file is opened read-only */
  writable(): DatabaseSync {
    if (this.file.read_only) throw new Error(`${this.file.path} is opened read-only`);
    return this.connection()!;
  }

  close(): void {
    if (this.db?.isOpen) this.db.close();
  }
}
