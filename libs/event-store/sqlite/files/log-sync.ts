import { close, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const bringToDisk = promisify(fdatasync);
const closeFile = promisify(close);

/** What brings commits to the disk; other than the file's own in specs of disks that are slow or fail. */
export interface CommitSync {
  /** Resolves when all that was committed before the call is on the disk; rejects if that is not certain. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Brings the write-ahead log of a database file to the disk, in a thread of Node's pool: SQLite itself would hold up
 * the process for as long as the disk takes. The log is one file for as long as the database is open. SQLite locks
 * other files than the log, so closing it here drops no lock.
 */
export class LogSync implements CommitSync {
  private readonly log: number;

  /** The database is open and has been read: so its log is there. */
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
