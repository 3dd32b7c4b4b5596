import { directoryTypes, granteeSet, holds, isGroupAdmin, isMember } from './evaluation.js';
import type { Grant, Group, Id, Invite, World } from './world.js';

/** Who may read a record: permissions-model.md, section 7, rows "… read". */

/** "contact read, list: S:VIEW(CONTACTS) or self". */
export function maySeeContact(world: World, user: Id, id: Id, now: number): boolean {
  return user === id || holds(world, user, 'VIEW', id, now);
}

/** "group read, list: S:VIEW(GROUPS) or member". */
export function maySeeGroup(world: World, user: Id, group: Group, now: number): boolean {
  return isMember(world, user, group, now) || holds(world, user, 'VIEW', group.id, now);
}

/** "invite read: inviter, invitee, group admin, S:VIEW(GROUPS)". */
export function maySeeInvite(world: World, user: Id, invite: Invite, now: number): boolean {
  return (
    invite.inviter_id === user ||
    invite.invitee_id === user ||
    isGroupAdmin(world, user, world.groups.get(invite.group_id)!, now) ||
    holds(world, user, 'VIEW', invite.group_id, now)
  );
}

/** "system permission read / list: S:VIEW(PERMISSIONS), grantee, granter"; directory: also "any D type on the resource". */
export function maySeeGrant(world: World, user: Id, grant: Grant, now: number): boolean {
  return (
    holds(world, user, 'VIEW', grant.id, now) ||
    granteeSet(world, user, now).has(grant.granted_to) ||
    grant.granted_by === user ||
    directoryTypes(world, user, grant.resource_id, now).length > 0
  );
}

/** "permission check (both)". */
export function mayCheck(
  world: World,
  user: Id,
  grantee: string,
  resource: Id,
  now: number,
): boolean {
  if (user === world.owner) return true;
  if (granteeSet(world, user, now).has(grantee)) return true;
  return /^F(ile|older)ID_/.test(resource)
    ? directoryTypes(world, user, resource, now).some(
        (type) => type === 'VIEW' || type === 'MANAGE',
      )
    : holds(world, user, 'VIEW', resource, now) ||
        holds(world, user, 'VIEW', 'TABLE_PERMISSIONS', now);
}
