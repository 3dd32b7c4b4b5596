import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../domain/foundation/decision.js';
import {
  listenersOf,
  onlyListener,
  watchNotices,
} from '../../domain/webhooks/occurring/matching.js';
import type { Occurrence } from '../../domain/webhooks/occurring/occurrences.js';
import type { Webhook } from '../../domain/webhooks/record.js';
import type { JobCounts, JobStore, NewDelivery } from '../../event-store/stores.js';
import { Unavailable } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import type { Drives } from '../drives/drives.js';
import { Semaphore } from '../tasks/semaphore.js';
import {
  type CausedMatch,
  deliveriesOf,
  ERASED_MEANWHILE,
  nobodysContext,
  partsOf,
  testRequestOf,
  waitingIn,
  type WebhookSender,
} from './deliveries.js';
import { type DispatchCounts, Dispatcher } from './dispatcher.js';
import { type DescribeEvent, WebhookFollower } from './follower.js';
import { DEFAULT_WEBHOOK_LIMITS, queueBounds, type WebhookLimits } from './limits.js';
import { WebhookReactor } from './reactor.js';
import { type Tested, WebhookTests } from './webhook-tests.js';

const TRIM_EVERY_MS = 3_600_000;
const POLL_EVERY_MS = 1_000;

export interface WebhooksOptions {
  readonly drives: Drives;
  readonly sender: WebhookSender;
  readonly describe: DescribeEvent;
  readonly limits?: Partial<WebhookLimits>;
  /** From 0 to 1; for jitter. */
  readonly random?: () => number;
  /** Called for failures in background work; they are retried. */
  readonly report?: (what: string, drive_id: string, error: unknown) => void;
}

/** The webhooks of a process: processes events, stores pending deliveries, sends them. */
export class Webhooks {
  readonly limits: WebhookLimits;
  private readonly drives: Drives;
  private readonly jobs: JobStore;
  private readonly dispatcher: Dispatcher;
  private readonly reactor: WebhookReactor;
  private readonly tests: WebhookTests;
  /** Each replay folds its own state; a drive has one at a time. */
  private readonly replays = new Semaphore(2, 1);
  /**
   * Notices that wait, by drive. Those of one drive are queued one after another, since each may match many webhooks;
   * other drives do not wait for them.
   */
  private readonly notices = new Map<string, { waiting: number; last: Promise<void> }>();
  /** Drives of which notices were left out while others waited; each is reported once. */
  private readonly flooded = new Set<string>();
  private readonly trimming: NodeJS.Timeout;
  private trimmed: Promise<void> = Promise.resolve();
  private readonly report: NonNullable<WebhooksOptions['report']>;

  private readonly describe: DescribeEvent;

  /** False: other processes process events and deliver, and this one only opens reactors. */
  private readonly works: boolean;
  private readonly polling: NodeJS.Timeout | undefined;

  constructor(options: WebhooksOptions) {
    const { drives, sender, describe } = options;
    const limits = (this.limits = { ...DEFAULT_WEBHOOK_LIMITS, ...options.limits });
    const report = (this.report = options.report ?? (() => {}));
    const random = options.random ?? Math.random;
    this.drives = drives;
    this.describe = describe;
    this.jobs = drives.side.jobs;
    this.dispatcher = new Dispatcher({ drives, sender, limits, random, report });
    this.tests = new WebhookTests(sender, limits);
    const { dispatcher } = this;
    this.works = drives.role.background !== 'none';
    this.reactor = new WebhookReactor({ drives, dispatcher, limits, describe, report });
    drives.follow(this.reactor);
    this.trimming = setInterval(() => void (this.trimmed = this.trim()), TRIM_EVERY_MS);
    this.trimming.unref();
    if (drives.role.sole || !this.works) return;
    // Other processes queue deliveries too, without a notification.
    this.polling = setInterval(() => this.wake(), POLL_EVERY_MS);
    this.polling.unref();
  }

  /** Resumes where the last process stopped. */
  async start(): Promise<void> {
    if (!this.works) return;
    await this.trim();
    await this.reactor.start();
    this.dispatcher.wake();
  }

  /** Checks for due deliveries. */
  wake(): void {
    if (this.works) this.dispatcher.wake();
  }

  /** Resolves when all stored events have been processed and no delivery is due or in progress. */
  async idle(): Promise<void> {
    await this.allNoted();
    await this.reactor.idle();
    await this.dispatcher.idle();
  }

  /** Stops; the next process resumes from there. Call it before the drives close. */
  async close(): Promise<void> {
    clearInterval(this.trimming);
    clearInterval(this.polling);
    await Promise.all([this.allNoted(), this.trimmed]);
    await this.reactor.close();
    await Promise.all([this.dispatcher.close(), this.tests.close()]);
  }

  /**
   * Notifies webhooks of an occurrence that is not an event, such as a view of an item. Never fails, and returns at
   * once. While too many of a drive wait, further ones are left out.
   */
  notice(drive_id: string, occurrences: (context: Context) => readonly Occurrence[]): void {
    if (this.drives.ready(drive_id)?.state.webhooks.size === 0) return;
    const notices = this.notices.get(drive_id) ?? { waiting: 0, last: Promise.resolve() };
    if (notices.waiting >= this.limits.drive_notices_max) return this.leaveOut(drive_id);
    this.notices.set(drive_id, notices);
    notices.waiting += 1;
    notices.last = notices.last
      .then(() => this.drives.read(drive_id, (drive) => this.note(drive, occurrences)))
      .catch((error: unknown) => this.report('notice not queued', drive_id, error))
      .then(() => {
        notices.waiting -= 1;
        if (notices.waiting > 0) return;
        this.notices.delete(drive_id);
        this.flooded.delete(drive_id);
      });
  }

  private async allNoted(): Promise<void> {
    await Promise.all([...this.notices.values()].map(({ last }) => last));
  }

  private leaveOut(drive_id: string): void {
    if (this.flooded.has(drive_id)) return;
    this.flooded.add(drive_id);
    this.report('notices left out', drive_id, new Error('too many wait to be queued'));
  }

  /**
   * Queues again the deliveries of a webhook for the events from one revision to another, both included. @param
   * only_counted whether nothing is queued
   * @returns the number of deliveries. @throws Rewound | BrokenStream
   */
  replay(
    drive: Drive,
    webhook: Webhook,
    range: { readonly from_revision: number; readonly to_revision: number },
    only_counted = false,
  ): Promise<number> {
    const { drives, describe } = this;
    const { drive_id, state, keyring } = drive;
    const listeners = onlyListener(state, webhook);
    return this.replays.run(async () => {
      const { from_revision, to_revision } = range;
      let follower = await WebhookFollower.after(drives, drive_id, from_revision - 1);
      let queued = 0;
      for (;;) {
        const { revision } = follower.state;
        const { times_forgotten } = keyring;
        const met = await follower.next(drive, describe, listeners, to_revision);
        if (!met) break;
        const { found } = met;
        if (only_counted) {
          queued += found.length;
          continue;
        }
        const notes = 'Sent again on request';
        const matches = found.map(({ match, cause }) => ({ match, cause: { ...cause, notes } }));
        const more = await this.enqueue(drive, matches, times_forgotten);
        // The page is computed again, without what somebody erased had in it.
        if (more === null) follower = await WebhookFollower.after(drives, drive_id, revision);
        else queued += more;
      }
      this.wake();
      return queued;
    }, drive_id);
  }

  /**
   * Sends a webhook an example of its event once, at once, ahead of its queue. Stores nothing.
   * @throws Unavailable `overloaded` at the limit of tests in progress, `sealed` without keys; both synchronously:
   *   the promise never rejects
   */
  test({ drive_id, keyring }: Drive, webhook: Webhook): Promise<Tested> {
    if (keyring.is_foreign) throw new Unavailable('sealed');
    const request = testRequestOf(webhook, keyring.open, this.drives.clock());
    return this.tests.send(drive_id, request);
  }

  /** Attempts since the process began, by outcome. */
  get attempted(): DispatchCounts {
    return { ...this.dispatcher.counts };
  }

  /** Numbers of pending and of quarantined deliveries in the store. */
  waiting(): Promise<JobCounts> {
    return this.jobs.counts();
  }

  private async note(
    drive: Drive,
    occurrences: (context: Context) => readonly Occurrence[],
  ): Promise<void> {
    const { state, keyring } = drive;
    const cause = { key: randomUUID(), revision: null, timestamp_ms: drive.now() };
    const compute = (): CausedMatch[] => {
      const context = nobodysContext(state, cause.timestamp_ms, keyring.open, this.drives.settings);
      const matches = watchNotices(context, occurrences(context), listenersOf(state));
      return matches.map((match) => ({ match, cause }));
    };
    let matches: CausedMatch[];
    do {
      matches = compute();
      if (matches.length === 0) return;
    } while ((await this.enqueue(drive, matches, keyring.times_forgotten)) === null);
    this.wake();
  }

  /**
   * Queues deliveries in parts, with a turn of the event loop after each.
   * @param times_forgotten that of the keyring before the matches were computed
   * @returns the number of deliveries within the bounds of the queue; null, with some parts queued, once keys were
   *   forgotten since: the matches may show somebody erased. The reactor withholds what was queued before an erasure
   */
  private async enqueue(
    drive: Drive,
    matches: readonly CausedMatch[],
    times_forgotten: number,
  ): Promise<number | null> {
    const { drive_id, state, keyring } = drive;
    const bounds = queueBounds(this.limits, state.webhooks.size);
    let queued = 0;
    const mayShow = async (): Promise<boolean> => {
      // Another process may have erased somebody.
      await this.drives.readOn(drive_id, drive.head.revision);
      return keyring.times_forgotten === times_forgotten;
    };
    for (const part of partsOf(deliveriesOf(drive_id, matches, keyring, this.drives.clock()))) {
      if (!(await mayShow())) return null;
      queued += await this.jobs.enqueue(part, bounds);
      // The reactor may have looked for what to withhold just before.
      if (!(await mayShow())) {
        await this.withdraw(drive_id, part);
        return null;
      }
      await nextTurn();
    }
    return queued;
  }

  /** Removes deliveries that were just queued, as far as they have not been sent. */
  private async withdraw(drive_id: string, part: readonly NewDelivery[]): Promise<void> {
    const ids = new Set(part.map(({ delivery_id }) => delivery_id));
    for await (const delivery of waitingIn(this.jobs, drive_id))
      if (ids.has(delivery.delivery_id))
        await this.jobs.dismiss(delivery, this.drives.clock(), ERASED_MEANWHILE);
  }

  private async trim(): Promise<void> {
    if (!this.works) return;
    const { log_ms, log_max_count } = this.limits;
    try {
      await this.jobs.trim(this.drives.clock() - log_ms, log_max_count);
    } catch (error) {
      this.report('attempts not trimmed', '', error);
    }
  }
}
