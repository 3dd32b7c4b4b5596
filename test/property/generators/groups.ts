import type { groupCommands, inviteCommands } from '../../../libs/domain/groups/definitions.js';
import type { MakersOf } from './maker.js';

export const groupMakers: MakersOf<typeof groupCommands & typeof inviteCommands> = {
  CreateGroup: ({ made, external, fresh, chosen }) => ({
    ...chosen('GroupID_'),
    name: `Group ${made}`,
    ...external,
    fresh: { group_id: fresh('GroupID_'), invite_id: fresh('GroupInviteID_g') },
  }),
  UpdateGroup: ({ chance, made, group }) => ({
    id: group(),
    ...chance.maybe('name', `Regrouped ${made}`),
    ...chance.maybe('host_url', null),
  }),
  DeleteGroup: ({ group }) => ({ id: group() }),
  CreateInvite: ({ chance, code, external, begins, ends, user, group, fresh, chosen }) => ({
    ...chosen('GroupInviteID_'),
    group_id: group(),
    ...chance.of([{}, { invitee_id: user() }, { invitee_id: 'PUBLIC' }]),
    role: chance.of(['ADMIN', 'MEMBER', 'MEMBER']),
    active_from: begins,
    expires_at: ends,
    ...external,
    fresh: {
      invite_id: fresh('GroupInviteID_'),
      placeholder_id: fresh('PlaceholderGroupInviteeID_'),
      ...code,
    },
  }),
  UpdateInvite: ({ chance, state, external, ends, id }) => ({
    id: id(state.invites.ids(), 'GroupInviteID_'),
    role: chance.of(['ADMIN', 'MEMBER']),
    ...chance.maybe('expires_at', ends),
    ...external,
  }),
  DeleteInvite: ({ state, id }) => ({ id: id(state.invites.ids(), 'GroupInviteID_') }),
  RedeemInvite: ({ state, external, id, fresh }) => {
    const invite_id = id(state.invites.ids(), 'GroupInviteID_');
    const invite = state.invites.get(invite_id);
    const is_public = invite?.invitee_id === 'PUBLIC';
    return {
      invite_id,
      redeem_code: is_public ? 'PUBLIC' : 'code',
      redeem_digest: invite?.redeem_digest || 'none',
      ...external,
      fresh: {
        invite_id: fresh('GroupInviteID_r'),
        subject_key_id: fresh('subject-'),
      },
    };
  },
};
