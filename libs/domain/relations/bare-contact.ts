import { event, type DomainEvent } from '../foundation/events.js';
import type { Records } from '../foundation/state.js';

/** What a new contact has where the client says nothing. */
export const CONTACT_SETTINGS = {
  name: '',
  avatar: '',
  email: '',
  notifications_url: '',
  public_note: '',
  private_note: '',
  evm_public_address: '',
  external_id: null as string | null,
  external_payload: null as string | null,
};

const CREATED = {
  ...CONTACT_SETTINGS,
  from_placeholder_user_id: '',
  redeem_code: '',
  redeem_digest: '',
  code_ends_on_sign_in: false,
  created_by: null,
};

/** Fields of a contact of which nothing is known. */
export const CONTACT_DEFAULTS = { ...CREATED, past_user_ids: [] };

/** A contact that knows nothing but its id: what the service makes for users without one. */
export function bareContact(
  id: string,
  subject_key_id: string,
  at_ms: number,
): Records['contacts'] {
  return { id, ...CONTACT_DEFAULTS, subject_key_id, created_at: at_ms, updated_at: at_ms };
}

/** A contact that the service makes for a user without one: no name, no code, no group. */
export function serviceContactCreated(contact_id: string, subject_key_id: string): DomainEvent {
  return event('ContactCreated', {
    ...{ contact_id, subject_key_id, ...CREATED },
    ...{ everyone_invite_id: null, everyone_inviter_id: null },
  });
}
