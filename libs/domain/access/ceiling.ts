import type { Permission } from './permission.js';
import type { Access } from './access.js';
import { membershipEnd } from './principals.js';
import { isFolder } from './resources.js';

/** The requested scope of a grant. */
export interface GrantReach {
  readonly resource_id: string;
  /** Only the types that need a ceiling. */
  readonly types: readonly string[];
  /** ms; -1 = never. */
  readonly expiry_date_ms: number;
  readonly inheritable: boolean;
}

/** When a grant ends for this identity, ms: its own end, or that of the membership. */
function sourceEnd(access: Access, grant: Permission): number {
  const own = grant.expiry_date_ms <= 0 ? Infinity : grant.expiry_date_ms;
  if (!access.state.groups.has(grant.granted_to)) return own;
  return Math.min(
    own,
    membershipEnd(access.state, grant.granted_to, access.grantee_id, access.now),
  );
}

/** When the caller's last source of MANAGE on a folder or file ends, ms; -1 = never. */
export function manageEnd(access: Access, resource_id: string): number {
  if (access.is_owner) return -1;
  const end = access
    .directoryGrants(resource_id)
    .filter(({ permission_types }) => permission_types.includes('MANAGE'))
    .reduce((latest, grant) => Math.max(latest, sourceEnd(access, grant)), 0);
  return end === Infinity ? -1 : end;
}

/**
 * The types that the caller may not grant on a folder or file, because none of the caller's sources gives the type,
 * lasts as long and applies as deep. MANAGE covers all six, and is covered only by MANAGE.
 */
export function beyondDirectoryCeiling(access: Access, reach: GrantReach): readonly string[] {
  if (access.is_owner) return [];
  const needs_depth = reach.inheritable && isFolder(access.state, reach.resource_id);
  const grants = access.directoryGrants(reach.resource_id);
  const sources = grants.filter(
    (grant) => lasts(access, grant, reach) && (!needs_depth || grant.inheritable),
  );
  return reach.types.filter(
    (type) =>
      !sources.some(({ permission_types: held }) => held.includes(type) || held.includes('MANAGE')),
  );
}

/** The types that the caller may not grant on a table or record. */
export function beyondSystemCeiling(access: Access, reach: GrantReach): readonly string[] {
  if (access.is_owner) return [];
  const grants = access.systemGrants(reach.resource_id);
  const sources = grants.filter((grant) => lasts(access, grant, reach));
  return reach.types.filter(
    (type) => !sources.some(({ permission_types: held }) => held.includes(type)),
  );
}

function lasts(access: Access, grant: Permission, reach: GrantReach): boolean {
  const end = reach.expiry_date_ms <= 0 ? Infinity : reach.expiry_date_ms;
  return sourceEnd(access, grant) >= end;
}
