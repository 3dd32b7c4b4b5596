import { hash } from 'node:crypto';
import type { Collection, CollectionOptions, Db } from 'mongodb';

import type { WindowCount, WindowCounts } from '../leases.js';
import { isDuplicate, isNotImplemented, sideCollection } from './rows.js';

interface WindowRow {
  /** Digest of the key, which may contain a person's address. */
  readonly _id: string;
  readonly count: number;
  readonly ends: Date;
}

/** Windows in the collection `side_windows`; the server drops expired ones. */
export class MongoWindowCounts implements WindowCounts {
  private readonly windows: Collection<WindowRow>;

  private constructor(
    db: Db,
    private readonly window_ms: number,
    options: CollectionOptions,
  ) {
    this.windows = sideCollection(db, 'windows', options);
  }

  static async open(
    db: Db,
    window_ms: number,
    { read_only = false, ...options }: CollectionOptions & { readonly read_only?: boolean } = {},
  ): Promise<MongoWindowCounts> {
    const counts = new MongoWindowCounts(db, window_ms, options);
    if (read_only) return counts;
    try {
      await counts.windows.createIndex({ ends: 1 }, { expireAfterSeconds: 0 });
    } catch (error) {
      // Without it, windows stay until their key is used again.
      if (!isNotImplemented(error)) throw error;
    }
    return counts;
  }

  async add(key: string, count = 1): Promise<WindowCount> {
    const _id = hash('sha256', key, 'base64url');
    for (;;) {
      const now_ms = Date.now();
      const row =
        (await this.counted(_id, now_ms, count)) ?? (await this.begun(_id, now_ms, count));
      // Neither matched: another process has begun the window in between, so the next attempt can count in it.
      if (row) return { count: row.count, rest_ms: Math.max(row.ends.getTime() - now_ms, 0) };
    }
  }

  private counted(_id: string, now_ms: number, count: number): Promise<WindowRow | null> {
    return this.windows.findOneAndUpdate(
      { _id, ends: { $gt: new Date(now_ms), $lte: this.latest(now_ms) } },
      { $inc: { count } },
      { returnDocument: 'after' },
    );
  }

  private async begun(_id: string, now_ms: number, count: number): Promise<WindowRow | null> {
    const window = { count, ends: new Date(now_ms + this.window_ms) };
    try {
      return await this.windows.findOneAndUpdate(
        {
          _id,
          $or: [{ ends: { $lte: new Date(now_ms) } }, { ends: { $gt: this.latest(now_ms) } }],
        },
        { $set: window },
        { upsert: true, returnDocument: 'after' },
      );
    } catch (error) {
      if (isDuplicate(error)) return null;
      throw error;
    }
  }

  /**
   * The latest end of a window, with a window's length for clocks that differ. A later one was begun before the clock
   * was set back, and would else count for as long.
   */
  private latest(now_ms: number): Date {
    return new Date(now_ms + 2 * this.window_ms);
  }
}
