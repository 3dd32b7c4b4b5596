import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../../../libs/domain/access/caller.js';
import type { PastRequest } from '../../../libs/application/read-record.js';
import type { CommandRequest, Idempotency } from '../../../libs/engine/writer/call.js';
import { canonicalJson, sha256Hex } from '../../../libs/engine/proofs/hashing.js';
import { invalidHeader } from '../refusals.js';
import { allowedRevision } from './entity-tags.js';
import type { LongQueries, RequestQuery } from './long-queries.js';

const MOST_REASON_CHARS = 512;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** A request admitted by the drive guard; the first parameter of handlers. */
export class DriveRequest {
  private own_query: RequestQuery | undefined;

  constructor(
    readonly drive_id: string,
    readonly credential: Credential,
    /** `''` for callers without an identity. */
    readonly user_id: string,
    /** The requested past point; undefined: the current state. */
    readonly past: PastRequest | undefined,
    private readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    private readonly long_queries?: LongQueries,
  ) {}

  /** The same request of a user whom its body names, instead of a token. */
  as(credential: Credential, user_id: string): DriveRequest {
    const { drive_id, past, request, reply, long_queries } = this;
    return new DriveRequest(drive_id, credential, user_id, past, request, reply, long_queries);
  }

  /** Limits and cancellation of this request, if it is a long query. */
  get long_query(): RequestQuery | undefined {
    return (this.own_query ??= this.long_queries?.queryOf(this));
  }

  /** Caller, metadata and options of a command. Read it after the body has been validated. */
  get command(): CommandRequest {
    return this.commandWith(this.idempotency());
  }

  /** The same without the Idempotency-Key, for commands that something else identifies; their body may be a stream. */
  get unkeyed_command(): CommandRequest {
    return this.commandWith(null);
  }

  private commandWith(idempotency: Idempotency | null): CommandRequest {
    const { credential, request } = this;
    const dry_run = isDryRun(request);
    return {
      credential,
      correlation_id: request.id,
      reason: reasonOf(request),
      idempotency,
      if_match: allowedRevision(request),
      dry_run,
      ...(dry_run && { signal: this.long_query?.signal }),
    };
  }

  /** Digests of the Idempotency-Key with its caller, and of path and body. */
  private idempotency(): Idempotency | null {
    const { request } = this;
    const key = request.headers['idempotency-key'];
    if (key === undefined) return null;
    if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
      throw invalidHeader('The header Idempotency-Key must be 1–255 visible ASCII characters.');
    const path = request.url.split('?', 1)[0]!;
    const sent = `${path}\n${canonicalJson(request.body ?? {})}`;
    const keyOf = (user_id: string): string => sha256Hex(`${user_id}\n${key}`);
    return {
      key: keyOf(this.user_id),
      keyOf,
      body: createHmac('sha256', key).update(sent).digest('hex'),
      earlier_body: sha256Hex(sent),
    };
  }
}

/** An HTTP request with the drive request that the guard attaches. */
export interface GuardedRequest extends FastifyRequest {
  drive_request?: DriveRequest;
}

/** The drive request of a handler behind `DriveGuard`. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext): DriveRequest => {
  const [{ drive_request }] = context.getArgs<[GuardedRequest]>();
  if (!drive_request) throw new Error('@Call() needs a route behind DriveGuard');
  return drive_request;
});

/** The reason for the command from the header Audit-Reason; null if absent. */
function reasonOf(request: FastifyRequest): string | null {
  const header = request.headers['audit-reason'];
  if (typeof header !== 'string' || header === '') return null;
  const reason = textOfHeader(header);
  if (reason.length > MOST_REASON_CHARS)
    throw invalidHeader(
      `The header Audit-Reason must have at most ${MOST_REASON_CHARS} characters.`,
    );
  return reason;
}

/** The text of a header: UTF-8 if valid, else Latin-1. Node.js decodes all headers as Latin-1. */
function textOfHeader(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

/**
 * True if the header Dry-Run asks for a dry run. Values other than true and false are refused, so that no dry
 * run is executed by mistake.
 */
export function isDryRun(request: FastifyRequest): boolean {
  const header = request.headers['dry-run'];
  if (header === undefined) return false;
  const value = String(header).toLowerCase();
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw invalidHeader('The header Dry-Run must be true or false.');
}
