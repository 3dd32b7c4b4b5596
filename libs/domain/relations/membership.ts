import type { Records } from '../foundation/state.js';

type Invite = Records['invites'];

/** Default settings of a new invite: it is active at once and never ends. */
export const INVITE_SETTINGS: Pick<
  Invite,
  'note' | 'active_from' | 'expires_at' | 'external_id' | 'external_payload'
> = { note: '', active_from: 0, expires_at: -1, external_id: null, external_payload: null };

/** Fields of an invite without a code. */
export const INVITE_DEFAULTS = {
  ...INVITE_SETTINGS,
  redeem_code: null,
  redeem_digest: '',
  from_placeholder_invitee: null,
};

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
    ...{ id, group_id, inviter_id, invitee_id, role },
    ...INVITE_DEFAULTS,
    ...{ created_at: at_ms, last_modified_at: at_ms },
  };
}
