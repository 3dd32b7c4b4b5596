import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { makePrivate } from './folder-files.js';
import { isBusy, openFailure } from './unusable.js';

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
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new DataFolderInUse(data_dir) : openFailure(path, error);
  }
  makePrivate(path);
  return () => lock.close();
}

function opened(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw openFailure(path, error);
  }
}
