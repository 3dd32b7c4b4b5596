import type { Lease, PartitionLeases } from '../../event-store/leases.js';
import type { Drives } from '../drives/drives.js';
import { FACTORY_ID, driveOf } from '../fold/fold.js';
import { type Behind, isQuarantined } from '../following/catch-up.js';
import { compareDocuments, lastRevision, shownRevision } from './document-comparison.js';
import { Membership, workersAmong } from './membership.js';
import { Partitions } from './partitions.js';

/** Events per read when a partition is resumed. */
const PAGE = 500;
/** Renewals of a lease within its duration. */
const RENEWALS = 3;
/** Looks for partitions without a holder within that time. They are taken at once: no worker follows their drives. */
const LOOKS = 30;
/** Lag after which a drive counts as stuck, ms. */
const STUCK_MS = 60_000;

interface WorkerOptions {
  /** The drives of a process in the role of a worker. */
  readonly drives: Drives;
  readonly leases: PartitionLeases;
  /** Unique name of this process. */
  readonly owner: string;
  /** The same number in every process. */
  readonly partitions: number;
  /** How long a silent process keeps a partition, ms. */
  readonly lease_ms: number;
  readonly report: (what: string, error: unknown) => void;
  /** Called whenever this process has acquired partitions. */
  readonly taken?: () => void;
}

export interface WorkerReport {
  readonly partitions_held: number;
  /** Drives of these partitions that lag behind their streams. */
  readonly drives_behind: number;
  /** Number of missing events, as far as this process knows them. */
  readonly lag_events: number;
  /** Longest lag of a drive, ms. */
  readonly lag_ms: number;
  /** Drives whose documents cannot be updated; all others continue. */
  readonly quarantined: readonly string[];
  /** True if a drive has not advanced for a minute. */
  readonly stuck: boolean;
}

interface Held {
  lease: Lease;
  /** False until all events from before the subscription have been processed. */
  is_taken_up: boolean;
  /** True once its drives have been listed, if it had no holder before. */
  is_listed: boolean;
  saved: number | null;
}

/**
 * Updates the derived stores of the drives of some partitions: divides the partitions evenly with other workers,
 * takes over those of silent workers, and stores its positions.
 */
export class Worker {
  private readonly partitions: Partitions;
  private readonly membership: Membership;
  private readonly held = new Map<number, Held>();
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private comparing: Promise<void> = Promise.resolve();
  /** When leases are renewed next, by `performance.now()`. */
  private due_ms = -Infinity;
  /** When they were renewed last, by `performance.now()`. */
  private renewed_ms = -Infinity;
  private stopping = false;

  constructor(private readonly options: WorkerOptions) {
    const { read_model } = options.drives;
    const form = read_model.durable ? read_model.form : '';
    this.partitions = new Partitions(options.partitions, form);
    this.membership = new Membership(options.leases, options.owner);
    options.drives.isAssigned = this.isAssigned;
  }

  /** True for drives of the partitions that this process holds. */
  readonly isAssigned = (drive_id: string): boolean =>
    this.held.has(this.partitions.placeOf(drive_id));

  /** Acquires its share, and keeps it balanced. The drives must have been started. */
  async start(): Promise<void> {
    await this.look();
    this.next();
  }

  /** Balances the partitions at once; for tests, and for callers that cannot wait. */
  share(): Promise<void> {
    this.round = this.round
      .then(() => this.balance())
      .catch((error: unknown) => this.options.report('partitions not balanced', error));
    return this.round;
  }

  /** Resolves when all recorded work is done. */
  async idle(): Promise<void> {
    await this.round;
    await this.comparing;
    await this.options.drives.catch_up.idle();
  }

  /** Stores its positions and releases its partitions at once. */
  async close(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    await this.round;
    await this.comparing;
    for (const place of [...this.held.keys()]) await this.releasePartition(place);
    await this.membership.leave().catch(() => {});
  }

  report(): WorkerReport {
    const { drives } = this.options;
    const behind = drives.catch_up.behind().filter(({ drive_id }) => this.isAssigned(drive_id));
    // A damaged stream is reported as such; it does not show that the worker stands still.
    const coming = behind.filter(({ drive_id }) => !drives.damaged.isUnreadable(drive_id));
    const lag_ms = Math.max(0, ...coming.map((one) => drives.catch_up.lagOf(one)));
    return {
      partitions_held: this.held.size,
      drives_behind: behind.length,
      lag_events: coming.reduce((sum, one) => sum + this.lackOf(one), 0),
      lag_ms,
      quarantined: behind.filter(isQuarantined).map(({ drive_id }) => drive_id),
      stuck: lag_ms > STUCK_MS,
    };
  }

  private next(): void {
    if (this.stopping) return;
    this.timer = setTimeout(() => {
      void this.look().then(() => this.next());
    }, this.options.lease_ms / LOOKS);
    this.timer.unref();
  }

  /** Balances the partitions if that is due, or if it lacks some that have no holder. */
  private async look(): Promise<void> {
    if (performance.now() < this.due_ms && !(await this.lacksFree().catch(() => false))) return;
    await this.share();
    this.due_ms = performance.now() + this.options.lease_ms / RENEWALS;
  }

  private async lacksFree(): Promise<boolean> {
    const { drives, leases } = this.options;
    const holders = await leases.holders(drives.clock());
    if (this.held.size >= this.shareAmong(holders)) return false;
    const taken = new Set(holders.map(({ partition }) => partition));
    const places = Array.from({ length: this.partitions.count }, (_, place) => place);
    return places.some((place) => !taken.has(this.partitions.nameOf(place)));
  }

  /** Maximum partitions of each worker. */
  private shareAmong(holders: readonly Lease[]): number {
    return Math.ceil(this.partitions.count / Math.max(1, workersAmong(holders)));
  }

  private lackOf({ drive_id, revision }: Behind): number {
    const head = this.options.drives.loaded(drive_id)?.head.revision;
    return head === undefined ? 1 : Math.max(1, revision - head);
  }

  private async balance(): Promise<void> {
    if (this.stopping) return;
    const { drives, lease_ms, leases, owner } = this.options;
    const holders = await this.renew();
    const now = drives.clock();
    const expires_ms = now + lease_ms;
    const share = this.shareAmong(holders);
    for (const place of [...this.held.keys()].slice(share)) await this.releasePartition(place);
    const others = new Set(holders.map(({ partition }) => partition));
    for (let place = 0; place < this.partitions.count && this.held.size < share; place++) {
      if (this.held.has(place) || others.has(this.partitions.nameOf(place))) continue;
      const lease = await leases.acquire(this.partitions.nameOf(place), owner, now, expires_ms);
      if (!lease) continue;
      this.held.set(place, { lease, is_taken_up: false, is_listed: false, saved: null });
    }
    // Also those of a round that failed.
    const open = [...this.held].filter(([, { is_taken_up }]) => !is_taken_up);
    if (open.length > 0) {
      this.options.taken?.();
      await this.resumePartitions(open.map(([place]) => place));
    }
    await this.savePositions();
    this.release();
  }

  /** Renews its leases and its membership. @returns the leases of all workers */
  private async renew(): Promise<readonly Lease[]> {
    const { drives, lease_ms, leases } = this.options;
    this.renewed_ms = performance.now();
    const now = drives.clock();
    const expires_ms = now + lease_ms;
    for (const [place, held] of [...this.held]) {
      const renewed = await leases.renew(held.lease, expires_ms);
      if (renewed) held.lease = renewed;
      else this.held.delete(place);
    }
    return this.membership.stay(now, expires_ms);
  }

  /** Within steps that may take longer than a lease, as listing ten thousand drives. */
  private async renewIfDue(): Promise<void> {
    const { lease_ms } = this.options;
    if (performance.now() - this.renewed_ms >= lease_ms / RENEWALS) await this.renew();
  }

  /** Processes all events of these partitions from before this process subscribed to them. */
  private async resumePartitions(places: readonly number[]): Promise<void> {
    const { drives, leases } = this.options;
    // Later events arrive through the subscription.
    const until = drives.noted_position;
    const positions = new Map<number, number | null>();
    const last = await drives.events.lastPosition();
    for (const place of places) {
      const position = await leases.position(this.partitions.nameOf(place));
      // One behind the last event is of a log that was replaced by a backup or another one.
      positions.set(place, position !== null && position > last ? null : position);
    }
    const wanted = new Map<string, number>();
    await this.noteListed(positions, wanted);
    await this.recordPositions(positions, until, wanted);
    for (const [drive_id, revision] of wanted) {
      const before = positions.get(this.partitions.placeOf(drive_id)) ?? -1;
      if ((await shownRevision(drives, drive_id)) < revision)
        drives.catch_up.want(drive_id, revision, before);
      await this.renewIfDue();
    }
    for (const [place, position] of positions) {
      const held = this.held.get(place);
      if (!held) continue;
      // A drive that was being created while its list was read is on the list of the next round.
      held.is_taken_up = position !== null || held.is_listed;
      held.is_listed = true;
    }
    const resumed = new Set(places.filter((place) => positions.get(place) !== null));
    if (resumed.size > 0)
      this.comparing = this.comparing.then(() => this.compareDocuments(resumed));
  }

  private compareDocuments(places: ReadonlySet<number>): Promise<void> {
    return compareDocuments(this.options.drives, {
      isWanted: (drive_id) =>
        !this.stopping &&
        places.has(this.partitions.placeOf(drive_id)) &&
        this.isAssigned(drive_id),
      isStopping: () => this.stopping,
      report: (error) => this.options.report('documents not compared', error),
    });
  }

  /** Records the heads of all drives of partitions without a position in this log. */
  private async noteListed(
    positions: ReadonlyMap<number, number | null>,
    wanted: Map<string, number>,
  ): Promise<void> {
    const { drives } = this.options;
    if (![...positions.values()].includes(null)) return;
    for (const drive_id of [FACTORY_ID, ...(await drives.all())]) {
      if (positions.get(this.partitions.placeOf(drive_id)) !== null) continue;
      const last = await lastRevision(drives, drive_id);
      if (last >= 0) wanted.set(drive_id, last);
      await this.renewIfDue();
    }
  }

  /** Records the events after the positions of partitions, up to one that is recorded elsewhere. */
  private async recordPositions(
    positions: ReadonlyMap<number, number | null>,
    until: number,
    wanted: Map<string, number>,
  ): Promise<void> {
    const { events } = this.options.drives;
    const known = [...positions.values()].filter((position) => position !== null);
    for (let after = Math.min(until, ...known); after < until;) {
      const page = await events.readAll(after, PAGE);
      if (page.length === 0) break;
      for (const { stream, revision } of page) {
        const drive_id = driveOf(stream);
        const position = drive_id !== null && positions.get(this.partitions.placeOf(drive_id));
        if (typeof position === 'number') wanted.set(drive_id as string, revision);
      }
      after = page.at(-1)!.position;
      await this.renewIfDue();
    }
  }

  /** Stores for every partition the position up to which it is processed. */
  private async savePositions(): Promise<void> {
    for (const place of [...this.held.keys()]) await this.savePosition(place);
  }

  private async savePosition(place: number): Promise<void> {
    const held = this.held.get(place);
    if (!held?.is_taken_up) return;
    const { drives, leases } = this.options;
    let position = drives.noted_position;
    for (const { drive_id, before } of drives.catch_up.behind()) {
      // Those of damaged streams are found by comparing them when a partition is taken.
      const is_waited_for = !drives.damaged.isUnreadable(drive_id);
      if (is_waited_for && this.partitions.placeOf(drive_id) === place)
        position = Math.min(position, before);
    }
    if (position < 0 || position === held.saved) return;
    if (await leases.savePosition(held.lease, position)) held.saved = position;
    else this.held.delete(place);
  }

  private release(): void {
    const { drives } = this.options;
    for (const { drive_id } of [...drives.inMemory()])
      if (!this.isAssigned(drive_id)) drives.release(drive_id);
  }

  private async releasePartition(place: number): Promise<void> {
    const held = this.held.get(place);
    if (!held) return;
    try {
      await this.savePosition(place);
      await this.options.leases.release(held.lease);
    } catch (error) {
      // Then the lease expires.
      this.options.report('partition not released', error);
    }
    this.held.delete(place);
  }
}
