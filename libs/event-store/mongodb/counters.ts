import type { Collection, Db } from 'mongodb';

import { upserting, sideCollection } from './rows.js';

interface CounterRow {
  readonly _id: string;
  readonly value: number;
}

/** Increasing numbers, each given out once over all processes. */
export class Counters {
  private readonly counters: Collection<CounterRow>;

  constructor(db: Db) {
    this.counters = sideCollection(db, 'counters');
  }

  /** Reserves `count` consecutive numbers for the caller and returns the first; from 1. */
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
