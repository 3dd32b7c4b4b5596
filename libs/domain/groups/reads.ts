import { SYSTEM_TYPES } from '../kernel/permission-types.js';
import { Access, type Evidence } from '../access/access.js';
import { invitesInOrder } from '../access/active-memberships.js';
import { groupsOf } from '../access/principals.js';
import type { Context } from '../foundation/decision.js';
import type { DriveState } from '../foundation/state.js';
import { labelValues } from '../relations/labels.js';
import { inviteeName, userAvatar } from '../relations/people.js';
import type { Group, Invite } from './record.js';
import { flag, integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';
import { lowerBound } from '../kernel/indexes/lower-bound.js';

/** Maximum invites in one group record, alone and within a list; `invites/list` returns all of them. */
const MOST_MEMBERS_SHOWN = 100;
const MOST_MEMBERS_LISTED = 20;

const memberPreviewView = view('MemberPreview', {
  user_id: text('A user id, a placeholder id or PUBLIC'),
  name: text(),
  note: text('The note of the invite'),
  avatar: nullable(text()),
  group_id: text(),
  is_admin: flag(),
  invite_id: text(),
  last_online_ms: integer('ms; 0 if the user was never seen'),
});
export type MemberPreview = Shown<typeof memberPreviewView>;

export const groupView = view('Group', {
  id: text({ example: 'GroupID_3f0c…' }),
  name: text({ example: 'Finance' }),
  owner: text(),
  avatar: text(),
  public_note: text(),
  private_note: text('Empty for callers who may not see it'),
  admin_invites: listOf(text(), 'Ids of active ADMIN invites, at most 100'),
  member_invites: listOf(text(), 'Ids of all active invites, at most 100'),
  created_at: integer(),
  last_modified_at: integer(),
  drive_id: text(),
  host_url: text(),
  labels: listOf(text()),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  member_previews: listOf(memberPreviewView, 'Admins first, at most 100'),
  member_count: integer(),
  admin_count: integer(),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
});
export type GroupView = Shown<typeof groupView>;

/** True if the caller may read the group: its member, or VIEW. */
export function mayReadGroup(access: Access, group_id: string): boolean {
  return groupReader(access, group_id) !== null;
}

/** The same, with what lets the caller read it. */
export function groupReader(access: Access, group_id: string): Evidence | null {
  return access.owner() ?? access.member(group_id) ?? access.system('VIEW', group_id);
}

/** A group as the caller of `context` sees it. */
export function presentGroup(context: Context, group: Group): GroupView {
  return presentWith(context, group, MOST_MEMBERS_SHOWN);
}

/** A group within a list. It shows fewer members, since a page of complete groups would be large. */
function presentListedGroup(context: Context, group: Group): GroupView {
  return presentWith(context, group, MOST_MEMBERS_LISTED);
}

function presentWith(context: Context, group: Group, most_members: number): GroupView {
  const access = Access.of(context);
  const is_admin = access.is_owner || access.groupAdmin(group.id) !== null;
  const active = invitesInOrder(context.state, group.id, context.now);
  const admin_count = firstMember(active);
  const shown = active.slice(0, most_members);
  return {
    id: group.id,
    name: group.name,
    owner: group.owner,
    avatar: group.avatar,
    public_note: group.public_note,
    private_note: is_admin || access.can('EDIT', group.id) ? group.private_note : '',
    admin_invites: active.slice(0, Math.min(admin_count, most_members)).map((invite) => invite.id),
    member_invites: shown.map((invite) => invite.id),
    created_at: group.created_at,
    last_modified_at: group.last_modified_at,
    drive_id: context.state.drive_id,
    host_url: group.host_url,
    labels: labelValues(context.state, group),
    external_id: group.external_id || null,
    external_payload: group.external_payload || null,
    member_previews: shown.map((invite) => presentMember(context, invite)),
    member_count: active.length,
    admin_count,
    permission_previews: is_admin ? SYSTEM_TYPES : access.systemTypes(group.id),
  };
}

function presentMember(context: Context, invite: Invite): MemberPreview {
  return {
    user_id: invite.invitee_id,
    name: inviteeName(context, invite.invitee_id),
    note: invite.note,
    avatar: userAvatar(context, invite.invitee_id),
    group_id: invite.group_id,
    is_admin: invite.role === 'ADMIN',
    invite_id: invite.id,
    last_online_ms: context.lastOnline(invite.invitee_id),
  };
}

/** Position of the first invite that is no ADMIN invite; admins are first. */
function firstMember(invites: readonly Invite[]): number {
  return lowerBound(invites, ({ role }) => role === 'ADMIN');
}

/** Groups that may show the user as a member, found one by one. */
function* groupsWith({ groups, invites }: DriveState, user_id: string): Generator<string> {
  yield* groups.by('owner', user_id);
  for (const id of invites.by('invitee', user_id)) yield invites.get(id)!.group_id;
}

export const groupReads: ReadDefinition<Group, GroupView> = {
  family: 'groups',
  not_found: 'group-not-found',
  when_hidden: 'forbidden',
  mayRead: (context, group) => mayReadGroup(Access.of(context), group.id),
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_GROUPS')) return 'all';
    const among = groupsOf(context.state, context.caller.user_id, context.now);
    for (const id of recordsHeld(access, 'VIEW', PREFIX.group)) among.add(id);
    return [{ field: 'id', among }];
  },
  shown_from: {
    groups: ({ id }) => [id],
    group_invites: (invite) => [(invite as Invite).group_id],
    contacts: 'all',
    labels: 'all',
    system_permissions: 'all',
  },
  present: presentGroup,
  presentInList: presentListedGroup,
  shows_presence: ({ state }, user_id) => groupsWith(state, user_id),
  filter_text: (group) => lines(group.name, group.id),
  search: {
    category: 'GROUPS',
    text: (group) => lines(group.name, group.id, group.host_url),
    title: (group) => group.name,
    updated_at: (group) => group.last_modified_at,
    preview: (group) => group.host_url,
  },
};
