import { Access } from '../access/access.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import type { Context } from '../foundation/decision.js';
import { type Clause, lines, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { isActive } from '../access/active.js';
import { type InviteView, mayReadInvite, presentInvite } from './invites-view.js';
import type { Invite } from './record.js';
import { mayReadGroup } from './view.js';

export const inviteReads: ReadDefinition<Invite, InviteView> = {
  family: 'group_invites',
  not_found: 'invite-not-found',
  when_hidden: 'forbidden',
  mayRead: (context, invite) => mayReadInvite(Access.of(context), invite),
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_GROUPS')) return 'all';
    const self = new Set([context.caller.user_id]);
    const groups = administeredGroups(context);
    for (const id of recordsHeld(access, 'VIEW', PREFIX.group)) groups.add(id);
    return [
      { field: 'inviter_id', among: self },
      { field: 'invitee_id', among: self },
      { field: 'group_id', among: groups },
    ];
  },
  present: presentInvite,
  filter_text: (invite) => lines(invite.note, invite.invitee_id),
  fields: {
    group_id: (invite) => invite.group_id,
    invitee_id: (invite) => invite.invitee_id,
    inviter_id: (invite) => invite.inviter_id,
  },
};

/** Reads of one group's list, which shows all of it to callers whom `invitesOfGroup` admits. */
export const groupInviteReads: ReadDefinition<Invite, InviteView> = {
  ...inviteReads,
  mayRead: () => true,
  visible: () => 'all',
};

/** The source of the list of one group's invites: all of them, for callers who may read the group. */
export function invitesOfGroup(context: Context, group_id: string): Clause | Refusal {
  if (!context.state.groups.has(group_id)) return refuse('group-not-found');
  const access = Access.of(context);
  if (!mayReadGroup(access, group_id)) return access.denied();
  return { field: 'group_id', among: new Set([group_id]) };
}

function administeredGroups({ state, caller, now }: Context): Set<string> {
  const groups = new Set(state.groups.by('owner', caller.user_id));
  for (const invite of state.invites.where('invitee', caller.user_id))
    if (invite.role === 'ADMIN' && isActive(invite, now)) groups.add(invite.group_id);
  return groups;
}
