import type { RecordBase } from '../domain/kernel/record.js';
import { resolveCaller, type Credential } from '../domain/access/caller.js';
import { deniedBy, refuseWithout } from '../domain/access/denial.js';
import type { Context } from '../domain/foundation/decision.js';
import type { ReadDefinition } from '../domain/foundation/reading.js';
import { isRefusal, type Refusal, refuse } from '../domain/kernel/refusal.js';
import { isRefused, type Outcome, Unavailable } from '../engine/writer/call.js';
import type { Drive } from '../engine/writer/drive.js';
import type { Drives } from '../engine/drives/drives.js';
import { atPoint, type PastState } from '../engine/past/past.js';
import { type Point, type PointRequest, presentOf, resolvePoint } from '../engine/past/points.js';
import { stateSource } from '../engine/read-models/source.js';
import { answerQuery, type LongQuery } from '../engine/tasks/long-query.js';
import { pastContext, pastReadScope, type ReadScope, readScopeOf } from './read-scope.js';
import { RepeatQuery } from '../read-model/port.js';
import { type JsonText, views } from './views.js';

/** A replay of many families repeats once for each that has to be indexed. */
const MOST_REPETITIONS = 100;

/** A past point, and the user whose view is shown. Without `as_user` the answer shows the view of the owner at that point. */
export interface PastRequest {
  readonly point: PointRequest;
  readonly as_user: string | undefined;
}

/** The caller, drive and point of a query. */
export interface Reader {
  readonly drive_id: string;
  readonly credential: Credential;
  /** Absent: the current state. */
  readonly past?: PastRequest | undefined;
  /** Cancellation and admission of the query. Absent: it always completes. */
  readonly long_query?: LongQuery | undefined;
}

/** The outcome of a query. Most queries need no I/O and return it synchronously; the others return a promise. */
export type Answering<T> = Outcome<T> | Promise<Outcome<T>>;

/**
 * Answers a query from a drive's durable state, limited to what the caller may see. If the reader names a past point,
 * the query reads the state at that point. The query only sees durable events, which cannot be rolled back; if it
 * awaits I/O, it continues with the same context.
 */
export function answerFrom<T>(
  drives: Drives,
  reader: Reader,
  query: (context: Context, read_scope: ReadScope) => T | Refusal | Promise<T | Refusal>,
): Answering<T> {
  const { past, drive_id } = reader;
  if (past)
    return answerOnAll(drives, drive_id, () =>
      withContext(drives, reader, (context, drive) =>
        answerPast(drives, drive, context, reader, past, query),
      ),
    );
  return repeated(() =>
    withContext(drives, reader, (context, drive) => {
      const { revision } = drive.head;
      return answered(query(context, readScopeOf(drive)), revision);
    }),
  );
}

/** Answers a query of the current state, or one whose input names its points. It refuses `as_of`. */
export async function answerNow<T>(
  drives: Drives,
  reader: Reader,
  query: (context: Context, drive: Drive) => T | Refusal | Promise<T | Refusal>,
): Promise<Outcome<T>> {
  if (reader.past) throw new Error('this query does not support as_of');
  // Outside of the long query: all readers share the events that the drive reads, so no caller may abandon that.
  return answerOnAll(drives, reader.drive_id, () =>
    answerQuery(reader.long_query, () =>
      repeated(() =>
        withContext(drives, reader, (context, drive) =>
          answered(query(context, drive), drive.head.revision),
        ),
      ),
    ),
  );
}

/**
 * Answers a query of the current state, once more on the state as it is by then if its families had to be indexed first.
 * @throws Unavailable `busy` if the state changes faster than it can be indexed
 */
function repeated<T>(answer: () => Answering<T>, most_times = MOST_REPETITIONS): Answering<T> {
  const answering = answer();
  if (!(answering instanceof Promise)) return answering;
  return answering.catch((error: unknown) => {
    if (!(error instanceof RepeatQuery)) throw error;
    if (most_times === 0) throw new Unavailable('busy', { cause: error });
    return repeated(answer, most_times - 1);
  });
}

/** Reads a drive's durable state for a command. A revision after the drive's head is looked up in the store. */
export function readOnAll<T>(
  drives: Drives,
  drive_id: string,
  read: (drive: Drive) => T | Refusal | Promise<T | Refusal>,
): Answering<T> {
  return answerOnAll(drives, drive_id, () =>
    drives.readAtOnce(drive_id, (drive) => answered(read(drive), drive.head.revision)),
  );
}

/**
 * Answers a query. If events of other processes could change the answer, as when it names a revision after the drive's
 * head, the drive reads those events once, and the query is answered again if there were any.
 */
export function answerOnAll<T>(
  drives: Drives,
  drive_id: string,
  answer: () => Answering<T>,
  mayChange: (outcome: Outcome<T>) => boolean = isOutOfRange,
): Answering<T> {
  const complete = (outcome: Outcome<T>): Answering<T> =>
    mayChange(outcome)
      ? drives.readOn(drive_id, outcome.revision).then((is_more) => (is_more ? answer() : outcome))
      : outcome;
  const answering = answer();
  return answering instanceof Promise ? answering.then(complete) : complete(answering);
}

function isOutOfRange(outcome: Outcome<unknown>): boolean {
  return isRefused(outcome) && outcome.refusal.refusal === 'point-out-of-range';
}

function withContext<T>(
  drives: Drives,
  { drive_id, credential }: Reader,
  query: (context: Context, drive: Drive) => Answering<T>,
): Answering<T> {
  return drives.readAtOnce(drive_id, (drive) => {
    const now = drive.now();
    const { revision } = drive.head;
    const caller = resolveCaller(drive.state, credential, now);
    if (isRefusal(caller)) return { refusal: caller, revision };
    return query(drive.context(caller, now), drive);
  });
}

/**
 * Answers from the state at a past point. The caller's current permissions decide whether the query is allowed; the
 * permissions at the past point decide what the answer shows.
 */
function answerPast<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  { long_query }: Reader,
  { point: request, as_user }: PastRequest,
  query: (context: Context, read_scope: ReadScope) => T | Refusal | Promise<T | Refusal>,
): Answering<T> {
  const { revision } = drive.head;
  const denied = refuseWithout(context, 'VIEW', 'TABLE_AUDIT');
  if (denied) return { refusal: denied, revision };
  const answerAt = (past: PastState): Answering<T> => {
    const past_context = pastContext(context, past, as_user);
    return answered(query(past_context, pastReadScope(drive, past)), past.point.revision);
  };
  const there = pointThere(drives, drive, request);
  if (there && !long_query) return atPoint(drives, drive, there, answerAt);
  return answerQuery(long_query, async () => {
    const present = presentOf(drive, context.now);
    const point = there ?? (await resolvePoint(drives.events, drive.drive_id, request, present));
    if (isRefusal(point)) return { refusal: inQuery(point), revision };
    return atPoint(drives, drive, point, answerAt);
  });
}

/** The point, if a past state is there already: then no store is needed. */
function pointThere(
  { past_states }: Drives,
  { drive_id }: Drive,
  { revision, at_ms, at }: PointRequest,
): Point | undefined {
  if (revision === undefined || at_ms !== undefined || at !== undefined) return undefined;
  const there_ms = past_states.timeAt(drive_id, revision);
  return there_ms === undefined ? undefined : { revision, at_ms: there_ms };
}

/** Points the refusal of a point at `as_of`, its parameter in the query string. */
function inQuery(refusal: Refusal): Refusal {
  const details = refusal.details.map((detail) => ({ ...detail, pointer: '/as_of' }));
  return { ...refusal, details };
}

function answered<T>(
  answering: T | Refusal | Promise<T | Refusal>,
  revision: number,
): Answering<T> {
  if (answering instanceof Promise) return answering.then((data) => outcomeOf(data, revision));
  return outcomeOf(answering, revision);
}

function outcomeOf<T>(data: T | Refusal, revision: number): Outcome<T> {
  if (typeof data === 'object' && data !== null && isRefusal(data))
    return { refusal: data, revision };
  return { data, revision };
}

/** The refusal of a read without permission. Families with hidden records answer as if the record did not exist. */
function hidden(
  context: Context,
  { when_hidden }: Pick<ReadDefinition<never, never>, 'when_hidden'>,
  rule: (context: Context) => boolean,
): Refusal {
  return when_hidden === 'forbidden' ? deniedBy(context, rule) : refuse(when_hidden);
}

/** One record as the caller may see it. It is read from the state, without the read model. */
export function readRecord<R extends RecordBase, View>(
  drives: Drives,
  reads: ReadDefinition<R, View>,
  reader: Reader,
  requested_id: string,
): Answering<JsonText<View>> {
  return answerFrom(drives, reader, (context, read_scope) => {
    const id = reads.idOf?.(context, requested_id) ?? requested_id;
    const { mayAsk, mayRead } = reads;
    if (mayAsk && !mayAsk(context, id)) return hidden(context, reads, (again) => mayAsk(again, id));
    // Cached texts were shown to this caller before, so they need no second permission check.
    const view = views.of(read_scope, context, reads);
    const known = view.known(id);
    if (known) return known as JsonText<View>;
    const document = stateSource(context.state, context.open).document(reads.family, id);
    if (!document) return refuse(reads.not_found);
    const record = document.record as R;
    if (!mayRead(context, record)) return hidden(context, reads, (again) => mayRead(again, record));
    return view.show(context, document) as JsonText<View>;
  });
}
