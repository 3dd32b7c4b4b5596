import { GROUP_DEFAULTS } from './record.js';
import { event } from '../foundation/events.js';
import { Access } from '../access/access.js';
import { accept, type Decider } from '../foundation/decision.js';
import { filled, given, isEmpty } from '../kernel/fields.js';
import { refuse, refuseIdInUse } from '../kernel/refusal.js';
import type { CreateGroup, DeleteGroup, UpdateGroup } from './commands.js';

const UPDATABLE = [
  'name',
  'avatar',
  'public_note',
  'private_note',
  'external_id',
  'external_payload',
] as const;

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
    ...given(command, UPDATABLE),
    ...(command.host_url !== undefined && {
      host_url: command.host_url ?? state.organization.host_url,
    }),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  return accept(allowed, event('GroupUpdated', { group_id: group.id, ...fields }));
};

export const deleteGroup: Decider<DeleteGroup> = (context, command) => {
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
