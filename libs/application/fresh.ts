import { randomBytes, randomUUID } from 'node:crypto';
import { sha256Hex } from '../engine/hashing.js';
import { newId, newRedeemCode, type UuidIdPrefix } from '../identity/ids.js';

/** Generated values for commands: ids, keys and codes are made here and nowhere deeper. */
export const fresh = {
  id: (prefix: UuidIdPrefix): string => newId(prefix),

  /** Names a new subject's key. */
  subjectKey: (): string => `subject-${randomUUID()}`,

  /** A redeem code with its digest (SHA-256, hex). */
  code(): { code: string; code_digest: string } {
    const code = newRedeemCode();
    return { code, code_digest: sha256Hex(code) };
  },

  /** A secret that signs deliveries: `whsec_` and 32 bytes in base64 (Standard Webhooks). */
  webhookSecret: (): string => `whsec_${randomBytes(32).toString('base64')}`,
};
