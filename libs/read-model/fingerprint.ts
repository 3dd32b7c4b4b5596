import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

import { stringify } from 'safe-stable-stringify';

import type { Document } from './port.js';

const KEY_BYTES = 32;
/** Bytes kept of each hash: enough that no two records of a drive share one. */
const KEPT_BYTES = 16;
const PURPOSE = 'read model fingerprints';

/**
 * Keyed hashes of documents. Without the key a guessed record cannot be tested against a fingerprint, so fingerprints
 * may be stored in a database without secrets.
 */
export class Fingerprints {
  /** Distinguishes keys, and reveals nothing else about them. */
  readonly key_name: string;

  constructor(readonly key: KeyObject) {
    this.key_name = this.hash('name');
  }

  /** @param secret 32 bytes; the key is derived from it (HKDF-SHA-256), so it serves other purposes too */
  static from(secret: Uint8Array): Fingerprints {
    if (secret.length !== KEY_BYTES)
      throw new RangeError(`a secret has ${KEY_BYTES} bytes, not ${secret.length}`);
    const key = hkdfSync('sha256', secret, new Uint8Array(), PURPOSE, KEY_BYTES);
    return new Fingerprints(createSecretKey(new Uint8Array(key)));
  }

  /** HMAC-SHA-256 over drive, family, id and the record as canonical JSON; 22 characters of base64url. */
  of(drive_id: string, { family, id, record }: Document): string {
    // Stored and compared separately.
    const { revision: _, ...own } = record as Record<string, unknown>;
    return this.hash(stringify([drive_id, family, id, own])!);
  }

  private hash(text: string): string {
    const bytes = createHmac('sha256', this.key).update(text).digest();
    return bytes.subarray(0, KEPT_BYTES).toString('base64url');
  }
}
