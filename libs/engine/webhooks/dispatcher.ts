import type { AttemptOutcome, Delivery, JobStore } from '../../event-store/stores.js';
import type { Drives } from '../drives/drives.js';
import { requestOf, type WebhookSender } from './deliveries.js';
import type { WebhookLimits } from './limits.js';

/** Maximum drives with slow receivers that are remembered. */
const MOST_SLOW = 1_000;
/** Maximum sleep, ms: timers cannot exceed 2^31. */
const LONGEST_SLEEP_MS = 3_600_000;

interface DispatcherOptions {
  readonly drives: Drives;
  readonly sender: WebhookSender;
  readonly limits: WebhookLimits;
  /** From 0 to 1; for jitter. */
  readonly random: () => number;
  readonly report: (what: string, drive_id: string, error: unknown) => void;
}

/** Attempts since the process began, by outcome. */
export type DispatchCounts = Readonly<Record<AttemptOutcome, number>>;

/**
 * Sends pending deliveries: for each webhook one at a time and in order, for many webhooks in parallel. A failed
 * delivery is retried later and blocks only its own webhook.
 */
export class Dispatcher {
  readonly counts = { delivered: 0, failed: 0, quarantined: 0 } satisfies DispatchCounts;
  private readonly jobs: JobStore;
  /** Lines with a delivery in progress, or paused after an internal failure. */
  private readonly busy = new Set<string>();
  private readonly sending = new Set<Promise<void>>();
  private readonly sending_of = new Map<string, number>();
  /** Drives with slow receivers, and until when they count as such, ms; the latest last. */
  private readonly slow_until = new Map<string, number>();
  private looking: Promise<void> | null = null;
  private look_again = false;
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;
  private readonly ending = new AbortController();

  constructor(private readonly options: DispatcherOptions) {
    this.jobs = options.drives.side.jobs;
  }

  /** Checks for due deliveries, now or after the current check. */
  wake(): void {
    if (this.stopping) return;
    this.look_again = true;
    this.looking ??= this.look()
      .catch((error: unknown) => {
        this.options.report('deliveries not read', '', error);
        this.sleep(this.options.limits.first_retry_ms);
      })
      .finally(() => {
        this.looking = null;
        // Woken during the end of the check.
        if (this.look_again) this.wake();
      });
  }

  /** Resolves when no delivery is in progress or due. */
  async idle(): Promise<void> {
    while (this.looking || this.sending.size > 0)
      await (this.looking ?? Promise.race(this.sending));
  }

  /** Waits for deliveries in progress, for a limited time; the next process sends the pending ones. */
  async close(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    const grace = setTimeout(() => this.ending.abort(), this.options.limits.close_grace_ms);
    await this.idle();
    clearTimeout(grace);
  }

  private async look(): Promise<void> {
    const { drives, limits } = this.options;
    while (this.look_again && !this.stopping) {
      this.look_again = false;
      if (this.sending.size >= limits.parallel_max) return;
      // Slow receivers of one drive would else delay those of all others.
      if ((await this.startDue(1)) || (await this.startDue(this.quarter))) this.look_again = true;
      else await this.startDue(this.most_slow);
    }
    const now = drives.clock();
    const next_ms = await this.jobs.nextDue(now);
    if (next_ms !== null) this.sleep(next_ms - now);
  }

  /** Starts due deliveries, for each drive at most up to so many at a time; false if there are none. */
  private async startDue(most_of_drive: number): Promise<boolean> {
    const { drives, limits } = this.options;
    const full = [...this.sending_of].filter(([, count]) => count >= most_of_drive);
    const free = limits.parallel_max - this.sending.size;
    const slow = this.slowDrives();
    const inProgress = (drive_id: string): number => this.sending_of.get(drive_id) ?? 0;
    let left_to_slow = this.most_slow - sum([...slow].map(inProgress));
    // Lines in progress are due too, so more are requested than are started.
    const due = await this.jobs.due(drives.clock(), this.busy.size + free, [
      ...full.map(([drive_id]) => drive_id),
      ...(left_to_slow > 0 ? [] : slow),
    ]);
    let has_started = false;
    for (const delivery of due) {
      const { drive_id, webhook_id } = delivery;
      const line = `${drive_id}\n${webhook_id}`;
      const is_full = inProgress(drive_id) >= most_of_drive;
      if (this.busy.has(line) || is_full || this.sending.size >= limits.parallel_max) continue;
      if (slow.has(drive_id) && left_to_slow-- <= 0) continue;
      this.start(line, delivery);
      has_started = true;
    }
    return has_started;
  }

  private get quarter(): number {
    return Math.max(1, Math.floor(this.options.limits.parallel_max / 4));
  }

  /** Places of drives with slow receivers, and of one drive: a quarter is left to others. */
  private get most_slow(): number {
    return Math.max(1, this.options.limits.parallel_max - this.quarter);
  }

  private sleep(ms: number): void {
    clearTimeout(this.timer);
    if (this.stopping) return;
    this.timer = setTimeout(() => this.wake(), Math.min(ms, LONGEST_SLEEP_MS));
    this.timer.unref();
  }

  private start(line: string, delivery: Delivery): void {
    this.busy.add(line);
    const { drive_id } = delivery;
    this.count(drive_id, 1);
    const sending = this.deliver(delivery)
      .then(
        () => null,
        (error: unknown) => ({ error }),
      )
      .then((failure) => {
        this.sending.delete(sending);
        this.count(drive_id, -1);
        if (!failure) return this.free(line);
        const { error } = failure;
        // The outcome is unknown: the line pauses, or it would be due again at once.
        if (!(error instanceof ErasureAhead))
          this.options.report('result of a delivery not stored', drive_id, error);
        setTimeout(() => this.free(line), this.options.limits.first_retry_ms).unref();
      });
    this.sending.add(sending);
  }

  private count(drive_id: string, change: 1 | -1): void {
    const count = (this.sending_of.get(drive_id) ?? 0) + change;
    if (count > 0) this.sending_of.set(drive_id, count);
    else this.sending_of.delete(drive_id);
  }

  private free(line: string): void {
    this.busy.delete(line);
    this.wake();
  }

  /**
   * Revision of the last erasure of a person. @throws ErasureAhead if the deliveries that it cancels are not cancelled yet
   */
  private async lastErasure(drive_id: string): Promise<number> {
    const { drives } = this.options;
    const last = await drives.read(drive_id, ({ state }) => state.subjects.last_erasure);
    const reactor = last < 0 ? null : await this.jobs.reactor(drive_id);
    if (reactor && reactor.revision < last) throw new ErasureAhead();
    return last;
  }

  /** Sends the first pending delivery of a webhook, unless another process is sending it. */
  private async deliver({ drive_id, webhook_id }: Delivery): Promise<void> {
    const { drives, sender, limits } = this.options;
    const last_erasure = await this.lastErasure(drive_id);
    const at_ms = drives.clock();
    const delivery = await this.jobs.claim(drive_id, webhook_id, at_ms, at_ms + limits.claim_ms);
    if (!delivery) return;
    const look = () =>
      drives.read(drive_id, ({ state, keyring }) => {
        const { revision } = state;
        if (state.subjects.last_erasure !== last_erasure) throw new ErasureAhead();
        const webhook = state.webhooks.get(webhook_id);
        if (!webhook) return { request: 'deleted', revision } as const;
        if (!webhook.active) return { request: 'off', revision } as const;
        return { request: requestOf(delivery, webhook, keyring.open, at_ms), revision };
      });
    let { request, revision } = await look();
    // As before the refusal of a command: another process may have created the webhook, or switched it on.
    if (typeof request === 'string' && (await drives.readOn(drive_id, revision)))
      ({ request, revision } = await look());
    if (request === 'deleted') return this.jobs.drop(drive_id, webhook_id);
    if (request === 'off') {
      this.counts.quarantined += 1;
      return this.jobs.dismiss(delivery, at_ms, 'the webhook was switched off');
    }
    const began = performance.now();
    const { status, reason } = await sender.send(request, this.ending.signal);
    const tried = { at_ms, status, latency_ms: Math.round(performance.now() - began), reason };
    if (tried.latency_ms >= limits.slow_ms) this.noteSlow(drive_id);
    if (status !== null && status >= 200 && status < 300) {
      this.counts.delivered += 1;
      return this.jobs.finish(delivery, { ...tried, outcome: 'delivered' });
    }
    const next_ms = this.nextTry(delivery, at_ms);
    if (next_ms === null) {
      this.counts.quarantined += 1;
      return this.jobs.finish(delivery, { ...tried, outcome: 'quarantined' });
    }
    this.counts.failed += 1;
    return this.jobs.postpone(delivery, { ...tried, outcome: 'failed' }, next_ms);
  }

  private noteSlow(drive_id: string): void {
    const { drives, limits } = this.options;
    const [oldest] = this.slow_until.keys();
    if (this.slow_until.size >= MOST_SLOW) this.slow_until.delete(oldest!);
    this.slow_until.delete(drive_id);
    this.slow_until.set(drive_id, drives.clock() + limits.slow_for_ms);
  }

  private slowDrives(): ReadonlySet<string> {
    const { slow_for_ms } = this.options.limits;
    const now = this.options.drives.clock();
    for (const [drive_id, until_ms] of this.slow_until)
      if (until_ms <= now || until_ms > now + slow_for_ms) this.slow_until.delete(drive_id);
    return new Set(this.slow_until.keys());
  }

  /** Time of the next attempt; the last one exactly at the deadline; null after that. */
  private nextTry({ attempts, first_ms }: Delivery, at_ms: number): number | null {
    const { limits, random } = this.options;
    const last_ms = (first_ms ?? at_ms) + limits.give_up_ms;
    if (at_ms >= last_ms) return null;
    const wait_ms = Math.min(limits.longest_retry_ms, limits.first_retry_ms * 2 ** attempts);
    return Math.min(last_ms, at_ms + Math.ceil(wait_ms * (0.5 + random() / 2)));
  }
}

/** The reactor has not processed an erasure yet, which cancels deliveries. */
class ErasureAhead extends Error {
  override readonly name = 'ErasureAhead';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
