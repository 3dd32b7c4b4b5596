import { event, type DomainEvent } from '../foundation/events.js';
import type { Records } from '../foundation/state.js';

/** The fields of a contact that a client may set, with their defaults; all are sealed. */
export const CONTACT_SETTINGS = {
  /** `''` for a contact without a name: displayed as its current id. */
  name: '',
  avatar: '',
  email: '',
  notifications_url: '',
  public_note: '',
  private_note: '',
  evm_public_address: '',
  /** This and the next are in clear if an event of an earlier release set them. */
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

export const CONTACT_DEFAULTS = { ...CREATED, past_user_ids: [] };

/** A contact with only an id, which the service creates for users without a contact. */
export function bareContact(
  id: string,
  subject_key_id: string,
  at_ms: number,
): Records['contacts'] {
  return { id, ...CONTACT_DEFAULTS, subject_key_id, created_at: at_ms, updated_at: at_ms };
}

/** The event of a contact that the service creates for a user: without name, code and groups. */
export function serviceContactCreated(contact_id: string, subject_key_id: string): DomainEvent {
  return event('ContactCreated', {
    ...{ contact_id, subject_key_id, ...CREATED },
    ...{ everyone_invite_id: null, everyone_inviter_id: null },
  });
}
