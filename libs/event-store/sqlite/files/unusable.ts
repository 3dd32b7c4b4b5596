import { existsSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

import { EventsUnusable, StoreUnusable } from '../../port.js';

/** SQLite's result codes (https://sqlite.org/rescode.html). */
const SQLITE = {
  PERM: 3,
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
};

const DISK_CODES: ReadonlySet<number | undefined> = new Set([
  SQLITE.READONLY,
  SQLITE.IOERR,
  SQLITE.FULL,
  SQLITE.CANTOPEN,
]);

/** SQLite's primary result code, also of an unusable file; undefined for any other error. */
function sqliteCode(error: unknown): number | undefined {
  const thrown = error instanceof StoreUnusable ? error.cause : error;
  const code = (thrown as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

export const isBusy = (error: unknown): boolean => sqliteCode(error) === SQLITE.BUSY;
export const isFull = (error: unknown): boolean => sqliteCode(error) === SQLITE.FULL;
export const isInputOutput = (error: unknown): boolean => sqliteCode(error) === SQLITE.IOERR;
/** True if SQLite cannot use the disk of a file. */
export const isDiskFailure = (error: unknown): boolean => DISK_CODES.has(sqliteCode(error));
export const isDamaged = (error: unknown): boolean =>
  sqliteCode(error) === SQLITE.CORRUPT || sqliteCode(error) === SQLITE.NOTADB;

const SYSTEM_WORDS: Readonly<Record<string | number, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};
const FORBIDDEN: ReadonlySet<string | number> = new Set([
  ...[SQLITE.PERM, SQLITE.READONLY, SQLITE.CANTOPEN],
  ...Object.keys(SYSTEM_WORDS),
]);

/** An error of opening a database file, explained for operators if they can act on it. */
export function openFailure(path: string, thrown: unknown): unknown {
  if (isDamaged(thrown)) return damage(path, thrown);
  const code = sqliteCode(thrown) ?? (thrown as NodeJS.ErrnoException).code;
  const cause = { cause: thrown };
  if (isFolder(path)) {
    const why = 'is a folder where a database file should be: move it away, then';
    return new StoreUnusable(`${path} ${why} ${remedy(path)}`, cause);
  }
  if (code === 'EROFS')
    return new StoreUnusable(
      `${path} cannot be written (its file system is read-only): mount it for writing, or set DATA_DIR to another folder`,
      cause,
    );
  if (code !== undefined && FORBIDDEN.has(code))
    return new StoreUnusable(
      `${path} cannot be opened (${SYSTEM_WORDS[code] ?? messageOf(thrown)}): give the data folder and its files to ` +
        'the user that runs the service, and to nobody else (chown -R; chmod 700 the folder, chmod 600 the files)',
      cause,
    );
  if (code === SQLITE.IOERR)
    return new StoreUnusable(
      `${path} cannot be read (${messageOf(thrown)}): check the disk`,
      cause,
    );
  return thrown;
}

/** An error of reading or writing an open file; damage names the file. */
export function damageOf(path: string | null, thrown: unknown): unknown {
  return path !== null && isDamaged(thrown) ? damage(path, thrown) : thrown;
}

function damage(path: string, thrown: unknown): StoreUnusable {
  if (thrown instanceof StoreUnusable) return thrown;
  if (CACHES.has(basename(path))) markDamaged(path);
  const why = `is damaged or not a database (${messageOf(thrown)}): ${remedy(path)}`;
  const Unusable = basename(path) === 'events.db' ? EventsUnusable : StoreUnusable;
  return new Unusable(`${path} ${why}`, { cause: thrown });
}

/** Files that are replaced by empty ones once damage is met. */
export const CACHES: ReadonlySet<string> = new Set([
  'snapshots.db',
  'tiles.db',
  'index.db',
  'expiries.db',
  'nonces.db',
]);

/** The file that marks a cache as damaged: the writer of the cache replaces it and removes the mark. */
export const damageMark = (path: string): string => `${path}.damaged`;

export const isMarkedDamaged = (path: string): boolean => existsSync(damageMark(path));

function markDamaged(path: string): void {
  try {
    writeFileSync(damageMark(path), '', { mode: 0o600 });
  } catch {
    // Where nothing can be written, the writer meets the damage itself.
  }
}

const FROM_BACKUP = 'restore it from a backup (docs/operations.md, "Backup and restore")';

/** How to restore a lost file. */
export function remedy(path: string): string {
  const name = basename(path);
  if (CACHES.has(name) || name === 'lock.db') return 'start without it; it is rebuilt';
  if (name === 'jobs.db') return 'start without it; webhooks resume with the next event';
  return FROM_BACKUP;
}

const messageOf = (thrown: unknown): string =>
  String((thrown as { message?: unknown } | null)?.message ?? thrown);

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
