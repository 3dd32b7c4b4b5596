import { event, type DomainEvent } from '../foundation/events.js';
import type { FreshApiKey } from './commands.js';

/** Name of the key that the service creates for the owner of a new organization. */
export const ADMIN_KEY_NAME = 'Default Admin Key for Spawned Drive';

/** The expiry of a key, ms; -1 = never. Some clients send 0 for "never". */
export function endOf(expires_at: number): number {
  return expires_at <= 0 ? -1 : expires_at;
}

/** The event of a key that the service creates. It is valid from `begins_at`, and by default never expires. */
export function serviceKeyCreated(
  user_id: string,
  name: string,
  fresh: FreshApiKey,
  begins_at: number,
  expires_at = -1,
): DomainEvent {
  const { api_key_id, digest, last4 } = fresh;
  return event('ApiKeyCreated', {
    api_key_id,
    digest,
    last4,
    user_id,
    created_by: null,
    subject_key_id: null,
    name,
    private_note: null,
    begins_at,
    expires_at,
    external_id: null,
    external_payload: null,
  });
}
