import type { DriveState } from '../drive/state.js';
import type { Permission } from '../permissions/record.js';
import { directoryChain, systemReach } from './resources.js';

/** True if a grant counts at `now` (ms). */
export function isCounting(grant: Permission, now: number): boolean {
  return (
    (grant.begin_date_ms <= 0 || grant.begin_date_ms <= now) &&
    (grant.expiry_date_ms <= 0 || grant.expiry_date_ms > now)
  );
}

/** Counting system grants that reach the resource (table or record) for one of the grantees. */
export function systemGrants(
  state: DriveState,
  resource_id: string,
  grantees: ReadonlySet<string>,
  now: number,
): readonly Permission[] {
  const grants: Permission[] = [];
  for (const reached of systemReach(state, resource_id))
    for (const grant of state.system_permissions.among('resource_grantee', reached, grantees))
      if (isCounting(grant, now)) grants.push(grant);
  return grants;
}

/** Counting directory grants that reach the folder or file for one of the grantees. */
export function directoryGrants(
  state: DriveState,
  resource_id: string,
  grantees: ReadonlySet<string>,
  now: number,
): readonly Permission[] {
  const grants: Permission[] = [];
  for (const member of directoryChain(state, resource_id, now))
    for (const grant of state.directory_permissions.among('resource_grantee', member, grantees))
      if ((member === resource_id || grant.inheritable) && isCounting(grant, now))
        grants.push(grant);
  return grants;
}
