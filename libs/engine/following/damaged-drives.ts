import { setTimeout as after } from 'node:timers/promises';
import {
  causesOf,
  type EventStore,
  StoreUnavailable,
  type Subscription,
} from '../../event-store/port.js';
import type { Notice } from './append-health.js';
import { Unavailable } from '../writer/call.js';
import { driveOf } from '../fold/fold.js';
import { type Damage, DAMAGE_KINDS, type DamageKind, damageIn, damageOf } from './stream-damage.js';

/** Pause between two checks of a drive while the store is unavailable, ms. */
const RETRY_MS = 1_000;
/** Interval of checks of all damaged drives, for repairs that the store does not announce, ms. */
const CHECK_AGAIN_MS = 60_000;

/** Kinds of damage that only folding detects. */
const FOUND_BY_FOLDING: ReadonlySet<DamageKind> = new Set(['broken', 'unknown-events']);

interface DamagedDrivesOptions {
  readonly events: EventStore;
  /** Called once for each damage, and once after its repair. */
  readonly notice: Notice;
  readonly report: (what: string, drive_id: string, error: unknown) => void;
  /** True if the stream is a drive's. */
  readonly is_drive: (drive_id: string) => Promise<boolean>;
}

/**
 * The drives whose streams other programs have damaged. They are closed to commands as soon as the process detects the
 * damage, and reported until they are repaired. Drives in memory can still be read.
 */
export class DamagedDrives {
  private readonly known = new Map<string, Damage>();
  /** The last reported kind of damage of each drive. */
  private readonly reported = new Map<string, DamageKind>();
  /** The last check in progress of each drive. */
  private readonly checks = new Map<string, Promise<Damage | null>>();
  private readonly stopping = new AbortController();
  private readonly background = new Set<Promise<void>>();
  private watch: Subscription | null = null;
  private timer: NodeJS.Timeout | undefined;
  /** True while all damaged drives are checked again. */
  private is_checking = false;

  constructor(private readonly options: DamagedDrivesOptions) {}

  get(drive_id: string): Damage | undefined {
    return this.known.get(drive_id);
  }

  /** All damaged drives, in the order of detection. */
  all(): readonly Damage[] {
    return [...this.known.values()];
  }

  /** Number of drives by kind of damage, including zeros. */
  counts(): Readonly<Record<DamageKind, number>> {
    const counts = Object.fromEntries(DAMAGE_KINDS.map((kind) => [kind, 0])) as Record<
      DamageKind,
      number
    >;
    for (const { kind } of this.known.values()) counts[kind] += 1;
    return counts;
  }

  /** Subscribes to changes of streams, if the store can be configured to drop events. */
  async start(): Promise<void> {
    const { events } = this.options;
    this.watch = (await events.watchStreams?.((stream) => this.changed(stream))) ?? null;
    if (!this.watch) return;
    this.timer = setInterval(() => this.checkAgain(), CHECK_AGAIN_MS);
    this.timer.unref();
  }

  /** Checks drives one after another in the background, so that damage is reported before the drives are requested. */
  examine(drives: () => Promise<readonly string[]>): void {
    if (!this.watch) return;
    this.inBackground(async () => {
      for (const drive_id of await drives()) {
        if (this.stopping.signal.aborted) return;
        await this.checkUntilAnswered(drive_id);
      }
    });
  }

  async close(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    await this.watch?.stop();
    await Promise.all(this.background);
  }

  /** Checks a drive's stream in the store and records the result. @throws errors of the store */
  check(drive_id: string): Promise<Damage | null> {
    if (!this.options.events.retention) return Promise.resolve(null);
    // In sequence, so that an older result cannot overwrite a newer one.
    const before = this.checks.get(drive_id) ?? Promise.resolve(null);
    const check = before
      .catch(() => {})
      .then(() => this.examineStream(drive_id))
      .finally(() => {
        if (this.checks.get(drive_id) === check) this.checks.delete(drive_id);
      });
    this.checks.set(drive_id, check);
    return check;
  }

  /** Records the damage that an error reveals. @returns whether it reveals any */
  noticed(drive_id: string, error: unknown): boolean {
    const damage = damageIn(drive_id, error);
    if (damage?.kind === 'foreign-event') {
      // Closed at once; reported by a check, which finds the first foreign event.
      if (!this.known.has(drive_id)) this.known.set(drive_id, damage);
      this.inBackground(() => this.checkUntilAnswered(drive_id));
    } else if (damage) this.note(damage);
    return damage !== null;
  }

  /** True if the drive takes no commands because of damage; unknown events are reported elsewhere. */
  isClosed(drive_id: string): boolean {
    const damage = this.known.get(drive_id);
    return damage !== undefined && damage.kind !== 'unknown-events';
  }

  /** True if events of the stream cannot be read, or none after them. */
  isUnreadable(drive_id: string): boolean {
    return this.isClosed(drive_id) && this.known.get(drive_id)?.kind !== 'limited';
  }

  /** The drive was folded to its end: clears damage that only folding detects. */
  folded(drive_id: string): void {
    if (this.known.get(drive_id)?.kind === 'broken') this.markHealthy(drive_id);
  }

  note(damage: Damage): void {
    const { drive_id, kind, says } = damage;
    const before = this.known.get(drive_id);
    // The store's diagnosis is more precise than a failed fold.
    if (before && kind === 'broken' && before.kind !== 'unknown-events') return;
    this.known.set(drive_id, damage);
    if (this.reported.get(drive_id) === kind) return;
    this.reported.set(drive_id, kind);
    const error = new DamagedStream(says);
    this.options.notice('stream damaged; the organization is closed to commands', {
      drive_id,
      error,
    });
  }

  private async examineStream(drive_id: string): Promise<Damage | null> {
    const damage = await damageOf(this.options.events, drive_id);
    const before = this.known.get(drive_id);
    if (damage) this.note(damage);
    else if (before && !FOUND_BY_FOLDING.has(before.kind)) this.markHealthy(drive_id);
    return damage;
  }

  private markHealthy(drive_id: string): void {
    this.known.delete(drive_id);
    this.reported.delete(drive_id);
    this.options.notice(`the stream of ${drive_id} is whole again; the organization is open`);
  }

  private changed(stream: string): void {
    const drive_id = driveOf(stream);
    if (drive_id === null) return;
    this.inBackground(() => this.checkUntilAnswered(drive_id, true));
  }

  private checkAgain(): void {
    if (this.is_checking) return;
    this.is_checking = true;
    this.inBackground(async () => {
      for (const { drive_id, kind } of this.all())
        if (!FOUND_BY_FOLDING.has(kind)) await this.checkUntilAnswered(drive_id);
      this.is_checking = false;
    });
  }

  /** @param may_be_none the stream may belong to no drive, and is ignored then */
  private async checkUntilAnswered(drive_id: string, may_be_none = false): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted)
      try {
        const is_drive = !may_be_none || (await this.options.is_drive(drive_id));
        if (is_drive) await this.check(drive_id);
        return;
      } catch (error) {
        if (!isUnavailable(error))
          return this.options.report('stream not checked', drive_id, error);
        await after(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
      }
  }

  private inBackground(task: () => Promise<void>): void {
    if (this.stopping.signal.aborted) return;
    const running = task()
      .catch((error: unknown) => this.options.report('streams not checked', '', error))
      .finally(() => this.background.delete(running));
    this.background.add(running);
  }
}

/** The report of a damaged stream for operators; its message is complete. */
class DamagedStream extends Error {
  override readonly name = 'DamagedStream';
  override readonly stack = undefined as unknown as string;
}

function isUnavailable(error: unknown): boolean {
  return causesOf(error).some(
    (at) => at instanceof StoreUnavailable || (at instanceof Unavailable && PASSING.has(at.reason)),
  );
}

const PASSING: ReadonlySet<string> = new Set(['busy', 'store-failed', 'store-unavailable']);
