import { type Refusal, refuseField } from '../kernel/refusal.js';
import type { DiskType } from './record.js';

const CLOUD_TYPES: readonly DiskType[] = ['AWS_BUCKET', 'STORJ_WEB3'];
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
  if (!CLOUD_TYPES.includes(disk_type)) return null;
  const held = parseObject(auth_json);
  if (!held) return refuseField(pointer, 'must be the text of a JSON object');
  const missing = REQUIRED.filter((member) => !isFilled(held[member]));
  if (missing.length === 0) return null;
  return refuseField(pointer, `must hold non-empty ${missing.join(', ')}`);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const is_object = typeof value === 'object' && value !== null && !Array.isArray(value);
    return is_object ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
