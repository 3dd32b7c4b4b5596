import type { DriveState, Records } from '../foundation/state.js';
import type { Caller, TokenFlaw } from '../foundation/decision.js';
import { type Refusal, refuse } from '../kernel/refusal.js';

/** The proof of identity in a request, verified as far as possible without a state. */
export type Credential =
  /** SHA-256 (hex) of the token. */
  | { readonly kind: 'api_key'; readonly digest: string }
  /** A verified signature of this user. */
  | { readonly kind: 'signature'; readonly user_id: string }
  /** A form or link that the service gave to this caller; valid as long as the caller's API key, if any. */
  | { readonly kind: 'delegated'; readonly user_id: string; readonly api_key_id: string | null }
  /** A code in the body is the proof. */
  | { readonly kind: 'code' }
  /** A caller of the factory, with its factory key, if any. */
  | { readonly kind: 'factory'; readonly key?: FactoryKey }
  | { readonly kind: 'system' }
  | {
      readonly kind: 'anonymous';
      /** The problem of the token; default: no token. */ readonly token?: TokenFlaw;
    };

export interface FactoryKey {
  /** Its id in event records. */
  readonly id: string;
  readonly is_admin: boolean;
}

const NOBODY = { user_id: '', api_key_id: null, key_expires_at: -1 } as const;

/** The caller of a credential in this state at `now`; refused if the key is unknown or invalid. */
export function resolveCaller(
  state: DriveState,
  credential: Credential,
  now: number,
): Caller | Refusal {
  switch (credential.kind) {
    case 'api_key': {
      const [key] = state.api_keys.where('digest', credential.digest);
      return holderOf(key, now);
    }
    case 'delegated': {
      const { user_id, api_key_id } = credential;
      if (api_key_id !== null) return holderOf(state.api_keys.get(api_key_id), now);
      return { ...NOBODY, user_id, via: user_id === '' ? 'ANONYMOUS' : 'SIGNATURE' };
    }
    case 'signature':
      return { ...NOBODY, user_id: credential.user_id, via: 'SIGNATURE' };
    case 'code':
      return { ...NOBODY, via: 'REDEEM_CODE' };
    case 'factory':
      return {
        ...NOBODY,
        via: 'FACTORY',
        ...(credential.key && {
          api_key_id: credential.key.id,
          is_factory_admin: credential.key.is_admin,
        }),
      };
    case 'system':
      return { ...NOBODY, via: 'SYSTEM' };
    case 'anonymous':
      return { ...NOBODY, via: 'ANONYMOUS', ...(credential.token && { token: credential.token }) };
  }
}

/** The caller with an API key, unless the key is unknown, revoked, expired or not yet valid. */
function holderOf(key: Records['api_keys'] | undefined, now: number): Caller | Refusal {
  const counts =
    key && !key.is_revoked && key.begins_at <= now && (key.expires_at <= 0 || key.expires_at > now);
  if (!counts) return refuse('unauthenticated');
  const { id: api_key_id, user_id, expires_at: key_expires_at } = key;
  return { user_id, api_key_id, via: 'API_KEY', key_expires_at };
}

/** The refusal for a caller without a required identity: names the problem of the token. */
export function refuseUnidentified({ token = 'token-missing' }: Caller): Refusal {
  return refuse(token);
}
