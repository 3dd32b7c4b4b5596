import type { apiKeyCommands } from '../../../libs/domain/api-keys/commands.js';
import type { MakersOf } from './maker.js';

export const apiKeyMakers: MakersOf<typeof apiKeyCommands> = {
  CreateApiKey: ({ chance, made, key, ends, user, chosen }) => ({
    ...chosen('ApiKeyID_'),
    name: `Key ${made}`,
    ...chance.maybe('user_id', user()),
    ...chance.maybe('expires_at', ends),
    fresh: key,
  }),
  UpdateApiKey: ({ chance, state, made, id }) => ({
    id: id(state.api_keys.ids(), 'ApiKeyID_'),
    ...chance.maybe('is_revoked', chance.once(3)),
    ...chance.maybe('name', `Rekeyed ${made}`),
  }),
  DeleteApiKey: ({ state, id }) => ({ id: id(state.api_keys.ids(), 'ApiKeyID_') }),
};
