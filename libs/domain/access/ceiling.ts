import type { Permission } from './permission.js';
import type { Access } from './access.js';
import { membershipEnd } from './principals.js';
import { isFolder } from './resources.js';

/** The resource, end and depth of a grant. */
type GrantScope = Pick<Permission, 'resource_id' | 'expiry_date_ms' | 'inheritable'>;

const endOf = ({ expiry_date_ms }: Pick<Permission, 'expiry_date_ms'>): number =>
  expiry_date_ms <= 0 ? Infinity : expiry_date_ms;

/** When a grant ends for this identity, ms: its own end, or that of the membership. */
function sourceEnd(access: Access, grant: Permission): number {
  const { state, grantee_id, now } = access;
  if (!state.groups.has(grant.granted_to)) return endOf(grant);
  return Math.min(endOf(grant), membershipEnd(state, grant.granted_to, grantee_id, now));
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
 * The types that the caller may not grant, because none of the caller's sources gives the type, lasts as long and
 * applies as deep. MANAGE covers all six directory types, and is covered only by MANAGE.
 * @param held the caller's active grants that apply to the resource
 */
export function beyondCeiling(
  access: Access,
  held: readonly Permission[],
  scope: GrantScope,
  types: readonly string[],
): readonly string[] {
  if (access.is_owner) return [];
  const needs_depth = scope.inheritable && isFolder(access.state, scope.resource_id);
  const sources = held.filter(
    (grant) => sourceEnd(access, grant) >= endOf(scope) && (!needs_depth || grant.inheritable),
  );
  return types.filter(
    (type) =>
      !sources.some(({ permission_types: own }) => own.includes(type) || own.includes('MANAGE')),
  );
}
