import type { Records } from '../foundation/state.js';

type Invite = Records['invites'];

/** An invite to a named user that is active at once and never ends. */
export function membership(
  id: string,
  group_id: string,
  inviter_id: string,
  invitee_id: string,
  role: Invite['role'],
  at_ms: number,
): Invite {
  return {
    id,
    group_id,
    inviter_id,
    invitee_id,
    role,
    note: '',
    active_from: 0,
    expires_at: -1,
    redeem_code: null,
    redeem_digest: '',
    from_placeholder_invitee: null,
    external_id: null,
    external_payload: null,
    created_at: at_ms,
    last_modified_at: at_ms,
  };
}
