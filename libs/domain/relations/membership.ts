import type { Records } from '../foundation/state.js';

type Invite = Records['invites'];

/** Fields of an invite that a client may change, with their defaults: it is active at once and never ends. */
export const INVITE_SETTINGS = {
  note: '',
  /** ms; 0 = from the start. */
  active_from: 0,
  /** ms; -1 = never. */
  expires_at: -1,
  external_id: null as string | null,
  external_payload: null as string | null,
};

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
