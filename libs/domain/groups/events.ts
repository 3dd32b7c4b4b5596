import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';
import type { GroupFields, Invite, InviteFields, Role } from './record.js';
import type { Evolvers } from '../foundation/evolver.js';
import { removeGrantsOn, removeGrantsTo, removeInvites } from '../relations/cascade.js';
import { membership } from '../relations/membership.js';
import { changed, type Summaries, type SummaryContext } from '../foundation/summary-context.js';
import { PREFIX } from '../kernel/ids.js';

export interface GroupEvents {
  GroupCreated: GroupFields & { group_id: string; owner: string; admin_invite_id: string };
  GroupUpdated: { group_id: string } & Partial<GroupFields>;
  GroupDeleted: { group_id: string };
  GroupInviteCreated: InviteFields & {
    invite_id: string;
    group_id: string;
    inviter_id: string;
    invitee_id: string;
    redeem_code: Sealed<string | null>;
    redeem_digest: string;
    from_placeholder_invitee: string | null;
  };
  GroupInviteUpdated: { invite_id: string } & Partial<InviteFields>;
  GroupInvitesDeleted: { invite_ids: readonly string[] };
  /** A user redeemed a placeholder invite. */
  GroupInviteRedeemed: { invite_id: string; invitee_id: string; note: string };
}

export const groupSchemas: EventSchemas<GroupEvents> = {
  GroupCreated: { version: 1 },
  GroupUpdated: { version: 1 },
  GroupDeleted: { version: 1 },
  GroupInviteCreated: { version: 1, secret: ['redeem_code'], hidden: ['redeem_digest'] },
  GroupInviteUpdated: { version: 1 },
  GroupInvitesDeleted: { version: 1 },
  GroupInviteRedeemed: { version: 1 },
};

export const groupEvolvers: Evolvers<GroupEvents> = {
  GroupCreated(state, { group_id, admin_invite_id, ...fields }, { timestamp_ms }) {
    state.groups.put({
      ...fields,
      id: group_id,
      created_at: timestamp_ms,
      last_modified_at: timestamp_ms,
    });
    state.invites.put(
      membership(admin_invite_id, group_id, fields.owner, fields.owner, 'ADMIN', timestamp_ms),
    );
  },

  GroupUpdated(state, { group_id, ...fields }, { timestamp_ms }) {
    const group = state.groups.get(group_id);
    if (group) state.groups.put({ ...group, ...fields, last_modified_at: timestamp_ms });
  },

  *GroupDeleted(state, { group_id }) {
    yield* removeInvites(state, [...state.invites.by('group', group_id)]);
    yield* removeGrantsOn(state, group_id);
    yield* removeGrantsTo(state, group_id);
    state.groups.remove(group_id);
    const organization = state.organization;
    if (organization.default_everyone_group_id === group_id)
      state.organizations.put({ ...organization, default_everyone_group_id: '' });
  },

  GroupInviteCreated(state, { invite_id, ...fields }, { timestamp_ms }) {
    state.invites.put({
      ...fields,
      id: invite_id,
      created_at: timestamp_ms,
      last_modified_at: timestamp_ms,
    });
  },

  GroupInviteUpdated(state, { invite_id, ...fields }, { timestamp_ms }) {
    const invite = state.invites.get(invite_id);
    if (invite) state.invites.put({ ...invite, ...fields, last_modified_at: timestamp_ms });
  },

  GroupInvitesDeleted: (state, { invite_ids }) => removeInvites(state, invite_ids),

  GroupInviteRedeemed(state, { invite_id, invitee_id, note }, { timestamp_ms }) {
    const invite = state.invites.get(invite_id);
    if (!invite) return;
    const redeemed: Invite = {
      ...invite,
      invitee_id,
      note,
      from_placeholder_invitee: invite.invitee_id,
      redeem_code: null,
      redeem_digest: '',
      last_modified_at: timestamp_ms,
    };
    state.invites.put(redeemed);
  },
};

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

declare module '../foundation/events.js' {
  interface DriveEvents extends GroupEvents {}
}
