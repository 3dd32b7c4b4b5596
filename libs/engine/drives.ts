import { Subject } from 'rxjs';
import type { CommandDefinition, DomainSettings } from '../domain/drive/decision.js';
import type { DriveState } from '../domain/drive/state.js';
import type { TouchedKey } from '../domain/kernel/journal.js';
import { isUnder } from '../domain/contacts/subjects.js';
import { isRefusal } from '../domain/kernel/refusal.js';
import { DRIVE_KEY_ID } from '../domain/kernel/sealed.js';
import type { EventStore } from '../event-store/port.js';
import type { SideStores } from '../event-store/stores.js';
import type { ReadModel } from '../read-model/port.js';
import { repetition } from './batch.js';
import {
  type Asked,
  type Call,
  type CommandOfMany,
  type CommandRequest,
  isPending,
  isRefused,
  isRepeated,
  type Outcome,
  type Preparation,
  type Settled,
  Unavailable,
} from './call.js';
import { Drive, type DriveServices } from './drive.js';
import { BrokenStream, FACTORY_ID } from './fold.js';
import { Keyring } from './keyring.js';
import type { EngineLimits } from './limits.js';
import { LogProofs } from './log-proofs.js';
import { Indexer } from './indexer.js';
import { newGeneration, positionOf, StateLoader } from './loader.js';
import { PastStates } from './past-states.js';
import { Presence } from './presence.js';
import type { KeyUse } from './recent-keys.js';
import { presentAgain, presentAllAgain } from './repeat.js';
import { Semaphore } from './semaphore.js';
import { Snapshotter } from './snapshotter.js';

/** Estimated bytes of one record in memory, with its indexes. */
const BYTES_PER_RECORD = 800;
/** The same of one idempotency key. */
const BYTES_PER_KEY = 400;
const PRESENCE_FLUSH_MS = 60_000;

export interface EngineOptions {
  readonly events: EventStore;
  readonly side: SideStores;
  readonly read_model: ReadModel;
  readonly limits: EngineLimits;
  readonly settings: DomainSettings;
  /** Milliseconds since epoch. */
  readonly clock?: () => number;
  /** Told of failures in background work; nothing is lost by them. */
  readonly report?: (what: string, drive_id: string, error: unknown) => void;
}

/** Looks on as drives change. */
export interface DriveFollower {
  /** See `DriveServices.appending`; the drive's head is the place behind which the batch will stand. */
  appending(drive: Drive, touched: readonly TouchedKey[]): Promise<void> | null;
  /** Told after every batch that became durable; must not fail. */
  advanced(drive: Drive): void;
}

/** A drive has moved on. */
export interface Advance {
  readonly drive_id: string;
}

/** All drives of an installation: loads them when needed, runs their commands, lets go of idle ones. */
export class Drives {
  readonly loader: StateLoader;
  /** Tells of every drive that moved on, after its events became durable. */
  readonly advances = new Subject<Advance>();
  readonly past_states: PastStates;
  readonly events: EventStore;
  readonly side: SideStores;
  readonly read_model: ReadModel;
  readonly settings: DomainSettings;
  readonly clock: () => number;
  private readonly active = new Map<string, Promise<Drive>>();
  private readonly loaded = new Map<string, Drive>();
  /** Drives being made; nobody else may load them meanwhile. */
  private readonly spawning = new Map<string, Promise<void>>();
  private readonly cold_loads: Semaphore;
  private readonly snapshotter: Snapshotter;
  /** Proofs about the logs of drives. */
  readonly log: LogProofs;
  /** Keeps the index of events up to date. */
  readonly indexer: Indexer;
  private readonly services: DriveServices;
  private readonly presence_timer: NodeJS.Timeout;
  private readonly report: NonNullable<EngineOptions['report']>;
  private stopping = false;
  private follower: DriveFollower | null = null;

  constructor(private readonly options: EngineOptions) {
    const { events, side, read_model, limits, settings } = options;
    this.events = events;
    this.side = side;
    this.read_model = read_model;
    this.settings = settings;
    this.clock = options.clock ?? Date.now;
    this.report = options.report ?? (() => {});
    this.loader = new StateLoader(events, side);
    this.past_states = new PastStates(limits.past_cache_bytes);
    this.cold_loads = new Semaphore(limits.cold_loads_max);
    this.snapshotter = new Snapshotter(side, limits, (drive_id, error) =>
      this.report('snapshot failed', drive_id, error),
    );
    this.log = new LogProofs(events, side.tiles, (drive_id, error) =>
      this.report('tiles not written', drive_id, error),
    );
    this.indexer = new Indexer(events, side.index, this.loader, (drive_id, error) =>
      this.report('events not indexed', drive_id, error),
    );
    this.services = {
      events,
      keys: side.keys,
      read_model,
      limits,
      settings,
      clock: this.clock,
      appending: (drive, touched) => this.follower?.appending(drive, touched) ?? null,
      report: this.report,
      forgotten: (drive_id) => this.past_states.forget(drive_id),
      advanced: (drive, touched, decided) => {
        this.indexer.note(drive.drive_id, decided);
        this.advances.next({ drive_id: drive.drive_id });
        this.snapshotter.consider(drive);
        this.log.consider(drive);
        this.movePresence(drive, touched);
        this.follower?.advanced(drive);
      },
    };
    this.presence_timer = setInterval(() => {
      void this.flushPresence();
      // Drives grow while they are used, too.
      this.evict();
    }, PRESENCE_FLUSH_MS);
    this.presence_timer.unref();
  }

  /** Lets the follower look on from now on; there is one at most. */
  follow(follower: DriveFollower): void {
    this.follower = follower;
  }

  /** True if the factory has named this drive. A stream alone is no drive. @throws Unavailable `importing` */
  async exists(drive_id: string): Promise<boolean> {
    if (this.loaded.has(drive_id)) return true;
    const factory = await this.open(FACTORY_ID);
    await factory.settled();
    const named = factory.state.spawned_drives.get(drive_id);
    if (named?.importing) throw new Unavailable('importing');
    return named !== undefined;
  }

  /** Ids of all drives, in the order in which they were named. */
  async all(): Promise<readonly string[]> {
    const factory = await this.open(FACTORY_ID);
    await factory.settled();
    return [...factory.state.spawned_drives.ids()];
  }

  /** Drives in memory now, for metrics and shutdown. */
  inMemory(): IterableIterator<Drive> {
    return this.loaded.values();
  }

  /** The drive, loaded if need be. Callers have asked `exists` before. */
  async open(drive_id: string): Promise<Drive> {
    const spawning = this.spawning.get(drive_id);
    if (spawning) await spawning;
    const drive = this.loaded.get(drive_id) ?? (await this.load(drive_id));
    drive.last_used_ms = this.clock();
    return drive;
  }

  /** The drive if it can be read this moment: in memory, and nothing undurable in its state. */
  ready(drive_id: string): Drive | undefined {
    const drive = this.loaded.get(drive_id);
    if (drive?.is_settled !== true) return undefined;
    drive.last_used_ms = this.clock();
    return drive;
  }

  /** Answers a question from the drive's durable state; the drive stays in memory until it is answered. */
  async read<T>(drive_id: string, question: (drive: Drive) => T | Promise<T>): Promise<T> {
    const drive = this.ready(drive_id) ?? (await this.openUsable(drive_id));
    return holding(drive, async () => {
      if (!drive.is_settled) await drive.settled();
      return question(drive);
    });
  }

  /** Runs a task that rests on a drive, which stays in memory meanwhile. */
  async hold<T>(drive_id: string, task: (drive: Drive) => T | Promise<T>): Promise<T> {
    const drive = await this.openUsable(drive_id);
    return holding(drive, () => task(drive));
  }

  /**
   * Runs a command. Resolves once its events are durable and the read model shows them, or it is
   * refused; a dry run resolves without having changed anything. @throws Unavailable
   */
  async run<Command, Answer>(
    drive_id: string,
    definition: CommandDefinition<Command, Answer>,
    command: Command,
    request: CommandRequest,
  ): Promise<Outcome<Answer>> {
    const [settled] = await this.runEach(drive_id, [{ definition, command }], request);
    if (settled!.status === 'rejected') throw settled!.reason;
    return settled!.value as Outcome<Answer>;
  }

  /**
   * Runs the commands of one request in their order, each its own transaction: a refused one stops
   * none of the others. They share an append if it holds them; with an idempotency key it must, or
   * all are refused. What fails (Unavailable, a bug) fails by itself.
   */
  async runEach(
    drive_id: string,
    commands: readonly CommandOfMany[],
    request: CommandRequest,
  ): Promise<PromiseSettledResult<Outcome<unknown>>[]> {
    const all = asked(commands, request);
    const settled: PromiseSettledResult<Settled>[] = request.dry_run
      ? (await this.hold(drive_id, (drive) => drive.dryRun(all))).map(fulfilled)
      : await Promise.allSettled(this.enqueue(await this.openUsable(drive_id), all));
    const outcomes: PromiseSettledResult<Outcome<unknown>>[] = [];
    // One after another: each may have to fold a state of the past.
    for (const [at, one] of settled.entries())
      outcomes.push(
        one.status === 'rejected'
          ? one
          : fulfilled(await this.outcomeOf(drive_id, all[at]!, one.value)),
      );
    return outcomes;
  }

  /**
   * Runs commands in order, all of them or, from the first refusal on, none; answered by the list of
   * their results. @throws Unavailable, and what a preparation throws
   */
  async transact(
    drive_id: string,
    steps: readonly Preparation[],
    request: CommandRequest,
  ): Promise<Outcome<readonly unknown[]>> {
    const all = { ...asked([{ definition: NO_COMMAND, command: null }], request)[0]!, steps };
    for (;;) {
      const [settled] = request.dry_run
        ? await this.hold(drive_id, (drive) => drive.dryRun([all]))
        : await Promise.all(this.enqueue(await this.openUsable(drive_id), [all]));
      if (!isPending(settled!))
        return this.outcomeOf(drive_id, all, settled!) as Promise<Outcome<readonly unknown[]>>;
      await settled.pending;
    }
  }

  private async outcomeOf(
    drive_id: string,
    one: Asked,
    settled: Settled,
  ): Promise<Outcome<unknown>> {
    if (isPending(settled)) throw new Error('only the commands of a transaction may be pending');
    return isRepeated(settled) ? this.presentAgain(drive_id, one, settled.repeated) : settled;
  }

  /**
   * What a request answered when it was done before under its idempotency key; null if it was not.
   * For what does more than append; `run` asks by itself.
   */
  recall<Command, Answer>(
    drive_id: string,
    definition: CommandDefinition<Command, Answer>,
    command: Command,
    request: CommandRequest,
  ): Promise<Outcome<Answer> | null> {
    return this.read(drive_id, (drive) => {
      const use = repetition(request, drive.folded.keys, drive.now());
      if (!use) return null;
      if (isRefusal(use)) return { refusal: use, revision: drive.head.revision };
      const [one] = asked([{ definition, command }], request);
      return this.presentAgain(drive_id, one!, use) as Promise<Outcome<Answer>>;
    });
  }

  private presentAgain(drive_id: string, one: Asked, use: KeyUse): Promise<Outcome<unknown>> {
    const present = one.steps ? presentAllAgain : presentAgain;
    return this.hold(drive_id, (drive) => present(this, drive, one, use));
  }

  /**
   * Makes a new drive: its own stream first, then the factory's word that it exists. A crash or a
   * lost race in between leaves a stream that is no drive.
   */
  async spawn<Spawn, Name, Answer>(
    drive_id: string,
    spawn: { definition: CommandDefinition<Spawn, Answer>; command: Spawn },
    name: { definition: CommandDefinition<Name, unknown>; command: Name },
    request: CommandRequest,
  ): Promise<Outcome<Answer>> {
    do {
      await this.spawning.get(drive_id);
      // There already: its own state refuses, and nothing of it may be touched here.
      if (await this.exists(drive_id))
        return this.run(drive_id, spawn.definition, spawn.command, request);
    } while (this.spawning.has(drive_id));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.spawning.set(drive_id, promise);
    let is_named = false;
    try {
      const drive = await this.build(drive_id);
      // A stream that is new knows no key that was used.
      const [spawning] = this.enqueue(drive, asked([spawn], request));
      const spawned = (await spawning) as Outcome<Answer>;
      if (isRefused(spawned)) return spawned;
      const named = await this.run(FACTORY_ID, name.definition, name.command, request);
      if (isRefused(named)) return named;
      is_named = true;
      this.keep(drive);
      return spawned;
    } finally {
      if (!is_named) await this.read_model.forget(drive_id);
      this.spawning.delete(drive_id);
      resolve();
    }
  }

  /** Lets every command that was taken finish, then stores what is only in memory. */
  async close(): Promise<void> {
    this.stopping = true;
    clearInterval(this.presence_timer);
    // What is being loaded or made ends by itself: its next command is turned away.
    await Promise.allSettled([...this.spawning.values(), ...this.active.values()]);
    await Promise.all([...this.loaded.values()].map((drive) => drive.idle()));
    await this.snapshotter.idle();
    await this.indexer.close();
    await this.log.close();
    await this.flushPresence();
  }

  private enqueue(drive: Drive, all: readonly Asked[]): Promise<Settled>[] {
    if (this.stopping) throw new Unavailable('stopping');
    const calls: Call[] = [];
    const outcomes = all.map((one) => {
      const { promise, resolve, reject } = Promise.withResolvers<Settled>();
      calls.push({ ...one, settle: resolve, fail: reject, attempts: 0 });
      return promise;
    });
    drive.enqueue(...calls);
    return outcomes;
  }

  /** The drive; between finding and using it another load may have pushed it out. */
  private async openUsable(drive_id: string): Promise<Drive> {
    let drive = await this.open(drive_id);
    while (drive.is_evicted) drive = await this.open(drive_id);
    return drive;
  }

  private load(drive_id: string): Promise<Drive> {
    let loading = this.active.get(drive_id);
    if (!loading) {
      loading = this.cold_loads
        .run(() => this.build(drive_id))
        .then((drive) => this.keep(drive))
        .finally(() => this.active.delete(drive_id));
      this.active.set(drive_id, loading);
    }
    return loading;
  }

  private async build(drive_id: string): Promise<Drive> {
    const loaded = await this.loader.load(drive_id, { to: Infinity }).catch((error: unknown) => {
      if (!(error instanceof BrokenStream)) throw error;
      this.report('stream broken, not served', drive_id, error);
      throw new Unavailable('broken', { cause: error });
    });
    // After the events: keys are stored before what they seal, so every key in use is found.
    const [keys, seen] = await Promise.all([
      this.side.keys.all(drive_id),
      this.side.presence.load(drive_id),
    ]);
    const generation = newGeneration();
    const drive = new Drive(
      drive_id,
      loaded.folded,
      new Keyring(drive_id, keys, lacksKeys(loaded.folded.state, keys)),
      new Presence(seen),
      positionOf(loaded),
      generation,
      this.services,
    );
    await drive.forgetErased();
    this.snapshotter.loaded(drive_id, loaded.snapshot_revision ?? -1);
    await this.read_model.build(drive_id, generation, drive.place, drive.source);
    await this.read_model.activate(drive_id, generation);
    return drive;
  }

  private keep(drive: Drive): Drive {
    drive.last_used_ms = this.clock();
    this.loaded.set(drive.drive_id, drive);
    this.evict(drive);
    return drive;
  }

  /**
   * Lets go of the drives unused for longest while all together take more than the budget; not of the
   * one just loaded, for which somebody waits.
   */
  private evict(wanted?: Drive): void {
    let bytes = 0;
    for (const drive of this.loaded.values()) bytes += driveBytes(drive);
    if (bytes <= this.options.limits.state_cache_bytes) return;
    const idle = [...this.loaded.values()]
      .filter((drive) => drive !== wanted && drive.drive_id !== FACTORY_ID)
      .filter((drive) => !drive.is_busy && drive.holders === 0)
      .sort((a, b) => a.last_used_ms - b.last_used_ms);
    for (const drive of idle) {
      if (bytes <= this.options.limits.state_cache_bytes) return;
      bytes -= driveBytes(drive);
      this.loaded.delete(drive.drive_id);
      drive.is_evicted = true;
      this.indexer.forget(drive.drive_id);
      void this.savePresence(drive);
      this.read_model
        .forget(drive.drive_id)
        .catch((error: unknown) => this.report('read model not freed', drive.drive_id, error));
    }
  }

  /** Presence is no history, so superswap moves it beside the stream. */
  private movePresence(drive: Drive, touched: readonly TouchedKey[]): void {
    for (const { family, id } of touched) {
      const swap = family === 'superswaps' ? drive.state.superswaps.get(id) : undefined;
      if (!swap) continue;
      const { old_user_id, new_user_id } = swap;
      drive.presence.rename(old_user_id, new_user_id);
      this.side.presence
        .rename(drive.drive_id, old_user_id, new_user_id)
        .catch((error: unknown) => this.report('presence not moved', drive.drive_id, error));
    }
  }

  private async flushPresence(): Promise<void> {
    await Promise.all([...this.loaded.values()].map((drive) => this.savePresence(drive)));
  }

  private async savePresence(drive: Drive): Promise<void> {
    const seen = drive.presence.takeUnsaved();
    if (seen.size === 0) return;
    try {
      await this.side.presence.save(drive.drive_id, seen);
    } catch (error) {
      drive.presence.putBack(seen);
      this.report('presence not saved', drive.drive_id, error);
    }
  }
}

/**
 * True if the drive's secrets lie under a key that is not here: another one under its name would make
 * them unreadable for good. Every drive has such secrets from its first event, the factory once a card
 * holds a disk.
 */
function lacksKeys(state: DriveState, keys: ReadonlyMap<string, Uint8Array>): boolean {
  if (keys.has(DRIVE_KEY_ID) || state.revision < 0) return false;
  if (state.drive_id !== FACTORY_ID) return true;
  const under_key = new Set([DRIVE_KEY_ID]);
  return [...state.giftcards.values()].some((card) => isUnder(card, under_key));
}

async function holding<T>(drive: Drive, task: () => T | Promise<T>): Promise<T> {
  drive.holders++;
  try {
    return await task();
  } finally {
    drive.holders--;
  }
}

/** Stands where a transaction has its own commands. */
const NO_COMMAND: CommandDefinition<never, never> = {
  name: '',
  decide() {
    throw new Error('a transaction is decided command by command');
  },
  answer() {
    throw new Error('a transaction is answered command by command');
  },
};

function fulfilled<T>(value: T): PromiseFulfilledResult<T> {
  return { status: 'fulfilled', value };
}

function asked(commands: readonly CommandOfMany[], request: CommandRequest): Asked[] {
  return commands.map(({ definition, command }, command_index) => ({
    definition: definition as CommandDefinition<unknown, unknown>,
    command,
    request,
    command_index,
  }));
}

/** Memory that a state takes, bytes. */
export function estimatedBytes(state: DriveState): number {
  return state.tables.reduce((sum, table) => sum + table.size, 0) * BYTES_PER_RECORD;
}

/** Memory that a drive takes, bytes. */
function driveBytes({ folded }: Drive): number {
  return estimatedBytes(folded.state) + folded.keys.size * BYTES_PER_KEY;
}
