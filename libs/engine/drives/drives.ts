import { Subject } from 'rxjs';

import { firstExpiry } from '../../domain/directory/items/expiry.js';
import type { DomainSettings } from '../../domain/foundation/decision.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventStore } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import type { AnyReadModel } from '../../read-model/port.js';
import { FACTORY_ID, streamOf } from '../fold/fold.js';
import type { FarFolder } from '../fold/far-folder.js';
import { StateLoader } from '../fold/loader.js';
import { AppendHealth } from '../following/append-health.js';
import { CatchUp } from '../following/catch-up.js';
import { DamagedDrives } from '../following/damaged-drives.js';
import { LogSubscription } from '../following/log-subscription.js';
import { unknownEvents } from '../following/stream-damage.js';
import { PastStates } from '../past/past-states.js';
import { LogProofs } from '../proofs/log-prover.js';
import { Indexer } from '../read-models/indexer.js';
import { PresenceKeeper } from '../read-models/presence-keeper.js';
import { FoldedSnapshots } from '../snapshots/snapshot-maker.js';
import { Snapshotter } from '../snapshots/snapshotter.js';
import { FoldingVerifier, type Verifier } from '../verify/verifier.js';
import { Unavailable } from '../writer/call.js';
import type { DriveServices } from '../writer/drive-services.js';
import type { Drive } from '../writer/drive.js';
import { NO_OBSERVER } from '../following/write-observer.js';
import { nowOrInTurns } from '../tasks/turns.js';
import { TIMER } from '../writer/write-turns.js';
import { CommandRunner } from './command-runner.js';
import { DriveList } from './drive-list.js';
import { DrivesInMemory } from './drives-in-memory.js';
import type { Advance, DriveFollower, EngineOptions } from './engine-options.js';
import type { EngineLimits } from './limits.js';
import { LeftOvers } from '../read-models/left-overs.js';
import { openDrive } from './open-drive.js';
import { type ProcessRole, ROLES } from './role.js';

/** All drives of an installation: loads them on demand, runs their commands, evicts idle ones. */
export class Drives {
  readonly loader: StateLoader;
  /** Emits for every drive that has advanced, after its events are durable. */
  readonly advances = new Subject<Advance>();
  readonly past_states: PastStates;
  readonly events: EventStore;
  readonly side: SideStores;
  readonly read_model: AnyReadModel;
  readonly settings: DomainSettings;
  readonly limits: EngineLimits;
  readonly clock: () => number;
  readonly role: ProcessRole;
  readonly commands: CommandRunner;
  // Derived stores, written asynchronously behind the events.
  /** Proofs about the logs of drives. */
  readonly log: LogProofs;
  readonly indexer: Indexer;
  readonly verifier: Verifier;
  readonly far_folder: FarFolder | undefined;
  private readonly snapshotter: Snapshotter;
  private readonly memory: DrivesInMemory;
  private readonly list: DriveList;
  private readonly subscription: LogSubscription;
  /** Catches up drives with events of other processes. */
  readonly catch_up: CatchUp;
  /** Whether the store accepts appends. */
  readonly appends: AppendHealth;
  /** Drives whose streams other programs have damaged. */
  readonly damaged: DamagedDrives;
  /** True for drives of the partitions that this process holds; set by its worker. */
  isAssigned: (drive_id: string) => boolean = () => false;
  private readonly services: DriveServices<Drive>;
  private readonly presence: PresenceKeeper;
  private readonly report: NonNullable<EngineOptions['report']>;
  private readonly stopping = new AbortController();
  private follower: DriveFollower | null = null;

  constructor(options: EngineOptions) {
    const { events, side, read_model, limits, settings } = options;
    const { role = ROLES.embedded } = options;
    this.role = role;
    this.events = events;
    this.side = side;
    this.read_model = read_model;
    this.settings = settings;
    this.limits = limits;
    this.clock = options.clock ?? Date.now;
    this.report = options.report ?? (() => {});
    this.far_folder = options.far_folder;
    this.loader = new StateLoader(events, side, limits.state_cache_bytes, this.far_folder);
    this.past_states = new PastStates({
      ...{ events, loader: this.loader },
      past_bytes: limits.past_cache_bytes,
      state_bytes: limits.state_cache_bytes,
    });
    const failed =
      (what: string) =>
      (drive_id: string, error: unknown): void =>
        this.report(what, drive_id, error);
    const { snapshots = new FoldedSnapshots(this.loader) } = options;
    this.verifier = options.verifier ?? new FoldingVerifier(events, side);
    this.snapshotter = new Snapshotter(side, snapshots, limits, failed('snapshot failed'));
    this.log = new LogProofs(events, side.tiles, failed('tiles not written'));
    this.indexer = new Indexer(
      events,
      side.index,
      this.loader,
      role,
      failed('events not indexed'),
      options.index_folder,
    );
    const { notice = () => {} } = options;
    const { timer = TIMER } = options;
    this.appends = new AppendHealth({ events, notice, clock: timer.now });
    this.damaged = new DamagedDrives({
      ...{ events, notice, report: this.report },
      is_drive: async (drive_id) => drive_id === FACTORY_ID || this.isServed(drive_id),
    });
    this.services = {
      events,
      appends: this.appends,
      observer: options.observer ?? NO_OBSERVER,
      damaged: this.damaged,
      keys: side.keys,
      loader: this.loader,
      read_model,
      role,
      limits,
      settings,
      clock: this.clock,
      timer,
      stopping: this.stopping.signal,
      appending: (drive, touched) => this.appending(drive, touched),
      report: this.report,
      left_overs: new LeftOvers({ read_model, role, report: this.report }),
      forgotten: (drive_id) => {
        this.past_states.forget(drive_id);
      },
      lagging: ({ drive_id, head }, error) =>
        this.catch_up.retry(drive_id, head.revision, this.subscription.handled, error),
      advanced: (drive, touched, decided) => {
        this.advances.next({ drive_id: drive.drive_id });
        this.presence.follow(drive, touched);
        if (role.maintains) {
          this.indexer.note(drive.drive_id, decided);
          this.snapshotter.consider(drive);
          this.log.consider(drive);
        }
        this.follower?.advanced(drive);
      },
    };
    this.memory = new DrivesInMemory({
      build: (drive_id) => this.buildWhole(drive_id),
      isLong: (drive_id) => this.loader.isLong(drive_id),
      evict: (drive) => this.evictDrive(drive),
      clock: timer.now,
      budget_bytes: limits.state_cache_bytes,
      cold_loads_max: limits.cold_loads_max,
    });
    this.commands = new CommandRunner({
      memory: this.memory,
      past: this,
      stopping: this.stopping.signal,
      role,
      exists: (drive_id) => this.exists(drive_id),
      readOn: (drive_id, revision) => this.readOn(drive_id, revision),
      build: (drive_id) => this.build(drive_id),
      forget: (drive_id) => this.forgetDocuments(drive_id),
    });
    this.list = new DriveList({
      open: (drive_id) => this.open(drive_id),
      has_stream: async (drive_id) => (await events.head(streamOf(drive_id))) !== null,
      clock: this.clock,
      role,
    });
    this.presence = new PresenceKeeper({
      store: side.presence,
      role,
      drives: () => this.memory.values(),
      clock: this.clock,
      timer: timer.now,
      report: this.report,
      // Drives also grow while in use.
      after_round: () => this.memory.evict(),
    });
    this.catch_up = new CatchUp({
      resident: (drive_id) =>
        this.isAssigned(drive_id) ? this.memory.open(drive_id) : this.memory.resident(drive_id),
      timer: timer.now,
      report: this.report,
    });
    this.subscription = new LogSubscription(
      events,
      (page, position) => this.catch_up.note(page, position),
      (error) => this.report('subscription ended, reopened', '', error),
    );
  }

  /** Position in the store up to which this process has recorded all events. */
  get noted_position(): number {
    return this.subscription.handled;
  }

  /** True for drives whose background work this process does. */
  isResponsibleFor(drive_id: string): boolean {
    const { background } = this.role;
    return background === 'all' || (background === 'partitions' && this.isAssigned(drive_id));
  }

  /** Evicts a drive whose partition another process now holds, unless it is in use. */
  release(drive_id: string): void {
    this.memory.release(drive_id);
  }

  /** Subscribes to the events of other processes; call it before any drive is opened. */
  async start(): Promise<void> {
    // Left-over collections are no longer read and may hold confidential data.
    const { read_model } = this;
    if (this.role.maintains && read_model.durable) await read_model.dropLeftOvers();
    if (this.role.follows) await this.subscription.start();
    await this.damaged.start();
    this.damaged.examine(async () => [FACTORY_ID, ...(await this.all())]);
  }

  /** Registers the follower of the drives; at most one. */
  follow(follower: DriveFollower): void {
    this.follower = follower;
  }

  /** True if the factory has named this drive. @throws Unavailable `importing` */
  async exists(drive_id: string): Promise<boolean> {
    return this.memory.get(drive_id) !== undefined || this.list.has(drive_id);
  }

  /** Like `exists`, but false for a drive under import. */
  async isServed(drive_id: string): Promise<boolean> {
    try {
      return await this.exists(drive_id);
    } catch (error) {
      if (error instanceof Unavailable && error.reason === 'importing') return false;
      throw error;
    }
  }

  /** Ids of all drives, in the order in which they were named. */
  all(): Promise<readonly string[]> {
    return this.list.all();
  }

  /** Drives in memory now, for metrics and shutdown. */
  inMemory(): IterableIterator<Drive> {
    return this.memory.values();
  }

  loaded(drive_id: string): Drive | undefined {
    return this.memory.get(drive_id);
  }

  /** The drive, loaded if necessary. Callers must have checked `exists`. */
  open(drive_id: string): Promise<Drive> {
    return this.memory.open(drive_id);
  }

  /** The drive if it can be read immediately: in memory, with only durable events in its state. */
  ready(drive_id: string): Drive | undefined {
    return this.memory.ready(drive_id);
  }

  /** Answers a query from the drive's durable state; the drive stays in memory until then. */
  async read<T>(drive_id: string, question: (drive: Drive) => T | Promise<T>): Promise<T> {
    return this.memory.readAtOnce(drive_id, question);
  }

  /** Like `read`, but without a promise if neither the drive nor the query has to wait. */
  readAtOnce<T>(drive_id: string, question: (drive: Drive) => T | Promise<T>): T | Promise<T> {
    return this.memory.readAtOnce(drive_id, question);
  }

  /** Runs a task with a drive that stays in memory until the task ends. */
  hold<T>(drive_id: string, task: (drive: Drive) => T | Promise<T>): Promise<T> {
    return this.memory.hold(drive_id, task);
  }

  /**
   * Folds in events of other processes after a revision; false if there were none. Used before a refusal: a command
   * that appends something is checked by that, a refusal is not.
   */
  async readOn(drive_id: string, revision: number): Promise<boolean> {
    if (!this.role.follows) return false;
    const head = await this.events.head(streamOf(drive_id));
    if ((head?.revision ?? -1) <= revision) return false;
    await this.hold(drive_id, (drive) => drive.follow());
    return true;
  }

  /**
   * Completes all accepted commands, then stores data that is only in memory. An append of unknown outcome is not
   * repeated: its caller has an answer or has disconnected.
   */
  async close(unfinished = new Unfinished()): Promise<void> {
    this.stopping.abort();
    await Promise.all([
      unfinished.during('checks of streams', this.damaged.close()),
      unfinished.during('following events', this.subscription.close()),
      unfinished.during('drives catching up', this.catch_up.close()),
      // Loads and spawns end by themselves: their next command is refused.
      unfinished.during('drives being loaded', this.memory.quiet()),
    ]);
    const idle = async (drive: Drive): Promise<void> =>
      unfinished.during(`commands of ${drive.drive_id}`, drive.queue.idle());
    await Promise.all([...this.memory.values()].map(idle));
    await Promise.all([
      unfinished.during('snapshots, tiles and index', this.closeDerivedStores()),
      unfinished.during('times of presence', this.presence.close()),
    ]);
  }

  /** Loads an existing drive, unless its stream is damaged. */
  private async buildWhole(drive_id: string): Promise<Drive> {
    const damage = await this.damaged.check(drive_id);
    if (damage && damage.kind !== 'limited') throw new Unavailable('broken');
    return this.build(drive_id);
  }

  private async build(drive_id: string): Promise<Drive> {
    const { drive, snapshot } = await openDrive(drive_id, this.services, this.side);
    const { unknown_events } = drive.state;
    this.damaged.folded(drive_id);
    if (unknown_events.size > 0) this.damaged.note(unknownEvents(drive_id, unknown_events));
    this.snapshotter.loaded(drive, snapshot);
    // Events of others that came before it was in memory.
    if (this.role.follows) this.follower?.advanced(drive);
    return drive;
  }

  /**
   * Called before an append. Stores the next expiry of a drive before the events that set it, so that a sweep finds
   * the drive even if this process crashes.
   */
  private appending(drive: Drive, touched: readonly TouchedKey[]): Promise<void> | null {
    const following = this.follower?.appending(drive, touched) ?? null;
    const first = nowOrInTurns(firstExpiry(drive.state, touched, this.settings.trash_ms));
    const noting =
      first instanceof Promise
        ? first.then(async (at_ms) => void (await this.noteExpiry(drive, at_ms)))
        : this.noteExpiry(drive, first);
    return following && noting
      ? Promise.all([following, noting]).then(() => {})
      : (following ?? noting);
  }

  private noteExpiry({ drive_id, head }: Drive, at_ms: number | null): Promise<void> | null {
    if (at_ms === null) return null;
    const revision = head.revision + 1;
    return this.side.expiries.note([{ drive_id, at_ms, revision, noted_ms: this.clock() }]);
  }

  private async closeDerivedStores(): Promise<void> {
    await this.snapshotter.close();
    await this.indexer.close();
    await this.log.close();
  }

  private evictDrive(drive: Drive): void {
    const { drive_id } = drive;
    this.indexer.forget(drive_id);
    void this.presence.save(drive);
  }

  private async forgetDocuments(drive_id: string): Promise<void> {
    const { read_model } = this;
    if (this.role.maintains && read_model.durable) await read_model.forget(drive_id);
  }
}

/** The running steps of a shutdown, by name. */
export class Unfinished {
  private readonly steps = new Set<string>();

  get names(): readonly string[] {
    return [...this.steps];
  }

  /** Registers a step until its promise settles. */
  async during<T>(name: string, step: Promise<T>): Promise<T> {
    this.steps.add(name);
    try {
      return await step;
    } finally {
      this.steps.delete(name);
    }
  }
}
