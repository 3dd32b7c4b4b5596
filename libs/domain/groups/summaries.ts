import { changed, type Summaries, type SummaryContext } from '../foundation/summary-context.js';
import { PREFIX } from '../kernel/ids.js';
import type { GroupEvents } from './events.js';
import type { Invite, Role } from './record.js';

const ROLES: Readonly<Record<Role, string>> = { ADMIN: 'an admin', MEMBER: 'a member' };

/** The names of an invite's invitee and group. */
function partsOf(
  { name, record }: SummaryContext,
  invite_id: string,
): { who: string; group: string } {
  const invite = record<Invite>(invite_id);
  if (!invite) return { who: invite_id, group: 'a group' };
  return { who: name(invite.invitee_id), group: name(invite.group_id) };
}

export const groupSummaries: Summaries<GroupEvents> = {
  GroupCreated: ({ actor, name }, { group_id }) => `${actor} made the group ${name(group_id)}`,

  GroupUpdated: (context, { group_id }) => changed(context, 'group', group_id),

  GroupDeleted: ({ actor, name }, { group_id }) => `${actor} deleted the group ${name(group_id)}`,

  GroupInviteCreated({ actor, name }, { invitee_id, group_id, role }) {
    const [who, group] = [name(invitee_id), name(group_id)];
    const joins_at_once = invitee_id.startsWith(PREFIX.user);
    if (joins_at_once) return `${actor} made ${who} ${ROLES[role]} of ${group}`;
    return `${actor} invited ${who} to be ${ROLES[role]} of ${group}`;
  },

  GroupInviteUpdated(context, { invite_id, role }) {
    const { who, group } = partsOf(context, invite_id);
    if (role) return `${context.actor} made ${who} ${ROLES[role]} of ${group}`;
    return `${context.actor} changed the invite of ${who} to ${group}`;
  },

  GroupInvitesDeleted(context, { invite_ids }) {
    const { who, group } = partsOf(context, invite_ids[0] ?? '');
    const several = invite_ids.length > 1 ? ` (${invite_ids.length} invites)` : '';
    return `${context.actor} removed ${who} from ${group}${several}`;
  },

  GroupInviteRedeemed(context, { invite_id }) {
    const { who, group } = partsOf(context, invite_id);
    return `${who} joined ${group} with a code`;
  },
};
