import type { Records } from '../foundation/state.js';

/** A contact that knows nothing but its id: what the service makes for people who turn up. */
export function bareContact(
  id: string,
  subject_key_id: string,
  at_ms: number,
): Records['contacts'] {
  return {
    id,
    name: '',
    avatar: '',
    email: '',
    notifications_url: '',
    public_note: '',
    private_note: '',
    evm_public_address: '',
    from_placeholder_user_id: '',
    redeem_code: '',
    redeem_digest: '',
    code_ends_on_sign_in: false,
    created_by: null,
    external_id: null,
    external_payload: null,
    past_user_ids: [],
    subject_key_id,
    created_at: at_ms,
    updated_at: at_ms,
  };
}
