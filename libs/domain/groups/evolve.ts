import type { Evolvers } from '../foundation/evolver.js';
import { removeGrantsOn, removeGrantsTo } from '../relations/cascade.js';
import type { GroupEvents } from './events.js';
import type { Invite } from './record.js';
import { membership } from '../relations/membership.js';

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

  GroupDeleted(state, { group_id }) {
    for (const invite_id of [...state.invites.by('group', group_id)]) {
      removeGrantsOn(state, invite_id);
      state.invites.remove(invite_id);
    }
    removeGrantsOn(state, group_id);
    removeGrantsTo(state, group_id);
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

  GroupInvitesDeleted(state, { invite_ids }) {
    for (const invite_id of invite_ids) {
      removeGrantsOn(state, invite_id);
      state.invites.remove(invite_id);
    }
  },

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
