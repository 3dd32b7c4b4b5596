import type { Summaries, SummaryContext } from '../foundation/summary-context.js';
import type { ApiKeyEvents } from './events.js';
import type { ApiKey } from './record.js';

/** The names of a key and its user. */
function keyOf({ name, record }: SummaryContext, api_key_id: string): string {
  const key = record<ApiKey>(api_key_id);
  return key ? `${name(api_key_id)} of ${name(key.user_id)}` : api_key_id;
}

export const apiKeySummaries: Summaries<ApiKeyEvents> = {
  ApiKeyCreated: (context, { api_key_id }) =>
    `${context.actor} made the API key ${keyOf(context, api_key_id)}`,

  ApiKeyUpdated(context, { api_key_id, is_revoked }) {
    const key = keyOf(context, api_key_id);
    if (is_revoked === undefined) return `${context.actor} changed the API key ${key}`;
    return `${context.actor} ${is_revoked ? 'revoked' : 'restored'} the API key ${key}`;
  },

  ApiKeyDeleted: (context, { api_key_id }) =>
    `${context.actor} deleted the API key ${keyOf(context, api_key_id)}`,
};
