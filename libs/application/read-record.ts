import type { RecordBase } from '../domain/kernel/record.js';
import { resolveCaller, type Credential } from '../domain/access/caller.js';
import { deniedBy, refuseWithout } from '../domain/access/denial.js';
import type { Context } from '../domain/foundation/decision.js';
import type { ReadDefinition } from '../domain/foundation/reading.js';
import { isRefusal, type Refusal, refuse } from '../domain/kernel/refusal.js';
import type { Outcome } from '../engine/writer/call.js';
import type { Drive } from '../engine/writer/drive.js';
import type { Drives } from '../engine/drives/drives.js';
import { keptAt, keptPast, type PastState } from '../engine/past/past.js';
import { type PointRequest, presentOf, resolvePoint } from '../engine/past/points.js';
import { stateSource } from '../engine/read-models/source.js';
import { answerQuery, type LongQuery } from '../engine/tasks/long-query.js';
import { pastContext, pastReadScope, type ReadScope, readScopeOf } from './read-scope.js';
import { type JsonText, views } from './views.js';

/** A point in time, and the user whose view is shown; by default that of the owner at that point. */
export interface PastRequest {
  readonly point: PointRequest;
  readonly as_user: string | undefined;
}

/** Who reads, where, and when. */
export interface Reader {
  readonly drive_id: string;
  readonly credential: Credential;
  /** Absent: now. */
  readonly past?: PastRequest | undefined;
  /** Absent: nobody goes, and nothing is too much. */
  readonly long_query?: LongQuery | undefined;
}

/** What came of a question: there at once if nothing had to be waited for, which most need not. */
export type Answering<T> = Outcome<T> | Promise<Outcome<T>>;

/**
 * Answers a question from a drive's durable state as its caller may see it; if the reader asks for a
 * point of the past, from the state at that point. The query runs at once or continues with the same
 * context: nothing it sees can be undone.
 */
export function answerFrom<T>(
  drives: Drives,
  reader: Reader,
  question: (context: Context, read_scope: ReadScope) => T | Refusal | Promise<T | Refusal>,
): Answering<T> {
  const { past } = reader;
  return ask(drives, reader, (context, drive) => {
    if (past) return askPast(drives, drive, context, reader, past, question);
    const { revision } = drive.head;
    return answered(question(context, readScopeOf(drives, drive)), revision);
  });
}

/** Answers a query that always concerns the current state, or that names its points itself. */
export async function answerNow<T>(
  drives: Drives,
  reader: Reader,
  question: (context: Context, drive: Drive) => T | Refusal | Promise<T | Refusal>,
): Promise<Outcome<T>> {
  if (reader.past) throw new Error('this question takes no as_of');
  return answerQuery(reader.long_query, () =>
    ask(drives, reader, (context, drive) =>
      answered(question(context, drive), drive.head.revision),
    ),
  );
}

function ask<T>(
  drives: Drives,
  { drive_id, credential }: Reader,
  question: (context: Context, drive: Drive) => Answering<T>,
): Answering<T> {
  return drives.readAtOnce(drive_id, (drive) => {
    const now = drive.now();
    const { revision } = drive.head;
    const caller = resolveCaller(drive.state, credential, now);
    if (isRefusal(caller)) return { refusal: caller, revision };
    return question(drive.context(caller, now), drive);
  });
}

/** The right to look back is the caller's of now; what is shown is what was to be seen then. */
function askPast<T>(
  drives: Drives,
  drive: Drive,
  context: Context,
  { long_query }: Reader,
  { point: request, as_user }: PastRequest,
  question: (context: Context, read_scope: ReadScope) => T | Refusal | Promise<T | Refusal>,
): Answering<T> {
  const { revision } = drive.head;
  const denied = refuseWithout(context, 'VIEW', 'TABLE_AUDIT');
  if (denied) return { refusal: denied, revision };
  const answerAt = (past: PastState): Answering<T> => {
    const then = pastContext(context, past, as_user);
    return answered(question(then, pastReadScope(drive, past)), past.point.revision);
  };
  const kept = keptAt(drives, drive.drive_id, request);
  if (kept) return long_query ? answerQuery(long_query, () => answerAt(kept)) : answerAt(kept);
  return answerQuery(long_query, async () => {
    const past = await foldedAt(drives, drive, context, request);
    return isRefusal(past) ? { refusal: past, revision } : answerAt(past);
  });
}

async function foldedAt(
  drives: Drives,
  drive: Drive,
  { now }: Context,
  request: PointRequest,
): Promise<PastState | Refusal> {
  const { events } = drives;
  const point = await resolvePoint(events, drive.drive_id, request, presentOf(drive, now));
  return isRefusal(point) ? inQuery(point) : keptPast(drives, drive, point);
}

/** Where a point comes from the query string, that is what a refusal names. */
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

/** The refusal of a read for want of rights; where records are hidden from others, just that. */
function hidden(
  context: Context,
  { when_hidden }: Pick<ReadDefinition<never, never>, 'when_hidden'>,
  rule: (context: Context) => boolean,
): Refusal {
  return when_hidden === 'forbidden' ? deniedBy(context, rule) : refuse(when_hidden);
}

/** One record as the caller may see it: the state has it, so no read model is asked. */
export function readRecord<R extends RecordBase, View>(
  drives: Drives,
  reads: ReadDefinition<R, View>,
  reader: Reader,
  asked: string,
): Answering<JsonText<View>> {
  return answerFrom(drives, reader, (context, read_scope) => {
    const id = reads.idOf?.(context, asked) ?? asked;
    const { mayAsk, mayRead } = reads;
    if (mayAsk && !mayAsk(context, id)) return hidden(context, reads, (again) => mayAsk(again, id));
    // Only what a caller may read is ever shown, and so known.
    const known = views.known(read_scope, context, reads, id);
    if (known) return known as JsonText<View>;
    const document = stateSource(context.state, context.open).document(reads.family, id);
    if (!document) return refuse(reads.not_found);
    const record = document.record as R;
    if (!mayRead(context, record)) return hidden(context, reads, (again) => mayRead(again, record));
    return views.show(read_scope, context, reads, document) as JsonText<View>;
  });
}
