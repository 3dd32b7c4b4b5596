import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { isBusy, openFailure } from './unusable.js';

/** A folder cannot be created or used. */
export class FolderUnusable extends Error {
  override readonly name = 'FolderUnusable';
}

/**
 * Creates a missing folder, accessible only to its owner; and the folders above it, one by one, since creating them
 * in one call never returns on file systems without folders.
 * @param setting that names the folder, if one does
 * @throws FolderUnusable
 */
export function ensureFolder(folder: string, setting?: string): void {
  try {
    makeFolder(resolve(folder));
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const named = setting === undefined ? folder : `${setting}: ${folder}`;
    const why = WHY[code] ?? code;
    throw new FolderUnusable(`${named} cannot be used as a folder: ${why}`, { cause: error });
  }
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'its file system does not support folders',
  ENOTDIR: 'it is, or lies below, a file',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its file system is full',
};

function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Denies other users access to a file without opening it: closing it again would drop locks on it. */
function makePrivate(path: string): void {
  chmodSync(path, 0o600);
}

/** True also for a path that is not a file: opening it reports that. */
export function hasContent(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.size > 0 || !found.isFile());
}

/**
 * Creates a missing file, accessible only to its owner; SQLite gives its side files the same mode. An existing file
 * is not opened: closing it again would drop SQLite's own locks in this process.
 */
export function ensurePrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

/**
 * Writes a file of so many bytes to the disk and deletes it.
 * @throws ENOSPC, or another reason why it cannot be written
 */
export async function checkRoom(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(Buffer.alloc(bytes, 1));
    await file.datasync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** Makes the names of new files in a folder survive a power failure. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Another process, or another opening in this one, writes to the data folder. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
  constructor(readonly data_dir: string) {
    super(
      `data folder ${data_dir} is in use by another process; stop that one first, or open the folder read-only`,
    );
  }
}

/**
 * Locks a data folder for writing until the returned function is called or the process ends in any way. The lock
 * belongs to the operating system, held by an open SQLite transaction, so it cannot become stale. (POSIX drops such
 * locks when the process closes any descriptor of the file: no other code may open `lock.db`.)
 * @throws DataFolderInUse; StoreUnusable
 */
export function lockFolder(data_dir: string): () => void {
  const path = join(data_dir, 'lock.db');
  // Not with ensurePrivateFile: its close would drop a lock that this process already holds.
  const lock = opened(path);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    makePrivate(path);
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new DataFolderInUse(data_dir) : openFailure(path, error);
  }
  return () => lock.close();
}

function opened(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw openFailure(path, error);
  }
}
