import type { TokenFlaw } from '../../../libs/domain/foundation/decision.js';
import { Injectable, Inject } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Credential } from '../../../libs/domain/access/caller.js';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { verifySignature } from '../../../libs/identity/signature.js';
import { parseToken } from '../../../libs/identity/token.js';
import { Settings } from '../platform/settings/settings.js';
import { Nonces } from './nonces.js';

/** Most parsed tokens remembered; beyond it all are forgotten. */
const MOST_KEYS = 10_000;
const BEARER = /^bearer +(\S+) *$/i;

/** A token as far as it can be judged without state: what it stands for, or what is wrong with it. */
export type Presented = Credential | TokenFlaw;

/** The token of a request: `Authorization: Bearer`, else the query parameter `auth`; null without one. */
export function tokenOf(request: FastifyRequest): string | null {
  const { authorization } = request.headers;
  // A bad header token is never a reason to look at `auth`.
  if (authorization !== undefined && /^bearer\b/i.test(authorization))
    return BEARER.exec(authorization)?.[1] ?? '';
  const { auth } = request.query as { auth?: unknown };
  return typeof auth === 'string' ? auth : null;
}

/** Turns tokens into credentials as far as that needs no state: parsing, signatures, nonces. */
@Injectable()
export class Credentials {
  /** Parsed api keys by token: what a token parses to never changes; whether it counts is asked elsewhere. */
  private readonly keys = new Map<string, Credential>();

  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(Nonces) private readonly nonces: Nonces,
  ) {}

  /**
   * The credential behind a token, or why it cannot be one; a promise where other processes may know its nonce.
   * @throws Unavailable if they cannot be asked
   */
  of(token: string, drive_id: string): Presented | Promise<Presented> {
    const known = this.keys.get(token);
    if (known) return known;
    const parsed = parseToken(token);
    if (parsed.kind === 'malformed') return 'token-malformed';
    if (parsed.kind === 'api_key') return this.remember(token, parsed.digest);
    const now_ms = this.drives.clock();
    const verdict = verifySignature(parsed, {
      now_ms,
      drive_id,
      host: this.drives.settings.host_url,
      require_audience: this.settings.require_token_audience,
    });
    if (!verdict.ok) return 'unauthenticated';
    const { user_id, nonce, expires_ms } = verdict;
    const credential: Credential = { kind: 'signature', user_id };
    if (nonce === undefined) return credential;
    const accepted = this.nonces.accept(user_id, nonce, expires_ms, now_ms);
    if (accepted instanceof Promise)
      return accepted.then((is_new) => (is_new ? credential : 'unauthenticated'));
    return accepted ? credential : 'unauthenticated';
  }

  private remember(token: string, digest: string): Credential {
    if (this.keys.size >= MOST_KEYS) this.keys.clear();
    const credential: Credential = { kind: 'api_key', digest };
    this.keys.set(token, credential);
    return credential;
  }
}
