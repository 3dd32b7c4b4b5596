import { GROUP_DEFAULTS, type GroupFields, type InviteFields, type Role } from './record.js';
import type { INVITE_SETTINGS } from '../relations/membership.js';
import type { ById } from '../foundation/commands.js';
import { event } from '../foundation/events.js';
import { Access } from '../access/access.js';
import { accept, type Decider } from '../foundation/decision.js';
import { type Changes, changes, filled, isEmpty } from '../kernel/fields.js';
import { refuse, refuseIdInUse } from '../kernel/refusal.js';

/** Commands on groups. Absent fields get their default (create) or do not change (update). */
export interface CreateGroup extends Partial<GroupFields> {
  id?: string;
  fresh: { group_id: string; invite_id: string };
}

export interface UpdateGroup extends Changes<typeof GROUP_DEFAULTS> {
  id: string;
  name?: string;
  /** Null: resets to the organization's. */
  host_url?: string | null;
}

export interface CreateInvite extends Partial<InviteFields> {
  id?: string;
  group_id: string;
  /** Absent: a new placeholder. */
  invitee_id?: string;
  role: Role;
  fresh: { invite_id: string; placeholder_id: string; code: string; code_digest: string };
}

export interface UpdateInvite extends Changes<typeof INVITE_SETTINGS> {
  id: string;
  role?: Role;
}

export interface RedeemInvite {
  invite_id: string;
  redeem_code: string;
  /** SHA-256 (hex) of `redeem_code`. */
  redeem_digest: string;
  note?: string;
  fresh: { invite_id: string; subject_key_id: string };
}

export const createGroup: Decider<CreateGroup> = (context, command) => {
  const { state, caller } = context;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_GROUPS');
  if (!allowed) return access.denied();
  if (command.id && state.isUsed(state.groups, command.id)) return refuseIdInUse();
  return accept(
    allowed,
    event('GroupCreated', {
      group_id: command.id ?? command.fresh.group_id,
      owner: caller.user_id,
      admin_invite_id: command.fresh.invite_id,
      name: command.name ?? 'Unnamed Group',
      host_url: command.host_url ?? state.organization.host_url,
      ...filled(GROUP_DEFAULTS, command),
    }),
  );
};

export const updateGroup: Decider<UpdateGroup> = (context, command) => {
  const { state } = context;
  const group = state.groups.get(command.id);
  if (!group) return refuse('group-not-found');
  const access = Access.of(context);
  const allowed = access.owner() ?? access.groupAdmin(group.id) ?? access.system('EDIT', group.id);
  if (!allowed) return access.denied();
  const fields = {
    ...changes(GROUP_DEFAULTS, command, 'name'),
    ...(command.host_url !== undefined && {
      host_url: command.host_url ?? state.organization.host_url,
    }),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  return accept(allowed, event('GroupUpdated', { group_id: group.id, ...fields }));
};

export const deleteGroup: Decider<ById> = (context, command) => {
  const { state } = context;
  const group = state.groups.get(command.id);
  if (!group) return refuse('group-not-found');
  const access = Access.of(context);
  const is_everyone = state.organization.default_everyone_group_id === group.id;
  const allowed =
    access.owner() ??
    (is_everyone ? null : (access.groupAdmin(group.id) ?? access.system('DELETE', group.id)));
  if (!allowed) return access.denied();
  return accept(allowed, event('GroupDeleted', { group_id: group.id }));
};
