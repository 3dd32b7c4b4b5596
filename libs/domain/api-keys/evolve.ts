import type { Evolvers } from '../foundation/evolver.js';
import { removeGrantsOn } from '../relations/cascade.js';
import type { ApiKeyEvents } from './events.js';

export const apiKeyEvolvers: Evolvers<ApiKeyEvents> = {
  ApiKeyCreated(state, { api_key_id, subject_key_id: _, ...fields }, { timestamp_ms }) {
    state.api_keys.put({ ...fields, id: api_key_id, is_revoked: false, created_at: timestamp_ms });
  },

  ApiKeyUpdated(state, { api_key_id, ...fields }) {
    const key = state.api_keys.get(api_key_id);
    if (key) state.api_keys.put({ ...key, ...fields });
  },

  ApiKeyDeleted(state, { api_key_id }) {
    removeGrantsOn(state, api_key_id);
    state.api_keys.remove(api_key_id);
  },
};
