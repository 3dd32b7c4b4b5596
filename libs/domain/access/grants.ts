import type { DriveState } from '../drive/state.js';
import type { Table } from '../kernel/table.js';
import { grantKey, type Permission } from '../permissions/record.js';
import { directoryChain, systemReach } from './resources.js';

/** True if a grant counts at `now` (ms). */
export function isCounting(grant: Permission, now: number): boolean {
  return (
    (grant.begin_date_ms <= 0 || grant.begin_date_ms <= now) &&
    (grant.expiry_date_ms <= 0 || grant.expiry_date_ms > now)
  );
}

/** Grants placed on the resource itself to one of the grantees, whether they count or not. */
function* placedOn<P extends Permission>(
  table: Table<P>,
  resource_id: string,
  grantees: ReadonlySet<string>,
): Generator<P> {
  const placed = table.count('resource', resource_id);
  if (placed === 0) return;
  if (placed <= grantees.size) {
    for (const grant of table.where('resource', resource_id))
      if (grantees.has(grant.granted_to)) yield grant;
    return;
  }
  for (const grantee of grantees)
    yield* table.where('resource_grantee', grantKey(resource_id, grantee));
}

/** Counting system grants that reach the resource (table or record) for one of the grantees. */
export function* systemGrants(
  state: DriveState,
  resource_id: string,
  grantees: ReadonlySet<string>,
  now: number,
): Generator<Permission> {
  for (const reached of systemReach(state, resource_id))
    for (const grant of placedOn(state.system_permissions, reached, grantees))
      if (isCounting(grant, now)) yield grant;
}

/** Counting directory grants that reach the folder or file for one of the grantees. */
export function* directoryGrants(
  state: DriveState,
  resource_id: string,
  grantees: ReadonlySet<string>,
  now: number,
): Generator<Permission> {
  for (const member of directoryChain(state, resource_id))
    for (const grant of placedOn(state.directory_permissions, member, grantees))
      if ((member === resource_id || grant.inheritable) && isCounting(grant, now)) yield grant;
}
