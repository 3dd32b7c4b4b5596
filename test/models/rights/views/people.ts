import {
  holds,
  isActive,
  isGroupAdmin,
  isMember,
  SYSTEM_TYPES,
  systemTypes,
} from '../evaluation.js';
import { maySeeContact, maySeeGroup, maySeeInvite } from '../readers.js';
import type { Contact, Group, Id, Invite } from '../world.js';
import {
  differencesOf,
  got,
  hidden,
  Ids,
  itemDifferences,
  listed,
  type Look,
  type Shown,
  type Viewer,
  visible,
} from './look.js';

/** What somebody sees of contacts, groups, invites and api keys. Redaction: permissions-model.md, section 9. */

/** All private notes of the random sequences. */
export const NOTE = 'private';

export function lookAtPeople(viewer: Viewer): Look[] {
  const { world, user, now } = viewer;
  const contacts = visible(
    world.contacts,
    ({ id }) => maySeeContact(world, user, id, now),
    (contact) => shownContact(viewer, contact),
  );
  const groups = visible(
    world.groups,
    (group) => maySeeGroup(world, user, group, now),
    (group) => shownGroup(viewer, group),
  );
  return [
    listed(contacts, 'contacts/list'),
    listed(groups, 'groups/list'),
    ...[...world.groups.values()].map((group) => invitesOf(viewer, group)),
    ...[...world.contacts.keys()].map((id) => keysOf(viewer, id)),
  ];
}

export function getPeople(viewer: Viewer, former: readonly Id[]): Look[] {
  const { world, user, now } = viewer;
  return [
    ...[...world.contacts.values()].map((contact) => {
      const status = maySeeContact(world, user, contact.id, now) ? 200 : 403;
      return got(`contacts/get/${contact.id}`, status, () => shownContact(viewer, contact));
    }),
    // "403 (also for an unknown id …), 404": no record, or a former id.
    ...former
      .filter((id) => !world.contacts.has(id))
      .map((id) => {
        const status = maySeeContact(world, user, id, now) ? 404 : 403;
        return got(`contacts/get/${id}`, status, () => ({}));
      }),
    ...[...world.groups.values()].map((group) => {
      const status = maySeeGroup(world, user, group, now) ? 200 : 403;
      return got(`groups/get/${group.id}`, status, () => shownGroup(viewer, group));
    }),
    ...[...world.invites.values()].map((invite) => {
      const status = maySeeInvite(world, user, invite, now) ? 200 : 403;
      return got(`groups/invites/get/${invite.id}`, status, () => shownInvite(viewer, invite));
    }),
    // "api key read: the key's user"; the owner always passes.
    ...[...world.keys.values()].map((key) => {
      const status = key.user_id === user || user === world.owner ? 200 : 403;
      return got(`api_keys/get/${key.id}`, status, () => shownKey(viewer, key.id));
    }),
  ];
}

function shownContact(viewer: Viewer, contact: Contact): Shown {
  const { world, user, now } = viewer;
  const { id } = contact;
  const may_edit = holds(world, user, 'EDIT', id, now);
  const groups = [...world.groups.values()].filter((group) => {
    const has_invite = [...world.invites.values()].some(
      (invite) => invite.group_id === group.id && invite.invitee_id === id && isActive(invite, now),
    );
    return (has_invite || group.owner === id) && maySeeGroup(world, user, group, now);
  });
  return {
    id,
    seed_phrase: '',
    secret_entropy: '',
    redeem_code: hidden(contact.has_code && (user === world.owner || user === contact.created_by)),
    from_placeholder_user_id: hidden(
      contact.from_placeholder_user_id !== null && (may_edit || user === id),
      contact.from_placeholder_user_id,
    ),
    past_user_ids: new Ids(may_edit || user === id ? contact.past_user_ids : []),
    permission_previews: systemTypes(world, user, id, now),
    group_previews: new Ids(
      groups.map((group) => group.id),
      'group_id',
    ),
    group_count: groups.length,
  };
}

function shownGroup({ world, user, now }: Viewer, group: Group): Shown {
  const is_admin = isGroupAdmin(world, user, group, now);
  const active = [...world.invites.values()].filter(
    (invite) => invite.group_id === group.id && isActive(invite, now),
  );
  const admins = active.filter(({ role }) => role === 'ADMIN');
  // "Group private_note: owner, group admin, S:EDIT". "Group for All" has none.
  const may_see_note = is_admin || holds(world, user, 'EDIT', group.id, now);
  return {
    owner: group.owner,
    private_note: hidden(may_see_note && group.id !== 'GroupID_all', NOTE),
    admin_invites: new Ids(admins.map(({ id }) => id)),
    member_invites: new Ids(active.map(({ id }) => id)),
    member_previews: new Ids(
      active.map(({ id }) => id),
      'invite_id',
    ),
    permission_previews: is_admin ? SYSTEM_TYPES : systemTypes(world, user, group.id, now),
  };
}

function shownInvite({ world, user, now }: Viewer, invite: Invite): Shown {
  const group = world.groups.get(invite.group_id)!;
  const is_admin = isGroupAdmin(world, user, group, now);
  // "Owner, group admin, inviter, S:INVITE(group); of an ADMIN invite: not S:INVITE but S:EDIT(group)."
  const needed = invite.role === 'ADMIN' ? 'EDIT' : 'INVITE';
  const may_see_code =
    is_admin || invite.inviter_id === user || holds(world, user, needed, group.id, now);
  const code = invite.invitee_id === 'PUBLIC' ? 'PUBLIC' : hidden(invite.has_code && may_see_code);
  // "System types(caller, group of the invite), plus VIEW when the caller could read the invite; group admins all five."
  const types = systemTypes(world, user, group.id, now);
  const may_see = maySeeInvite(world, user, invite, now);
  const previews = SYSTEM_TYPES.filter(
    (type) => is_admin || types.includes(type) || (type === 'VIEW' && may_see),
  );
  return {
    group_id: invite.group_id,
    inviter_id: invite.inviter_id,
    invitee_id: invite.invitee_id,
    role: invite.role,
    from_placeholder_invitee: invite.from_placeholder_invitee,
    redeem_code: code,
    permission_previews: previews,
  };
}

/** groups.md, invites, "POST /list": "Owner, group member, VIEW on the group; else 403". */
function invitesOf(viewer: Viewer, group: Group): Look {
  const { world, user, now } = viewer;
  const may = isMember(world, user, group, now) || holds(world, user, 'VIEW', group.id, now);
  const shown = visible(
    world.invites,
    ({ group_id }) => group_id === group.id,
    (invite) => shownInvite(viewer, invite),
  );
  const look = listed(shown, 'groups/invites/list', { group_id: group.id });
  return may ? look : { ...look, statuses: [403] };
}

function shownKey({ world, user, now }: Viewer, id: Id): Shown {
  const key = world.keys.get(id)!;
  // "private_note: key's user and owner". Keys that the service made have none.
  const may_see_note = user === world.owner || user === key.user_id;
  const has_note = /^ApiKeyID_\d+$/.test(id);
  return {
    user_id: key.user_id,
    private_note: hidden(may_see_note && has_note, NOTE),
    ...(key.is_revoked === null ? {} : { is_revoked: key.is_revoked }),
    permission_previews: systemTypes(world, user, id, now),
  };
}

/** extras.md, "POST /list/{user_id}": "Same user, owner, VIEW on API_KEYS; else 403"; a plain array. */
function keysOf(viewer: Viewer, user_id: Id): Look {
  const { world, user, now } = viewer;
  const may = user === user_id || holds(world, user, 'VIEW', 'TABLE_API_KEYS', now);
  const shown = visible(
    world.keys,
    (key) => key.user_id === user_id,
    (key) => shownKey(viewer, key.id),
  );
  return {
    method: 'POST',
    path: `api_keys/list/${user_id}`,
    statuses: [may ? 200 : 403],
    differences: (data) => itemDifferences(shown, data),
  };
}

/** organization.md, "GET /about" and "GET /whoami". */
export function lookAtOrganization({ world, user, now }: Viewer): Look[] {
  const is_full = holds(world, user, 'VIEW', world.drive_id, now);
  return [
    got('organization/about', 200, () => ({ owner: is_full ? world.owner : 'REDACTED' })),
    {
      ...got('organization/whoami', 200, () => ({})),
      differences: (data) =>
        differencesOf(
          {
            userID: user,
            is_owner: user === world.owner,
            ...(world.contacts.has(user) ? {} : { nickname: 'Anonymous User' }),
          },
          data,
        ),
    },
  ];
}
