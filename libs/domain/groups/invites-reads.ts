import { SYSTEM_TYPES, type SystemType } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';
import { labelValues } from '../relations/labels.js';
import { inviteeName, userAvatar } from '../relations/people.js';
import type { Invite } from './record.js';
import { integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { type Clause, lines, type ReadDefinition } from '../foundation/reading.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { isActive } from '../access/principals.js';
import { mayReadGroup } from './reads.js';

export const inviteView = view('Invite', {
  id: text({ example: 'GroupInviteID_3f0c…' }),
  group_id: text(),
  inviter_id: text(),
  invitee_id: text('A user id, a placeholder id or PUBLIC'),
  role: oneOf(['ADMIN', 'MEMBER']),
  note: text(),
  active_from: integer('ms; 0 = from the start'),
  expires_at: integer('ms; -1 = never'),
  created_at: integer(),
  last_modified_at: integer(),
  redeem_code: nullable(text('Null without a code and for callers who may not see it')),
  from_placeholder_invitee: nullable(
    text('The placeholder or public invite from which it was redeemed'),
  ),
  labels: listOf(text()),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  group_name: text(),
  group_avatar: text(),
  invitee_name: text(),
  invitee_avatar: nullable(text()),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
});
export type InviteView = Shown<typeof inviteView>;

/** True for the inviter, the invitee, admins of the group, and callers with VIEW on the group. */
function mayReadInvite(access: Access, invite: Invite): boolean {
  return (
    access.is_owner ||
    access.self(invite.inviter_id, invite.invitee_id) !== null ||
    access.groupAdmin(invite.group_id) !== null ||
    access.can('VIEW', invite.group_id)
  );
}

/** An invite as the caller of `context` sees it. */
export function presentInvite(context: Context, invite: Invite): InviteView {
  const access = Access.of(context);
  const group = context.state.groups.get(invite.group_id);
  return {
    id: invite.id,
    group_id: invite.group_id,
    inviter_id: invite.inviter_id,
    invitee_id: invite.invitee_id,
    role: invite.role,
    note: invite.note,
    active_from: invite.active_from,
    expires_at: invite.expires_at,
    created_at: invite.created_at,
    last_modified_at: invite.last_modified_at,
    redeem_code: shownCode(context, access, invite),
    from_placeholder_invitee: invite.from_placeholder_invitee,
    labels: labelValues(context.state, invite),
    external_id: invite.external_id || null,
    external_payload: invite.external_payload || null,
    group_name: group?.name ?? '',
    group_avatar: group?.avatar ?? '',
    invitee_name: inviteeName(context, invite.invitee_id),
    invitee_avatar: userAvatar(context, invite.invitee_id),
    permission_previews: previews(access, invite),
  };
}

function shownCode(context: Context, access: Access, invite: Invite): string | null {
  if (invite.invitee_id === PUBLIC) return PUBLIC;
  if (invite.redeem_code === null || !maySeeCode(access, invite)) return null;
  return context.masked ? MASKED : context.open(invite.redeem_code, 'redeem_code');
}

/** A code makes its holder a member, so it requires the permission to create such an invite. */
function maySeeCode(access: Access, { group_id, inviter_id, role }: Invite): boolean {
  return (
    access.is_owner ||
    access.self(inviter_id) !== null ||
    access.groupAdmin(group_id) !== null ||
    access.can(role === 'ADMIN' ? 'EDIT' : 'INVITE', group_id)
  );
}

function previews(access: Access, invite: Invite): readonly SystemType[] {
  if (access.is_owner || access.groupAdmin(invite.group_id)) return SYSTEM_TYPES;
  const held = access.systemTypes(invite.group_id);
  if (held.includes('VIEW') || !mayReadInvite(access, invite)) return held;
  return SYSTEM_TYPES.filter((type) => type === 'VIEW' || held.includes(type));
}

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
