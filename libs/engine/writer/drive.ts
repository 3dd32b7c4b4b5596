import { type Caller, type Context, Visits } from '../../domain/foundation/decision.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { isUnreachable, SideStoreUnreachable, type StoredEvent } from '../../event-store/port.js';
import type { Checkpoint, StateIndex, StreamPlace } from '../../read-model/port.js';
import { type Batch, decideBatch, rollBack } from './batch.js';
import type { DecisionInput, WriterPosition } from './decide-command.js';
import { decideDry } from './dry-run.js';
import {
  type QueuedCommand,
  type Call,
  type CommandResult,
  Unavailable,
  type UnavailableReason,
} from './call.js';
import type { DriveServices } from './drive-services.js';
import { Erasure } from '../keys/erasure.js';
import type { Keyring } from '../keys/keyring.js';
import { learnKeys } from '../keys/learn-keys.js';
import { checking, foldOnto, inMemory, type StreamSource, streamOf } from '../fold/fold.js';
import { DriveQueue, InFlight } from './drive-queue.js';
import type { Presence } from '../read-models/presence.js';
import { Appending } from './appending.js';
import { BackPressure } from './back-pressure.js';
import { Projector, type Rendered } from '../read-models/projector.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { Abandoned, runForQuery } from '../tasks/long-query.js';
import { inTurns, nowOrInTurns } from '../tasks/turns.js';
import { stateSource } from '../read-models/source.js';
import { damageIn, unknownEvents } from '../following/stream-damage.js';
import { decisionOutcome } from '../following/write-observer.js';
import { WriteTurns } from './write-turns.js';
import { appendBatch, isConflict, reasonOf, storeKeys } from './append-batch.js';

/** Maximum foreign events folded and projected together. */
const FOLDED_AT_ONCE = 5_000;

/**
 * One active drive: its state, and the single queue of its commands. Queued commands are decided together and
 * appended in one write. No command is answered, and no query sees the changes, before that write is durable.
 */
export class Drive {
  readonly queue: DriveQueue;
  private readonly in_flight: InFlight;
  private readonly erasure: Erasure;
  /** Null if the read model is an index over the state. */
  private readonly projector: Projector | null;
  /** The index over the state; null if the read model is durable. */
  private index: StateIndex | null;
  /** Only if other processes update the read model. */
  private readonly back_pressure: BackPressure | null;
  private readonly turns: WriteTurns;
  private readonly appending = new Appending();
  /** Revision of the last command that this process has acknowledged. */
  answered_revision = -1;
  /** Revision of a read model that other processes may update, at the last check. */
  found_revision = -1;
  /** True while a task in flight waits for a store and leaves the state as it is. */
  private is_waiting = false;
  /** By the monotonic timer. */
  last_used_ms = 0;
  /** Bytes of the bodies of all events folded since it was loaded. */
  folded_bytes = 0;
  /** Tasks that use this object; it is not evicted meanwhile. */
  holders = 0;
  /** True once this object is evicted; it must not run commands any more. */
  is_evicted = false;

  constructor(
    readonly drive_id: string,
    public folded: FoldedState,
    readonly keyring: Keyring,
    readonly presence: Presence,
    private position: WriterPosition,
    private readonly services: DriveServices<Drive>,
  ) {
    const { read_model, role, limits } = services;
    this.projector = read_model.durable ? new Projector(drive_id, services, read_model) : null;
    this.index = this.indexOver(folded);
    const { read_model_lag_events: most_events, projection_wait_ms: wait_ms } = limits;
    this.back_pressure =
      read_model.durable && !role.maintains
        ? new BackPressure(drive_id, read_model, { most_events, wait_ms })
        : null;
    this.turns = new WriteTurns(role, services.timer);
    this.queue = new DriveQueue(() => this.step());
    this.in_flight = new InFlight(services.limits.read_wait_ms);
    const forgotten = (): void => {
      this.index?.refresh();
      services.forgotten(drive_id);
    };
    const { keys: vault, stopping } = services;
    this.erasure = new Erasure(
      { drive_id, keyring, vault, forgotten, stopping },
      folded.state.subjects,
    );
  }

  get limits() {
    return this.services.limits;
  }

  get state() {
    return this.folded.state;
  }

  /** Durable head of the stream. Only valid between batches. */
  get head(): WriterPosition {
    return this.position;
  }

  /** The same position in the form that derived stores use. */
  get place(): StreamPlace {
    const { revision, last_hash: event_hash } = this.position;
    return { revision, event_hash };
  }

  /** True if the drive has reached a revision, and so has its read model if this process updates it. */
  hasReached(revision: number): boolean {
    return this.position.revision >= revision && !this.projector?.isBehind(revision);
  }

  /** Lag of the read model in events, if this process must update it; else 0. */
  get lag_events(): number {
    return this.projector?.lagOf(this.position.revision) ?? 0;
  }

  /**
   * Connects a loaded drive with a durable read model: resumes it at the checkpoint and advances it to the end of the
   * stream, or builds a new one.
   */
  async openReadModel(checkpoint: Checkpoint | null): Promise<void> {
    if (!checkpoint) return this.projector?.build(this.rendered);
    this.projector?.resume(checkpoint);
    await this.catchUp();
  }

  /** The read model of the current state, if it is an index over it. */
  get reads(): StateIndex | null {
    return this.index;
  }

  /** The index over a state of this drive; null if the read model is durable. It is independent of its first caller. */
  indexOver({ state }: FoldedState): StateIndex | null {
    const { read_model } = this.services;
    if (read_model.durable) return null;
    return read_model.over(
      stateSource(state, this.keyring.open),
      (steps) => runForQuery(undefined, () => inTurns(steps)),
      (work) => this.exclusively(work),
    );
  }

  /** The context of decisions and answers; `now` is never before the last event. */
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

  /** Notes that a caller is told of events up to a revision. */
  noteAnswered(revision: number): void {
    if (revision > this.answered_revision) this.answered_revision = revision;
  }

  /** The drive's time: the clock, but never before the last event. */
  now(): number {
    return Math.max(this.services.clock(), this.folded.state.timestamp_ms);
  }

  /** Adds a request's commands to the queue, next to each other. */
  enqueue(calls: readonly Call[]): void {
    if (this.queue.waiting + calls.length > this.services.limits.queue_max_commands) {
      for (const call of calls) call.fail(new Unavailable('overloaded'));
      return;
    }
    this.last_used_ms = this.services.timer.now();
    this.queue.push(calls);
  }

  /**
   * Decides a request's commands on the durable state and rolls them back: they are never visible, and nothing is
   * stored. @throws Abandoned if the caller disconnects before its turn
   */
  async dryRun(commands: readonly QueuedCommand[]): Promise<CommandResult[]> {
    await this.durable();
    if (this.queue.waiting_tasks >= this.services.limits.queue_max_commands)
      throw new Unavailable('overloaded');
    return this.exclusively(async () => {
      if (commands.some(({ request }) => request.signal?.aborted)) throw new Abandoned();
      if (this.unwritable) throw new Unavailable(this.unwritable);
      const deciding = inTurns(decideDry(commands, this.deciding()));
      await this.in_flight.during(deciding.then(() => {}).catch(() => {}));
      return deciding;
    });
  }

  /** Runs a task between two batches, with the queue held until it is done. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    this.turns.interrupt();
    return this.queue.exclusively(task);
  }

  /** True while no batch is in flight. */
  get is_durable(): boolean {
    return this.in_flight.is_idle;
  }

  /**
   * True if the state can be read at once because it holds only durable events. A small batch that is being stored is
   * rolled back for that; its events are applied again once they are durable.
   */
  makeReadable(): boolean {
    return this.in_flight.is_idle || this.is_waiting || this.appending.rollBack();
  }

  /** Resolves when the state holds only durable events; after `read_wait_ms` it throws `busy`. */
  durable(): Promise<void> {
    return this.in_flight.idle();
  }

  /**
   * Folds in events of other processes, and projects pending changes; readers wait meanwhile.
   * @param events of the stream, without a gap. Unless they contain the next one, the stream is read to its end
   */
  async follow(events: readonly StoredEvent[] = []): Promise<void> {
    // Checked first: an unreachable read model would block commands and reads during its retries.
    const { read_model } = this.services;
    if (read_model.durable && this.lag_events > 0) await read_model.checkpoint(this.drive_id);
    // A vault that does not answer must not hold up commands and reads.
    await learnKeys(this.services.keys, this.drive_id, this.keyring, events);
    return this.exclusively(async () => {
      const following = this.catchUp(events);
      await this.in_flight.during(following.catch(() => {}));
      await following;
    });
  }

  /** Replaces the state by a newly folded one at the same revision, with its read model. */
  adopt(
    folded: FoldedState,
    read_model: { generation: string } | { index: StateIndex | null },
  ): void {
    if (folded.state.revision !== this.position.revision)
      throw new Error('a state can only be adopted at the drive’s own revision');
    // The newly folded state has no idempotency keys; they stay the same.
    folded.keys = this.folded.keys;
    this.folded = folded;
    if ('index' in read_model) this.index = read_model.index;
    else this.projector?.adopt(read_model.generation);
  }

  /** Decides the queued commands, unless they have to wait or to fail. */
  private async step(): Promise<void> {
    if (this.unwritable) return this.failWaiting(this.unwritable);
    // Commands that arrive meanwhile join the next batch. Tasks need not wait for the others' turn.
    if (this.turns.is_others) return this.queue.waiting_tasks > 0 ? undefined : this.turns.leave();
    if (this.back_pressure) {
      const turn = await this.back_pressure.turn(this.position.revision);
      if (turn === 'refuse') this.failWaiting('read-model-behind');
      if (turn !== 'decide') return;
    }
    const batch = nowOrInTurns(decideBatch(this.queue.calls, this.deciding()));
    const concluding =
      batch instanceof Promise
        ? batch.then((decided) => this.conclude(decided))
        : this.conclude(batch);
    if (concluding) await this.in_flight.during(concluding);
  }

  private conclude(batch: Batch): Promise<void> | void {
    if (batch.events.length > 0) return this.commit(batch);
    this.answer(batch);
  }

  private failWaiting(reason: UnavailableReason): void {
    for (const call of this.queue.calls.splice(0)) call.fail(new Unavailable(reason));
  }

  /** Reason why no command can be decided; null if commands can be decided. */
  private get unwritable(): UnavailableReason | null {
    if (this.state.unknown_events.size > 0) return 'closed';
    if (this.services.damaged.isClosed(this.drive_id)) return 'broken';
    return this.keyring.is_foreign ? 'sealed' : null;
  }

  private deciding(): DecisionInput {
    const visits = new Visits();
    return {
      folded: this.folded,
      keyring: this.keyring,
      before: this.position,
      limits: this.services.limits,
      now: this.now(),
      visits,
      context: (caller, now) => ({ ...this.context(caller, now), visits }),
    };
  }

  /** Appends a batch and answers it, or rolls it back. Never throws. */
  private async commit(batch: Batch): Promise<void> {
    const { services, drive_id } = this;
    const { timer, observer } = services;
    const began_ms = timer.now();
    try {
      await this.appending.during(this.store(batch), this.folded, batch);
      observer.committed('stored', batch, timer.now() - began_ms);
    } catch (error) {
      await inTurns(rollBack(this.folded, batch));
      observer.committed(isConflict(error) ? 'conflict' : 'failed', batch, timer.now() - began_ms);
      if (error instanceof SideStoreUnreachable)
        services.report('nothing appended: keys and jobs are stored first', drive_id, error);
      else services.appends.failed(drive_id, error, batch.bytes);
      return this.fail(batch, error);
    }
    services.appends.succeeded();
    this.folded.keys.passOwn(batch.before.revision, batch.after.revision);
    this.position = batch.after;
    for (const { data } of batch.events) this.folded_bytes += data.length;
    this.folded.state.undo_log.forget();
    let failure: { readonly error: unknown } | null = null;
    try {
      const erasing = this.erase();
      if (erasing) await erasing;
    } catch (error) {
      failure = { error };
    }
    try {
      const projecting = this.project(batch.before.revision, batch.touched);
      if (projecting) await projecting;
    } catch (error) {
      if (this.lag_events > 0) services.lagging(this, error);
      failure ??= { error };
    }
    // Whoever follows the events learns of them all the same.
    services.advanced(this, batch.touched, batch.decided);
    if (failure) return this.leaveUnknown(batch, failure.error);
    this.noteAnswered(batch.after.revision);
    this.answer(batch);
    this.position.frontier.hashPending();
  }

  /** Stores what must precede the events of a batch, then the events. Until its first wait the state is ahead by them. */
  private async store(batch: Batch): Promise<void> {
    const { services, keyring, drive_id } = this;
    const preparing = services.appending(this, batch.touched);
    // Without its key an event could never be read.
    const keeping = keyring.has_unsaved ? storeKeys(services.keys, drive_id, keyring) : null;
    if (preparing ?? keeping) await Promise.all([preparing, keeping]);
    const sent_ms = services.timer.now();
    await appendBatch(services, drive_id, batch);
    this.turns.appended(services.timer.now() - sent_ms);
  }

  /** The events are durable, but not everything that follows from them; a repeated call shows the outcome. */
  private leaveUnknown({ answers }: Batch, cause: unknown): void {
    for (const { call } of answers) call.fail(new Unavailable('outcome-unknown', { cause }));
  }

  /** Handles a rolled back batch: refuses its calls or, after a conflict, queues them again. */
  private async fail(batch: Batch, error: unknown): Promise<void> {
    const failure = await this.failureOf(error);
    const { timer, limits } = this.services;
    const retried: Call[] = [];
    for (const { call } of batch.answers) {
      call.conflicts += 1;
      call.first_conflict_ms ??= timer.now();
      const waited_ms = timer.now() - call.first_conflict_ms;
      if (failure) call.fail(failure);
      else if (call.conflicts > limits.conflict_retries && waited_ms >= limits.conflict_wait_ms)
        call.fail(new Unavailable('conflict', { cause: error }));
      else retried.push(call);
    }
    this.queue.calls.unshift(...retried);
    if (retried.length > 0) await this.turns.spread();
  }

  /** Why the calls of a rolled back batch fail; null if they are decided again, on the events stored meanwhile. */
  private async failureOf(error: unknown): Promise<Unavailable | null> {
    const reason = this.isDamagedBy(error) ? 'broken' : reasonOf(error);
    const failure = new Unavailable(reason, { cause: error });
    // Nothing was sent, and a read would fail too. Deciding on a stale state is safe, as below.
    if (reason === 'store-unavailable') return failure;
    if (reason === 'outcome-unknown' && this.services.stopping.aborted) {
      // At shutdown the callers have gone, and queued commands would meet the same store.
      this.failWaiting('stopping');
      return failure;
    }
    try {
      // Whatever failed, the store may hold events unknown to this process: read before deciding again.
      await this.catchUp();
    } catch (why) {
      // Deciding on a stale state is safe: the expected revision makes the append fail again.
      if (reason !== 'store-failed') return failure;
      if (why instanceof Unavailable && why.reason === 'broken') return why;
      return isUnreachable(why) ? new Unavailable('store-unavailable', { cause: why }) : failure;
    }
    return isConflict(error) ? null : failure;
  }

  /**
   * Folds in events of other writers: known ones, or all. If that fails midway, the rest follows later.
   * @throws Unavailable `broken` for an invalid stream; errors of the stores
   */
  async catchUp(known: readonly StoredEvent[] = []): Promise<void> {
    try {
      await this.readOn(known);
    } catch (error) {
      throw this.isDamagedBy(error) ? new Unavailable('broken', { cause: error }) : error;
    }
    const { unknown_events } = this.state;
    if (unknown_events.size > 0)
      this.services.damaged.note(unknownEvents(this.drive_id, unknown_events));
  }

  /**
   * True if an error reveals damage of the stream; it is recorded unless the drive is being created. A gap during a
   * read proves nothing: the next read may return the missing events.
   */
  private isDamagedBy(error: unknown): boolean {
    const damage = damageIn(this.drive_id, error);
    if (!damage || damage.kind === 'broken') return false;
    return this.position.revision < 0 || this.services.damaged.noticed(this.drive_id, error);
  }

  private async readOn(known: readonly StoredEvent[]): Promise<void> {
    const { keys } = this.folded;
    const { events, timer } = this.services;
    const stream = streamOf(this.drive_id);
    const begun = timer.now();
    // Idempotency keys first: a state with the events but without their keys would execute a command twice.
    const next = keys.noteNext(known);
    const few = next.length > 0 ? next : await this.waitingFor(() => keys.read(events, stream));
    const source = few[0]?.revision === this.position.revision + 1 ? inMemory(few) : events;
    const is_behind = this.position.revision < keys.seen;
    while (this.position.revision < keys.seen && (await this.foldOn(keys.seen, source)));
    if (is_behind) this.turns.caughtUp(timer.now() - begun);
    // Events that could not be projected when they were folded.
    if (this.projector?.isBehind(this.position.revision))
      await this.projector.repair(this.rendered);
  }

  /** Waits for a store while the state holds only durable events, and can be read. */
  private async waitingFor<T>(work: () => Promise<T>): Promise<T> {
    this.is_waiting = true;
    try {
      return await work();
    } finally {
      this.is_waiting = false;
    }
  }

  /** Folds the next events, at most up to a revision; false if there were none. */
  private async foldOn(to: number, source: StreamSource): Promise<boolean> {
    const from_revision = this.position.revision;
    const touched: TouchedKey[] = [];
    // Before the events: a record in use can always be opened, and a failure leaves them to the next try.
    const opened = checking(source, (page) =>
      learnKeys(this.services.keys, this.drive_id, this.keyring, page),
    );
    const failure = await foldOnto(this.folded, opened, {
      to: Math.min(to, from_revision + FOLDED_AT_ONCE),
      touched: (keys, event) => {
        // One by one: a cascade may touch more records than a call can have arguments.
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
    this.position = { ...this.position, revision, timestamp_ms, frontier: frontier.hashPending() };
    if (revision > from_revision) {
      this.turns.othersWrote();
      await this.forgetErased();
      try {
        await this.project(from_revision, touched);
      } catch (error) {
        this.services.lagging(this, error);
        throw error;
      } finally {
        this.services.advanced(this, touched, []);
      }
    }
    if (failure) throw failure.error;
    return revision > from_revision;
  }

  /** Advances the read model to the drive's position. */
  private project(
    from_revision: number,
    touched: readonly TouchedKey[],
  ): Promise<void> | undefined {
    return this.projector?.follow(from_revision, touched, this.rendered);
  }

  private get rendered(): Rendered {
    return { place: this.place, source: stateSource(this.folded.state, this.keyring.open) };
  }

  /** Destroys the keys of people erased by other processes; a failure is reported and retried. */
  async forgetErased(): Promise<void> {
    await this.erase()?.catch(() => {});
  }

  /** Destroys the keys of newly erased people, if there are any. The documents in use follow with their step. */
  private erase(): Promise<void> | null {
    const erasing = this.erasure.enforce(this.state.subjects);
    return erasing && this.erased(erasing);
  }

  private async erased(erasing: Promise<void>): Promise<void> {
    const { services, drive_id } = this;
    try {
      await erasing;
    } catch (error) {
      services.report('keys of erased people not destroyed', drive_id, error);
      throw error;
    } finally {
      await services.left_overs.erased(drive_id);
    }
  }

  private answer(batch: Batch): void {
    for (const { call, outcome } of batch.answers) {
      call.resolve(outcome);
      const decided = decisionOutcome(outcome);
      if (decided) this.services.observer.decided(decided);
    }
  }
}
