import type { OperationTexts } from './operation-text.js';

/** Operations on API keys. */
export const API_KEYS_TEXTS: OperationTexts = {
  'get api_keys/get/{api_key_id}': { summary: 'Read an API key, its value masked' },
  'post api_keys/list/{user_id}': {
    summary: 'The API keys of a user, newest first',
    description: 'A plain array.',
  },
  'post api_keys/create': {
    summary: 'Make an API key',
    description: 'The value is shown in this answer only.',
  },
  'post api_keys/update': { summary: 'Change or revoke an API key' },
  'post api_keys/delete': { summary: 'Delete an API key', description: 'A key may delete itself.' },
};
