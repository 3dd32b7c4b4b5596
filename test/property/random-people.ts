import { bookmarkCommands } from '../../libs/domain/bookmarks/commands.js';
import { contactCommands } from '../../libs/domain/contacts/commands.js';
import { groupCommands, inviteCommands } from '../../libs/domain/groups/definitions.js';
import { organizationCommands } from '../../libs/domain/organization/definitions.js';
import { type Means, USERS } from './random-means.js';

/** Commands of the organization and the people in it. */
export const peopleCommands = {
  ...organizationCommands,
  ...contactCommands,
  ...groupCommands,
  ...inviteCommands,
  ...bookmarkCommands,
};

export type PeopleName = keyof typeof peopleCommands;

export function peopleCommand(name: PeopleName, means: Means): unknown {
  const { chance, state, now, made, code, key, disk, external, begins, ends } = means;
  const { note, user, group, id, fresh, chosen } = means;
  switch (name) {
    case 'TransferOwnership':
      return {
        ...(chance.once(4) ? { cancel: true } : { next_owner_id: chance.of(USERS.slice(0, 2)) }),
        fresh: {
          subject_key_id: fresh('subject-'),
          everyone_invite_id: fresh('GroupInviteID_t'),
        },
      };
    case 'UpdateAllowedDomains':
      return { allowed_domains: chance.of(['', 'example.com', 'a.example,b.example']) };
    case 'SuperswapUser':
      return {
        current_user_id: user(),
        new_user_id: chance.once(3) ? chance.of(USERS) : fresh('UserID_swapped-'),
      };
    case 'RedeemOrganization':
      return { redeem_digest: 'digest-of-spawn', fresh: { api_key: key, disk } };
    case 'NotifyInbox':
      return {
        topic: chance.of([null, 'topic']),
        payload: { note: note(), $sealed: [], nested: [1, { a: null }] },
        fresh: { inbox_notif_id: fresh('InboxNotifID_') },
      };
    case 'CreateShortlink':
      return { original_url: 'https://example.com/', fresh: { slug: fresh('slug') } };
    case 'RemoveShortlink':
      return { slug: id(state.shortlinks.ids(), 'slug') };
    case 'RecordReindex':
      return { events_folded: made, documents_written: 1 };
    case 'CreateBookmark':
      return {
        name: `mark-${chance.number() % 20}`,
        ...chance.maybe('note', note()),
        ...chance.maybe('point', { revision: state.revision, at_ms: now }),
      };
    case 'DeleteBookmark':
      return { name: id(state.bookmarks.ids(), 'mark-') };
    case 'CreateContact':
      return {
        id: chance.once(4) ? chance.of(USERS) : fresh('UserID_contact-'),
        name: `Person ${made}`,
        ...chance.maybe('email', `p${made}@example.com`),
        ...chance.maybe('private_note', note()),
        ...chance.maybe('is_placeholder', chance.once(2)),
        ...external,
        fresh: {
          subject_key_id: fresh('subject-'),
          invite_id: fresh('GroupInviteID_c'),
          ...code,
        },
      };
    case 'UpdateContact':
      return {
        id: user(),
        ...chance.maybe('name', `Renamed ${made}`),
        ...chance.maybe('public_note', note()),
        ...chance.maybe('email', note()),
      };
    case 'DeleteContact':
    case 'EraseContact':
      return { id: user() };
    case 'RedeemContact': {
      const current_user_id = user();
      const redeem_digest = state.contacts.get(current_user_id)?.redeem_digest ?? '';
      const new_user_id = chance.once(3) ? chance.of(USERS) : fresh('UserID_redeemed-');
      return { current_user_id, new_user_id, redeem_digest, ...external, fresh: key };
    }
    case 'EndContactCode':
      return { contact_id: user() };
    case 'CreateGroup':
      return {
        ...chosen('GroupID_'),
        name: `Group ${made}`,
        ...external,
        fresh: { group_id: fresh('GroupID_'), invite_id: fresh('GroupInviteID_g') },
      };
    case 'UpdateGroup':
      return {
        id: group(),
        ...chance.maybe('name', `Regrouped ${made}`),
        ...chance.maybe('host_url', null),
      };
    case 'DeleteGroup':
      return { id: group() };
    case 'CreateInvite':
      return {
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
      };
    case 'UpdateInvite':
      return {
        id: id(state.invites.ids(), 'GroupInviteID_'),
        role: chance.of(['ADMIN', 'MEMBER']),
        ...chance.maybe('expires_at', ends),
        ...external,
      };
    case 'DeleteInvite':
      return { id: id(state.invites.ids(), 'GroupInviteID_') };
    case 'RedeemInvite': {
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
    }
  }
}
