import { resolveCaller } from '../../domain/access/caller.js';
import type { Caller, Context } from '../../domain/foundation/decision.js';
import type { DomainEvent } from '../../domain/foundation/events.js';
import { recordOf } from '../../domain/foundation/record-of.js';
import { type Refusal, isRefusal, refuse } from '../../domain/kernel/refusal.js';
import { Box, type Opener } from '../../domain/kernel/sealed.js';
import { existingEvents } from '../../event-store/existing-events.js';
import type { StoredEvent } from '../../event-store/port.js';
import { streamOf } from '../fold/fold.js';
import { decodeData } from '../keys/codec.js';
import { atPointOrNow, type PastSource, type PastState } from '../past/past.js';
import { fitsMatch, refuseLong, shownRevision } from '../writer/decide-command.js';
import { type Outcome, type QueuedCommand, isRefused, recordNamedBy } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import type { EventMetadata } from '../writer/metadata.js';
import type { KeyUse } from './recent-keys.js';

/** Reason not to repeat an outcome: the answer that the caller would get today. */
interface Doubt {
  /** The answer to the command if it were new; null if it would be accepted. */
  readonly refusal: Refusal | null;
  /** The refusal concerns permissions, not a missing change. */
  readonly is_denial: boolean;
  /** Records of the outcome that the caller may not read today. */
  readonly hidden: readonly string[];
}

/**
 * Reason not to show a caller the outcome of its earlier request; null if there is none.
 * @param data the outcome
 */
function doubtAbout(
  today: Context,
  { definition, command }: QueuedCommand,
  data: unknown,
): Doubt | null {
  const decision = definition.decide(today, command);
  const refusal = isRefusal(decision) ? decision : null;
  const hidden = recordsIn(data).filter((id) => isHidden(today, id));
  if (!refusal && hidden.length === 0) return null;
  return { refusal, is_denial: isDenial(today, command, refusal), hidden };
}

/**
 * The refusal of a repetition whose caller has since lost a requirement of the outcome: its contact, the permission
 * for the command, or the visibility of a record. Null if it has lost none, or lost it by the request itself.
 * @param after the caller's context just after the request
 */
function refusalOfRepeat(
  doubt: Doubt,
  today: Context,
  after: Context,
  { definition, command }: QueuedCommand,
): Refusal | null {
  const { refusal, is_denial, hidden } = doubt;
  if (refusal) {
    const was_contact = after.state.contacts.has(after.caller.user_id);
    if (was_contact && !today.state.contacts.has(today.caller.user_id)) return refusal;
  }
  if (is_denial) {
    const decision = definition.decide(after, command);
    if (!isDenial(after, command, isRefusal(decision) ? decision : null)) return refusal;
  }
  const has_lost_sight = hidden.some((id) => recordOf(after.state, id) && !isHidden(after, id));
  return has_lost_sight ? (refusal ?? refuse('forbidden')) : null;
}

const DENIALS: readonly string[] = [
  'forbidden',
  'ceiling',
  'public-grant-too-wide',
  'unauthenticated',
  'token-missing',
  'token-malformed',
];

/** Whether a refusal concerns permissions, including one that hides an existing record. */
function isDenial(context: Context, command: unknown, refusal: Refusal | null): boolean {
  if (!refusal) return false;
  if (DENIALS.includes(refusal.refusal)) return true;
  const named = recordNamedBy(context.state, command);
  return refusal.refusal.endsWith('-not-found') && !!named && isHidden(context, named.id);
}

/**
 * True for an existing record that the caller may not read. A record that the owner may not read either, such as an
 * expired item, is as good as gone, and hidden from nobody.
 */
function isHidden(context: Context, id: string): boolean {
  const { state, caller } = context;
  const record = recordOf(state, id);
  const reads = state.kinds.of(id)?.reads;
  if (!record || !reads || reads.mayRead(context, record)) return false;
  const { owner_id } = state.organization;
  return reads.mayRead({ ...context, caller: { ...caller, user_id: owner_id } }, record);
}

/** Ids of the records in an answer: itself or its members. */
function recordsIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return [data, ...Object.values(data)].flatMap((shown: unknown) => {
    const id = (shown as { id?: unknown } | null)?.id;
    return typeof id === 'string' ? [id] : [];
  });
}

/**
 * Reconstructs the answer to a completed command from its events and the state just after them, for the caller at
 * that time, with secrets masked. A command without events is decided again on the state it met: it was refused or
 * had no effect. Refused if the caller has since lost the permission to see it.
 */
export async function presentAgain(
  drives: PastSource,
  drive: Drive,
  queued: QueuedCommand,
  use: KeyUse,
): Promise<Outcome<unknown>> {
  const { definition, command, request, command_index } = queued;
  const { first, last, timestamp_ms: at_ms } = use;
  const stream = streamOf(drive.drive_id);
  const of_request = await existingEvents(drives.events, stream, first, last);
  const up_to = of_request.filter((event) => circumstancesOf(event).command_index <= command_index);
  const events = up_to.filter((event) => circumstancesOf(event).command_index === command_index);
  const revision = up_to.at(-1)?.revision ?? first - 1;
  const caller = callerOf(events[0] ?? of_request[0]!);
  const again = { is_repeated: true as const, ...(request.dry_run && { dry_run: [] }) };
  const decided_outcome = await outcomeOf(drives, drive, queued, { caller, at_ms, events });
  const answerAt = (context: Context): Outcome<unknown> => {
    if (events.length > 0) {
      const decided = openedEvents(events, drive.keyring.open);
      const data = definition.answer(context, command, decided, decided_outcome);
      refuseLong(queued, data, drive.limits);
      return { data, revision, ...shownRevision(context.state, data), ...again };
    }
    const decision = definition.decide(context, command);
    if (isRefusal(decision)) return { refusal: decision, revision: last };
    if (!fitsMatch(context, queued))
      return { refusal: refuse('precondition-failed'), revision: last };
    // It would have stored events: it met a limit, or what else is checked beside the decision.
    if (decision.events.length > 0) return { refusal: refuse('refused-before'), revision: last };
    const data = definition.answer(context, command, [], decision.outcome);
    const too_long = refuseLong(queued, data, drive.limits);
    if (too_long) return { refusal: too_long, revision: last };
    return { data, revision: last, ...again };
  };
  const outcome = await atPointOrNow(drives, drive, { revision, at_ms }, (past) =>
    answerAt(contextOf(drive, caller, past)),
  );
  if (isRefused(outcome)) return outcome;
  const refusal = await lostSince(drives, drive, queued, {
    caller,
    last,
    at_ms,
    data: outcome.data,
  });
  return refusal ? { refusal, revision: last } : outcome;
}

/** A completed command: its caller, its time and its events. */
interface Completed {
  readonly caller: Caller;
  readonly at_ms: number;
  readonly events: readonly StoredEvent[];
}

/** The decision's outcome of a completed command: stored with its last event, or from the state before its first. */
async function outcomeOf(
  drives: PastSource,
  drive: Drive,
  { definition, command }: QueuedCommand,
  { caller, at_ms, events }: Completed,
): Promise<unknown> {
  if (events.length === 0) return undefined;
  const stored = circumstancesOf(events.at(-1)!).idempotency?.outcome;
  const recover = stored === undefined && definition.recoverOutcome?.(command);
  if (!recover) return stored;
  const revision = events[0]!.revision - 1;
  return atPointOrNow(drives, drive, { revision, at_ms }, (past) =>
    recover(contextOf(drive, caller, past)),
  );
}

/** An answer: its content, its caller, and the last event of its request. */
interface StoredAnswer {
  readonly caller: Caller;
  readonly last: number;
  readonly at_ms: number;
  readonly data: unknown;
}

/** The refusal if the caller may not see its answer again; null if it may. */
async function lostSince(
  drives: PastSource,
  drive: Drive,
  queued: QueuedCommand,
  { caller: then, last, at_ms, data }: StoredAnswer,
): Promise<Refusal | null> {
  await drive.durable();
  const now = drive.now();
  const caller = resolveCaller(drive.state, queued.request.credential, now);
  if (isRefusal(caller)) return caller;
  const doubt = doubtAbout(drive.context(caller, now), queued, data);
  if (!doubt) return null;
  return atPointOrNow(drives, drive, { revision: last, at_ms }, (past) =>
    refusalOfRepeat(doubt, drive.context(caller, now), contextOf(drive, then, past), queued),
  );
}

/** The context in which the earlier caller was answered. */
function contextOf(drive: Drive, caller: Caller, { folded, point }: PastState): Context {
  const context = drive.context(caller, point.at_ms);
  return { ...context, state: folded.state, masked: true };
}

/** Like `presentAgain`, for all commands of a transaction. */
export async function presentAllAgain(
  drives: PastSource,
  drive: Drive,
  queued: QueuedCommand,
  use: KeyUse,
): Promise<Outcome<unknown>> {
  const results: unknown[] = [];
  for (const [command_index, prepare] of queued.steps!.entries()) {
    let prepared = prepare(results);
    while ('pending' in prepared) {
      await prepared.pending;
      prepared = prepare(results);
    }
    if (isRefusal(prepared)) return { refusal: prepared, revision: use.last, index: command_index };
    const one = await presentAgain(drives, drive, { ...queued, ...prepared, command_index }, use);
    if (isRefused(one)) return { ...one, index: command_index };
    results.push(one.data);
  }
  const is_dry = queued.request.dry_run && { dry_run: [] };
  return { data: results, revision: use.last, is_repeated: true, ...is_dry };
}

function callerOf(event: StoredEvent): Caller {
  const { user_id, api_key_id, via } = circumstancesOf(event).actor;
  return { user_id: user_id ?? '', api_key_id, via: via as Caller['via'], key_expires_at: -1 };
}

function circumstancesOf({ metadata }: StoredEvent): EventMetadata {
  return JSON.parse(metadata) as EventMetadata;
}

/** Stored events in their decided form. */
function openedEvents(events: readonly StoredEvent[], open: Opener): DomainEvent[] {
  return events.map(({ type, data }) => {
    const body = Object.entries(decodeData(data) as object).map(([name, value]) => [
      name,
      value instanceof Box ? open(value, name) : value,
    ]);
    return { type, data: Object.fromEntries(body) } as DomainEvent;
  });
}
