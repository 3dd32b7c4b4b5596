import type { EventSchemas } from '../kernel/event.js';
import type { ApiKey, ApiKeyFields } from './record.js';
import type { Evolvers } from '../foundation/evolver.js';
import { removeRecord } from '../relations/cascade.js';
import type { Summaries, SummaryContext } from '../foundation/summary-context.js';

export interface ApiKeyEvents {
  ApiKeyCreated: ApiKeyFields & {
    api_key_id: string;
    user_id: string;
    created_by: string | null;
    digest: string;
    last4: string;
    /** Set if `name` was copied from the contact with this subject key. */
    subject_key_id: string | null;
  };
  ApiKeyUpdated: { api_key_id: string; is_revoked?: boolean } & Partial<ApiKeyFields>;
  ApiKeyDeleted: { api_key_id: string };
}

export const apiKeySchemas: EventSchemas<ApiKeyEvents> = {
  ApiKeyCreated: { version: 1, personal: ['name'], hidden: ['digest'] },
  ApiKeyUpdated: { version: 1 },
  ApiKeyDeleted: { version: 1 },
};

export const apiKeyEvolvers: Evolvers<ApiKeyEvents> = {
  ApiKeyCreated(state, { api_key_id, subject_key_id: _, ...fields }, { timestamp_ms }) {
    state.api_keys.put({ ...fields, id: api_key_id, is_revoked: false, created_at: timestamp_ms });
  },

  ApiKeyUpdated(state, { api_key_id, ...fields }) {
    const key = state.api_keys.get(api_key_id);
    if (key) state.api_keys.put({ ...key, ...fields });
  },

  ApiKeyDeleted: (state, { api_key_id }) => removeRecord(state, state.api_keys, api_key_id),
};

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

declare module '../foundation/events.js' {
  interface DriveEvents extends ApiKeyEvents {}
}
