import { setImmediate as nextTurn, setTimeout as after } from 'node:timers/promises';
import type { Caller, Context, DomainSettings } from '../domain/drive/decision.js';
import type { TouchedKey } from '../domain/kernel/journal.js';
import {
  AppendOutcomeUnknown,
  type EventStore,
  WrongExpectedRevision,
} from '../event-store/port.js';
import type { KeyVault } from '../event-store/stores.js';
import type { DocumentSource, ReadModel, StreamPlace } from '../read-model/port.js';
import type { RecordBase } from '../domain/kernel/table.js';
import { Box, DRIVE_KEY_ID } from '../domain/kernel/sealed.js';
import {
  type Batch,
  type BatchInput,
  decideBatch,
  decideDry,
  restore,
  type WriterPosition,
} from './batch.js';
import {
  type Asked,
  type Call,
  type DecidedEvent,
  type Settled,
  Unavailable,
  type UnavailableReason,
} from './call.js';
import { Erasure } from './erasure.js';
import { foldOnto, streamOf } from './fold.js';
import type { Keyring } from './keyring.js';
import type { EngineLimits } from './limits.js';
import type { Presence } from './presence.js';
import type { FoldedState } from './snapshot.js';
import { stateSource } from './source.js';

const FIRST_RETRY_MS = 20;
const LONGEST_RETRY_MS = 500;

/** Another process made the drive's key first; what was sealed under ours must be decided again. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** What a drive needs of the process it lives in. */
export interface DriveServices {
  readonly events: EventStore;
  readonly keys: KeyVault;
  readonly read_model: ReadModel;
  readonly limits: EngineLimits;
  readonly settings: DomainSettings;
  /** Milliseconds since epoch. */
  readonly clock: () => number;
  /**
   * Asked before every append, with the records that the batch changes; what it answers is waited for,
   * and its failure is the batch's.
   */
  readonly appending: (drive: Drive, touched: readonly TouchedKey[]) => Promise<void> | null;
  /** Told when texts of a drive can no longer be read. */
  readonly forgotten: (drive_id: string) => void;
  /** Told of failures that end no call. */
  readonly report: (what: string, drive_id: string, error: unknown) => void;
  /**
   * Told of the records that changed after every batch that became durable, before its answers, and of
   * its events if this process made them.
   */
  readonly advanced: (
    drive: Drive,
    touched: readonly TouchedKey[],
    decided: readonly DecidedEvent[],
  ) => void;
}

/**
 * One active drive: its state, and the single queue through which all its commands go. Waiting
 * commands are decided together and appended in one write; nobody is answered, and no query sees
 * anything, before that write is durable.
 */
export class Drive {
  private readonly queue: Call[] = [];
  private working = false;
  /** Resolves once the queue has been worked off. */
  private worked_off: Promise<void> = Promise.resolve();
  /** Resolves once the batch in flight is durable or undone. */
  private in_flight: Promise<void> | null = null;
  /** The wait for it that readers share. */
  private awaited: Promise<void> | null = null;
  private readonly exclusive_tasks: (() => Promise<void>)[] = [];
  private readonly erasure: Erasure;
  last_used_ms = 0;
  /** Tasks that rest on this object; it is not let go of meanwhile. */
  holders = 0;
  /** True once the process has let go of this object; it must not run commands any more. */
  is_evicted = false;

  constructor(
    readonly drive_id: string,
    public folded: FoldedState,
    readonly keyring: Keyring,
    readonly presence: Presence,
    private position: WriterPosition,
    /** Generation of the read model that follows this drive. */
    public generation: string,
    private readonly services: DriveServices,
  ) {
    const forgotten = (): void => services.forgotten(drive_id);
    this.erasure = new Erasure(drive_id, keyring, services.keys, forgotten, folded.state.subjects);
  }

  get state() {
    return this.folded.state;
  }

  /** Where the stream stands as far as it is durable. Only valid between batches. */
  get head(): WriterPosition {
    return this.position;
  }

  /** The same place as whatever is derived from the stream names it. */
  get place(): StreamPlace {
    const { revision, last_hash: event_hash } = this.position;
    return { revision, event_hash };
  }

  /** True while commands wait, run, or hold the drive for themselves. */
  get is_busy(): boolean {
    return this.working || this.queue.length > 0;
  }

  /** Commands in the queue. */
  get waiting(): number {
    return this.queue.length;
  }

  get source(): DocumentSource {
    return stateSource(this.folded.state, this.keyring.open);
  }

  /** What decisions and answers rest on; `now` is never before the last event. */
  context(caller: Caller, now: number = this.now()): Context {
    return {
      state: this.folded.state,
      now,
      caller,
      open: this.keyring.open,
      settings: this.services.settings,
      lastOnline: this.presence.lastOnline,
      masked: false,
    };
  }

  /** The drive's time: the clock, but never before the last event. */
  now(): number {
    return Math.max(this.services.clock(), this.folded.state.timestamp_ms);
  }

  /** Puts a request's commands in the queue, next to each other. */
  enqueue(...calls: readonly Call[]): void {
    if (this.queue.length + calls.length > this.services.limits.queue_max_commands) {
      for (const call of calls) call.fail(new Unavailable('overloaded'));
      return;
    }
    this.queue.push(...calls);
    this.wake();
  }

  /** Decides a request's commands on the durable state and takes them back: nobody sees them, nothing is stored. */
  async dryRun(commands: readonly Asked[]): Promise<Settled[]> {
    await this.settled();
    if (this.unwritable) throw new Unavailable(this.unwritable);
    return decideDry(commands, this.deciding());
  }

  /** Runs a task between two batches, with the queue held until it is done. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.exclusive_tasks.push(() => task().then(resolve, reject));
      this.wake();
    });
  }

  /** True while nothing undurable is in the state. */
  get is_settled(): boolean {
    return this.in_flight === null;
  }

  /** Resolves when nothing undurable is in the state; at most `read_wait_ms`, then throws `busy`. */
  async settled(): Promise<void> {
    // Everybody who waits for one batch shares one timer.
    while (this.in_flight) await (this.awaited ??= this.settledInTime(this.in_flight));
  }

  private async settledInTime(batch: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const too_late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unavailable('busy')), this.services.limits.read_wait_ms);
      timer.unref();
    });
    try {
      await Promise.race([batch, too_late]);
    } finally {
      clearTimeout(timer);
      this.awaited = null;
    }
  }

  /**
   * Brings state and read model to a revision, should another process have appended it. False if the
   * stream has no such revision. @throws Unavailable `behind` if that takes longer than `wait_ms`
   */
  async reach(revision: number, wait_ms: number): Promise<boolean> {
    const { events, read_model } = this.services;
    if (this.position.revision < revision) {
      const head = await events.head(streamOf(this.drive_id));
      if ((head?.revision ?? -1) < revision) return false;
    }
    const is_there = async (): Promise<boolean> =>
      this.position.revision >= revision &&
      ((await read_model.checkpoint(this.drive_id))?.revision ?? -1) >= revision;
    const deadline = performance.now() + wait_ms;
    for (
      let pause_ms = 1;
      !(await is_there());
      pause_ms = Math.min(2 * pause_ms, LONGEST_RETRY_MS)
    ) {
      const left_ms = deadline - performance.now();
      if (left_ms <= 0) throw new Unavailable('behind');
      const following = this.position.revision < revision ? [this.follow()] : [];
      // Whoever fails to read on tries again, as long as there is time.
      const settled = Promise.all(following).catch(() => after(Math.min(pause_ms, left_ms)));
      await Promise.race([settled, after(left_ms, undefined, { ref: false })]);
      if (following.length === 0) await after(Math.min(pause_ms, left_ms));
    }
    return true;
  }

  /** Folds in what other processes appended; whoever reads meanwhile waits. */
  follow(): Promise<void> {
    return this.exclusively(async () => {
      const following = this.catchUp();
      this.in_flight = following.catch(() => {}).finally(() => (this.in_flight = null));
      await following;
    });
  }

  /** Resolves when no command waits or runs any more. */
  async idle(): Promise<void> {
    while (this.is_busy) await this.worked_off;
  }

  /** Takes over a state folded anew, at the same revision as the present one. */
  adopt(folded: FoldedState, generation: string): void {
    if (folded.state.revision !== this.position.revision)
      throw new Error('a state can only be adopted at the drive’s own revision');
    // What was folded anew has no keys; they stay the same.
    folded.keys = this.folded.keys;
    this.folded = folded;
    this.generation = generation;
  }

  private wake(): void {
    if (this.working) return;
    this.working = true;
    // A turn later, so that commands that arrive together are decided together.
    this.worked_off = new Promise((resolve) => {
      setImmediate(() => void this.work().finally(resolve));
    });
  }

  private async work(): Promise<void> {
    while (this.queue.length > 0 || this.exclusive_tasks.length > 0) {
      const task = this.exclusive_tasks.shift();
      if (task) {
        await task();
        continue;
      }
      if (this.unwritable) {
        for (const call of this.queue.splice(0)) call.fail(new Unavailable(this.unwritable));
        continue;
      }
      const batch = this.decide();
      if (batch.events.length === 0) {
        answer(batch);
        continue;
      }
      this.in_flight = this.settle(batch).finally(() => (this.in_flight = null));
      await this.in_flight;
      // Whoever waited to read goes first: they look at the state before the next batch changes it.
      await nextTurn();
    }
    this.working = false;
  }

  /** Why no command can be decided, if none can. */
  private get unwritable(): UnavailableReason | null {
    if (this.state.unknown_events.size > 0) return 'closed';
    return this.keyring.is_foreign ? 'sealed' : null;
  }

  private decide(): Batch {
    return decideBatch(this.queue, this.deciding());
  }

  private deciding(): BatchInput {
    return {
      folded: this.folded,
      keyring: this.keyring,
      before: this.position,
      limits: this.services.limits,
      now: this.now(),
      context: (caller, now) => this.context(caller, now),
    };
  }

  /** Makes a batch durable and answers it, or undoes it. Never throws. */
  private async settle(batch: Batch): Promise<void> {
    try {
      // Keys first: an event whose key is lost could never be read again.
      await this.storeKeys();
      await this.services.appending(this, batch.touched);
      await this.append(batch);
    } catch (error) {
      restore(this.folded, 0, batch.before);
      return this.fail(batch, error);
    }
    this.position = batch.after;
    this.folded.state.journal.forget();
    try {
      await this.erasure.enforce(this.state.subjects);
      await this.project(batch.before.revision, batch.after.revision, batch.touched);
    } catch (error) {
      // The events are durable, only not all that follows from them: whoever repeats the call finds out.
      for (const { call } of batch.answers)
        call.fail(new Unavailable('outcome-unknown', { cause: error }));
      return;
    }
    this.services.advanced(this, batch.touched, batch.decided);
    answer(batch);
    this.position.frontier.settle();
  }

  /** Brings the read model to a later revision; rebuilds it should it not follow. */
  private async project(
    from_revision: number,
    revision: number,
    touched: readonly TouchedKey[],
  ): Promise<void> {
    const { read_model } = this.services;
    const { drive_id, generation, source } = this;
    const place = { revision, event_hash: this.position.last_hash };
    if (await read_model.apply({ drive_id, generation, from_revision, ...place, touched, source }))
      return;
    await read_model.forget(drive_id);
    await read_model.build(drive_id, generation, place, source);
    await read_model.activate(drive_id, generation);
  }

  /** Stores keys made while deciding. @throws KeyTaken */
  private async storeKeys(): Promise<void> {
    const { keyring, drive_id, services } = this;
    const { unsaved } = keyring;
    if (unsaved.size === 0) return;
    await services.keys.put(drive_id, unsaved);
    // Subjects' keys have ids of their own; the drive's two processes may make at one time.
    const made = unsaved.get(DRIVE_KEY_ID);
    const stored = made && (await services.keys.get(drive_id, DRIVE_KEY_ID));
    keyring.saved(unsaved.keys());
    if (!stored || Buffer.from(stored).equals(made)) return;
    keyring.learn(DRIVE_KEY_ID, stored);
    throw new KeyTaken();
  }

  /** Appends exactly this batch, again and again while its outcome is unknown and time is left. */
  private async append(batch: Batch): Promise<void> {
    const { events, limits, clock } = this.services;
    const deadline = clock() + limits.append_deadline_ms;
    for (let wait_ms = FIRST_RETRY_MS; ; wait_ms = Math.min(2 * wait_ms, LONGEST_RETRY_MS)) {
      try {
        await events.append(streamOf(this.drive_id), batch.before.revision, batch.events);
        return;
      } catch (error) {
        if (!(error instanceof AppendOutcomeUnknown)) throw error;
        if (clock() + wait_ms > deadline) throw error;
        await after(wait_ms * (0.5 + Math.random()), undefined, { ref: false });
      }
    }
  }

  /** The batch is undone: tells its callers, or (another writer was first) decides it again. */
  private async fail(batch: Batch, error: unknown): Promise<void> {
    const calls = batch.answers.map(({ call }) => call);
    const failure =
      error instanceof AppendOutcomeUnknown
        ? new Unavailable('outcome-unknown', { cause: error })
        : new Unavailable('store-failed', { cause: error });
    // Whatever failed, the store may hold events this process has not seen: look before deciding on.
    try {
      await this.catchUp();
    } catch {
      // Deciding on a stale state is safe: the expected revision refuses it again.
      for (const call of calls) call.fail(failure);
      return;
    }
    if (!(error instanceof WrongExpectedRevision || error instanceof KeyTaken)) {
      for (const call of calls) call.fail(failure);
      return;
    }
    const retried: Call[] = [];
    for (const call of calls) {
      if (++call.attempts > this.services.limits.conflict_retries)
        call.fail(new Unavailable('conflict', { cause: error }));
      else retried.push(call);
    }
    this.queue.unshift(...retried);
    if (retried.length > 0) await after(Math.random() * FIRST_RETRY_MS, undefined, { ref: false });
  }

  /** Folds in what other writers appended. Should that fail on the way, the rest is left for later. */
  async catchUp(): Promise<void> {
    const from_revision = this.position.revision;
    const touched: TouchedKey[] = [];
    const { events } = this.services;
    // First the keys: a state that knew its events but not their keys would do a command twice.
    await this.folded.keys.read(events, streamOf(this.drive_id));
    const failure = await foldOnto(this.folded, events, {
      to: this.folded.keys.seen,
      touched: (keys, event) => {
        // One by one: a cascade may touch more records than a call may have arguments.
        for (const key of keys) touched.push(key);
        this.position = { ...this.position, last_hash: event.hash, last_touched: keys };
      },
    }).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const { state, frontier } = this.folded;
    const { revision, timestamp_ms } = state;
    this.position = { ...this.position, revision, timestamp_ms, frontier: frontier.settle() };
    if (revision > from_revision) {
      await this.learnKeys(touched);
      await this.forgetErased();
      await this.project(from_revision, revision, touched);
      this.services.advanced(this, touched, []);
    }
    if (failure) throw failure.error;
  }

  /** Destroys the keys of people whom others erased; a failure is reported, and the next batch tries again. */
  async forgetErased(): Promise<void> {
    try {
      await this.erasure.enforce(this.state.subjects);
    } catch (error) {
      this.services.report('keys of erased people not destroyed', this.drive_id, error);
    }
  }

  /** Takes in the keys that other writers stored before they appended what these records hold. */
  private async learnKeys(touched: readonly TouchedKey[]): Promise<void> {
    const missing = new Set<string>();
    for (const { family, id } of touched)
      for (const value of valuesOf(this.state.table(family)!.get(id)))
        if (value instanceof Box && !this.keyring.has(value.key_id)) missing.add(value.key_id);
    for (const key_id of missing) {
      const key = await this.services.keys.get(this.drive_id, key_id);
      if (key) this.keyring.learn(key_id, key);
    }
  }
}

function valuesOf(record: RecordBase | undefined): unknown[] {
  return record ? Object.values(record) : [];
}

function answer(batch: Batch): void {
  for (const { call, outcome } of batch.answers) call.settle(outcome);
}
