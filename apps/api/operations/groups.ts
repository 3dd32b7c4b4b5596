import type { OperationTexts } from './operation-text.js';
import { PAGES } from './phrases.js';

/** Operations on groups and their invites. */
export const GROUPS_TEXTS: OperationTexts = {
  'get groups/get/{group_id}': { summary: 'Read a group' },
  'post groups/list': { summary: 'List groups', description: PAGES },
  'post groups/create': {
    summary: 'Make a group',
    description: 'The caller owns it and is its admin.',
  },
  'post groups/update': { summary: 'Change a group' },
  'post groups/delete': {
    summary: 'Delete a group',
    description: 'Its invites and all grants on and to it go too.',
  },
  'post groups/validate': { summary: 'Is this user a member of this group?' },
  'get groups/invites/get/{invite_id}': { summary: 'Read a group invite' },
  'post groups/invites/list': {
    summary: 'List the invites of a group, expired ones included',
    description: PAGES,
  },
  'post groups/invites/create': {
    summary: 'Invite a user, a placeholder or PUBLIC to a group',
    description:
      'A named user is a member at once, within the window. Without invitee a placeholder with a redeem ' +
      'code is made.',
  },
  'post groups/invites/update': { summary: 'Change an invite' },
  'post groups/invites/delete': {
    summary: 'Remove an invite',
    description:
      'For a user: all invites of that user in the group, unless the caller is merely its inviter.',
  },
  'post groups/invites/redeem': {
    summary: 'Join a group with a code',
    description: 'The caller becomes the member. A caller without contact gets one.',
  },
};
