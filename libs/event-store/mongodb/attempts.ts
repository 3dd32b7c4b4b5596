import type { Collection, Db, Filter } from 'mongodb';
import type { Attempt, AttemptPage, NewAttempt, NewDelivery } from '../jobs.js';
import { type Counters, openCollection, rowId } from './rows.js';

interface AttemptRow extends Omit<Attempt, 'id'> {
  /** The attempt's id. */
  readonly _id: number;
  readonly line_id: string;
}

/** Attempts of deliveries, in the collection `side_attempts`. */
export class Attempts {
  private constructor(
    private readonly rows: Collection<AttemptRow>,
    private readonly counters: Counters,
  ) {}

  static async open(db: Db, counters: Counters, read_only: boolean): Promise<Attempts> {
    const indexes = [{ line_id: 1, _id: 1 }, { at_ms: 1 }, { outcome: 1 }] as const;
    return new Attempts(await openCollection(db, 'attempts', indexes, read_only), counters);
  }

  async note(
    { drive_id, webhook_id, delivery_id, event, revision }: Omit<NewDelivery, 'sealed'>,
    nonce: number | null,
    attempt: number,
    { at_ms, status, latency_ms, outcome, reason }: NewAttempt,
  ): Promise<void> {
    await this.rows.insertOne({
      _id: await this.counters.take('attempts', 1),
      line_id: rowId(drive_id, webhook_id),
      ...{ delivery_id, event, revision, nonce, attempt },
      ...{ at_ms, status, latency_ms: Math.round(latency_ms), outcome, reason },
    });
  }

  async page(
    drive_id: string,
    webhook_id: string,
    { direction, limit, after, before }: AttemptPage,
  ): Promise<Attempt[]> {
    // Attempts before an id are read backwards from it.
    const is_back = before !== undefined;
    const is_ascending = (direction === 'ASC') !== is_back;
    const bound = before ?? after;
    const filter: Filter<AttemptRow> = { line_id: rowId(drive_id, webhook_id) };
    if (bound !== undefined) filter._id = is_ascending ? { $gt: bound } : { $lt: bound };
    const rows = await this.rows
      .find(filter)
      .sort({ _id: is_ascending ? 1 : -1 })
      .limit(limit)
      .toArray();
    const found = rows.map(attemptOf);
    return is_back ? found.toReversed() : found;
  }

  count(drive_id: string, webhook_id: string): Promise<number> {
    return this.rows.countDocuments({ line_id: rowId(drive_id, webhook_id) });
  }

  quarantined(): Promise<number> {
    return this.rows.countDocuments({ outcome: 'quarantined' });
  }

  async trim(before_ms: number, most_per_line: number): Promise<void> {
    await this.rows.deleteMany({ at_ms: { $lt: before_ms } });
    const full = this.rows.aggregate<{ _id: string }>([
      { $group: { _id: '$line_id', count: { $sum: 1 } } },
      { $match: { count: { $gt: most_per_line } } },
    ]);
    for await (const { _id: line_id } of full) {
      const [last] = await this.rows
        .find({ line_id })
        .sort({ _id: -1 })
        .skip(most_per_line)
        .limit(1)
        .toArray();
      if (last) await this.rows.deleteMany({ line_id, _id: { $lte: last._id } });
    }
  }
}

function attemptOf({ _id: id, line_id: _, ...attempt }: AttemptRow): Attempt {
  return { id, ...attempt };
}
