import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { generating } from '../../../libs/application/fresh.js';
import { type DryRunView, presentDryRun } from '../../../libs/application/replay/dry-run.js';
import type { Answering } from '../../../libs/application/read-record.js';
import { JsonText } from '../../../libs/application/views.js';
import {
  type DeclaredQuery,
  type DriveQuery,
  isDeclared,
  type QueryClass,
} from '../../../libs/application/drive-query.js';
import {
  type Answered,
  type Outcome,
  type Refused,
  isRefused,
  Unavailable,
  type UnavailableReason,
} from '../../../libs/engine/writer/call.js';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { Abandoned } from '../../../libs/engine/tasks/long-query.js';
import {
  causesOf,
  EventMissing,
  EventsUnusable,
  isUnreachable,
  StoreUnavailable,
  StoreUnusable,
  publicMessageOf,
} from '../../../libs/event-store/port.js';
import { damageIn } from '../../../libs/engine/following/stream-damage.js';
import { isDamaged, isDiskFailure } from '../../../libs/stores/startup-errors.js';
import { ApiError, toApiError } from '../platform/errors.js';
import { guardError, refusalError } from '../refusals.js';
import type { DriveRequest } from './drive-request.js';
import type { CommandClass } from '../../../libs/application/drive-command.js';
import { pageBody, recordBody, taggedBody } from './response-bodies.js';

export interface Envelope<T> {
  ok: { data: T; dry_run?: DryRunView };
}

/** The body to send: an envelope to serialize, or JSON text. */
type ResponseBody<T> = Envelope<T> | string | Buffer;

/** Slug and message of each reason why a drive is unavailable. */
export const UNAVAILABLE: Readonly<Record<UnavailableReason, { type: string; title: string }>> = {
  overloaded: {
    type: 'drive.overloaded',
    title: 'Too many requests are waiting for this organization; retry.',
  },
  behind: {
    type: 'drive.behind',
    title: 'The revision in Min-Drive-Revision was not reached in time; retry.',
  },
  'read-model-behind': {
    type: 'read-model.behind',
    title: 'Lists and searches lag behind the stored events; retry.',
  },
  busy: {
    type: 'drive.busy',
    title: 'This read did not get a turn between pending writes in time; retry.',
  },
  'outcome-unknown': {
    type: 'outcome-unknown',
    title:
      'The store did not confirm in time whether the events were stored. Repeat the request with the same Idempotency-Key.',
  },
  conflict: { type: 'drive.conflict', title: 'Concurrent writes kept conflicting; retry.' },
  closed: {
    type: 'drive.closed',
    title: 'The organization contains events that this release of the service does not know.',
  },
  broken: {
    type: 'drive.broken',
    title:
      'The stored events of the organization are damaged, so it accepts no commands. The operator can find the cause at /ready.',
  },
  'too-large': {
    type: 'drive.too-large',
    title: 'The organization exceeds the memory limit STATE_CACHE_BYTES, so it cannot be loaded.',
  },
  importing: {
    type: 'drive.importing',
    title: 'The organization is being imported; retry when the import is complete.',
  },
  sealed: {
    type: 'drive.sealed',
    title: 'The organization was imported without its keys, so it is read-only.',
  },
  'store-failed': { type: 'drive.store-failed', title: 'The store failed; nothing was stored.' },
  'store-unavailable': {
    type: 'store-unavailable',
    title: 'The store cannot be reached; nothing was stored. Retry.',
  },
  interrupted: { type: 'server.interrupted', title: 'The work was interrupted; retry.' },
  stopping: { type: 'server.stopping', title: 'The service is shutting down; retry.' },
};

const RETRY_AFTER_S = '1';

/** Sends commands and queries on their buses and converts outcomes to responses. */
@Injectable()
export class DriveApi {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(Drives) private readonly drives: Drives,
  ) {}

  async run<Input, Answer>(
    call: DriveRequest,
    command: CommandClass<Input, Answer>,
    input: NoInfer<Input>,
  ): Promise<ResponseBody<Answer>> {
    if (call.past) throw guardError('request.no-past');
    const { drive_id, reply } = call;
    const request = call.command;
    const running = generating(request.dry_run, () =>
      this.commands.execute(new command(drive_id, input, request)),
    );
    return respond(reply, running);
  }

  query<Input, Answer>(
    call: DriveRequest,
    query: QueryClass<Input, Answer>,
    input: NoInfer<Input>,
  ): ResponseBody<Answer> | Promise<ResponseBody<Answer>> {
    const { reply } = call;
    const asked = new query(call, input);
    if (!isDeclared(query)) return respond(reply, this.queries.execute(asked));
    const answering = this.answer(query, asked);
    return answering instanceof Promise ? respond(reply, answering) : presentBody(reply, answering);
  }

  /** Publishes a query on the bus and answers it here: the bus would await the answer, which is usually there at once. */
  private answer<Input, Answer>(
    query: DeclaredQuery<Input, Answer>,
    asked: DriveQuery<Input, Answer>,
  ): Answering<Answer | JsonText<Answer>> {
    this.queries.publisher.publish(asked);
    try {
      return query.answer(this.drives, asked.reader, asked.input);
    } catch (error) {
      throwUnavailable(error);
    }
  }
}

/**
 * The envelope of an outcome; sets the header Drive-Revision. Data in the form of JSON text is inserted
 * unchanged.
 */
export function respond<T>(
  reply: FastifyReply,
  running: Promise<Outcome<T | JsonText<T>>>,
): Promise<ResponseBody<T>> {
  return settled(running, (outcome) => presentBody(reply, outcome));
}

/** Like `respond`, for an outcome that is there. @throws ApiError for a refusal */
function presentBody<T>(reply: FastifyReply, outcome: Outcome<T | JsonText<T>>): ResponseBody<T> {
  const answered = acceptedOutcome(reply, outcome);
  const { data } = answered;
  if (data instanceof JsonText)
    return data.record_revision === undefined
      ? pageBody(reply, data)
      : recordBody(reply, data, data.record_revision);
  const dry_run = presentDryRun(answered);
  if (dry_run) return { ok: { data, dry_run } };
  const { record_revision } = answered;
  if (record_revision === undefined) return { ok: { data } };
  return taggedBody(reply, JSON.stringify(data), record_revision);
}

/** The data of an outcome, for responses without the envelope. */
export function dataOf<T>(
  reply: FastifyReply,
  running: Promise<Outcome<T | JsonText<T>>>,
): Promise<T | JsonText<T>> {
  return settled(running, (outcome) => acceptedOutcome(reply, outcome).data);
}

/** Awaits an outcome and presents it. @throws ApiError for an unavailable drive */
async function settled<T, Shown>(
  running: Promise<Outcome<T>>,
  show: (outcome: Outcome<T>) => Shown,
): Promise<Shown> {
  let outcome: Outcome<T>;
  try {
    outcome = await running;
  } catch (error) {
    throwUnavailable(error);
  }
  return show(outcome);
}

/** Sets the headers of an outcome. @throws ApiError for a refusal */
function acceptedOutcome<T>(reply: FastifyReply, outcome: Outcome<T>): Answered<T> {
  if (isRefused(outcome)) {
    const error = errorOf(outcome);
    // Callers without a valid identity must not learn the revision.
    if (error.status === 401) void reply.removeHeader('drive-revision');
    else if (reply.hasHeader('drive-revision'))
      void reply.header('drive-revision', String(outcome.revision));
    throw error;
  }
  void reply.header('drive-revision', String(outcome.revision));
  if (outcome.is_repeated) void reply.header('idempotent-replayed', 'true');
  return outcome;
}

function errorOf({ refusal, index }: Refused): ApiError {
  const error = refusalError(refusal);
  return index === undefined ? error : error.with({ index });
}

export function failureError(thrown: unknown): ApiError {
  // The client has disconnected; this error only appears in the log.
  if (thrown instanceof Abandoned)
    return new ApiError(499, 'request.abandoned', 'The client disconnected.');
  const reason = reasonOf(thrown);
  if (!reason) return toApiError(thrown);
  const { type, title } = UNAVAILABLE[reason];
  const message = reason === 'store-unavailable' && publicMessageOf(thrown);
  // A retry cannot help if the request is too large or the data damaged.
  // A server may not show the last events for a moment.
  const is_permanent =
    PERMANENT.has(reason) && !causesOf(thrown).some((at) => at instanceof EventMissing);
  const retry = is_permanent ? {} : { headers: { 'Retry-After': RETRY_AFTER_S } };
  // An unusable file is a permanent fault; its cause is logged for operators.
  const cause = thrown instanceof StoreUnusable || isOfDisk(thrown) ? { cause: thrown } : {};
  return new ApiError(503, type, message ? `${message}; nothing was stored.` : title, {
    ...retry,
    ...cause,
  });
}

export function throwUnavailable(error: unknown): never {
  throw reasonOf(error) || error instanceof Abandoned ? failureError(error) : error;
}

/** True for a full or failing disk, or damage to a file on it, that SQLite has met. */
function isOfDisk(thrown: unknown): boolean {
  return isDiskFailure(thrown) || isDamaged(thrown);
}

const PERMANENT: ReadonlySet<UnavailableReason> = new Set(['too-large', 'broken']);

/** The reason why a drive is unavailable; null for any other error. */
function reasonOf(thrown: unknown): UnavailableReason | null {
  if (thrown instanceof EventsUnusable) return 'broken';
  if (thrown instanceof Unavailable || thrown instanceof StoreUnavailable) {
    const reason = thrown instanceof StoreUnavailable ? 'store-failed' : thrown.reason;
    return reason === 'store-failed' && isUnreachable(thrown) ? 'store-unavailable' : reason;
  }
  if (isOfDisk(thrown)) return 'store-failed';
  return damageIn('', thrown) ? 'broken' : null;
}
