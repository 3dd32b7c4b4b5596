import type { TokenFlaw } from '../../../libs/domain/foundation/decision.js';
import { Injectable, Inject } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Credential } from '../../../libs/domain/access/caller.js';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { verifySignature } from '../../../libs/identity/signature.js';
import { parseToken } from '../../../libs/identity/token.js';
import { Settings } from '../platform/settings/settings.js';
import { Nonces } from './nonces.js';

/** Maximum number of cached parsed tokens; above it the cache is cleared. */
const MAX_CACHED_KEYS = 10_000;
/** Without a token, its group is undefined. */
const BEARER = /^bearer\b(?: +(\S+) *$)?/i;

/** The result of checking a token without state: its credential, or its flaw. */
export type CheckedToken = Credential | TokenFlaw;

/** The token of a request from `Authorization: Bearer`, else from the query parameter `auth`; null if absent. */
export function tokenOf(request: FastifyRequest): string | null {
  const { authorization } = request.headers;
  const bearer = authorization === undefined ? null : BEARER.exec(authorization);
  // An invalid header token does not fall back to `auth`.
  if (bearer) return bearer[1] ?? '';
  const { auth } = request.query as { auth?: unknown };
  // Several are no token.
  return typeof auth === 'string' ? auth : auth === undefined ? null : '';
}

/** Converts tokens to credentials without state: parses them, verifies signatures and records nonces. */
@Injectable()
export class Credentials {
  /** Parsed API keys by token. Only parsing is cached; the validity of a key is checked for every request. */
  private readonly keys = new Map<string, Credential>();

  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(Nonces) private readonly nonces: Nonces,
  ) {}

  /**
   * The credential of a token, or its flaw; a promise if the nonce is counted for several processes.
   * @throws Unavailable if the nonce cannot be counted
   */
  of(token: string, drive_id: string): CheckedToken | Promise<CheckedToken> {
    const known = this.keys.get(token);
    if (known) return known;
    const parsed = parseToken(token);
    if (parsed.kind === 'malformed') return 'token-malformed';
    if (parsed.kind === 'api_key') return this.cache(token, parsed.digest);
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
    return accepted.then((is_new) => (is_new ? credential : 'unauthenticated'));
  }

  private cache(token: string, digest: string): Credential {
    if (this.keys.size >= MAX_CACHED_KEYS) this.keys.clear();
    const credential: Credential = { kind: 'api_key', digest };
    this.keys.set(token, credential);
    return credential;
  }
}
