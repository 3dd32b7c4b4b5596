import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreUnavailable } from '../../event-store/port.js';
import { Background, Checkpoints } from '../../event-store/sqlite/files/background.js';
import {
  clampInteger,
  inTransaction,
  openDatabase,
  rows,
  type RowQuery,
} from '../../event-store/sqlite/files/database.js';
import { type CommitSync, LogSync } from '../../event-store/sqlite/files/log-sync.js';
import { isBusy, isDamaged, isFull } from '../../event-store/sqlite/files/unusable.js';
import { ContentExists, type ContentKey, ContentStoreFull, type StoredContent } from '../port.js';
import { DamagedContent } from '../sealed.js';

/** Growth of the write-ahead log after which a checkpoint is requested, bytes. */
const CHECKPOINT_EVERY_BYTES = 8 * 1024 * 1024;
const PAGE_BYTES = 4096;

const FILE = {
  schema_version: 1,
  schema: `
    CREATE TABLE contents (
      drive_id TEXT NOT NULL,
      content_id TEXT NOT NULL,
      stored_ms INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (drive_id, content_id)
    ) STRICT;`,
};

/**
 * Settings of the writer: the pages of deleted contents are overwritten and given back to the disk (the latter counts
 * for a new file only), and checkpoints run in a thread of their own.
 */
const PRAGMAS = `
  PRAGMA auto_vacuum = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA wal_autocheckpoint = 0;`;

interface SmallOptions {
  readonly path: string;
  /** Opens beside a writer. */
  readonly read_only?: boolean;
  /** True if a key has a content elsewhere. */
  readonly isTaken?: (key: ContentKey) => boolean;
  /** Syncs commits to the disk; by default the file's log. */
  readonly disk?: CommitSync;
}

/** A change that waits for the next commit. */
interface Change {
  /** Growth of the log, bytes. */
  readonly bytes: number;
  /** Makes the change in the open transaction. @returns why it cannot be made */
  readonly apply: () => Error | null;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Contents as rows of one database. Changes that arrive while the disk syncs a commit share the next commit. A content
 * costs a few microseconds of the calling thread for each page, and the disk one sync for all that wait.
 */
export class SmallContents {
  private readonly db: DatabaseSync;
  /** Null if read-only, like the next two. */
  private readonly disk: CommitSync | null;
  private readonly background: Background | null;
  private readonly checkpoints: Checkpoints | null;
  private readonly isTaken: (key: ContentKey) => boolean;
  private waiting: Change[] = [];
  private committing: Promise<void> | undefined;
  /** The disk has failed: what the file has on it is unknown. */
  private failure: StoreUnavailable | undefined;
  /** The log may have bytes of deleted contents. */
  private has_deleted: boolean;

  private readonly insert: StatementSync;
  private readonly remove: StatementSync;
  private readonly bytesOf: RowQuery;
  private readonly sizeOf: RowQuery;
  private readonly page: RowQuery;
  private readonly nextDrive: RowQuery;

  /** @throws StoreUnusable; NewerSchema */
  constructor(private readonly options: SmallOptions) {
    const { path, read_only = false } = options;
    const pragmas = read_only ? '' : PRAGMAS;
    const db = (this.db = openDatabase({ ...FILE, path, read_only, pragmas }));
    // Changes are acknowledged after a sync by `disk`; SQLite itself then syncs only where its file needs it.
    if (!read_only) db.exec('PRAGMA synchronous = NORMAL');
    this.disk = read_only ? null : (options.disk ?? new LogSync(path));
    this.background = read_only ? null : new Background();
    this.checkpoints =
      this.background && new Checkpoints(this.background, path, CHECKPOINT_EVERY_BYTES);
    // The process before may have ended before it did.
    this.has_deleted = !read_only;
    this.isTaken = options.isTaken ?? (() => false);
    const one = 'drive_id = ? AND content_id = ?';
    this.insert = db.prepare('INSERT INTO contents VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
    this.remove = db.prepare(`DELETE FROM contents WHERE ${one}`);
    this.bytesOf = rows(db, `SELECT bytes FROM contents WHERE ${one}`);
    this.sizeOf = rows(db, `SELECT length(bytes) FROM contents WHERE ${one}`);
    this.page = rows(
      db,
      `SELECT content_id, length(bytes), stored_ms FROM contents
       WHERE drive_id = ? AND content_id > ? ORDER BY content_id LIMIT ?`,
    );
    this.nextDrive = rows(db, 'SELECT min(drive_id) FROM contents WHERE drive_id > ?');
  }

  /** Stores a content durably. @throws ContentExists; ContentStoreFull; StoreUnavailable */
  write(key: ContentKey, bytes: Uint8Array): Promise<void> {
    const { drive_id, content_id } = key;
    return this.change(bytes.length + 2 * PAGE_BYTES, () => {
      const is_stored =
        !this.isTaken(key) &&
        this.insert.run(drive_id, content_id, Date.now(), bytes).changes === 1;
      return is_stored ? null : new ContentExists('the content exists');
    });
  }

  /** Deletes a content; unknown keys are ignored. */
  async delete({ drive_id, content_id }: ContentKey): Promise<void> {
    if (this.size({ drive_id, content_id }) === undefined) return;
    await this.change(PAGE_BYTES, () => {
      this.remove.run(drive_id, content_id);
      this.has_deleted = true;
      return null;
    });
  }

  /** The bytes of a content; undefined if there is none under the key. @throws DamagedContent */
  read({ drive_id, content_id }: ContentKey): Uint8Array | undefined {
    try {
      return this.bytesOf.maybe(drive_id, content_id)?.[0] as Uint8Array | undefined;
    } catch (error) {
      if (!isDamaged(error)) throw error;
      throw new DamagedContent((error as Error).message, { cause: error });
    }
  }

  size({ drive_id, content_id }: ContentKey): number | undefined {
    return this.sizeOf.maybe(drive_id, content_id)?.[0] as number | undefined;
  }

  /** As `ContentStore.list`. */
  list(drive_id: string, after: string, limit: number): StoredContent[] {
    return this.page
      .all(drive_id, after, clampInteger(limit))
      .map(([content_id, bytes, stored_ms]) => ({
        drive_id,
        content_id: content_id as string,
        bytes: bytes as number,
        stored_ms: stored_ms as number,
      }));
  }

  /** As `ContentStore.drives`; it reads one entry for each drive, not one for each content. */
  drives(after: string, limit: number): string[] {
    const found: string[] = [];
    for (let last = after; found.length < limit; last = found.at(-1)!) {
      const [next] = this.nextDrive.get(last);
      if (next === null) break;
      found.push(next as string);
    }
    return found;
  }

  /** Removes bytes of deleted contents from the log. They have been overwritten in the file before. */
  async eraseDeleted(): Promise<void> {
    if (!this.has_deleted) return;
    this.has_deleted = false;
    try {
      await this.background!.checkpoint(this.options.path, 0);
    } catch (error) {
      this.has_deleted = true;
      throw error;
    }
  }

  async close(): Promise<void> {
    while (this.committing) await this.committing;
    await this.background?.close();
    await this.disk?.close();
    try {
      if (this.disk && !this.failure) this.leaveOneFile();
    } finally {
      this.db.close();
    }
  }

  /** Leaves a file that can be read without the right to write beside it, as from a mounted backup. */
  private leaveOneFile(): void {
    try {
      this.db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
    } catch (error) {
      // Another process reads it, or the disk is full. The log stays, and a later close succeeds.
      if (!isBusy(error) && !isFull(error)) throw error;
    }
  }

  private change(bytes: number, apply: () => Error | null): Promise<void> {
    if (!this.disk) return Promise.reject(new Error('the contents are opened read-only'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ bytes, apply, resolve, reject });
      this.committing ??= this.commitWaiting();
    });
  }

  /** Commits until nothing waits. */
  private async commitWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      // What else arrives in this turn of the event loop shares the commit.
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.waiting;
      this.waiting = [];
      try {
        await this.commit(group);
      } catch (error) {
        const failure = isFull(error)
          ? new ContentStoreFull('the disk of the contents is full', { cause: error })
          : error;
        for (const { reject } of group) reject(failure);
      }
    }
    this.committing = undefined;
  }

  private async commit(group: readonly Change[]): Promise<void> {
    if (this.failure) throw this.failure;
    const refusals = inTransaction(this.db, () => group.map(({ apply }) => apply()));
    await this.disk!.sync().catch((error: unknown) => this.fail(error));
    let grown = 0;
    for (const [nth, { bytes, resolve, reject }] of group.entries()) {
      grown += bytes;
      if (refusals[nth]) reject(refusals[nth]);
      else resolve();
    }
    this.checkpoints!.grown(grown);
  }

  /** The disk may have dropped what it could not write, and would accept the next sync. */
  private fail(cause: unknown): never {
    this.failure = new StoreUnavailable(
      `the disk failed to store a write to ${this.options.path} (${String(cause)}): restart the service once the disk works`,
      { cause },
    );
    process.emitWarning(this.failure.message);
    throw this.failure;
  }
}
