import type { DriveState } from '../drive/state.js';
import type { Permission } from '../permissions/record.js';
import type { Grantees } from './grantees.js';
import { directoryChain, systemReach } from './resources.js';

/** True if a grant counts at `now` (ms). */
export function isCounting(grant: Permission, now: number): boolean {
  return (
    (grant.begin_date_ms <= 0 || grant.begin_date_ms <= now) &&
    (grant.expiry_date_ms <= 0 || grant.expiry_date_ms > now)
  );
}

/** True ends the search. */
type Visit = (grant: Permission) => boolean;

/** Meets the counting system grants that reach the resource; true if one of them ended the search. */
export function someSystemGrant(
  state: DriveState,
  resource_id: string,
  grantees: Grantees,
  now: number,
  visit: Visit,
): boolean {
  const index = state.system_permissions.pair('resource_grantee');
  const seconds = grantees.system(index);
  const meet = (grant: Permission): boolean => isCounting(grant, now) && visit(grant);
  return systemReach(state, resource_id).some((reached) => index.some(reached, seconds, meet));
}

/** Meets the counting directory grants that reach the folder or file, its own first. */
export function someDirectoryGrant(
  state: DriveState,
  resource_id: string,
  grantees: Grantees,
  now: number,
  visit: Visit,
): boolean {
  const index = state.directory_permissions.pair('resource_grantee');
  const seconds = grantees.directory(index);
  const meetOwn = (grant: Permission): boolean => isCounting(grant, now) && visit(grant);
  const meetInherited = (grant: Permission): boolean => grant.inheritable && meetOwn(grant);
  return directoryChain(state, resource_id, now).some((member) =>
    index.some(member, seconds, member === resource_id ? meetOwn : meetInherited),
  );
}

/** Counting system grants that reach the resource (table or record) for one of the grantees. */
export function systemGrants(
  state: DriveState,
  resource_id: string,
  grantees: Grantees,
  now: number,
): readonly Permission[] {
  const grants: Permission[] = [];
  someSystemGrant(state, resource_id, grantees, now, (grant) => !grants.push(grant));
  return grants;
}

/** Counting directory grants that reach the folder or file for one of the grantees. */
export function directoryGrants(
  state: DriveState,
  resource_id: string,
  grantees: Grantees,
  now: number,
): readonly Permission[] {
  const grants: Permission[] = [];
  someDirectoryGrant(state, resource_id, grantees, now, (grant) => !grants.push(grant));
  return grants;
}
