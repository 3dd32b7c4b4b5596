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
    description:
      'The value is shown in this answer only. A call made with a key that ends makes none that ends later.',
  },
  'post api_keys/update': {
    summary: 'Change or revoke an API key',
    description:
      'Only the owner may make a revoked key count again. A call made with a key that ends leaves no key ' +
      'that ends later: neither by expires_at nor by making a revoked one count again.',
  },
  'post api_keys/delete': { summary: 'Delete an API key', description: 'A key may delete itself.' },
};
