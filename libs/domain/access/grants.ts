import type { Permission } from './permission.js';
import type { DriveState } from '../foundation/state.js';
import type { PairIndex } from '../kernel/indexes/pair-index.js';
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

/** The grants that are searched: active at a time, to one identity or to anybody. An `Access` is one. */
export interface GrantSearch {
  readonly state: DriveState;
  readonly now: number;
  /** Absent: grants to anybody. */
  readonly counting?: Grantees;
  /** Time at which folders and files must not have expired, ms; default: `now`. */
  readonly items_at?: number;
}

/** True ends the search. */
type Visit = (grant: Permission) => boolean;

/** Visits the grants on one resource, active or not; true if one of them ended the search. */
type VisitOn = (placed_on: string, visit: Visit) => boolean;

function visitOn({ state, counting }: GrantSearch, of: 'system' | 'directory'): VisitOn {
  const table = of === 'system' ? state.system_permissions : state.directory_permissions;
  if (!counting) return (placed_on, visit) => table.where('resource', placed_on).some(visit);
  const index: PairIndex<Permission> = table.pair('resource_grantee');
  const grantees = counting[of](index);
  return (placed_on, visit) => index.some(placed_on, grantees, visit);
}

/** Visits the grants that apply to the table or record; true if one of them ended the search. */
export function someSystemGrant(search: GrantSearch, resource_id: string, visit: Visit): boolean {
  const { state, now } = search;
  const visitOne = visitOn(search, 'system');
  const visitActive: Visit = (grant) => isCounting(grant, now) && visit(grant);
  return systemReach(state, resource_id).some((placed_on) => visitOne(placed_on, visitActive));
}

/** Visits the grants that apply to the folder or file, its own first; true if one of them ended the search. */
export function someDirectoryGrant(
  search: GrantSearch,
  resource_id: string,
  visit: Visit,
): boolean {
  const { state, now, items_at = now } = search;
  const visitOne = visitOn(search, 'directory');
  const visitActive: Visit = (grant) => isCounting(grant, now) && visit(grant);
  const visitInherited: Visit = (grant) => grant.inheritable && visitActive(grant);
  const { ids, reaching } = directoryLine(state, resource_id, items_at);
  for (let at = 0; at < reaching; at++)
    if (visitOne(ids[at]!, at === 0 ? visitActive : visitInherited)) return true;
  return false;
}

/**
 * To how many in a row of a folder and its ancestors, up to the first sovereign one, a grant applies that is meant. One
 * walk for all of them, since there may be thousands.
 */
export function countGrantedUpwards(
  search: GrantSearch,
  folder_id: string,
  isMeant: Visit,
): number {
  const { state, now } = search;
  const visitOne = visitOn(search, 'directory');
  const isActive: Visit = (grant) => isCounting(grant, now) && isMeant(grant);
  const isPassedOn: Visit = (grant) => grant.inheritable && isActive(grant);
  const { ids, reaching } = directoryLine(state, folder_id, now);
  let first_without = reaching;
  let is_inherited = false;
  for (let at = reaching - 1; at >= 0; at--) {
    if (!is_inherited && !visitOne(ids[at]!, isActive)) first_without = at;
    is_inherited ||= visitOne(ids[at]!, isPassedOn);
  }
  return first_without;
}

/** The grants that apply to the table or record. */
export function systemGrants(search: GrantSearch, resource_id: string): readonly Permission[] {
  const grants: Permission[] = [];
  someSystemGrant(search, resource_id, (grant) => !grants.push(grant));
  return grants;
}

/** The grants that apply to the folder or file. */
export function directoryGrants(search: GrantSearch, resource_id: string): readonly Permission[] {
  const grants: Permission[] = [];
  someDirectoryGrant(search, resource_id, (grant) => !grants.push(grant));
  return grants;
}

/** The grants on the folder or file itself, even if it is missing or has expired. */
export function directoryGrantsOn(search: GrantSearch, resource_id: string): readonly Permission[] {
  const grants: Permission[] = [];
  visitOn(search, 'directory')(
    resource_id,
    (grant) => isCounting(grant, search.now) && !grants.push(grant),
  );
  return grants;
}
