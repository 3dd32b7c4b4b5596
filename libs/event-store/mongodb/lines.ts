import type { Collection, Db } from 'mongodb';

import { LONGEST_WAIT_MS } from '../jobs.js';
import { openCollection, rowId, upserting } from './rows.js';

/** A webhook's queue and its next turn. */
export interface LineRow {
  readonly _id: string;
  readonly drive_id: string;
  readonly webhook_id: string;
  /** Null while it is empty. */
  readonly next_ms: number | null;
  /** Increases with every added delivery, so that a line with a new one does not become idle. */
  readonly version: number;
}

/** Filter for turns that are due. */
const isDue = (now_ms: number) => ({
  $or: [{ next_ms: { $lte: now_ms } }, { next_ms: { $gt: now_ms + LONGEST_WAIT_MS } }],
});

/** The queues of webhooks, in the collection `side_lines`. */
export class Lines {
  private constructor(private readonly lines: Collection<LineRow>) {}

  static async open(db: Db, read_only: boolean): Promise<Lines> {
    return new Lines(await openCollection(db, 'lines', [{ next_ms: 1 }], read_only));
  }

  /** To be called after a delivery was added: schedules an idle line. */
  async wake(drive_id: string, webhook_id: string, next_ms: number): Promise<void> {
    const _id = rowId(drive_id, webhook_id);
    const line = await upserting(() =>
      this.lines.findOneAndUpdate(
        { _id },
        { $inc: { version: 1 }, $setOnInsert: { drive_id, webhook_id, next_ms } },
        { upsert: true, returnDocument: 'after' },
      ),
    );
    if (line!.next_ms === null)
      await this.lines.updateOne({ _id, next_ms: null }, { $set: { next_ms } });
  }

  get(drive_id: string, webhook_id: string): Promise<LineRow | null> {
    return this.lines.findOne({ _id: rowId(drive_id, webhook_id) });
  }

  /** Due lines, longest due first, except those of some drives. */
  due(now_ms: number, not_of: readonly string[], limit: number): Promise<LineRow[]> {
    return this.lines
      .find({ ...isDue(now_ms), drive_id: { $nin: [...not_of] } })
      .sort({ next_ms: 1 })
      .limit(limit)
      .toArray();
  }

  async nextDue(after_ms: number, not_of: readonly string[]): Promise<number | null> {
    const [line] = await this.lines
      .find({ next_ms: { $gt: after_ms }, drive_id: { $nin: [...not_of] } })
      .sort({ next_ms: 1 })
      .limit(1)
      .toArray();
    return line?.next_ms ?? null;
  }

  /** Takes the turn of a due line; its next turn is at `until_ms`. Null if another process has taken it. */
  take(
    drive_id: string,
    webhook_id: string,
    now_ms: number,
    until_ms: number,
  ): Promise<LineRow | null> {
    return this.lines.findOneAndUpdate(
      { _id: rowId(drive_id, webhook_id), ...isDue(now_ms) },
      { $set: { next_ms: until_ms } },
      { returnDocument: 'after' },
    );
  }

  /** Sets the next turn. @returns the line before any other change */
  turn(drive_id: string, webhook_id: string, next_ms: number): Promise<LineRow | null> {
    return this.lines.findOneAndUpdate(
      { _id: rowId(drive_id, webhook_id) },
      { $set: { next_ms } },
      { returnDocument: 'after' },
    );
  }

  /** Makes a line idle, unless a delivery was added since it was read. */
  async rest({ _id, version }: LineRow): Promise<void> {
    await this.lines.updateOne({ _id, version }, { $set: { next_ms: null } });
  }

  resting(after_id: string, limit: number): Promise<LineRow[]> {
    return this.lines
      .find({ next_ms: null, _id: { $gt: after_id } })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  }

  /** Deletes an idle line, unless a delivery was added since it was read. */
  async forget({ _id, version }: LineRow): Promise<void> {
    await this.lines.deleteOne({ _id, version, next_ms: null });
  }
}
