import { type DomainEvent, event } from '../drive/events.js';
import type { FreshApiKey } from './commands.js';

/** Name of the key that the service makes for the owner of a new organization. */
export const ADMIN_KEY_NAME = 'Default Admin Key for Spawned Drive';

/** A key that the service makes: it begins now and never expires. */
export function serviceKeyCreated(
  user_id: string,
  name: string,
  fresh: FreshApiKey,
  now: number,
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
    begins_at: now,
    expires_at: -1,
    external_id: null,
    external_payload: null,
  });
}
