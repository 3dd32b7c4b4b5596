import { parseJsonObject } from '../kernel/json-object.js';
import { type Refusal, refuseField } from '../kernel/refusal.js';
import { type DiskType, isCloud } from './record.js';

const REQUIRED = ['endpoint', 'access_key', 'secret_key', 'bucket', 'region'] as const;

/**
 * Refuses an invalid `auth_json` of a disk. A disk with a bucket requires an object with all members for signing. Other
 * types accept any text, and no credentials are always valid.
 */
export function refuseAuthJson(
  disk_type: DiskType,
  auth_json: string | null | undefined,
  pointer = '/auth_json',
): Refusal | null {
  if (auth_json === null || auth_json === undefined || auth_json === '') return null;
  if (!isCloud({ disk_type })) return null;
  const held = parseJsonObject(auth_json);
  if (!held) return refuseField(pointer, 'must be the text of a JSON object');
  const missing = REQUIRED.filter((member) => !isFilled(held[member]));
  if (missing.length === 0) return null;
  return refuseField(pointer, `must hold non-empty ${missing.join(', ')}`);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
