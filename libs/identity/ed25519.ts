/**
 * Ed25519 (RFC 8032) through node:crypto, with raw 32-byte keys outside and DER inside: fixed
 * prefixes of RFC 8410 before the raw bytes.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

const PUBLIC_DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PRIVATE_DER_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The DER form (SubjectPublicKeyInfo, 44 bytes) of a raw public key.
 * @throws RangeError unless given 32 bytes
 */
export function publicKeyDer(raw: Uint8Array): Buffer {
  assertKeyLength(raw);
  return Buffer.concat([PUBLIC_DER_PREFIX, raw]);
}

/**
 * The private key object of a 32-byte secret.
 * @throws RangeError unless given 32 bytes
 */
export function privateKeyOf(secret: Uint8Array): KeyObject {
  assertKeyLength(secret);
  const key = Buffer.concat([PRIVATE_DER_PREFIX, secret]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The 32 raw public bytes that belong to a private key. */
export function rawPublicKey(private_key: KeyObject): Buffer {
  const der = createPublicKey(private_key).export({ format: 'der', type: 'spki' });
  return der.subarray(PUBLIC_DER_PREFIX.length);
}

/** The raw public bytes of a new random key; the private key is discarded. */
export function randomPublicKey(): Buffer {
  return rawPublicKey(generateKeyPairSync('ed25519').privateKey);
}

/** The 64-byte signature of `message`. */
export function signMessage(private_key: KeyObject, message: Uint8Array): Buffer {
  return sign(null, message, private_key);
}

/**
 * True if `signature` is the key's signature of `message`. False, without an exception, for a public key that is not a
 * point of the curve.
 * @throws RangeError unless the public key has 32 bytes
 */
export function verifyMessage(
  public_key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = createPublicKey({ key: publicKeyDer(public_key), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
}

function assertKeyLength(raw: Uint8Array): void {
  if (raw.length !== KEY_BYTES) throw new RangeError(`An Ed25519 key has ${KEY_BYTES} bytes`);
}
