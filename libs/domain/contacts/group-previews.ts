import type { Access } from '../access/access.js';
import { byAge } from '../access/principals.js';
import type { Context } from '../foundation/decision.js';
import { isActive } from '../access/active.js';
import type { Group, Invite } from '../groups/record.js';
import { mayReadGroup } from '../groups/reads.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

/** Maximum groups in one contact. */
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
export interface GroupsShown {
  /** Newest membership first. */
  group_previews: GroupPreview[];
  /** Number of all visible groups. */
  group_count: number;
}

/** The groups of a user that the caller may read. */
export function groupsShown(context: Context, access: Access, user_id: string): GroupsShown {
  const { state } = context;
  const since = (group: Group) => best.get(group.id)?.created_at ?? group.created_at;
  const best = bestInvites(context, user_id);
  const groups = new Set([...best.keys(), ...state.groups.by('owner', user_id)]);
  const readable = [...groups]
    .map((group_id) => state.groups.get(group_id)!)
    .filter((group) => mayReadGroup(access, group.id));
  const group_previews = readable
    .sort((a, b) => since(b) - since(a) || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_GROUPS_SHOWN)
    .map((group) => presentPreview(group, user_id, best.get(group.id)));
  return { group_previews, group_count: readable.length };
}

/** The most relevant active invite in each group: an ADMIN invite first, then the oldest. */
function bestInvites({ state, now }: Context, user_id: string): Map<string, Invite> {
  const best = new Map<string, Invite>();
  for (const invite of state.invites.where('invitee', user_id)) {
    if (!isActive(invite, now)) continue;
    const held = best.get(invite.group_id);
    if (!held || outranks(invite, held)) best.set(invite.group_id, invite);
  }
  return best;
}

function outranks(invite: Invite, other: Invite): boolean {
  if (invite.role !== other.role) return invite.role === 'ADMIN';
  return byAge(invite, other) < 0;
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
