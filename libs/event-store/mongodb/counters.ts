import type { Collection, Db } from 'mongodb';

import { upserting, sideCollection } from './rows.js';

interface CounterRow {
  readonly _id: string;
  readonly value: number;
}

/** Numbers that only grow and are given out once, over all processes. */
export class Counters {
  private readonly counters: Collection<CounterRow>;

  constructor(db: Db) {
    this.counters = sideCollection(db, 'counters');
  }

  /** The first of `count` neighbouring numbers that are the caller's from now on; from 1. */
  async take(name: string, count: number): Promise<number> {
    const counter = await upserting(() =>
      this.counters.findOneAndUpdate(
        { _id: name },
        { $inc: { value: count } },
        { upsert: true, returnDocument: 'after' },
      ),
    );
    return counter!.value - count + 1;
  }
}
