import type { DriveState } from '../foundation/state.js';
import { Access } from '../access/access.js';
import { membersOf } from '../access/principals.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';
import { becauseOf, reasons, type ShowPath } from './because.js';
import { grantsFor, type PermissionType, permissionTypes, typesFor, typesHeld } from './held.js';
import { type Shown, text, view } from '../kernel/view.js';

/** A holder of permissions on a resource. */
export const holderView = view('Holder', {
  grantee_id: text('A user, a group or PUBLIC'),
  types: permissionTypes,
  because: reasons,
});
export type Holder = Shown<typeof holderView>;

/**
 * Ids of all users, groups and `PUBLIC` with permissions on the resource (or the requested type), in the order of
 * ids. Everybody has the permissions of PUBLIC: users and groups with no others are omitted.
 */
export function holderIds(
  state: DriveState,
  resource_id: string,
  now: number,
  type?: PermissionType,
): string[] {
  const grants = grantsFor({ state, now }, resource_id);
  const gives = (to_whom: readonly string[]): boolean => !type || to_whom.includes(type);
  const is_everybodys =
    type !== undefined &&
    grants.some((grant) => grant.granted_to === PUBLIC && gives(grant.permission_types));
  const ids = new Set<string>();
  for (const { granted_to, permission_types } of grants) {
    if (!is_everybodys && !gives(permission_types)) continue;
    if (ids.has(granted_to) || granted_to.startsWith(PREFIX.placeholder_grantee)) continue;
    ids.add(granted_to);
    for (const member of membersOf(state, granted_to, now)) ids.add(member);
  }
  const { owner_id } = state.organization;
  if (typesHeld(new Access(state, owner_id, now), resource_id).length > 0)
    if (gives(typesFor(resource_id))) ids.add(owner_id);
  return [...ids].sort();
}

/** The permissions of one of them, with sources. */
export function holder(
  state: DriveState,
  resource_id: string,
  grantee_id: string,
  now: number,
  show: ShowPath,
): Holder {
  const access = new Access(state, grantee_id, now);
  return {
    grantee_id,
    types: typesHeld(access, resource_id),
    because: becauseOf(access, resource_id, show),
  };
}
