import { type Refusal, refuseField } from '../../kernel/refusal.js';

/** What is wrong with the filters of a webhook, null if nothing is. */
export function refuseFilters(filters: string | undefined): Refusal | null {
  if (!filters || parseFilters(filters)) return null;
  return refuseField('/filters', 'must be the text of a JSON object');
}

/** The filters as an object, null for a text that is none. */
export function parseFilters(filters: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(filters);
    const is_object = typeof value === 'object' && value !== null && !Array.isArray(value);
    return is_object ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
