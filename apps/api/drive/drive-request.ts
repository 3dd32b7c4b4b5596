import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../../../libs/domain/access/caller.js';
import type { PastRequest } from '../../../libs/application/read-record.js';
import type { CommandRequest, Idempotency } from '../../../libs/engine/writer/call.js';
import { canonicalJson, sha256Hex } from '../../../libs/engine/proofs/hashing.js';
import { guardError } from '../refusals.js';
import { allowedRevision } from './entity-tags.js';
import type { LongQueries, RequestQuery } from './long-queries.js';

const MOST_REASON_CHARS = 512;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The caller's id, then those it had before a superswap. */
export type UserIds = readonly [string, ...string[]];

/** What the guard found out about a request to a drive; handlers take it as their first parameter. */
export class DriveRequest {
  private own_query: RequestQuery | undefined;

  constructor(
    readonly drive_id: string,
    readonly credential: Credential,
    private readonly user_ids: UserIds,
    /** The point of the past that is asked about, undefined for now. */
    readonly past: PastRequest | undefined,
    private readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    private readonly questions?: LongQueries,
  ) {}

  /** Limits and cancellation of this request, if it is a long query. */
  get long_query(): RequestQuery | undefined {
    return (this.own_query ??= this.questions?.queryOf(this));
  }

  /** `''` for callers without an identity. */
  get user_id(): string {
    return this.user_ids[0];
  }

  /** What commands store with their events. To be asked for once the body has been validated. */
  get command(): CommandRequest {
    const { credential, request } = this;
    return {
      credential,
      correlation_id: request.id,
      reason: reasonOf(request),
      idempotency: this.idempotency(),
      if_match: allowedRevision(request),
      dry_run: isDryRun(request),
    };
  }

  /** Digests of who sent which key, and of what was sent under it. */
  private idempotency(): Idempotency | null {
    const { request } = this;
    const key = request.headers['idempotency-key'];
    if (key === undefined) return null;
    if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
      throw guardError(
        'request.invalid-header',
        'The header Idempotency-Key must be 1–255 visible ASCII characters.',
      );
    const path = request.url.split('?', 1)[0]!;
    const sent = `${path}\n${canonicalJson(request.body ?? {})}`;
    const [own_key, ...earlier_keys] = this.user_ids.map((id) => sha256Hex(`${id}\n${key}`));
    return {
      key: own_key!,
      body: createHmac('sha256', key).update(sent).digest('hex'),
      earlier_body: sha256Hex(sent),
      earlier_keys,
    };
  }
}

/** A request that the drive guard has let through. */
export interface GuardedRequest extends FastifyRequest {
  drive_request?: DriveRequest;
}

/** The drive request of a handler behind `DriveGuard`. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext): DriveRequest => {
  const [{ drive_request }] = context.getArgs<[GuardedRequest]>();
  if (!drive_request) throw new Error('@Call() needs a route behind DriveGuard');
  return drive_request;
});

/** Why the caller says it is done, from the header Audit-Reason. */
function reasonOf(request: FastifyRequest): string | null {
  const header = request.headers['audit-reason'];
  if (typeof header !== 'string' || header === '') return null;
  const reason = textOfHeader(header);
  if (reason.length > MOST_REASON_CHARS)
    throw guardError(
      'request.invalid-header',
      `The header Audit-Reason must have at most ${MOST_REASON_CHARS} characters.`,
    );
  return reason;
}

/** The text of a header beyond ASCII: UTF-8, as most clients send it, else Latin-1, as Node.js reads all. */
function textOfHeader(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

/**
 * Whether a command is only to be tried out, from the header Dry-Run. Anything unclear is refused:
 * a dry run must not execute by mistake.
 */
export function isDryRun(request: FastifyRequest): boolean {
  const header = request.headers['dry-run'];
  if (header === undefined) return false;
  const asked = String(header).toLowerCase();
  if (asked === 'true') return true;
  if (asked === 'false') return false;
  throw guardError('request.invalid-header', 'The header Dry-Run must be true or false.');
}
