/**
 * Principals of the Internet Computer: up to 29 bytes, written as text with a checksum.
 * Sources: the Internet Computer interface specification, sections "Special forms of Principals"
 * and "Textual representation of principals" (https://internetcomputer.org/docs/references/ic-interface-spec).
 */
import { createHash, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { base32nopad } from '@scure/base';

import { publicKeyDer } from './ed25519.js';

/** Prefixes of ids whose opaque part is a principal: see `derive.ts`. Other ids end with a UUID. */
export const PRINCIPAL_PREFIXES = { drive: 'DriveID_', user: 'UserID_' } as const;

/** A fresh id: the prefix and a random UUID v4. Users and drives have principals instead. */
export function newId<P extends `${string}ID_`>(
  prefix: P extends (typeof PRINCIPAL_PREFIXES)['drive' | 'user'] ? never : P,
): `${P}${string}` {
  return `${prefix}${randomUUID()}`;
}

/** A fresh redeem code: 122 random bits, impossible to guess. */
export function newRedeemCode(): `RedeemTokenID_${string}` {
  return newId('RedeemTokenID_');
}

/** Longest principal, bytes. */
const MAX_PRINCIPAL_BYTES = 29;

const CRC_BYTES = 4;
const SELF_AUTHENTICATING = Uint8Array.of(0x02);
/** 53 base32 digits for 33 bytes, and ten dashes between the groups of five. */
const MAX_TEXT_LENGTH = 63;

/**
 * The text of the self-authenticating principal of an Ed25519 key: the holder of the private key
 * can prove to be it. 29 bytes, 63 characters.
 * @param public_key 32 raw bytes
 * @throws RangeError unless given 32 bytes
 */
export function selfAuthenticatingPrincipal(public_key: Uint8Array): string {
  const digest = createHash('sha224').update(publicKeyDer(public_key)).digest();
  return principalText(Buffer.concat([digest, SELF_AUTHENTICATING]));
}

/**
 * The text of a principal: CRC-32 (big-endian) and bytes in base32, lower case, no padding, in
 * groups of five joined by `-`.
 * @throws RangeError over 29 bytes
 */
export function principalText(bytes: Uint8Array): string {
  if (bytes.length > MAX_PRINCIPAL_BYTES) {
    throw new RangeError(`A principal has at most ${MAX_PRINCIPAL_BYTES} bytes`);
  }
  const checked = Buffer.alloc(CRC_BYTES + bytes.length);
  checked.writeUInt32BE(crc32(bytes));
  checked.set(bytes, CRC_BYTES);
  return base32nopad
    .encode(checked)
    .toLowerCase()
    .match(/.{1,5}/g)!
    .join('-');
}

/** The bytes of a principal's text; null unless it is exactly the text `principalText` gives. */
export function principalBytes(text: string): Uint8Array | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  const checked = decodeBase32(text.replaceAll('-', '').toUpperCase());
  if (checked === null) return null;
  const bytes = checked.subarray(CRC_BYTES);
  if (bytes.length > MAX_PRINCIPAL_BYTES) return null;
  return principalText(bytes) === text ? bytes : null;
}

/** True for a principal in canonical form: in groups, lower case, with a valid checksum. */
export function isPrincipalText(text: string): boolean {
  return principalBytes(text) !== null;
}

function decodeBase32(digits: string): Uint8Array | null {
  try {
    return base32nopad.decode(digits);
  } catch {
    return null;
  }
}
