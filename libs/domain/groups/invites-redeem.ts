import { event, type DomainEvent } from '../foundation/events.js';
import { refuseUnidentified } from '../access/caller.js';
import { activeInvites, byAge, invitesOf } from '../access/principals.js';
import { isExpired } from '../access/resources.js';
import { serviceContactCreated } from '../relations/bare-contact.js';
import { isFormerId } from '../relations/former-ids.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import type { DriveState } from '../foundation/state.js';
import { bodyOf, equalDigests, prepend } from '../kernel/fields.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';
import { refuse } from '../kernel/refusal.js';
import type { RedeemInvite } from './commands.js';
import type { Invite } from './record.js';

const LONGEST_NOTE = 8192;

export const redeemInvite: Decider<RedeemInvite> = (context, command) => {
  const { state, caller, now } = context;
  if (!caller.user_id) return refuseUnidentified(caller);
  const invite = state.invites.get(command.invite_id);
  if (!invite) return refuse('invite-not-found');
  if (!opens(invite, command)) {
    const reason = 'is not a code that this invite can be redeemed with';
    return refuse('redeem-code-invalid', { pointer: '/redeem_code', reason });
  }
  const is_named = invite.invitee_id.startsWith(PREFIX.user);
  if (is_named && invite.invitee_id !== caller.user_id) return refuse('forbidden');
  if (isExpired(invite, now))
    return refuse('not-redeemable', { pointer: '/invite_id', reason: 'has expired' });
  if (isFormerId(state, caller.user_id)) return refuse('former-user-id');
  if (is_named) return accept(['CODE']);
  return accept(
    ['CODE'],
    ...newcomer(context, command),
    ...membershipGained(context, command, invite),
  );
};

/** The resulting invite of a redemption: the one that made the user a member, or that of an existing membership. */
export function redeemedInvite(
  { state, caller, now }: Context,
  command: RedeemInvite,
  events: readonly DomainEvent[],
): Invite {
  const joined =
    bodyOf(events, 'GroupInviteCreated') ?? bodyOf(events, 'GroupInviteRedeemed') ?? command;
  const invite = state.invites.get(joined.invite_id)!;
  if (invite.invitee_id !== PUBLIC) return invite;
  return membershipHeld(state, invite, caller.user_id, now) ?? invite;
}

/**
 * The invite that a user has in the group of a public one: an active one, else one that was made from the public one
 * and has not begun.
 */
function membershipHeld(
  state: DriveState,
  { id, group_id }: Invite,
  user_id: string,
  now: number,
): Invite | undefined {
  const [active] = activeInvites(state, group_id, user_id, now);
  if (active) return active;
  return invitesOf(state, group_id, user_id)
    .filter((own) => own.from_placeholder_invitee === id && !isExpired(own, now))
    .sort(byAge)[0];
}

/** True if the code redeems the invite. The code of a public invite is not secret; others are compared by digest. */
function opens(invite: Invite, { redeem_code, redeem_digest }: RedeemInvite): boolean {
  if (invite.invitee_id === PUBLIC) return redeem_code === PUBLIC;
  return equalDigests(invite.redeem_digest, redeem_digest);
}

function newcomer({ state, caller }: Context, { fresh }: RedeemInvite): DomainEvent[] {
  if (state.contacts.has(caller.user_id)) return [];
  return [serviceContactCreated(caller.user_id, fresh.subject_key_id)];
}

function membershipGained(
  { state, caller, now }: Context,
  { note: addition, fresh }: RedeemInvite,
  invite: Invite,
): DomainEvent[] {
  const { id: invite_id, group_id } = invite;
  const invitee_id = caller.user_id;
  const note = addition ? prepend(addition, invite.note, LONGEST_NOTE) : invite.note;
  if (invite.invitee_id !== PUBLIC)
    return [event('GroupInviteRedeemed', { invite_id, invitee_id, note })];
  if (membershipHeld(state, invite, invitee_id, now)) return [];
  return [
    event('GroupInviteCreated', {
      invite_id: fresh.invite_id,
      group_id,
      inviter_id: invite.inviter_id,
      invitee_id,
      role: invite.role,
      note,
      active_from: invite.active_from,
      expires_at: invite.expires_at,
      redeem_code: null,
      redeem_digest: '',
      from_placeholder_invitee: invite_id,
      external_id: invite.external_id,
      external_payload: invite.external_payload,
    }),
  ];
}
