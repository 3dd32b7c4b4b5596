import type { KeyObject } from 'node:crypto';
import { privateKeyOf, rawPublicKey, signMessage } from '../../identity/ed25519.js';

/** The installation's Ed25519 key. It signs and shows its public half, nothing else. */
export class SigningKey {
  readonly #private_key: KeyObject;
  /** 32 bytes. */
  readonly public_key: Buffer;

  /** @param secret 32 bytes */
  constructor(secret: Uint8Array) {
    this.#private_key = privateKeyOf(secret);
    this.public_key = rawPublicKey(this.#private_key);
  }

  /** The 64-byte signature of a text. */
  sign(text: string): Buffer {
    return signMessage(this.#private_key, Buffer.from(text));
  }
}
