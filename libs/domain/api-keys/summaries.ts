import type { Summaries, Telling } from '../foundation/telling.js';
import type { ApiKeyEvents } from './events.js';
import type { ApiKey } from './record.js';

/** The key, and whose it is. */
function keyOf({ name, record }: Telling, api_key_id: string): string {
  const key = record<ApiKey>(api_key_id);
  return key ? `${name(api_key_id)} of ${name(key.user_id)}` : api_key_id;
}

export const apiKeySummaries: Summaries<ApiKeyEvents> = {
  ApiKeyCreated: (told, { api_key_id }) =>
    `${told.actor} made the API key ${keyOf(told, api_key_id)}`,

  ApiKeyUpdated(told, { api_key_id, is_revoked }) {
    const key = keyOf(told, api_key_id);
    if (is_revoked === undefined) return `${told.actor} changed the API key ${key}`;
    return `${told.actor} ${is_revoked ? 'revoked' : 'restored'} the API key ${key}`;
  },

  ApiKeyDeleted: (told, { api_key_id }) =>
    `${told.actor} deleted the API key ${keyOf(told, api_key_id)}`,
};
