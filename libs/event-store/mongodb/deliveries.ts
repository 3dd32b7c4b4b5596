import type { Collection, Db } from 'mongodb';
import { type Delivery, type NewDelivery, type QueueBounds, tooMuch } from '../jobs.js';
import type { Attempts } from './attempts.js';
import { type Counters, openCollection, rowId } from './rows.js';
import type { LineRow, Lines } from './lines.js';

interface DeliveryRow extends Omit<Delivery, 'nonce'> {
  /** The nonce. */
  readonly _id: number;
  readonly line_id: string;
  /** Length of `sealed`. */
  readonly bytes: number;
  /** Id of the step that stored it. */
  readonly step: string;
  /** False until its step is known to be complete. */
  readonly waits: boolean;
  /** Beyond its line's bounds: to be recorded, not sent. */
  readonly is_too_much: boolean;
}

/** Time after which an incomplete step was left by a crash. */
const ABANDONED_MS = 3_600_000;
const LINES_PER_LOOK = 500;

/** Pending deliveries, in the collection `side_deliveries`. */
export class Deliveries {
  private constructor(
    private readonly rows: Collection<DeliveryRow>,
    private readonly lines: Lines,
    private readonly attempts: Attempts,
    private readonly counters: Counters,
  ) {}

  static async open(
    db: Db,
    lines: Lines,
    attempts: Attempts,
    counters: Counters,
    read_only: boolean,
  ): Promise<Deliveries> {
    const indexes = [
      { line_id: 1, waits: 1, _id: 1, bytes: 1 },
      { drive_id: 1, waits: 1, _id: 1 },
      { waits: 1, queued_ms: 1 },
      { step: 1 },
    ] as const;
    const rows = await openCollection<DeliveryRow>(db, 'deliveries', indexes, read_only);
    // Above those of a store that was lost, or restored from a backup.
    if (!read_only) await counters.skip('deliveries', Date.now());
    return new Deliveries(rows, lines, attempts, counters);
  }

  /**
   * Stores deliveries that are not pending yet, in this order. A line's room is read once, so processes that queue
   * for one line concurrently may exceed its bounds by their own deliveries.
   * @returns the number of those within the bounds
   */
  async stage(step: string, found: readonly NewDelivery[], bounds: QueueBounds): Promise<number> {
    if (found.length === 0) return 0;
    const first = await this.counters.take('deliveries', found.length);
    const room = await this.roomIn(found);
    const rows: DeliveryRow[] = [];
    for (const [nth, delivery] of found.entries()) {
      const { drive_id, webhook_id, sealed } = delivery;
      const line_id = rowId(drive_id, webhook_id);
      const taken = room.get(line_id)!;
      const is_too_much = taken.count >= bounds.count || taken.bytes + sealed.length > bounds.bytes;
      if (!is_too_much) {
        taken.count += 1;
        taken.bytes += sealed.length;
      }
      const untried = { attempts: 0, first_ms: null, step, waits: false };
      const bytes = sealed.length;
      rows.push({ _id: first + nth, ...delivery, ...untried, line_id, bytes, is_too_much });
    }
    await this.rows.insertMany(rows);
    return rows.filter(({ is_too_much }) => !is_too_much).length;
  }

  /** Makes the deliveries of a step pending; idempotent, for repetition after a crash. */
  async release(step: string): Promise<void> {
    const too_much = await this.rows.find({ step, is_too_much: true }).sort({ _id: 1 }).toArray();
    for (const row of too_much) {
      await this.attempts.note(row, null, 0, tooMuch(row.queued_ms));
      await this.rows.deleteOne({ _id: row._id });
    }
    await this.rows.updateMany({ step }, { $set: { waits: true } });
    const rows = await this.rows
      .find({ step })
      .sort({ _id: 1 })
      .project<DeliveryRow>({ sealed: 0 })
      .toArray();
    // The first of each line.
    const lines = new Map(rows.toReversed().map((row) => [row.line_id, row]));
    const wakings = Array.from(lines.values(), ({ drive_id, webhook_id, queued_ms }) =>
      this.lines.wake(drive_id, webhook_id, queued_ms),
    );
    await Promise.all(wakings);
  }

  /** Deletes the deliveries of a step that was not completed. */
  async discard(step: string): Promise<void> {
    await this.rows.deleteMany({ step });
  }

  /** The first pending delivery of a line; an empty line becomes idle. */
  async first(line: LineRow): Promise<Delivery | null> {
    const [row] = await this.rows
      .find({ line_id: line._id, waits: true })
      .sort({ _id: 1 })
      .limit(1)
      .toArray();
    if (row) return deliveryOf(row);
    await this.lines.rest(line);
    return null;
  }

  private async waiting(drive_id: string, webhook_id: string): Promise<QueueBounds> {
    const waiting = { line_id: rowId(drive_id, webhook_id), waits: true };
    // Two queries: FerretDB computes only the first sum of a group.
    const [count, [sum]] = await Promise.all([
      this.rows.countDocuments(waiting),
      this.rows
        .aggregate<{ bytes: number }>([
          { $match: waiting },
          { $group: { _id: null, bytes: { $sum: '$bytes' } } },
        ])
        .toArray(),
    ]);
    return { count, bytes: sum?.bytes ?? 0 };
  }

  /** Remaining room of the deliveries' lines. */
  private async roomIn(
    found: readonly NewDelivery[],
  ): Promise<Map<string, { count: number; bytes: number }>> {
    const lines = new Map(found.map((one) => [rowId(one.drive_id, one.webhook_id), one]));
    const taken = Array.from(
      lines,
      async ([line_id, { drive_id, webhook_id }]) =>
        [line_id, { ...(await this.waiting(drive_id, webhook_id)) }] as const,
    );
    return new Map(await Promise.all(taken));
  }

  async waitingIn(drive_id: string, after_nonce: number, limit: number): Promise<Delivery[]> {
    const rows = await this.rows
      .find({ drive_id, waits: true, _id: { $gt: after_nonce } })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    return rows.map(deliveryOf);
  }

  /** @returns whether it is still pending */
  async tried(nonce: number, attempts: number, first_ms: number): Promise<boolean> {
    const { matchedCount } = await this.rows.updateOne(
      { _id: nonce },
      { $set: { attempts, first_ms } },
    );
    return matchedCount > 0;
  }

  /** @returns whether it was still pending */
  async remove(nonce: number): Promise<boolean> {
    const { deletedCount } = await this.rows.deleteOne({ _id: nonce });
    return deletedCount > 0;
  }

  async drop(drive_id: string, webhook_id: string): Promise<void> {
    const line = await this.lines.get(drive_id, webhook_id);
    await this.rows.deleteMany({ line_id: rowId(drive_id, webhook_id), waits: true });
    if (line) await this.lines.rest(line);
  }

  /** A nonce above those of all deliveries that are stored now, for `dropDrive`. */
  mark(): Promise<number> {
    return this.counters.take('deliveries', 1);
  }

  /** Drops those from before a mark. Their lines become idle at the next check. */
  async dropDrive(drive_id: string, before: number): Promise<void> {
    await this.rows.deleteMany({ drive_id, waits: true, _id: { $lt: before } });
  }

  count(): Promise<number> {
    return this.rows.countDocuments({ waits: true });
  }

  /**
   * Repairs leftovers of crashes: incomplete steps, and idle lines with pending deliveries. Deletes empty lines.
   * @param complete releases a step that was taken, and returns whether it was
   */
  async repair(complete: (step: string) => Promise<boolean>): Promise<void> {
    const old = { waits: false, queued_ms: { $lt: Date.now() - ABANDONED_MS } };
    for (const step of await this.rows.distinct('step', old))
      if (!(await complete(step))) await this.discard(step);
    let page: LineRow[] = [];
    do {
      page = await this.lines.resting(page.at(-1)?._id ?? '', LINES_PER_LOOK);
      for (const line of page) {
        const [row] = await this.rows.find({ line_id: line._id, waits: true }).limit(1).toArray();
        if (row) await this.lines.wake(line.drive_id, line.webhook_id, row.queued_ms);
        else await this.lines.forget(line);
      }
    } while (page.length === LINES_PER_LOOK);
  }
}

function deliveryOf({ _id: nonce, ...row }: DeliveryRow): Delivery {
  const { drive_id, webhook_id, delivery_id, event, revision, sealed, queued_ms } = row;
  const { attempts, first_ms } = row;
  return {
    ...{ drive_id, webhook_id, delivery_id, event, revision, sealed, queued_ms },
    ...{ nonce, attempts, first_ms },
  };
}
