import { type FileHandle, open } from 'node:fs/promises';

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
  private log: FileHandle | undefined;

  constructor(private readonly path: string) {}

  async sync(): Promise<void> {
    this.log ??= await open(`${this.path}-wal`, 'r+');
    await this.log.datasync();
  }

  async close(): Promise<void> {
    await this.log?.close();
  }
}
