/**
 * Bearer tokens: base64 (standard or URL-safe, padding optional) of a JSON object that is either
 * an api key or a signed challenge. Parsing determines the kind and checks the shape; the drive looks up the key, and
 * `signature.ts` verifies the signature.
 */
import { createHash, randomBytes } from 'node:crypto';
import { KEY_BYTES, SIGNATURE_BYTES } from './ed25519.js';

/** Maximum length of a token, characters. */
export const MAX_TOKEN_LENGTH = 4096;
/** Longest nonce of a challenge, UTF-16 code units. */
export const MAX_NONCE_LENGTH = 64;

/** Identifies an api key without storing it. */
export interface ApiKeyMark {
  /**
   * Lower-case hex SHA-256 of the token's characters as received. The text is the key: the same
   * JSON encoded in another way is another, unknown key.
   */
  readonly digest: string;
  /** The token's last four characters. */
  readonly last4: string;
}

interface ApiKeyToken extends ApiKeyMark {
  readonly kind: 'api_key';
}

export interface SignatureToken {
  readonly kind: 'signature';
  /** The signed text: the parsed challenge as written by `JSON.stringify`. */
  readonly message: string;
  readonly timestamp_ms: number;
  /** 32 raw bytes. */
  readonly public_key: Uint8Array;
  /** The signer's claimed principal, text. */
  readonly canonical_principal: string;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** The drive the token is meant for; absent: any. */
  readonly drive_id?: string;
  /** The server the token is meant for; absent: any. */
  readonly host?: string;
  /** 1–64 characters, accepted once; absent: the token may be reused while it is valid. */
  readonly nonce?: string;
}

interface MalformedToken {
  readonly kind: 'malformed';
  readonly reason: MalformedReason;
}

type MalformedReason =
  | 'wrong-length'
  | 'not-base64'
  | 'not-a-json-object'
  | 'unknown-auth-type'
  | 'bad-key-value'
  | 'bad-challenge'
  | 'bad-signature-bytes';

type BearerToken = ApiKeyToken | SignatureToken | MalformedToken;

type JsonObject = Readonly<Record<string, unknown>>;

const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/;
const KEY_VALUE = /^[0-9A-Fa-f]{64}$/;
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a token. Never throws, whatever the text. */
export function parseToken(token: string): BearerToken {
  if (token.length === 0 || token.length > MAX_TOKEN_LENGTH) return malformed('wrong-length');
  const bytes = decodeBase64(token);
  if (bytes === null) return malformed('not-base64');
  const content = parseObject(bytes);
  if (content === null) return malformed('not-a-json-object');
  if (content.auth_type === 'API_KEY') return readApiKey(token, content);
  if (content.auth_type === 'SIGNATURE') return readSignature(content);
  return malformed('unknown-auth-type');
}

/**
 * A new api key of 32 random bytes. `value` is the token itself, shown once and not stored; `digest` and `last4` equal
 * those of the parsed token.
 */
export function makeApiKeyToken(): ApiKeyMark & { readonly value: string } {
  const value = encodeToken({ auth_type: 'API_KEY', value: randomBytes(32).toString('hex') });
  return { value, ...markOf(value) };
}

/** The token of a JSON object: padded standard base64 of its compact UTF-8 text. */
export function encodeToken(content: object): string {
  return Buffer.from(JSON.stringify(content), 'utf8').toString('base64');
}

function readApiKey(token: string, { value }: JsonObject): ApiKeyToken | MalformedToken {
  if (typeof value !== 'string' || !KEY_VALUE.test(value)) return malformed('bad-key-value');
  return { kind: 'api_key', ...markOf(token) };
}

function readSignature({ challenge, signature }: JsonObject): SignatureToken | MalformedToken {
  const signature_bytes = readBytes(signature, SIGNATURE_BYTES);
  if (signature_bytes === null) return malformed('bad-signature-bytes');
  if (!isObject(challenge)) return malformed('bad-challenge');
  const { timestamp_ms, canonical_principal, drive_id, host, nonce } = challenge;
  const public_key = readBytes(challenge.self_auth_principal, KEY_BYTES);
  const well_formed =
    public_key !== null &&
    Number.isSafeInteger(timestamp_ms) &&
    typeof canonical_principal === 'string' &&
    isTextOrAbsent(drive_id) &&
    isTextOrAbsent(host) &&
    isNonceOrAbsent(nonce);
  if (!well_formed) return malformed('bad-challenge');
  return {
    kind: 'signature',
    message: JSON.stringify(challenge),
    timestamp_ms: timestamp_ms as number,
    public_key,
    canonical_principal,
    signature: signature_bytes,
    drive_id,
    host,
    nonce,
  };
}

function markOf(token: string): ApiKeyMark {
  const digest = createHash('sha256').update(token, 'utf8').digest('hex');
  return { digest, last4: token.slice(-4) };
}

/** Node's decoder skips unknown characters, so the text is checked first. */
function decodeBase64(text: string): Buffer | null {
  if (!STANDARD.test(text) && !URL_SAFE.test(text)) return null;
  const digits = text.replace(/={1,2}$/, '').length;
  const padded = digits !== text.length;
  if (digits % 4 === 1 || (padded && text.length % 4 !== 0)) return null;
  return Buffer.from(text, 'base64');
}

function parseObject(bytes: Uint8Array): JsonObject | null {
  try {
    const content: unknown = JSON.parse(UTF_8.decode(bytes));
    return isObject(content) ? content : null;
  } catch {
    return null;
  }
}

function readBytes(value: unknown, length: number): Uint8Array | null {
  if (!Array.isArray(value) || value.length !== length) return null;
  return value.every(isByte) ? Uint8Array.from(value) : null;
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isNonceOrAbsent(value: unknown): value is string | undefined {
  if (value === undefined) return true;
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_NONCE_LENGTH;
}

function malformed(reason: MalformedReason): MalformedToken {
  return { kind: 'malformed', reason };
}
