import { event, type DomainEvent } from '../foundation/events.js';

/** A contact that the service makes for somebody who turns up: no name, no code, no group. */
export function serviceContactCreated(contact_id: string, subject_key_id: string): DomainEvent {
  return event('ContactCreated', {
    contact_id,
    subject_key_id,
    name: '',
    avatar: '',
    email: '',
    notifications_url: '',
    public_note: '',
    private_note: '',
    evm_public_address: '',
    external_id: null,
    external_payload: null,
    from_placeholder_user_id: '',
    redeem_code: '',
    redeem_digest: '',
    code_ends_on_sign_in: false,
    created_by: null,
    everyone_invite_id: null,
    everyone_inviter_id: null,
  });
}
