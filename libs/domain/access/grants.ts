import type { Permission } from './permission.js';
import type { DriveState } from '../foundation/state.js';
import type { PairIndex } from '../kernel/indexes/pair-index.js';
import type { Table } from '../kernel/table.js';
import type { Grantees } from './grantees.js';
import { directoryLine, systemReach } from './resources.js';

/** Why a grant is inactive at `now` (ms); null if it is active. */
export function outsideWindow(grant: Permission, now: number): 'NOT_BEGUN' | 'EXPIRED' | null {
  if (grant.begin_date_ms > 0 && grant.begin_date_ms > now) return 'NOT_BEGUN';
  if (grant.expiry_date_ms > 0 && grant.expiry_date_ms <= now) return 'EXPIRED';
  return null;
}

/** True if a grant is active at `now` (ms). */
export function isCounting(grant: Permission, now: number): boolean {
  return outsideWindow(grant, now) === null;
}

/** True ends the search. */
type Visit = (grant: Permission) => boolean;

/** Visits the grants on one resource; true if one of them ended the search. */
type Look = (placed_on: string, meet: Visit) => boolean;

/** The grants on one resource to one of the grantees. */
function lookFor(
  grantees: Grantees,
  of: 'system' | 'directory',
  index: PairIndex<Permission>,
): Look {
  const seconds = grantees[of](index);
  return (placed_on, meet) => index.some(placed_on, seconds, meet);
}

/** The grants on one resource, for any grantee. */
function lookAtAll<Type extends string>(grants: Table<Permission<Type>>): Look {
  return (placed_on, meet) => grants.where('resource', placed_on).some(meet);
}

function meetSystem(
  state: DriveState,
  resource_id: string,
  now: number,
  look: Look,
  visit: Visit,
): boolean {
  const meet = (grant: Permission): boolean => isCounting(grant, now) && visit(grant);
  return systemReach(state, resource_id).some((reached) => look(reached, meet));
}

function meetDirectory(
  state: DriveState,
  resource_id: string,
  now: number,
  look: Look,
  visit: Visit,
): boolean {
  const meetOwn = (grant: Permission): boolean => isCounting(grant, now) && visit(grant);
  const meetInherited = (grant: Permission): boolean => grant.inheritable && meetOwn(grant);
  const { ids, reaching } = directoryLine(state, resource_id, now);
  for (let at = 0; at < reaching; at++)
    if (look(ids[at]!, at === 0 ? meetOwn : meetInherited)) return true;
  return false;
}

/** Visits the active system grants that apply to the resource; true if one of them ended the search. */
export function someSystemGrant(
  state: DriveState,
  resource_id: string,
  grantees: Grantees,
  now: number,
  visit: Visit,
): boolean {
  const look = lookFor(grantees, 'system', state.system_permissions.pair('resource_grantee'));
  return meetSystem(state, resource_id, now, look, visit);
}

/** Visits the active directory grants that apply to the folder or file, its own first. */
export function someDirectoryGrant(
  state: DriveState,
  resource_id: string,
  grantees: Grantees,
  now: number,
  visit: Visit,
): boolean {
  const look = lookFor(grantees, 'directory', state.directory_permissions.pair('resource_grantee'));
  return meetDirectory(state, resource_id, now, look, visit);
}

/** Active system grants that apply to the resource (table or record), for any grantee. */
export function allSystemGrants(
  state: DriveState,
  resource_id: string,
  now: number,
): readonly Permission[] {
  const grants: Permission[] = [];
  const look = lookAtAll(state.system_permissions);
  meetSystem(state, resource_id, now, look, (grant) => !grants.push(grant));
  return grants;
}

/** Active directory grants that apply to the folder or file, for any grantee. */
export function allDirectoryGrants(
  state: DriveState,
  resource_id: string,
  now: number,
): readonly Permission[] {
  const grants: Permission[] = [];
  const look = lookAtAll(state.directory_permissions);
  meetDirectory(state, resource_id, now, look, (grant) => !grants.push(grant));
  return grants;
}

/** Active system grants that apply to the resource (table or record) for one of the grantees. */
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

/** Active directory grants that apply to the folder or file for one of the grantees. */
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
