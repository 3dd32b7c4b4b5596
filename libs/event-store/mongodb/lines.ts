import type { Collection, Db } from 'mongodb';

import { upserting, sideCollection } from './rows.js';

/** When it is the turn of what waits for a webhook. */
export interface LineRow {
  readonly _id: string;
  readonly drive_id: string;
  readonly webhook_id: string;
  /** Null while nothing waits. */
  readonly next_ms: number | null;
  /** Grows whenever something may have come to wait, so that nobody puts the line to rest unaware of that. */
  readonly version: number;
}

export const lineId = (drive_id: string, webhook_id: string): string =>
  `${drive_id}\n${webhook_id}`;

/** The turns of webhooks, in the collection `side_lines`. */
export class Lines {
  private readonly lines: Collection<LineRow>;

  private constructor(db: Db) {
    this.lines = sideCollection(db, 'lines');
  }

  static async open(db: Db): Promise<Lines> {
    const lines = new Lines(db);
    await lines.lines.createIndex({ next_ms: 1 });
    return lines;
  }

  /** To be called once something waits: lets a line that rests have its turn. */
  async wake(drive_id: string, webhook_id: string, next_ms: number): Promise<void> {
    const _id = lineId(drive_id, webhook_id);
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
    return this.lines.findOne({ _id: lineId(drive_id, webhook_id) });
  }

  /** Lines whose turn has come, those due longest first, but not those of some drives. */
  due(now_ms: number, not_of: readonly string[], limit: number): Promise<LineRow[]> {
    return this.lines
      .find({ next_ms: { $lte: now_ms }, drive_id: { $nin: [...not_of] } })
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

  /** Takes a line whose turn has come; its next turn comes at `until_ms`. Null if another has taken it. */
  take(
    drive_id: string,
    webhook_id: string,
    now_ms: number,
    until_ms: number,
  ): Promise<LineRow | null> {
    return this.lines.findOneAndUpdate(
      { _id: lineId(drive_id, webhook_id), next_ms: { $lte: now_ms } },
      { $set: { next_ms: until_ms } },
      { returnDocument: 'after' },
    );
  }

  /** Sets when the next turn comes. @returns the line before anybody else changes it */
  turn(drive_id: string, webhook_id: string, next_ms: number): Promise<LineRow | null> {
    return this.lines.findOneAndUpdate(
      { _id: lineId(drive_id, webhook_id) },
      { $set: { next_ms } },
      { returnDocument: 'after' },
    );
  }

  /** Puts a line to rest, unless something has come since it was read. */
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

  /** Forgets a line that rests, unless something has come since it was read. */
  async forget({ _id, version }: LineRow): Promise<void> {
    await this.lines.deleteOne({ _id, version, next_ms: null });
  }
}
