import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { contactCommands } from '../../../libs/domain/contacts/commands.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { type Credential, resolveCaller } from '../../../libs/domain/access/caller.js';
import { isRefusal, type Refusal, refuse } from '../../../libs/domain/kernel/refusal.js';
import { systemRequest } from '../../../libs/engine/writer/call.js';
import type { Drive } from '../../../libs/engine/writer/drive.js';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { reach } from '../../../libs/engine/following/reach.js';
import { RateGate } from '../platform/rate-limit.js';
import { Settings } from '../platform/settings/settings.js';
import { guardError, invalidHeader, refusalError } from '../refusals.js';
import { AS_OF, hasPastQuery, pastRequest } from './as-of.js';
import { type CheckedToken, Credentials, tokenOf } from './credentials.js';
import { throwUnavailable } from './drive-api.js';
import { LongQueries } from './long-queries.js';
import { DriveRequest, type GuardedRequest, isDryRun } from './drive-request.js';

const endContactCode = driveCommand(contactCommands.EndContactCode);

/** How a route treats tokens: required, read if present, or ignored (a code in the body authenticates). */
type TokenRule = 'required' | 'optional' | 'ignored';

/** Metadata key of the rule of a route. */
export const TOKEN_RULE = 'drive:token-rule';
const UNLIMITED = 'drive:unlimited';
const REVISION = /^\d{1,15}$/;
const ORGANIZATION_ID = /^DriveID_[A-Za-z0-9_-]{3,128}$/;

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Rules of a route, from its decorators. */
interface Rules {
  readonly is_limited: boolean;
  readonly accepts_as_of: boolean;
  readonly token: TokenRule;
}

interface Entry {
  readonly drive_id: string;
  readonly rules: Rules;
  readonly wants_past: boolean;
  readonly request: GuardedRequest;
  readonly reply: FastifyReply;
}

/** Sets how a route treats tokens; by default a token is required. */
export const Token = (rule: TokenRule): MethodDecorator => SetMetadata(TOKEN_RULE, rule);

/** Excludes a route from the rate limits. */
export const Unlimited = (): MethodDecorator => SetMetadata(UNLIMITED, true);

/**
 * The guard of every drive operation. It checks in this order: form of the organization's id (400), its
 * existence (404), rate limits (429), authentication (401).
 */
@Injectable()
export class DriveGuard implements CanActivate {
  private readonly rules = new Map<Handler, Rules>();

  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(Credentials) private readonly credentials: Credentials,
    @Inject(RateGate) private readonly rate_gate: RateGate,
    @Inject(LongQueries) private readonly long_queries: LongQueries,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  /** Returns a promise only if the request must wait, because a promise costs as much as all checks. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const [request, reply] = context.getArgs<[GuardedRequest, FastifyReply]>();
    const { organization_id: drive_id } = request.params as { organization_id: string };
    if (!ORGANIZATION_ID.test(drive_id)) throw guardError('organization.malformed-id');
    const rules = this.rulesOf(context.getHandler());
    const entry = { drive_id, rules, wants_past: hasPastQuery(request), request, reply };
    const is_limited = rules.is_limited && !this.rate_gate.is_open;
    const asks_revision = request.headers['min-drive-revision'] !== undefined;
    const drive = this.drives.ready(drive_id);
    if (is_limited || asks_revision || !drive) return this.admitLater(entry, is_limited);
    const presented = this.credentialOf(entry);
    if (presented instanceof Promise) return presented.then((one) => this.admitAs(entry, one));
    return this.admit(entry, drive, presented, true);
  }

  private async admitLater(entry: Entry, is_limited: boolean): Promise<true> {
    const { drive_id, request, reply } = entry;
    if (
      !this.drives.loaded(drive_id) &&
      !(await this.drives.exists(drive_id).catch(throwUnavailable))
    )
      throw refusalError({ refusal: 'organization-not-found', details: [] });
    if (is_limited) await this.limit(drive_id, request.ip, reply);
    return this.admitAs(entry, await this.credentialOf(entry));
  }

  private async admitAs(entry: Entry, presented: Credential): Promise<true> {
    const { drive_id, request } = entry;
    const drive = this.drives.ready(drive_id) ?? (await this.durable(drive_id));
    const admitted = await this.admit(entry, drive, presented, true);
    if (request.headers['min-drive-revision'] === undefined) return admitted;
    // Only now: unauthenticated callers must not make the service wait, or learn the revision from it.
    const is_reached = await this.reach(drive, request);
    return this.admit(entry, drive, presented, is_reached);
  }

  /** Admits a request if its credential is valid now. */
  private admit(
    entry: Entry,
    drive: Drive,
    presented: Credential,
    is_reached: boolean,
    is_up_to_date = !this.drives.role.follows,
  ): true | Promise<true> {
    const { drive_id, rules, wants_past, request, reply } = entry;
    const is_optional = tokenRule(rules, wants_past) === 'optional';
    const credential = is_optional ? validOrAnonymous(presented, drive) : presented;
    if (credential !== presented && !is_up_to_date)
      return this.readOn(drive).then(() => this.admit(entry, drive, presented, is_reached, true));
    const admitted = (user_id: string): true => {
      // Also on errors; but callers without an identity must not learn the revision.
      if (user_id !== '') void reply.header('drive-revision', String(drive.head.revision));
      if (!is_reached)
        throw invalidHeader(
          'The header Min-Drive-Revision is beyond the last revision of the organization.',
        );
      const past = wants_past ? pastRequest(request, rules.accepts_as_of) : undefined;
      const drive_request = new DriveRequest(
        drive_id,
        credential,
        user_id,
        past,
        request,
        reply,
        this.long_queries,
      );
      request.drive_request = drive_request;
      return true;
    };
    const signed_in = this.signIn(drive, credential, request);
    return signed_in instanceof Promise ? signed_in.then(admitted) : admitted(signed_in);
  }

  /** Rules of a handler. They are cached, because reading metadata costs as much as a small response. */
  private rulesOf(handler: Handler): Rules {
    const known = this.rules.get(handler);
    if (known) return known;
    const is_limited = !this.reflector.get<boolean | undefined>(UNLIMITED, handler);
    const token = this.reflector.get<TokenRule | undefined>(TOKEN_RULE, handler) ?? 'required';
    const accepts_as_of = this.reflector.get<boolean | undefined>(AS_OF, handler) ?? false;
    const rules = { is_limited, accepts_as_of, token };
    this.rules.set(handler, rules);
    return rules;
  }

  private async durable(drive_id: string): Promise<Drive> {
    try {
      const drive = await this.drives.open(drive_id);
      await drive.durable();
      return drive;
    } catch (error) {
      return throwUnavailable(error);
    }
  }

  /** Waits for the revision in Min-Drive-Revision; false if the stream ends before it. */
  private async reach(drive: Drive, request: GuardedRequest): Promise<boolean> {
    const header = request.headers['min-drive-revision'];
    if (typeof header !== 'string' || !REVISION.test(header))
      throw invalidHeader(
        'The header Min-Drive-Revision must be a revision: an integer of at most 15 digits.',
      );
    const { min_revision_wait_ms } = this.settings;
    const is_reached = await reach(this.drives, drive, Number(header), min_revision_wait_ms).catch(
      throwUnavailable,
    );
    await drive.durable().catch(throwUnavailable);
    return is_reached;
  }

  private async limit(drive_id: string, address: string, reply: FastifyReply): Promise<void> {
    const { rate_limit_client, rate_limit_drive } = this.settings;
    const verdict = await this.rate_gate.pass([
      { policy: 'client', key: `${drive_id} ${address}`, limit: rate_limit_client },
      { policy: 'drive', key: drive_id, limit: rate_limit_drive },
    ]);
    void reply.headers(verdict.headers);
    if (verdict.error) throw verdict.error;
  }

  /** The credential of a request, checked without state, so that an invalid token never loads a drive. */
  private credentialOf({
    drive_id,
    rules,
    wants_past,
    request,
  }: Entry): Credential | Promise<Credential> {
    const rule = tokenRule(rules, wants_past);
    if (rule === 'ignored') return { kind: 'code' };
    const token = tokenOf(request);
    const found = token === null ? 'token-missing' : this.credentials.of(token, drive_id);
    if (found instanceof Promise)
      return found.then((one) => credentialOrAnonymous(one, rule), throwUnavailable);
    return credentialOrAnonymous(found, rule);
  }

  /** Checks that the credential is valid in this drive and records the user's presence. Returns the user's id. */
  private signIn(
    drive: Drive,
    credential: Credential,
    request: GuardedRequest,
    is_up_to_date = !this.drives.role.follows,
  ): string | Promise<string> {
    const now = drive.now();
    const caller = resolveCaller(drive.state, credential, now);
    if (isRefusal(caller)) {
      if (is_up_to_date) throw refusalError(caller);
      return this.signInLater(drive, credential, request, caller);
    }
    const { user_id } = caller;
    const contact = drive.state.contacts.get(user_id);
    if (!contact) return user_id;
    drive.presence.touch(user_id, now);
    const ends_code = credential.kind === 'signature' && contact.code_ends_on_sign_in;
    if (!ends_code || isDryRun(request)) return user_id;
    return this.endCode(drive, user_id, request).then(() => user_id, throwUnavailable);
  }

  /** Reads events of other processes once, because they may make the credential valid, and signs in again. */
  private signInLater(
    drive: Drive,
    credential: Credential,
    request: GuardedRequest,
    refusal: Refusal,
  ): Promise<string> {
    return this.readOn(drive).then((is_more) => {
      if (!is_more) throw refusalError(refusal);
      return this.signIn(drive, credential, request, true);
    });
  }

  /** Reads events of other processes. @returns whether there were any */
  private readOn({ drive_id, head }: Drive): Promise<boolean> {
    return this.drives.readOn(drive_id, head.revision).catch(throwUnavailable);
  }

  private async endCode(drive: Drive, contact_id: string, request: GuardedRequest): Promise<void> {
    const ending = new endContactCode(drive.drive_id, { contact_id }, systemRequest(request.id));
    await this.commands.execute(ending);
  }
}

/** The credential, or an anonymous one for a missing or flawed token. @throws ApiError if a token is required */
function credentialOrAnonymous(checked: CheckedToken, rule: TokenRule): Credential {
  if (typeof checked !== 'string') return checked;
  if (rule === 'required') throw refusalError(refuse(checked));
  return { kind: 'anonymous', token: checked };
}

/** The credential if it is valid, else an anonymous one: for routes on which a token is optional. */
function validOrAnonymous(presented: Credential, drive: Drive): Credential {
  const caller = resolveCaller(drive.state, presented, drive.now());
  return isRefusal(caller) ? { kind: 'anonymous', token: 'unauthenticated' } : presented;
}

/** Reads with `as_of` require a token, even on routes that are otherwise public. */
function tokenRule({ token, accepts_as_of }: Rules, wants_past: boolean): TokenRule {
  return wants_past && accepts_as_of ? 'required' : token;
}
