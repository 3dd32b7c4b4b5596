import type { Access } from '../access/access.js';
import { membershipsInOrder } from '../access/active-memberships.js';
import type { Context } from '../foundation/decision.js';
import type { Group, Invite } from '../groups/record.js';
import { mayReadGroup } from '../groups/reads.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

const MOST_GROUPS_SHOWN = 100;

export const groupPreviewView = view('GroupPreview', {
  group_id: text(),
  invite_id: text('Empty for a group owned without an invite'),
  is_admin: flag(),
  group_name: text(),
  group_avatar: text(),
});
export type GroupPreview = Shown<typeof groupPreviewView>;

/** The groups of a contact, as shown in its record. */
interface GroupsShown {
  /** Newest membership first. */
  group_previews: GroupPreview[];
  group_count: number;
}

export function groupsShown({ state, now }: Context, access: Access, user_id: string): GroupsShown {
  const memberships = membershipsInOrder(state, user_id, now);
  // Members may read their groups.
  const sees_all =
    access.self(user_id) !== null || access.is_owner || access.can('VIEW', 'TABLE_GROUPS');
  const readable = sees_all
    ? memberships
    : memberships.filter(({ group_id }) => mayReadGroup(access, group_id));
  const group_previews = readable
    .slice(0, MOST_GROUPS_SHOWN)
    .map(({ group_id, invite }) => presentPreview(state.groups.get(group_id)!, user_id, invite));
  return { group_previews, group_count: readable.length };
}

function presentPreview(group: Group, user_id: string, invite?: Invite): GroupPreview {
  return {
    group_id: group.id,
    invite_id: invite?.id ?? '',
    is_admin: group.owner === user_id || invite?.role === 'ADMIN',
    group_name: group.name,
    group_avatar: group.avatar,
  };
}
