import { type Refusal, refuseField } from '../../kernel/refusal.js';

/** The problem of a webhook's filters, null if they are valid. */
export function refuseFilters(filters: string | undefined): Refusal | null {
  if (!filters || parseFilters(filters)) return null;
  return refuseField('/filters', 'must be the text of a JSON object');
}

/** The filters as an object, null for invalid text. */
export function parseFilters(filters: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(filters);
    const is_object = typeof value === 'object' && value !== null && !Array.isArray(value);
    return is_object ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
