import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { listenersOf } from '../../domain/webhooks/occurring/matching.js';
import { OLD_ANSWERS_MS } from '../../event-store/port.js';
import type { JobStore, NewDelivery, OpenReactor } from '../../event-store/stores.js';
import type { Drive } from '../writer/drive.js';
import type { Drives } from '../drives/drives.js';
import type { DriveFollower } from '../drives/engine-options.js';
import { estimatedBytes } from '../fold/state-bytes.js';
import { BrokenStream, streamOf } from '../fold/fold.js';
import type { Keyring } from '../keys/keyring.js';
import { Semaphore } from '../tasks/semaphore.js';
import { deliveriesOf, ERASED_MEANWHILE, partsOf, textOf, waitingIn } from './deliveries.js';
import type { Dispatcher } from './dispatcher.js';
import { damageIn, unlessDamaged } from '../following/stream-damage.js';
import { Unavailable } from '../writer/call.js';
import { type DescribeEvent, WebhookFollower, Rewound } from './follower.js';
import { queueBounds, type WebhookLimits } from './limits.js';

/** Open reactors per read. */
const PAGE = 100;
/** Pause until a damaged stream is tried again, ms. */
const DAMAGED_RETRY_MS = 60_000;

interface ReactorOptions {
  readonly drives: Drives;
  readonly dispatcher: Dispatcher;
  readonly limits: WebhookLimits;
  readonly describe: DescribeEvent;
  readonly report: (what: string, drive_id: string, error: unknown) => void;
}

/** How far a step went; not at all if another process has moved the position. */
type Went = 'on' | 'to-the-end' | 'not-at-all';

/**
 * Processes every event of drives with webhooks once, and queues their deliveries. The position is stored per drive
 * and separate: replay and reindex cannot reach it.
 */
export class WebhookReactor implements DriveFollower {
  private readonly jobs: JobStore;
  /** Drives in memory whose reactor is known to be open. */
  private readonly open = new WeakSet<Drive>();
  /** Folded states, most recently used last. */
  private readonly followers = new Map<string, WebhookFollower>();
  private readonly running = new Map<string, { again: boolean; done: Promise<void> }>();
  private readonly turns: Semaphore;
  /** Drives whose stream was found to be another one, once. */
  private readonly doubted = new Set<string>();
  private stopping = false;

  constructor(private readonly options: ReactorOptions) {
    this.jobs = options.drives.side.jobs;
    this.turns = new Semaphore(options.limits.drives_at_once);
  }

  /** Resumes where the last process stopped; drives without new events are not loaded. */
  async start(): Promise<void> {
    const { events } = this.options.drives;
    let page: readonly OpenReactor[] = [];
    do {
      page = await this.jobs.reactors(page.at(-1)?.drive_id ?? '', PAGE);
      for (const { drive_id, revision, event_hash, quarantined } of page) {
        if (quarantined !== null || !this.options.drives.isResponsibleFor(drive_id)) continue;
        const head = await unlessDamaged(drive_id, events.head(streamOf(drive_id)), null);
        const is_there = head?.revision === revision && Buffer.from(head.hash).equals(event_hash);
        if (!is_there) this.wake(drive_id);
      }
    } while (page.length === PAGE && !this.stopping);
  }

  /**
   * A reactor is opened before the first event that it may have to process can be stored. A quarantined one resumes
   * here when a webhook of its drive is changed.
   */
  appending(drive: Drive, touched: readonly TouchedKey[]): Promise<void> | null {
    if (drive.state.webhooks.size === 0) return null;
    const is_changed = touched.some(({ family }) => family === 'webhooks');
    if (!is_changed && this.open.has(drive)) return null;
    return this.ensureOpen(drive, is_changed);
  }

  advanced(drive: Drive): void {
    if (!this.options.drives.isResponsibleFor(drive.drive_id)) return;
    if (this.open.has(drive) || drive.state.webhooks.size > 0) this.wake(drive.drive_id);
  }

  /** Resolves when all stored events have been processed. */
  async idle(): Promise<void> {
    while (this.running.size > 0)
      await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  /** Stops after the current page; the next process resumes there. */
  async close(): Promise<void> {
    this.stopping = true;
    await this.idle();
  }

  private async ensureOpen(drive: Drive, is_changed: boolean): Promise<void> {
    const { drive_id, head } = drive;
    if (is_changed || !(await this.jobs.reactor(drive_id))) {
      const { revision, last_hash: event_hash } = head;
      await this.jobs.open({ drive_id, revision, event_hash }, this.options.drives.clock());
    }
    this.open.add(drive);
  }

  private wake(drive_id: string): void {
    if (this.stopping) return;
    const running = this.running.get(drive_id);
    if (running) {
      running.again = true;
      return;
    }
    const run = { again: true, done: Promise.resolve() };
    this.running.set(drive_id, run);
    run.done = this.turns
      .run(async () => {
        while (run.again && !this.stopping) {
          run.again = false;
          await this.catchUp(drive_id);
          this.doubted.delete(drive_id);
        }
      })
      .catch((error: unknown) => this.failed(drive_id, error))
      .finally(() => {
        this.running.delete(drive_id);
        // Woken during the end of the run.
        if (run.again) this.wake(drive_id);
      });
  }

  private async failed(drive_id: string, error: unknown): Promise<void> {
    this.followers.delete(drive_id);
    this.options.report('webhooks not processed', drive_id, error);
    const is_other_past = error instanceof Rewound || error instanceof BrokenStream;
    if (is_other_past && this.isCertain(drive_id))
      return this.jobs.quarantine(drive_id, error.message).catch(() => this.retry(drive_id));
    if (is_other_past) return this.retry(drive_id, OLD_ANSWERS_MS);
    this.retry(drive_id, isDamaged(drive_id, error) ? DAMAGED_RETRY_MS : undefined);
  }

  /** A server may answer with an earlier end of a stream for a moment: then it is asked once more. */
  private isCertain(drive_id: string): boolean {
    if (!this.options.drives.role.follows || this.doubted.delete(drive_id)) return true;
    this.doubted.add(drive_id);
    return false;
  }

  private retry(drive_id: string, wait_ms = this.options.limits.first_retry_ms): void {
    setTimeout(() => this.wake(drive_id), wait_ms).unref();
  }

  /** Processes all events stored since. */
  private async catchUp(drive_id: string): Promise<void> {
    const reactor = await this.jobs.reactor(drive_id);
    if (!reactor || reactor.quarantined !== null) {
      this.followers.delete(drive_id);
      return;
    }
    // The drive is held for its keys.
    await this.options.drives.hold(drive_id, async (drive) => {
      const follower = await this.follower(reactor);
      for (let went: Went = 'on'; went === 'on' && !this.stopping; await nextTurn()) {
        went = await this.step(follower, drive);
        // Further events may create webhooks: only at the end of the stream there are none.
        if (went === 'to-the-end' && follower.state.webhooks.size === 0) await this.forget(drive);
      }
    });
  }

  /** Processes the next page and stores the position together with its deliveries. */
  private async step(follower: WebhookFollower, drive: Drive): Promise<Went> {
    const { drive_id, keyring } = drive;
    const { drives, dispatcher, limits, describe } = this.options;
    const from = follower.position;
    const listeners = listenersOf(follower.state);
    const met = await follower.next(drive, describe, listeners);
    if (!met) return 'to-the-end';
    if (met.erased.length > 0) await this.withhold(drive_id, keyring, met.erased);
    const now = drives.clock();
    const bounds = queueBounds(limits, follower.state.webhooks.size);
    let last: readonly NewDelivery[] = [];
    for (const part of partsOf(deliveriesOf(drive_id, met.found, keyring, now))) {
      // After a crash in between they are queued again, under the same ids.
      if (last.length > 0) {
        await this.jobs.enqueue(last, bounds);
        await nextTurn();
      }
      last = part;
    }
    const is_moved = await this.jobs.advance(from, follower.position, last, bounds);
    if (!is_moved) {
      this.followers.delete(drive_id);
      return 'not-at-all';
    }
    if (met.found.length > 0) dispatcher.wake();
    return 'on';
  }

  /** Cancels pending deliveries that mention erased people: they were created before the erasure. */
  private async withhold(
    drive_id: string,
    { open }: Keyring,
    user_ids: readonly string[],
  ): Promise<void> {
    for await (const delivery of waitingIn(this.jobs, drive_id)) {
      const text = textOf(delivery, open);
      if (user_ids.some((user_id) => isNamedIn(text, user_id)))
        await this.jobs.dismiss(delivery, this.options.drives.clock(), ERASED_MEANWHILE);
    }
  }

  /** The state folded up to the reactor's position. */
  private async follower(reactor: OpenReactor): Promise<WebhookFollower> {
    const { drive_id, revision } = reactor;
    const known = this.followers.get(drive_id);
    this.followers.delete(drive_id);
    const is_there =
      known?.position.revision === revision &&
      Buffer.from(known.position.event_hash).equals(reactor.event_hash);
    const follower = is_there ? known : await WebhookFollower.at(this.options.drives, reactor);
    this.followers.set(drive_id, follower);
    this.drop(follower);
    return follower;
  }

  /** Evicts the least recently used states while all together exceed the budget. */
  private drop(wanted: WebhookFollower): void {
    let bytes = 0;
    for (const { state } of this.followers.values()) bytes += estimatedBytes(state);
    for (const [drive_id, follower] of this.followers) {
      if (bytes <= this.options.limits.states_bytes) return;
      if (follower === wanted || this.running.has(drive_id)) continue;
      bytes -= estimatedBytes(follower.state);
      this.followers.delete(drive_id);
    }
  }

  /** Closes the reactor of a drive without webhooks, unless one is being created. */
  private async forget(drive: Drive): Promise<void> {
    const { drives, limits } = this.options;
    await this.jobs.close(drive.drive_id, drives.clock() - limits.close_after_ms);
    if (await this.jobs.reactor(drive.drive_id)) return;
    this.open.delete(drive);
    this.followers.delete(drive.drive_id);
  }
}

/** Whether a text has an id (letters, digits, `_` and `-`), and not only a longer one that begins with it. */
function isNamedIn(text: string, id: string): boolean {
  return new RegExp(`${id}(?![\\w-])`).test(text);
}

function isDamaged(drive_id: string, error: unknown): boolean {
  const is_refused = error instanceof Unavailable && error.reason === 'broken';
  return is_refused || damageIn(drive_id, error) !== null;
}
