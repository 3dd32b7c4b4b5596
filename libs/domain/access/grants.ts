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
type GrantSearch = (placed_on: string, visitor: Visit) => boolean;

/** The grants on one resource to one of the grantees. */
function searchFor(
  grantees: Grantees,
  of: 'system' | 'directory',
  index: PairIndex<Permission>,
): GrantSearch {
  const second_values = grantees[of](index);
  return (placed_on, visitor) => index.some(placed_on, second_values, visitor);
}

/** The grants on one resource, for any grantee. */
function searchAll<Type extends string>(grants: Table<Permission<Type>>): GrantSearch {
  return (placed_on, visitor) => grants.where('resource', placed_on).some(visitor);
}

function visitSystem(
  state: DriveState,
  resource_id: string,
  now: number,
  search: GrantSearch,
  visit: Visit,
): boolean {
  const visitor = (grant: Permission): boolean => isCounting(grant, now) && visit(grant);
  return systemReach(state, resource_id).some((reached) => search(reached, visitor));
}

function visitDirectory(
  state: DriveState,
  resource_id: string,
  now: number,
  search: GrantSearch,
  visit: Visit,
  items_at = now,
): boolean {
  const visitActive = (grant: Permission): boolean => isCounting(grant, now) && visit(grant);
  const visitInherited = (grant: Permission): boolean => grant.inheritable && visitActive(grant);
  const { ids, reaching } = directoryLine(state, resource_id, items_at);
  for (let at = 0; at < reaching; at++)
    if (search(ids[at]!, at === 0 ? visitActive : visitInherited)) return true;
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
  const search = searchFor(grantees, 'system', state.system_permissions.pair('resource_grantee'));
  return visitSystem(state, resource_id, now, search, visit);
}

/**
 * Visits the active directory grants that apply to the folder or file, its own first.
 * @param items_at time (ms) at which it must not have expired
 */
export function someDirectoryGrant(
  state: DriveState,
  resource_id: string,
  grantees: Grantees,
  now: number,
  visit: Visit,
  items_at = now,
): boolean {
  const search = searchFor(
    grantees,
    'directory',
    state.directory_permissions.pair('resource_grantee'),
  );
  return visitDirectory(state, resource_id, now, search, visit, items_at);
}

/**
 * To how many in a row of a folder and its ancestors, up to the first sovereign one, an active directory grant applies
 * that is meant. One walk for all of them, since there may be thousands.
 */
export function countGrantedUpwards(
  state: DriveState,
  folder_id: string,
  grantees: Grantees,
  now: number,
  isMeant: Visit,
): number {
  const index = state.directory_permissions.pair('resource_grantee');
  const search = searchFor(grantees, 'directory', index);
  const isActive: Visit = (grant) => isCounting(grant, now) && isMeant(grant);
  const isPassedOn: Visit = (grant) => grant.inheritable && isActive(grant);
  const { ids, reaching } = directoryLine(state, folder_id, now);
  let first_without = reaching;
  let is_inherited = false;
  for (let at = reaching - 1; at >= 0; at--) {
    if (!is_inherited && !search(ids[at]!, isActive)) first_without = at;
    is_inherited ||= search(ids[at]!, isPassedOn);
  }
  return first_without;
}

/** Active system grants that apply to the resource (table or record), for any grantee. */
export function allSystemGrants(
  state: DriveState,
  resource_id: string,
  now: number,
): readonly Permission[] {
  const grants: Permission[] = [];
  const search = searchAll(state.system_permissions);
  visitSystem(state, resource_id, now, search, (grant) => !grants.push(grant));
  return grants;
}

/** Active directory grants that apply to the folder or file, for any grantee. */
export function allDirectoryGrants(
  state: DriveState,
  resource_id: string,
  now: number,
): readonly Permission[] {
  const grants: Permission[] = [];
  const search = searchAll(state.directory_permissions);
  visitDirectory(state, resource_id, now, search, (grant) => !grants.push(grant));
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
  items_at = now,
): readonly Permission[] {
  const grants: Permission[] = [];
  const take = (grant: Permission): boolean => !grants.push(grant);
  someDirectoryGrant(state, resource_id, grantees, now, take, items_at);
  return grants;
}

/** Active directory grants on the folder or file itself for one of the grantees, even if it is missing or has expired. */
export function directoryGrantsOn(
  state: DriveState,
  resource_id: string,
  grantees: Grantees,
  now: number,
): readonly Permission[] {
  const index = state.directory_permissions.pair('resource_grantee');
  const grants: Permission[] = [];
  searchFor(
    grantees,
    'directory',
    index,
  )(resource_id, (grant) => isCounting(grant, now) && !grants.push(grant));
  return grants;
}
