import { Worker } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';

import { Thread } from '../../../threads/thread.js';
import { applyChanges, type Change } from './changes.js';
import { Cache, type DatabaseFile, IN_MEMORY } from './database.js';
import type { DatabaseQuestion } from './database-thread.js';
import { damageOf } from './unusable.js';

/** Size of the log after a passive checkpoint, in bytes, from which writers are blocked to empty it. */
const TRUNCATE_ABOVE_BYTES = 64 * 1024 * 1024;

const PROGRAM = new URL('database-thread.js', import.meta.url);

/** Runs work on database files in a separate thread, so that no command waits for it. */
export class Background {
  private readonly thread = new Thread(
    'the database thread',
    () => new Worker(PROGRAM, { name: 'sqlite-background' }),
  );

  /** Moves commits from the write-ahead log of a file into the file, and empties a log above that size. */
  checkpoint(path: string, truncate_above_bytes = TRUNCATE_ABOVE_BYTES): Promise<void> {
    return this.thread.ask({ path, truncate_above_bytes } satisfies DatabaseQuestion);
  }

  /**
   * Changes a file in one transaction.
   * @param moved see `Thread.ask`
   */
  async change(
    path: string,
    changes: readonly Change[],
    moved?: readonly Uint8Array[],
  ): Promise<void> {
    try {
      await this.thread.ask({ path, changes } satisfies DatabaseQuestion, { moved });
    } catch (error) {
      throw damageOf(path, error);
    }
  }

  /** Closes the thread's connection to a file. */
  disconnect(path: string): Promise<void> {
    return this.thread.ask({ path, disconnects: true } satisfies DatabaseQuestion);
  }

  /** Ends the thread after all earlier tasks. */
  async close(): Promise<void> {
    await this.thread.close({ closes: true } satisfies DatabaseQuestion);
  }
}

/**
 * A cache in its own file: read here, written by the thread. An operation that meets damage fails, and the next one
 * begins with an empty file.
 */
export class CacheFile {
  private readonly cache: Cache;
  private disconnecting: Promise<void> | undefined;

  /** @param background null to open read-only */
  constructor(
    private readonly path: string,
    private readonly background: Background | null,
    file: Omit<DatabaseFile, 'path' | 'read_only'>,
  ) {
    this.cache = new Cache({ ...file, path, read_only: !background });
  }

  get losses(): number {
    return this.cache.losses;
  }

  close(): void {
    this.cache.close();
  }

  /** Null for a missing or damaged file opened read-only: the cache is empty. */
  protected async connection(): Promise<DatabaseSync | null> {
    const { background, cache } = this;
    if (background && cache.is_lost)
      // Else the thread would go on with the old file.
      await (this.disconnecting ??= background
        .disconnect(this.path)
        .finally(() => (this.disconnecting = undefined)));
    return cache.connection();
  }

  /** @param moved see `Thread.ask` */
  protected async write(changes: readonly Change[], moved?: readonly Uint8Array[]): Promise<void> {
    if (!this.background) throw new Error(`${this.path} is opened read-only`);
    const db = await this.connection();
    // No other thread can open it.
    if (this.path === IN_MEMORY) return applyChanges(db!, changes);
    await this.background.change(this.path, changes, moved);
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
