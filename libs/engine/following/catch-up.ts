import { setTimeout as after } from 'node:timers/promises';
import { causesOf, StoreUnavailable, type StoredEvent } from '../../event-store/port.js';
import { Unavailable } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import { driveOf } from '../fold/fold.js';
import { Semaphore } from '../tasks/semaphore.js';

/** Maximum drives that catch up in parallel. */
const MOST_AT_ONCE = 16;
/** Maximum events of a drive that wait to be folded, and their maximum size over all drives, bytes; others are read again. */
const MOST_KEPT = 250;
const MOST_KEPT_BYTES = 16 * 1024 * 1024;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
/** Longest retry pause while a store is unavailable: the first drive that reaches it again resumes all others. */
const LONGEST_AWAY_RETRY_MS = 1_000;
/** Consecutive failures after which a drive is quarantined: still retried, but rarely. */
const QUARANTINED_AFTER = 5;
const QUARANTINE_RETRY_MS = 30_000;

interface KeepUpOptions {
  /** The drive, once loaded, if this process keeps it current; else undefined. */
  readonly resident: (drive_id: string) => Promise<Drive | undefined> | undefined;
  /** ms by a clock that is never set. */
  readonly timer: () => number;
  readonly report: (what: string, drive_id: string, error: unknown) => void;
}

/** A drive that lags behind its stream. */
export interface Behind {
  readonly drive_id: string;
  /** The revision that it must reach; it may grow meanwhile. */
  readonly revision: number;
  /** Position in the store up to which everything was processed when it fell behind. */
  readonly before: number;
  /** When it fell behind, or last advanced, ms by the timer. */
  readonly since_ms: number;
  /** Consecutive failures of the drive itself; an unavailable store does not count. */
  readonly failures: number;
}

type Wanted = { -readonly [K in keyof Behind]: Behind[K] } & {
  /** The first events since its last attempt, without a gap, as far as they are kept. */
  events: StoredEvent[];
  /** Consecutive failures of any cause. */
  tries: number;
};

/**
 * Catches up the drives of a process with events of other processes. Each drive reads on once at a time, regardless
 * of the number of events. A failing drive is retried and does not block others.
 */
export class CatchUp {
  private readonly wanted = new Map<string, Wanted>();
  private readonly running = new Set<Promise<void>>();
  private readonly turns = new Semaphore(MOST_AT_ONCE);
  private kept_bytes = 0;
  private readonly stopping = new AbortController();
  /** Ends the pauses of drives that wait for a store; null while there are none. */
  private reachable_again: PromiseWithResolvers<void> | null = null;

  constructor(private readonly options: KeepUpOptions) {}

  /** Catches up the drives of these events, by them if possible. @param before position before them */
  note(events: readonly StoredEvent[], before: number): void {
    let position = before;
    for (const event of events) {
      const drive_id = driveOf(event.stream);
      if (drive_id !== null) {
        this.want(drive_id, event.revision, position);
        const wanted = this.wanted.get(drive_id);
        if (wanted) this.keep(wanted, event);
      }
      position = event.position;
    }
  }

  /** Catches up a drive to a revision, which is after a position in the store. */
  want(drive_id: string, revision: number, before: number): void {
    const wanted = this.wanted.get(drive_id);
    if (wanted) {
      wanted.revision = Math.max(wanted.revision, revision);
      wanted.before = Math.min(wanted.before, before);
      return;
    }
    const coming = this.options.resident(drive_id);
    if (!coming) return;
    this.start(this.fresh(drive_id, revision, before), (fresh) => this.bringUp(fresh, coming));
  }

  /** The same for a drive in memory whose catch-up has just failed: reported, and retried after a pause. */
  retry(drive_id: string, revision: number, before: number, error: unknown): void {
    if (this.wanted.has(drive_id)) return this.want(drive_id, revision, before);
    this.start(this.fresh(drive_id, revision, before), async (wanted) => {
      await this.failed(wanted, error);
      await this.bringUp(wanted, this.options.resident(drive_id));
    });
  }

  /** The revision that a lagging drive must reach; -1 if it does not lag. */
  notedRevision(drive_id: string): number {
    return this.wanted.get(drive_id)?.revision ?? -1;
  }

  behind(): readonly Behind[] {
    return [...this.wanted.values()];
  }

  /** How long a drive has lagged, ms. */
  lagOf({ since_ms }: Behind): number {
    return Math.round(this.options.timer() - since_ms);
  }

  /** Resolves when every drive has reached the recorded revisions. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.idle();
  }

  private fresh(drive_id: string, revision: number, before: number): Wanted {
    const since_ms = this.options.timer();
    return { drive_id, revision, before, since_ms, events: [], failures: 0, tries: 0 };
  }

  private keep(wanted: Wanted, event: StoredEvent): void {
    const { events } = wanted;
    const bytes = sizeOf(event);
    if (events.length === MOST_KEPT || this.kept_bytes + bytes > MOST_KEPT_BYTES) return;
    const last = events.at(-1);
    if (last && last.revision + 1 !== event.revision) return;
    events.push(event);
    this.kept_bytes += bytes;
  }

  private take(wanted: Wanted): readonly StoredEvent[] {
    const { events } = wanted;
    wanted.events = [];
    this.kept_bytes -= events.reduce((sum, event) => sum + sizeOf(event), 0);
    return events;
  }

  private start(wanted: Wanted, bringUp: (wanted: Wanted) => Promise<void>): void {
    this.wanted.set(wanted.drive_id, wanted);
    const running = bringUp(wanted).finally(() => this.running.delete(running));
    this.running.add(running);
  }

  private async bringUp(
    wanted: Wanted,
    first: Promise<Drive | undefined> | undefined,
  ): Promise<void> {
    const { signal } = this.stopping;
    const { drive_id } = wanted;
    for (let coming = first; !signal.aborted;) {
      try {
        const drive = await coming;
        if (!drive) break;
        // Most events are this process's own and about to be acknowledged.
        if (!drive.is_durable) await drive.durable();
        if (drive.hasReached(wanted.revision)) break;
        await this.turns.run(() => drive.follow(this.take(wanted)));
        this.storesAreBack();
        wanted.failures = 0;
        wanted.tries = 0;
        wanted.since_ms = this.options.timer();
      } catch (error) {
        await this.failed(wanted, error);
      }
      coming = this.options.resident(drive_id);
    }
    this.take(wanted);
    // At once, so that later events start a new catch-up.
    this.wanted.delete(drive_id);
  }

  private async failed(wanted: Wanted, error: unknown): Promise<void> {
    const tries = (wanted.tries += 1);
    const is_away = isStoreAway(error);
    if (!is_away) wanted.failures += 1;
    const { drive_id, failures } = wanted;
    if (tries === 1) this.options.report('drive does not catch up', drive_id, error);
    if (failures === QUARANTINED_AFTER && !is_away)
      this.options.report('drive quarantined', drive_id, error);
    const retry_ms = FIRST_RETRY_MS * 2 ** (tries - 1);
    if (is_away) return this.waitForStores(Math.min(retry_ms, LONGEST_AWAY_RETRY_MS));
    await this.pause(
      isQuarantined(wanted) ? QUARANTINE_RETRY_MS : Math.min(retry_ms, LONGEST_RETRY_MS),
    );
  }

  private async waitForStores(most_ms: number): Promise<void> {
    this.reachable_again ??= Promise.withResolvers();
    await Promise.race([this.reachable_again.promise, this.pause(most_ms)]);
  }

  private storesAreBack(): void {
    this.reachable_again?.resolve();
    this.reachable_again = null;
  }

  private async pause(wait_ms: number): Promise<void> {
    const { signal } = this.stopping;
    await after(wait_ms, undefined, { ref: false, signal }).catch(() => {});
  }
}

function sizeOf({ data, metadata }: StoredEvent): number {
  return data.length + metadata.length;
}

/** True if a store is unavailable or leaves a batch unanswered: not the drive's fault. */
function isStoreAway(error: unknown): boolean {
  return causesOf(error).some(
    (at) => at instanceof StoreUnavailable || (at instanceof Unavailable && at.reason === 'busy'),
  );
}

/** True if a drive has failed so often that an operator should investigate. */
export function isQuarantined({ failures }: Pick<Behind, 'failures'>): boolean {
  return failures >= QUARANTINED_AFTER;
}
