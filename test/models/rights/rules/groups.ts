import { holds, isActive, isGroupAdmin, isMember } from '../evaluation.js';
import { isFormerId } from '../users.js';
import { addContact, addInvite, type Id, type Invite, removeWhere, type World } from '../world.js';
import { accepted, ending, isEmptyWindow, refused, type Rules } from './rule.js';

/** groups.md and the rows on groups and invites of permissions-model.md, section 7. */
export const groupRules: Rules = {
  'groups/create': ({ world, user, body, now, n }) => {
    if (!holds(world, user, 'CREATE', 'TABLE_GROUPS', now)) return refused(403);
    if (world.used.has(body.id)) return refused(400);
    return accepted((data) => {
      world.used.add(body.id);
      world.groups.set(body.id, { id: body.id, owner: user });
      const id = `GroupInviteID_group${n}`;
      const people = { inviter_id: user, invitee_id: user };
      addInvite(world, { id, group_id: body.id, ...people, role: 'ADMIN' });
      world.name(id, data.admin_invites[0]);
    });
  },

  // "group update / delete: group admin, or S:EDIT / S:DELETE(GROUPS)".
  'groups/update': ({ world, user, body: { id }, now }) => {
    const group = world.groups.get(id);
    if (!group) return refused(404);
    const may = isGroupAdmin(world, user, group, now) || holds(world, user, 'EDIT', id, now);
    return may ? accepted() : refused(403);
  },

  'groups/delete': ({ world, user, body: { id }, now }) => {
    const group = world.groups.get(id);
    if (!group) return refused(404);
    const may = isGroupAdmin(world, user, group, now) || holds(world, user, 'DELETE', id, now);
    if (!may) return refused(403);
    // "Group for All may be deleted by the organization owner only."
    if (id === world.default_group && user !== world.owner) return refused(403);
    return accepted(() => deleteGroup(world, id));
  },

  'groups/validate': ({ world, body, now }) => {
    const group = world.groups.get(body.group_id);
    if (!group) return refused(404);
    return accepted((data) =>
      expect(data.is_member).toBe(isMember(world, body.user_id, group, now)),
    );
  },

  // "group admin, S:INVITE(GROUPS). Role ADMIN additionally: group admin or S:EDIT(GROUPS)".
  'groups/invites/create': ({ world, user, body, now }) => {
    const is_public_admin = body.invitee_id === 'PUBLIC' && body.role === 'ADMIN';
    if (isEmptyWindow(body.active_from, body.expires_at)) return refused(400);
    const group = world.groups.get(body.group_id);
    if (!group) return refused(404, ...(is_public_admin ? [400] : []));
    const is_admin = isGroupAdmin(world, user, group, now);
    const may = is_admin || holds(world, user, 'INVITE', group.id, now);
    const may_admin = is_admin || holds(world, user, 'EDIT', group.id, now);
    if (!may || (body.role === 'ADMIN' && !may_admin))
      return refused(403, ...(is_public_admin ? [400] : []));
    if (is_public_admin || world.used.has(body.id)) return refused(400);
    return accepted(() =>
      addInvite(world, {
        id: body.id,
        group_id: group.id,
        inviter_id: user,
        invitee_id: body.invitee_id,
        role: body.role,
        active_from: body.active_from ?? 0,
        expires_at: ending(body.expires_at),
        has_code: !body.invitee_id.startsWith('UserID_'),
      }),
    );
  },

  // "group admin, S:EDIT(GROUPS), or the inviter while still holding S:INVITE(GROUPS)"; "an invite that is or becomes
  // ADMIN: group admin or S:EDIT(GROUPS)".
  'groups/invites/update': ({ world, user, body, now }) => {
    const invite = world.invites.get(body.id);
    if (!invite) return refused(isEmptyWindow(body.active_from, body.expires_at) ? 400 : 404);
    const active_from: number = body.active_from ?? invite.active_from;
    const expires_at: number = body.expires_at ?? invite.expires_at;
    const is_empty = isEmptyWindow(active_from, expires_at);
    const group = world.groups.get(invite.group_id)!;
    const may_edit =
      isGroupAdmin(world, user, group, now) || holds(world, user, 'EDIT', group.id, now);
    const may_as_inviter =
      invite.inviter_id === user && holds(world, user, 'INVITE', group.id, now);
    const role = body.role ?? invite.role;
    const concerns_admin = invite.role === 'ADMIN' || role === 'ADMIN';
    if (!may_edit && (concerns_admin || !may_as_inviter))
      return refused(403, ...(is_empty ? [400] : []));
    if (is_empty || (invite.invitee_id === 'PUBLIC' && role === 'ADMIN')) return refused(400);
    return accepted(() =>
      Object.assign(invite, { role, active_from, expires_at: ending(expires_at) }),
    );
  },

  // "group admin, inviter (that one invite only), invitee, S:DELETE(GROUPS)".
  'groups/invites/delete': ({ world, user, body: { id }, now }) => {
    const invite = world.invites.get(id);
    if (!invite) return refused(404);
    const group = world.groups.get(invite.group_id)!;
    const is_inviter = invite.inviter_id === user;
    const may_all =
      isGroupAdmin(world, user, group, now) ||
      invite.invitee_id === user ||
      holds(world, user, 'DELETE', group.id, now);
    if (!may_all && !is_inviter) return refused(403);
    // "For a user invitee all invites of that user in that group are removed, but only this one when the caller is
    // merely its inviter."
    const is_of_user = invite.invitee_id.startsWith('UserID_');
    return accepted(() =>
      removeWhere(world.invites, (other) =>
        may_all && is_of_user
          ? other.group_id === group.id && other.invitee_id === invite.invitee_id
          : other === invite,
      ),
    );
  },

  'groups/invites/redeem': ({ world, user, body, now, n }) => {
    const invite = world.invites.get(body.invite_id);
    if (!invite) return refused(404);
    const is_public = invite.invitee_id === 'PUBLIC';
    const code = is_public ? 'PUBLIC' : `$code:${invite.id}`;
    const is_former = isFormerId(world, user);
    const is_expired = invite.expires_at > 0 && invite.expires_at <= now;
    if (!invite.has_code || body.redeem_code !== code || is_expired)
      return refused(400, ...(is_former ? [409] : []));
    if (is_former) return refused(409);
    return accepted((data) => {
      if (!world.contacts.has(user)) addContact(world, { id: user, created_by: user });
      if (is_public) redeemPublic(world, user, invite, now, n, data);
      else
        Object.assign(invite, {
          from_placeholder_invitee: invite.invitee_id,
          invitee_id: user,
          has_code: false,
        });
    });
  },
};

/** groups.md, "POST /delete", effects. */
function deleteGroup(world: World, id: Id): void {
  world.groups.delete(id);
  if (world.default_group === id) world.default_group = null;
  removeWhere(world.invites, ({ group_id }) => group_id === id);
  removeWhere(world.system, (grant) => grant.resource_id === id || grant.granted_to === id);
  removeWhere(world.directory, ({ granted_to }) => granted_to === id);
  for (const label of world.labels.values())
    label.resources = label.resources.filter((resource) => resource !== id);
}

/**
 * groups.md, "POST /redeem", row PUBLIC: "If the caller already has an active user invite there, that one is returned";
 * so is one that the same public invite has given and that has not begun, as the OpenAPI text says.
 */
function redeemPublic(
  world: World,
  user: Id,
  invite: Invite,
  now: number,
  n: number,
  data: any,
): void {
  const isLater = ({ expires_at }: Invite): boolean => expires_at <= 0 || expires_at > now;
  const has_one = [...world.invites.values()].some(
    (other) =>
      other.group_id === invite.group_id &&
      other.invitee_id === user &&
      (isActive(other, now) || (other.from_placeholder_invitee === invite.id && isLater(other))),
  );
  if (has_one) return;
  const id = `GroupInviteID_public${n}`;
  const from_placeholder_invitee = invite.id;
  addInvite(world, { ...invite, id, invitee_id: user, has_code: false, from_placeholder_invitee });
  world.name(id, data.invite.id);
}
