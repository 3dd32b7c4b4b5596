import { metadataText } from './metadata.js';
import { canonicalJson } from '../proofs/hashing.js';

const caller = {
  user_id: 'UserID_a',
  api_key_id: 'ApiKeyID_a',
  via: 'API_KEY',
  key_expires_at: -1,
} as const;
const request = {
  credential: { kind: 'system' },
  correlation_id: 'request "1"',
  reason: null,
  idempotency: null,
} as const;

describe('the metadata of events', () => {
  it.each([
    ['a bare request', caller, request],
    [
      'a reason and an idempotency key',
      caller,
      { ...request, reason: 'über alles', idempotency: { key: 'k', body: 'b' } },
    ],
    ['nobody in particular', { ...caller, user_id: '', api_key_id: null }, request],
  ])('is canonical JSON with %s', (_, who, brought) => {
    const text = metadataText(
      { caller: who, command: 'CreateGroup', allowed_by: ['OWNER', 'GroupID_x'] },
      brought,
      brought.idempotency && { z: 1, a: { c: [null], b: 'x' } },
    );
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });
});
