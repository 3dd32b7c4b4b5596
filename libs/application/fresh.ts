import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import { PREFIX, PREVIEW_MARK } from '../domain/kernel/ids.js';
import { sha256Hex } from '../engine/proofs/hashing.js';
import { freshUserId } from '../identity/derive.js';
import { newId, newRedeemCode } from '../identity/principal.js';
import { type ApiKeyMark, makeApiKeyToken } from '../identity/token.js';

const previewing = new AsyncLocalStorage<true>();

/** Runs a task. In a dry run, values that `fresh` generates in it are marked as previews. */
export function generating<T>(dry_run: boolean | undefined, task: () => T): T {
  return dry_run ? previewing.run(true, task) : task();
}

/** In a dry run, the prefix with a marked random part; otherwise null. */
function preview(prefix: string): string | null {
  return previewing.getStore() ? previewId(prefix) : null;
}

/** A placeholder for an id that a dry run does not generate. */
export function previewId(prefix = ''): string {
  return `${prefix}${PREVIEW_MARK}${randomUUID()}`;
}

/** Generates ids, keys and codes for commands. The domain never generates any. */
export const fresh = {
  uuid: (): string => preview('') ?? randomUUID(),

  id: (prefix: `${string}ID_`): string => preview(prefix) ?? newId(prefix),

  /** The id of a user whose key no one holds. */
  userId: (): string => preview(PREFIX.user) ?? freshUserId(),

  /** The id of a new subject's key. */
  subjectKey: (): string => `subject-${fresh.uuid()}`,

  /** A redeem code with its digest (SHA-256, hex). */
  code(): { code: string; code_digest: string } {
    const code = preview(PREFIX.redeem_code) ?? newRedeemCode();
    return { code, code_digest: sha256Hex(code) };
  },

  /** The token of a new API key; a placeholder in a dry run. */
  token(): ApiKeyMark & { readonly value: string } {
    const value = preview('');
    if (value === null) return makeApiKeyToken();
    return { value, digest: sha256Hex(value), last4: value.slice(-4) };
  },

  /** A secret that signs webhook deliveries: `whsec_` and 32 bytes in base64 (Standard Webhooks). */
  webhookSecret: (): string => preview('whsec_') ?? `whsec_${randomBytes(32).toString('base64')}`,
};
