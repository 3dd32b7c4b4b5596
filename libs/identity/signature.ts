/**
 * Sign-in by signature: a challenge signed with the Ed25519 key behind the signer's principal.
 * Nothing is looked up; holding the key is being the user.
 */
import type { KeyObject } from 'node:crypto';
import { rawPublicKey, signMessage, verifyMessage } from './ed25519.js';
import { PRINCIPAL_PREFIXES, selfAuthenticatingPrincipal } from './principal.js';
import { encodeToken, type SignatureToken } from './token.js';

/** How long a token lives after its timestamp, ms. */
const SIGNATURE_LIFETIME_MS = 30_000;
/** How far a signer's clock may run ahead of ours, ms. */
const SIGNATURE_LEEWAY_MS = 30_000;
/** Maximum time between the first and the last use of a token, ms. */
export const LONGEST_SHOWN_MS = SIGNATURE_LIFETIME_MS + SIGNATURE_LEEWAY_MS;

/** Place and time of a token's use. */
export interface SignatureSetting {
  readonly now_ms: number;
  /** The drive addressed by the request. */
  readonly drive_id: string;
  /** This server's public host, exactly as clients use it. */
  readonly host: string;
  /** Refuse tokens that do not name both drive and host. Default false. */
  readonly require_audience?: boolean;
}

type SignatureRefusal =
  | 'expired'
  | 'not-yet-valid'
  | 'audience-missing'
  | 'wrong-drive'
  | 'wrong-host'
  | 'wrong-principal'
  | 'wrong-signature';

type SignatureVerdict =
  | {
      readonly ok: true;
      readonly user_id: string;
      /** Present: the caller must still have it accepted by `Nonces`. */
      readonly nonce?: string;
      /** Last moment at which this token is valid, ms. */
      readonly expires_ms: number;
    }
  | { readonly ok: false; readonly reason: SignatureRefusal };

/**
 * Determines the signer of a token. A token is valid from 30 s before its timestamp to 30 s after, both included; if it
 * names a drive or host, that must be the addressed one. The expensive check comes last.
 */
export function verifySignature(
  token: SignatureToken,
  setting: SignatureSetting,
): SignatureVerdict {
  const expires_ms = token.timestamp_ms + SIGNATURE_LIFETIME_MS;
  if (setting.now_ms > expires_ms) return refused('expired');
  if (token.timestamp_ms > setting.now_ms + SIGNATURE_LEEWAY_MS) return refused('not-yet-valid');
  const audience = checkAudience(token, setting);
  if (audience !== null) return refused(audience);
  const principal = selfAuthenticatingPrincipal(token.public_key);
  if (token.canonical_principal !== principal) return refused('wrong-principal');
  const message = Buffer.from(token.message, 'utf8');
  if (!verifyMessage(token.public_key, message, token.signature)) return refused('wrong-signature');
  return { ok: true, user_id: PRINCIPAL_PREFIXES.user + principal, nonce: token.nonce, expires_ms };
}

/** Content of a client's challenge beside its key. */
interface ChallengeDetails {
  readonly timestamp_ms: number;
  readonly drive_id?: string;
  readonly host?: string;
  /** 1–64 characters. */
  readonly nonce?: string;
}

/**
 * The bearer token of a signer: padded standard base64.
 * @param private_key an Ed25519 key
 */
export function makeSignatureToken(private_key: KeyObject, details: ChallengeDetails): string {
  const public_key = rawPublicKey(private_key);
  const { timestamp_ms, drive_id, host, nonce } = details;
  const challenge = {
    timestamp_ms,
    self_auth_principal: Array.from(public_key),
    canonical_principal: selfAuthenticatingPrincipal(public_key),
    drive_id,
    host,
    nonce,
  };
  const signature = signMessage(private_key, Buffer.from(JSON.stringify(challenge), 'utf8'));
  return encodeToken({ auth_type: 'SIGNATURE', challenge, signature: Array.from(signature) });
}

function checkAudience(
  { drive_id, host }: SignatureToken,
  setting: SignatureSetting,
): SignatureRefusal | null {
  const complete = drive_id !== undefined && host !== undefined;
  if (setting.require_audience && !complete) return 'audience-missing';
  if (drive_id !== undefined && drive_id !== setting.drive_id) return 'wrong-drive';
  if (host !== undefined && host !== setting.host) return 'wrong-host';
  return null;
}

function refused(reason: SignatureRefusal): SignatureVerdict {
  return { ok: false, reason };
}
