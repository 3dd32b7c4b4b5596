import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import {
  type Attempt,
  type AttemptPage,
  type Delivery,
  type JobCounts,
  type JobStore,
  type NewAttempt,
  type NewDelivery,
  type OpenReactor,
  type QueueBounds,
  type ReactorPosition,
  notAttempted,
} from '../jobs.js';
import { Attempts } from './attempts.js';
import { insertMissing } from '../../mongodb/put.js';
import { bytesOf, Counters, openCollection } from './rows.js';
import { Deliveries } from './deliveries.js';
import { Lines } from './lines.js';
import { MongoRebuildStore } from './rebuilds.js';

interface ReactorRow extends Omit<OpenReactor, 'drive_id'> {
  /** The drive's id. */
  readonly _id: string;
  /** The last step, until its deliveries are pending; null after that. */
  readonly step: string | null;
}

/**
 * Jobs in MongoDB, without transactions. First the deliveries of a reactor's step are stored, then the reactor's
 * document advances and names the step, then the deliveries become pending. A process that reads a reactor with a
 * named step completes that step first, so after a crash a step is complete or absent.
 */
export class MongoJobStore implements JobStore {
  private constructor(
    private readonly rows: Collection<ReactorRow>,
    private readonly lines: Lines,
    private readonly log: Attempts,
    private readonly deliveries: Deliveries,
    readonly rebuilds: MongoRebuildStore,
  ) {}

  static async open(db: Db, read_only: boolean): Promise<MongoJobStore> {
    const counters = new Counters(db);
    const lines = await Lines.open(db, read_only);
    const log = await Attempts.open(db, counters, read_only);
    const deliveries = await Deliveries.open(db, lines, log, counters, read_only);
    const rebuilds = await MongoRebuildStore.open(db, read_only);
    const indexes = [{ quarantined: 1 }, { step: 1 }] as const;
    const rows = await openCollection<ReactorRow>(db, 'reactors', indexes, read_only);
    return new MongoJobStore(rows, lines, log, deliveries, rebuilds);
  }

  async open(position: ReactorPosition, at_ms: number): Promise<void> {
    const { drive_id: _id, revision, event_hash } = position;
    const anew = { revision, event_hash, opened_ms: at_ms, quarantined: null, step: null };
    for (;;) {
      const works = { _id, quarantined: null };
      const { matchedCount } = await this.rows.updateOne(works, { $set: { opened_ms: at_ms } });
      if (matchedCount > 0) return;
      const [known] = await insertMissing(this.rows, [{ _id, ...anew }]);
      if (!known) return;
      // Before it is known to be quarantined: what another process queues once it has opened it stays.
      const mark = await this.deliveries.mark();
      const found = await this.rows.findOne({ _id, quarantined: { $ne: null } });
      // Another process may have opened or closed it meanwhile.
      if (!found) continue;
      if (found.step !== null) await this.deliveries.discard(found.step);
      await this.deliveries.dropDrive(_id, mark);
      const still = { _id, quarantined: found.quarantined, opened_ms: found.opened_ms };
      const opened = await this.rows.replaceOne(still, anew);
      if (opened.matchedCount > 0) return;
    }
  }

  async reactor(drive_id: string): Promise<OpenReactor | null> {
    const row = await this.rows.findOne({ _id: drive_id });
    if (row) await this.completeStep(row);
    return row && reactorOf(row);
  }

  async reactors(after_drive_id: string, limit: number): Promise<readonly OpenReactor[]> {
    const rows = await this.rows
      .find({ _id: { $gt: after_drive_id } })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    for (const row of rows) await this.completeStep(row);
    return rows.map(reactorOf);
  }

  async quarantinedReactors(limit: number): Promise<readonly OpenReactor[]> {
    const rows = await this.rows
      .find({ quarantined: { $ne: null } })
      .limit(limit)
      .toArray();
    return rows.map(reactorOf);
  }

  async quarantine(drive_id: string, reason: string): Promise<void> {
    await this.rows.updateOne({ _id: drive_id }, { $set: { quarantined: reason } });
  }

  async close(drive_id: string, opened_before_ms: number): Promise<void> {
    const unused = { _id: drive_id, opened_ms: { $lt: opened_before_ms }, step: null };
    await this.rows.deleteOne(unused);
  }

  async advance(
    from: ReactorPosition,
    to: ReactorPosition,
    found: readonly NewDelivery[],
    bounds: QueueBounds,
  ): Promise<boolean> {
    const { drive_id: _id, revision, event_hash } = from;
    const known = await this.rows.findOne({ _id });
    if (!known || known.quarantined !== null) return false;
    await this.completeStep(known);
    const step = found.length > 0 ? randomUUID() : null;
    if (step !== null) await this.deliveries.stage(step, found, bounds);
    const { matchedCount } = await this.rows.updateOne(
      { _id, revision, event_hash, quarantined: null, step: null },
      { $set: { revision: to.revision, event_hash: to.event_hash, step } },
    );
    if (step === null) return matchedCount > 0;
    if (matchedCount > 0) await this.completeStep({ _id, step });
    else await this.deliveries.discard(step);
    return matchedCount > 0;
  }

  async enqueue(deliveries: readonly NewDelivery[], bounds: QueueBounds): Promise<number> {
    const step = randomUUID();
    const queued = await this.deliveries.stage(step, deliveries, bounds);
    await this.deliveries.release(step);
    return queued;
  }

  async due(
    now_ms: number,
    limit: number,
    not_of: readonly string[] = [],
  ): Promise<readonly Delivery[]> {
    const left_out = [...(await this.quarantined()), ...not_of];
    const lines = await this.lines.due(now_ms, left_out, limit);
    const found = await Promise.all(lines.map((line) => this.deliveries.first(line)));
    return found.filter((delivery) => delivery !== null);
  }

  async nextDue(after_ms: number): Promise<number | null> {
    return this.lines.nextDue(after_ms, await this.quarantined());
  }

  async claim(
    drive_id: string,
    webhook_id: string,
    now_ms: number,
    until_ms: number,
  ): Promise<Delivery | null> {
    const line = await this.lines.take(drive_id, webhook_id, now_ms, until_ms);
    return line && this.deliveries.first(line);
  }

  waitingIn(drive_id: string, after_nonce: number, limit: number): Promise<readonly Delivery[]> {
    return this.deliveries.waitingIn(drive_id, after_nonce, limit);
  }

  async postpone(delivery: Delivery, attempt: NewAttempt, next_ms: number): Promise<void> {
    const { drive_id, webhook_id, nonce } = delivery;
    const attempts = delivery.attempts + 1;
    const first_ms = Math.min(delivery.first_ms ?? Infinity, attempt.at_ms);
    if (!(await this.deliveries.tried(nonce, attempts, first_ms))) return;
    await this.lines.turn(drive_id, webhook_id, next_ms);
    await this.log.note(delivery, nonce, attempts, attempt);
  }

  finish(delivery: Delivery, attempt: NewAttempt): Promise<void> {
    return this.end(delivery, delivery.attempts + 1, attempt);
  }

  async dismiss(delivery: Delivery, at_ms: number, reason: string): Promise<void> {
    const { drive_id, webhook_id, nonce } = delivery;
    const attempt = notAttempted(at_ms, reason);
    const line = await this.lines.get(drive_id, webhook_id);
    const first = line && (await this.deliveries.first(line));
    if (!first || first.nonce === nonce) return this.end(delivery, 0, attempt);
    if (await this.deliveries.remove(nonce)) await this.log.note(delivery, nonce, 0, attempt);
  }

  drop(drive_id: string, webhook_id: string): Promise<void> {
    return this.deliveries.drop(drive_id, webhook_id);
  }

  attempts(drive_id: string, webhook_id: string, page: AttemptPage): Promise<readonly Attempt[]> {
    return this.log.page(drive_id, webhook_id, page);
  }

  attemptCount(drive_id: string, webhook_id: string): Promise<number> {
    return this.log.count(drive_id, webhook_id);
  }

  /** {@inheritDoc JobStore.trim} Also repairs leftovers of crashes. */
  async trim(before_ms: number, most_per_webhook: number): Promise<void> {
    await this.log.trim(before_ms, most_per_webhook);
    await this.deliveries.repair(async (step) => {
      const row = await this.rows.findOne({ step });
      if (row) await this.completeStep(row);
      return row !== null;
    });
  }

  async counts(): Promise<JobCounts> {
    const [waiting, quarantined, reactors_quarantined] = await Promise.all([
      this.deliveries.count(),
      this.log.quarantined(),
      this.rows.countDocuments({ quarantined: { $ne: null } }),
    ]);
    return { waiting, quarantined, reactors_quarantined };
  }

  private async end(delivery: Delivery, number: number, attempt: NewAttempt): Promise<void> {
    const { drive_id, webhook_id, nonce } = delivery;
    if (!(await this.deliveries.remove(nonce))) return;
    const line = await this.lines.turn(drive_id, webhook_id, attempt.at_ms);
    if (line) await this.deliveries.first(line);
    await this.log.note(delivery, nonce, number, attempt);
  }

  /** Drives with a quarantined reactor. */
  private quarantined(): Promise<string[]> {
    return this.rows.distinct('_id', { quarantined: { $ne: null } });
  }

  /** Makes the deliveries of the last step pending, unless that is done. */
  private async completeStep({ _id, step }: Pick<ReactorRow, '_id' | 'step'>): Promise<void> {
    if (step === null) return;
    await this.deliveries.release(step);
    await this.rows.updateOne({ _id, step }, { $set: { step: null } });
  }
}

function reactorOf({ _id: drive_id, ...row }: ReactorRow): OpenReactor {
  const { revision, event_hash, opened_ms, quarantined } = row;
  return { drive_id, revision, event_hash: bytesOf(event_hash), opened_ms, quarantined };
}
