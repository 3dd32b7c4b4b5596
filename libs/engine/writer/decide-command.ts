import { randomUUID } from 'node:crypto';
import { resolveCaller } from '../../domain/access/caller.js';
import type { Caller, Context, Visits } from '../../domain/foundation/decision.js';
import { recordOf } from '../../domain/foundation/record-of.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { isRefusal, type Refusal, refuse } from '../../domain/kernel/refusal.js';
import type { Steps } from '../../domain/kernel/steps.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EngineLimits } from '../drives/limits.js';
import { applyingEvent, FACTORY_ID } from '../fold/fold.js';
import type { KeyUse } from '../idempotency/recent-keys.js';
import { encodeEvent } from '../keys/codec.js';
import type { Keyring } from '../keys/keyring.js';
import { eventHash } from '../proofs/hashing.js';
import type { Frontier } from '../proofs/merkle.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import {
  type Answered,
  type QueuedCommand,
  type CommandRequest,
  type CommandResult,
  type DecidedEvent,
  isPending,
  isRefused,
  isRepeated,
  recordNamedBy,
  type Refused,
  type Repeated,
} from './call.js';
import { metadataText } from './metadata.js';

/** Position of the writer within a batch. */
export interface Place {
  readonly revision: number;
  readonly timestamp_ms: number;
  /** Hash of the last event, or the genesis hash before the first. */
  readonly last_hash: Uint8Array;
  /** Records that the last event changed. */
  readonly last_touched: readonly TouchedKey[];
}

/** Position of the writer between batches: everything that a rollback restores. */
export interface WriterPosition extends Place {
  readonly frontier: Frontier;
}

/** What a batch or dry run is decided with. */
export interface DecisionInput {
  readonly folded: FoldedState;
  readonly keyring: Keyring;
  readonly before: WriterPosition;
  readonly limits: EngineLimits;
  /** Time of the decision, ms, never before the last event. */
  readonly now: number;
  /** Records that the decisions of this batch or dry run visited. */
  readonly visits: Visits;
  context(caller: Caller, now: number): Context;
}

/** Records that a batch or dry run has changed or visited so far. */
export function workOf({ folded, visits }: DecisionInput): number {
  return folded.state.undo_log.mark() + visits.count;
}

/** One command decided and applied to the working state, or too large for the remaining room. */
export type Decided =
  | {
      readonly outcome: CommandResult;
      readonly events: readonly DecidedEvent[];
      readonly bytes: number;
    }
  | 'no-room';

/** Position of the writer after at least one event. */
export function placeAfter(decided: readonly DecidedEvent[], { state }: FoldedState): Place {
  const last = decided.at(-1)!;
  return {
    revision: state.revision,
    timestamp_ms: state.timestamp_ms,
    last_hash: last.event.hash,
    last_touched: last.touched,
  };
}

/** Restores the working state at a mark, and the writer's position there. */
export function* restore(folded: FoldedState, mark: number, position: Place): Steps {
  const { state } = folded;
  yield* state.undo_log.undoing(mark);
  state.undo_log.revision = position.revision;
  state.timestamp_ms = position.timestamp_ms;
  folded.keys.undoTo(position.revision);
}

export function* decideQueued(
  queued: QueuedCommand,
  input: DecisionInput,
  position: Place,
  room: number,
): Steps<Decided> {
  const { steps } = queued;
  if (!steps) return yield* decideOne(queued, input, position, room);
  const mark = input.folded.state.undo_log.mark();
  const results: unknown[] = [];
  const result_bytes: number[] = [];
  const events: DecidedEvent[] = [];
  let bytes = 0;
  let at: Place = position;
  function* takenBack(outcome: CommandResult): Steps<Decided> {
    yield* restore(input.folded, mark, position);
    return { outcome, events: [], bytes: 0 };
  }
  // A step may be the command of somebody without an id, such as a holder of a code.
  const sender = resolveCaller(input.folded.state, queued.request.credential, input.now);
  const done = isRefusal(sender) ? null : alreadyDone(queued.request, input, sender);
  if (done) {
    const outcome = 'repeated' in done ? done : { ...done, index: 0 };
    return { outcome, events: [], bytes: 0 };
  }
  for (const [index, prepare] of steps.entries()) {
    const prepared = prepare(results);
    if (isPending(prepared)) return yield* takenBack(prepared);
    if (isRefusal(prepared))
      return yield* takenBack({ ...refused(prepared, position.revision), index });
    const { credential, if_match } = prepared;
    const request = { ...queued.request, credential, if_match };
    const one = { ...queued, ...prepared, request, command_index: index, result_bytes };
    const decided = yield* decideOne(one, input, at, room - bytes);
    if (decided === 'no-room') return decided;
    const { outcome } = decided;
    if (isRepeated(outcome) || isPending(outcome)) return yield* takenBack(outcome);
    if (isRefused(outcome))
      return yield* takenBack({ ...refused(outcome.refusal, position.revision), index });
    results.push(outcome.data);
    events.push(...decided.events);
    bytes += decided.bytes;
    if (decided.events.length > 0) at = placeAfter(decided.events, input.folded);
  }
  // Several commands do not name one record; each step of a transaction has its own condition.
  if (queued.request.if_match !== undefined)
    return yield* takenBack(refused(refuse('precondition-failed'), position.revision));
  const answered = { data: results, revision: at.revision, ...uncheckedIf(events.length === 0) };
  return { outcome: answered, events, bytes };
}

/** Refuses a command of several if its result does not fit into their common response. */
export function refuseLong(
  { result_bytes, command_index, steps }: QueuedCommand,
  data: unknown,
  { transaction_answer_bytes: limit }: Pick<EngineLimits, 'transaction_answer_bytes'>,
): Refusal | null {
  if (!result_bytes) return null;
  result_bytes[command_index] = Buffer.byteLength(JSON.stringify(data) ?? '');
  const so_far = result_bytes.slice(0, command_index + 1);
  if (so_far.reduce((sum, bytes) => sum + bytes, 0) <= limit) return null;
  result_bytes[command_index] = 0;
  const reason = `brings the results of the request beyond ${limit} bytes`;
  const pointer = steps ? `/commands/${command_index}` : '';
  return refuse('answer-too-large', { pointer, reason, limit });
}

function* decideOne(
  queued: QueuedCommand,
  input: DecisionInput,
  position: Place,
  room: number,
): Steps<Decided> {
  const { keyring, now, limits } = input;
  const { state } = input.folded;
  // This one could change or visit as many records again, in the same turn of the event loop.
  if (workOf(input) > limits.append_max_work) return 'no-room';
  const { definition, command, request, command_index, result_bytes } = queued;
  // After a conflict it is decided again.
  if (result_bytes) result_bytes[command_index] = 0;
  const nothing = { events: [], bytes: 0 };
  const caller = resolveCaller(state, request.credential, now);
  if (isRefusal(caller)) return { ...nothing, outcome: refused(caller, state.revision) };
  const done = alreadyDone(request, input, caller);
  if (done) return { ...nothing, outcome: done };
  const context = input.context(caller, now);
  const decision = definition.deciding
    ? yield* definition.deciding(context, command)
    : definition.decide(context, command);
  if (isRefusal(decision)) return { ...nothing, outcome: refused(decision, state.revision) };
  if (!fitsMatch(context, queued))
    return { ...nothing, outcome: refused(refuse('precondition-failed'), state.revision) };
  const { allowed_by, outcome } = decision;
  const held_before = heldBy(state);
  const start = state.undo_log.mark();
  const circumstances = { caller, command: definition.name, allowed_by, command_index };
  const bare = metadataText(circumstances, request);
  const events: DecidedEvent[] = [];
  let bytes = 0;
  let { last_hash } = position;
  for (const [at, event] of decision.events.entries()) {
    // The last event keeps the part of the outcome that only the decision knew, so that the answer can be repeated.
    const keeps_outcome =
      request.idempotency !== null &&
      outcome !== undefined &&
      !definition.recoverOutcome &&
      at === decision.events.length - 1;
    const metadata = keeps_outcome ? metadataText(circumstances, request, outcome) : bare;
    const encoded = encodeEvent(event, keyring);
    bytes += Buffer.byteLength(encoded.data) + Buffer.byteLength(metadata);
    if (bytes > room) return 'no-room';
    const revision = state.revision + 1;
    const numbered = { ...encoded, revision, event_id: randomUUID(), timestamp_ms: now, metadata };
    last_hash = eventHash(last_hash, numbered);
    const mark = state.undo_log.mark();
    const stored = { ...numbered, hash: last_hash };
    const steps = applyingEvent(state, stored);
    if (steps) yield* steps;
    const touched = yield* state.undo_log.findTouched(mark);
    events.push({ event: stored, body: event.data, touched });
  }
  const data = definition.answer(context, command, decision.events, outcome);
  const beyond =
    refuseFull(state, held_before, input.limits) ?? refuseLong(queued, data, input.limits);
  if (beyond) {
    yield* restore(input.folded, start, position);
    return { ...nothing, outcome: refused(beyond, position.revision) };
  }
  const answered = {
    data,
    revision: state.revision,
    ...shownRevision(state, data),
    ...uncheckedIf(events.length === 0),
  };
  return { outcome: answered, events, bytes };
}

/** Refuses a command that adds records or labels beyond the limit; the factory's stream is no organization. */
function refuseFull(
  state: DriveState,
  held_before: number,
  { organization_records_max: most }: EngineLimits,
): Refusal | null {
  const held = heldBy(state);
  if (held <= most || held <= held_before || state.drive_id === FACTORY_ID) return null;
  const reason = `would hold ${held} records and labels on them; an organization holds at most ${most}`;
  return refuse('too-many-records', { pointer: '', reason, limit: most });
}

/** Records, and labels on them: each takes memory. */
function heldBy({ record_count, undo_log }: DriveState): number {
  return record_count + undo_log.pins.total;
}

/** The outcome of a request whose idempotency key was used before, by this request or another. */
function alreadyDone(
  request: CommandRequest,
  { folded, now }: DecisionInput,
  caller: Caller,
): Refused | Repeated | null {
  const use = repetition(request, folded, caller, now);
  if (!use) return null;
  return isRefusal(use) ? refused(use, folded.state.revision) : { repeated: use };
}

/** The earlier use of the request's idempotency key, if any. */
export function repetition(
  { idempotency }: Pick<CommandRequest, 'idempotency'>,
  { state, keys }: Pick<FoldedState, 'state' | 'keys'>,
  { user_id }: Caller,
  now: number,
): KeyUse | Refusal | null {
  if (!idempotency) return null;
  const { key, keyOf, body, earlier_body } = idempotency;
  const swapped = state.contacts.get(user_id)?.past_user_ids ?? [];
  const others = keyOf && swapped.length > 0 ? [user_id, ...swapped].map(keyOf) : [];
  const use = keys.find([key, ...others], now);
  if (!use || use.body === body || use.body === earlier_body) return use;
  return refuse('idempotency-key-reused');
}

/** Whether the record that a command names exists and has not changed after the requested revision. */
export function fitsMatch(
  context: Context,
  { definition, command, request }: QueuedCommand,
): boolean {
  const { if_match } = request;
  if (if_match === undefined) return true;
  const named = definition.named?.(context, command) ?? recordNamedBy(context.state, command);
  const revision = named?.revision;
  return revision !== undefined && revision <= if_match;
}

/** Revision of the last change of the record in an answer, if it shows one. */
export function shownRevision(
  state: DriveState,
  data: unknown,
): Pick<Answered<unknown>, 'record_revision'> {
  const { id } = (data ?? {}) as { id?: unknown };
  const record = typeof id === 'string' ? recordOf(state, id) : undefined;
  return record ? { record_revision: record.revision } : {};
}

function uncheckedIf(appends_nothing: boolean): Pick<Answered<unknown>, 'is_unchecked'> | null {
  return appends_nothing ? { is_unchecked: true } : null;
}

export function refused(refusal: Refusal, revision: number): Refused {
  return { refusal, revision };
}
