import { parseJsonObject } from '../../kernel/json-object.js';
import { type Refusal, refuseField } from '../../kernel/refusal.js';

/** The problem of a webhook's filters, null if they are valid. */
export function refuseFilters(filters: string | null | undefined): Refusal | null {
  if (!filters || parseJsonObject(filters)) return null;
  return refuseField('/filters', 'must be the text of a JSON object');
}
