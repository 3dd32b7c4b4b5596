import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller, Context } from '../../domain/foundation/decision.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import {
  AppendOutcomeUnknown,
  isUnreachable,
  SideStoreUnreachable,
  type StoredEvent,
  WrongExpectedRevision,
} from '../../event-store/port.js';
import type { Checkpoint, DocumentSource, StreamPlace } from '../../read-model/port.js';
import {
  type Batch,
  type BatchInput,
  decideBatch,
  decideDry,
  rollBack,
  type WriterPosition,
} from './batch.js';
import {
  type QueuedCommand,
  type Call,
  type CommandResult,
  Unavailable,
  type UnavailableReason,
} from './call.js';
import type { DriveServices } from './drive-services.js';
import { Erasure } from '../keys/erasure.js';
import { foldOnto, type StreamSource, streamOf } from '../fold/fold.js';
import { InFlight } from './in-flight.js';
import type { Keyring } from '../keys/keyring.js';
import { learnKeys } from '../keys/learn-keys.js';
import type { Presence } from '../read-models/presence.js';
import { BackPressure } from './back-pressure.js';
import { Projector, type Rendered } from '../read-models/projector.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { stateSource } from '../read-models/source.js';
import { harmIn, unknownEvents } from '../following/stream-harm.js';
import { workFor } from '../tasks/question.js';
import { WriteTurns } from './write-turns.js';
import { appendBatch, KeyTaken, storeKeys } from './append-batch.js';

/** Events that others appended, folded and projected together. */
const FOLDED_AT_ONCE = 5_000;

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
  private readonly in_flight: InFlight;
  private readonly exclusive_tasks: (() => Promise<void>)[] = [];
  private readonly erasure: Erasure;
  private readonly projector: Projector;
  /** Where others bring the read model up. */
  private readonly back_pressure: BackPressure | null;
  private readonly turns: WriteTurns;
  /** Revision of the last command that this process answered. */
  answered_revision = -1;
  /** Where a read model that others may bring up stood when it was asked last. */
  found_revision = -1;
  last_used_ms = 0;
  /** Bytes of the bodies of all events since it was loaded. */
  folded_bytes = 0;
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
    private readonly services: DriveServices<Drive>,
  ) {
    this.projector = new Projector(drive_id, services);
    const { read_model, role, limits } = services;
    const { read_model_lag_events: most_events, projection_wait_ms: wait_ms } = limits;
    this.back_pressure =
      read_model.durable && !role.maintains
        ? new BackPressure(drive_id, read_model, { most_events, wait_ms })
        : null;
    this.turns = new WriteTurns(role, services.timer);
    this.in_flight = new InFlight(services.limits.read_wait_ms);
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

  /** True if the drive has come to a revision, and its read model as far as that is this process's work. */
  hasReached(revision: number): boolean {
    return this.position.revision >= revision && !this.projector.isBehind(revision);
  }

  /** Events that the read model lacks, as far as it is this process's work to bring it up. */
  get lag_events(): number {
    return this.projector.lagOf(this.position.revision);
  }

  /** Generation of the read model that follows this drive. */
  get generation(): string {
    return this.projector.generation;
  }

  /**
   * Brings up the read model of a drive just loaded: one that stands where the drive does is taken up and
   * follows to the end of the stream; without one it is made.
   */
  async openReadModel(checkpoint: Checkpoint | null): Promise<void> {
    if (!checkpoint) return this.projector.build(this.rendered);
    this.projector.resume(checkpoint);
    await this.catchUp();
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
    this.last_used_ms = this.services.clock();
    this.queue.push(...calls);
    this.wake();
  }

  /** Decides a request's commands on the durable state and takes them back: nobody sees them, nothing is stored. */
  async dryRun(commands: readonly QueuedCommand[]): Promise<CommandResult[]> {
    await this.settled();
    if (this.unwritable) throw new Unavailable(this.unwritable);
    return decideDry(commands, this.deciding());
  }

  /** Runs a task between two batches, with the queue held until it is done. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.exclusive_tasks.push(() => task().then(resolve, reject));
      this.turns.interrupt();
      this.wake();
    });
  }

  /** True while nothing undurable is in the state. */
  get is_settled(): boolean {
    return this.in_flight.is_over;
  }

  /** Resolves when nothing undurable is in the state; at most `read_wait_ms`, then throws `busy`. */
  settled(): Promise<void> {
    return this.in_flight.over();
  }

  /** Folds in what other processes appended, and projects what is not projected; whoever reads meanwhile waits. */
  async follow(): Promise<void> {
    // Checked first: a read model that cannot be reached would hold up commands and reads for as long as it is tried.
    if (this.lag_events > 0) await this.services.read_model.checkpoint(this.drive_id);
    return this.exclusively(async () => {
      const following = this.catchUp();
      await this.in_flight.during(following.catch(() => {}));
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
    this.projector.adopt(generation);
  }

  private wake(): void {
    if (this.working) return;
    this.working = true;
    // A turn later, so that commands that arrive together are decided together.
    this.worked_off = new Promise((resolve) => {
      // Nobody's work in particular: it goes on whoever goes.
      workFor(undefined, () => setImmediate(() => void this.work().finally(resolve)));
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
        this.failWaiting(this.unwritable);
        continue;
      }
      // Commands that come meanwhile go along.
      if (this.turns.is_others) {
        await this.turns.leave();
        continue;
      }
      const turn = (await this.back_pressure?.turn(this.position.revision)) ?? 'decide';
      if (turn === 'refuse') this.failWaiting('read-model-behind');
      if (turn !== 'decide') continue;
      const batch = this.decide();
      if (batch.events.length === 0) {
        answer(batch);
        continue;
      }
      await this.in_flight.during(this.settle(batch));
      // Whoever waited to read goes first: they look at the state before the next batch changes it.
      await nextTurn();
    }
    this.working = false;
  }

  private failWaiting(reason: UnavailableReason): void {
    for (const call of this.queue.splice(0)) call.fail(new Unavailable(reason));
  }

  /** Why no command can be decided, if none can. */
  private get unwritable(): UnavailableReason | null {
    if (this.state.unknown_events.size > 0) return 'closed';
    if (this.services.harmed.isClosed(this.drive_id)) return 'broken';
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
    const { services, drive_id } = this;
    const { limits } = services;
    try {
      // Keys first: an event whose key is lost could never be read again.
      await storeKeys(services.keys, drive_id, this.keyring);
      await services.appending(this, batch.touched);
      const begun = services.timer.now();
      await appendBatch(
        services.events,
        drive_id,
        batch,
        services.clock,
        limits.append_deadline_ms,
        services.stopping,
      );
      this.turns.appended(services.timer.now() - begun);
    } catch (error) {
      rollBack(this.folded, batch);
      if (error instanceof SideStoreUnreachable)
        services.report('nothing appended: keys and jobs come first', drive_id, error);
      else services.appends.failed(drive_id, error, bytesOf(batch));
      return this.fail(batch, error);
    }
    services.appends.succeeded();
    this.position = batch.after;
    for (const { data } of batch.events) this.folded_bytes += data.length;
    this.folded.state.undo_log.forget();
    try {
      await this.erasure.enforce(this.state.subjects);
      await this.project(batch.before.revision, batch.touched);
    } catch (error) {
      // The events are durable, only not all that follows from them: whoever repeats the call finds out.
      if (this.lag_events > 0) services.lagging(this, error);
      for (const { call } of batch.answers)
        call.fail(new Unavailable('outcome-unknown', { cause: error }));
      return;
    }
    this.answered_revision = batch.after.revision;
    services.advanced(this, batch.touched, batch.decided);
    answer(batch);
    this.position.frontier.settle();
  }

  /** The batch is undone: tells its callers, or (another writer was first) decides it again. */
  private async fail(batch: Batch, error: unknown): Promise<void> {
    const calls = batch.answers.map(({ call }) => call);
    let failure = new Unavailable(this.isHarmedBy(error) ? 'broken' : reasonOf(error), {
      cause: error,
    });
    if (failure.reason === 'store-unavailable') {
      // Nothing was sent, and reading would find nobody either. Deciding on a stale state is safe, as below.
      for (const call of calls) call.fail(failure);
      return;
    }
    if (failure.reason === 'outcome-unknown' && this.services.stopping.aborted) {
      // Nobody waits for them any more, and those behind them would meet the same store.
      for (const call of calls) call.fail(failure);
      for (const call of this.queue.splice(0)) call.fail(new Unavailable('stopping'));
      return;
    }
    // Whatever failed, the store may hold events this process has not seen: look before deciding on.
    const { timer, limits } = this.services;
    try {
      await this.catchUp();
    } catch (why) {
      // Deciding on a stale state is safe: the expected revision refuses it again.
      const is_broken = why instanceof Unavailable && why.reason === 'broken';
      if (failure.reason === 'store-failed')
        if (is_broken) failure = why;
        else if (isUnreachable(why)) failure = new Unavailable('store-unavailable', { cause: why });
      for (const call of calls) call.fail(failure);
      return;
    }
    if (!(error instanceof WrongExpectedRevision || error instanceof KeyTaken)) {
      for (const call of calls) call.fail(failure);
      return;
    }
    const retried: Call[] = [];
    for (const call of calls) {
      call.conflicts += 1;
      call.first_conflict_ms ??= timer.now();
      const waited_ms = timer.now() - call.first_conflict_ms;
      if (call.conflicts > limits.conflict_retries && waited_ms >= limits.conflict_wait_ms)
        call.fail(new Unavailable('conflict', { cause: error }));
      else retried.push(call);
    }
    this.queue.unshift(...retried);
    if (retried.length > 0) await this.turns.spread();
  }

  /**
   * Folds in what other writers appended. Should that fail on the way, the rest is left for later.
   * @throws Unavailable `broken` where the stream is not what it must be; whatever the stores throw
   */
  async catchUp(): Promise<void> {
    try {
      await this.readToEnd();
    } catch (error) {
      throw this.isHarmedBy(error) ? new Unavailable('broken', { cause: error }) : error;
    }
    const { unknown_events } = this.state;
    if (unknown_events.size > 0)
      this.services.harmed.note(unknownEvents(this.drive_id, unknown_events));
  }

  /**
   * True for an error that says something against the stream; it is noted unless the drive is only being made. A gap
   * met on the way says nothing: the next read may bring what this one lacked.
   */
  private isHarmedBy(error: unknown): boolean {
    const harm = harmIn(this.drive_id, error);
    if (!harm || harm.kind === 'broken') return false;
    return this.position.revision < 0 || this.services.harmed.noticed(this.drive_id, error);
  }

  private async readToEnd(): Promise<void> {
    const { keys } = this.folded;
    const { events, timer } = this.services;
    const begun = timer.now();
    // First the keys: a state that knew its events but not their keys would do a command twice.
    const few = await keys.read(events, streamOf(this.drive_id));
    const source = few[0]?.revision === this.position.revision + 1 ? inMemory(few) : events;
    const is_behind = this.position.revision < keys.seen;
    while (this.position.revision < keys.seen && (await this.foldOn(keys.seen, source)));
    if (is_behind) this.turns.caughtUp(timer.now() - begun);
    // What could not be projected when it was folded in.
    if (this.projector.isBehind(this.position.revision)) await this.projector.repair(this.rendered);
  }

  /** Folds in the next events, at most up to a revision; false if there were none. */
  private async foldOn(to: number, source: StreamSource): Promise<boolean> {
    const from_revision = this.position.revision;
    const touched: TouchedKey[] = [];
    const failure = await foldOnto(this.folded, source, {
      to: Math.min(to, from_revision + FOLDED_AT_ONCE),
      touched: (keys, event) => {
        // One by one: a cascade may touch more records than a call may have arguments.
        for (const key of keys) touched.push(key);
        this.folded_bytes += event.data.length;
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
      this.turns.othersWrote();
      await learnKeys(this.services.keys, this.keyring, state, touched);
      await this.forgetErased();
      try {
        await this.project(from_revision, touched);
      } catch (error) {
        this.services.lagging(this, error);
        throw error;
      }
      this.services.advanced(this, touched, []);
    }
    if (failure) throw failure.error;
    return revision > from_revision;
  }

  /** Brings the read model to where the drive stands now. */
  private project(from_revision: number, touched: readonly TouchedKey[]): Promise<void> {
    return this.projector.follow(from_revision, touched, this.rendered);
  }

  private get rendered(): Rendered {
    return { place: this.place, source: this.source };
  }

  /** Destroys the keys of people whom others erased; a failure is reported, and the next batch tries again. */
  async forgetErased(): Promise<void> {
    try {
      await this.erasure.enforce(this.state.subjects);
    } catch (error) {
      this.services.report('keys of erased people not destroyed', this.drive_id, error);
    }
  }
}

function reasonOf(error: unknown): UnavailableReason {
  if (error instanceof AppendOutcomeUnknown) return 'outcome-unknown';
  return isUnreachable(error) ? 'store-unavailable' : 'store-failed';
}

/** Events that were read already, as a store of their own. */
function inMemory(events: readonly StoredEvent[]): StreamSource {
  const first = events[0]!.revision;
  const read = async (from: number, limit: number): Promise<readonly StoredEvent[]> =>
    events.slice(from - first, from - first + limit);
  return {
    readStream: (_, from, __, limit) => read(from, limit),
    readFoldable: (_, from, limit) => read(from, limit),
  };
}

function bytesOf({ events }: Batch): number {
  let bytes = 0;
  for (const { data, metadata } of events)
    bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata);
  return bytes;
}

function answer(batch: Batch): void {
  for (const { call, outcome } of batch.answers) call.settle(outcome);
}
