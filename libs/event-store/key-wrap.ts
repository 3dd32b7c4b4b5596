import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { KeyDoesNotOpen } from './stores.js';

/** Length of every key, including the master key, in bytes. */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM under the master key: nonce (12 bytes), sealed key (32), tag (16). The additional data (drive and key
 * id) prevent opening a row copied to another place. The cipher gets a key object: for bytes, Node first throws and
 * catches an exception, which takes five times as long as the rest.
 */
export function wrapKey(
  master_key: Uint8Array,
  drive_id: string,
  key_id: string,
  key: Uint8Array,
): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(master_key), nonce);
  cipher.setAAD(place(drive_id, key_id));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/** @throws KeyDoesNotOpen */
export function unwrapKey(
  master_key: Uint8Array,
  drive_id: string,
  key_id: string,
  wrapped: Uint8Array,
): Uint8Array {
  try {
    const nonce = wrapped.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', createSecretKey(master_key), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(place(drive_id, key_id));
    decipher.setAuthTag(wrapped.subarray(NONCE_BYTES + KEY_BYTES));
    const sealed = wrapped.subarray(NONCE_BYTES, NONCE_BYTES + KEY_BYTES);
    return new Uint8Array(Buffer.concat([decipher.update(sealed), decipher.final()]));
  } catch (cause) {
    throw new KeyDoesNotOpen(`key ${key_id} of drive ${drive_id} does not open`, { cause });
  }
}

const place = (drive_id: string, key_id: string): Buffer =>
  Buffer.from(JSON.stringify([drive_id, key_id]));

/** Id of the key that verifies the master key. */
export const MASTER_KEY_CHECK = 'master-key-check';

/** The stored keys are wrapped under another master key than the configured one. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';

  /** @param where the keys are stored */
  constructor(where: string) {
    super(`the keys in ${where} are wrapped under another master key; configure that one`);
  }
}

/** @throws RangeError for a wrong length */
export function assertMasterKey(master_key: Uint8Array): void {
  if (master_key.length !== KEY_BYTES)
    throw new RangeError(`a master key has ${KEY_BYTES} bytes, not ${master_key.length}`);
}

/** @throws RangeError for a wrong length */
export function assertKeys(keys: ReadonlyMap<string, Uint8Array>): void {
  for (const [key_id, key] of keys)
    if (key.length !== KEY_BYTES)
      throw new RangeError(`key ${key_id} has ${key.length} bytes, not ${KEY_BYTES}`);
}

/** The stored value that verifies the master key. */
export function masterKeyCheck(master_key: Uint8Array): Uint8Array {
  return wrapKey(master_key, '', MASTER_KEY_CHECK, randomBytes(KEY_BYTES));
}

/**
 * @param stored the stored value that verifies the master key, or any stored key
 * @throws WrongMasterKey
 */
export function checkMasterKey(
  master_key: Uint8Array,
  stored: Uint8Array,
  where: string,
  { drive_id, key_id } = { drive_id: '', key_id: MASTER_KEY_CHECK },
): void {
  try {
    unwrapKey(master_key, drive_id, key_id, stored);
  } catch (error) {
    throw error instanceof KeyDoesNotOpen ? new WrongMasterKey(where) : error;
  }
}
