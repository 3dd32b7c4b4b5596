import { INVITE_SETTINGS } from '../relations/membership.js';
import type { DriveState } from '../foundation/state.js';
import { event } from '../foundation/events.js';
import { Access, type Evidence } from '../access/access.js';
import { byAge } from '../access/principals.js';
import { accept, type Decider } from '../foundation/decision.js';
import { changes, filled, isEmpty } from '../kernel/fields.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';
import { type Refusal, refuse, refuseField, refuseIdInUse } from '../kernel/refusal.js';
import type { ById } from '../foundation/commands.js';
import type { CreateInvite, UpdateInvite } from './commands.js';
import type { Invite, Role } from './record.js';

export const createInvite: Decider<CreateInvite> = (context, command) => {
  const { state, caller } = context;
  const { group_id, role, fresh } = command;
  const invitee_id = command.invitee_id ?? fresh.placeholder_id;
  const settings = filled(INVITE_SETTINGS, command);
  if (role === 'ADMIN' && invitee_id === PUBLIC) return refusePublicAdmin();
  if (endsBeforeItBegins(settings.active_from, settings.expires_at)) return refuseWindow();
  if (!state.groups.has(group_id)) return refuse('group-not-found');
  const access = Access.of(context);
  const allowed = mayInvite(access, group_id, role);
  if (!allowed) return access.denied();
  if (command.id && state.isUsed(state.invites, command.id)) return refuseIdInUse();
  const is_placeholder = invitee_id.startsWith(PREFIX.placeholder_invitee);
  return accept(
    allowed,
    event('GroupInviteCreated', {
      invite_id: command.id ?? fresh.invite_id,
      group_id,
      inviter_id: caller.user_id,
      invitee_id,
      role,
      ...settings,
      redeem_code: is_placeholder ? fresh.code : null,
      redeem_digest: is_placeholder ? fresh.code_digest : '',
      from_placeholder_invitee: null,
    }),
  );
};

export const updateInvite: Decider<UpdateInvite> = (context, command) => {
  const invite = context.state.invites.get(command.id);
  if (!invite) return refuse('invite-not-found');
  const fields = changes(INVITE_SETTINGS, command, 'role');
  const changed: Invite = { ...invite, ...fields };
  const access = Access.of(context);
  const allowed = mayChange(access, invite, changed);
  if (!allowed) return access.denied();
  if (isEmpty(fields)) return refuse('nothing-to-update');
  if (changed.role === 'ADMIN' && invite.invitee_id === PUBLIC) return refusePublicAdmin();
  const moves_window = fields.active_from !== undefined || fields.expires_at !== undefined;
  if (moves_window && endsBeforeItBegins(changed.active_from, changed.expires_at))
    return fields.expires_at === undefined
      ? refuseField('/active_from', 'must be earlier than expires_at')
      : refuseWindow();
  return accept(allowed, event('GroupInviteUpdated', { invite_id: invite.id, ...fields }));
};

export const deleteInvite: Decider<ById> = (context, command) => {
  const { state } = context;
  const invite = state.invites.get(command.id);
  if (!invite) return refuse('invite-not-found');
  const access = Access.of(context);
  const may_end_membership =
    access.owner() ??
    access.self(invite.invitee_id) ??
    access.groupAdmin(invite.group_id) ??
    access.system('DELETE', invite.group_id);
  const allowed = may_end_membership ?? access.self(invite.inviter_id);
  if (!allowed) return access.denied();
  const invite_ids = may_end_membership ? invitesOfSameMember(state, invite) : [invite.id];
  return accept(allowed, event('GroupInvitesDeleted', { invite_ids }));
};

/** INVITE on a group allows inviting members; inviting admins also requires EDIT. */
function mayInvite(access: Access, group_id: string, role: Role): Evidence | null {
  const in_charge = access.owner() ?? access.groupAdmin(group_id);
  if (in_charge) return in_charge;
  const invite = () => access.system('INVITE', group_id);
  return role === 'ADMIN' ? access.both(invite, () => access.system('EDIT', group_id)) : invite();
}

function mayChange(access: Access, invite: Invite, changed: Invite): Evidence | null {
  const in_charge =
    access.owner() ?? access.groupAdmin(invite.group_id) ?? access.system('EDIT', invite.group_id);
  if (in_charge || invite.role === 'ADMIN' || changed.role === 'ADMIN') return in_charge;
  return access.self(invite.inviter_id) && access.system('INVITE', invite.group_id);
}

/** All invites of the invite's user in the group, oldest first; for other invitees only this invite. */
function invitesOfSameMember(state: DriveState, invite: Invite): readonly string[] {
  if (!invite.invitee_id.startsWith(PREFIX.user)) return [invite.id];
  return [...state.invites.where('invitee', invite.invitee_id)]
    .filter(({ group_id }) => group_id === invite.group_id)
    .sort(byAge)
    .map(({ id }) => id);
}

function endsBeforeItBegins(active_from: number, expires_at: number): boolean {
  return active_from > 0 && expires_at > 0 && expires_at <= active_from;
}

function refuseWindow(): Refusal {
  return refuseField('/expires_at', 'must be later than active_from');
}

function refusePublicAdmin(): Refusal {
  return refuseField('/role', 'must be MEMBER for a public invite');
}
