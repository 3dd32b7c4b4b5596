import { close, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const bringToDisk = promisify(fdatasync);
const closeFile = promisify(close);

/** Syncs commits to the disk; replaced in specs of slow or failing disks. */
export interface CommitSync {
  /** Resolves when all earlier commits are on the disk; rejects if that is uncertain. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Syncs the write-ahead log of a database file to the disk, in a thread of Node's pool: SQLite itself would block the
 * process meanwhile. The log is one file as long as the database is open. SQLite locks other files than the log, so
 * closing it here drops no lock.
 */
export class LogSync implements CommitSync {
  private readonly log: number;

  /** The database is open and has been read, so its log exists. */
  constructor(path: string) {
    this.log = openSync(`${path}-wal`, 'r+');
  }

  sync(): Promise<void> {
    return bringToDisk(this.log);
  }

  close(): Promise<void> {
    return closeFile(this.log);
  }
}
