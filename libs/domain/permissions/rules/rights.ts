import type { Permission } from '../../access/permission.js';
import type { Access } from '../../access/access.js';
import { type DirectoryPermission, type SystemPermission } from '../record.js';

/** True if the caller may read a directory grant; to others it does not exist. */
export function mayReadDirectoryGrant(access: Access, grant: DirectoryPermission): boolean {
  return isParty(access, grant) || access.directoryTypes(grant.resource_id).length > 0;
}

/** True if the caller may read a system grant; to others it does not exist. */
export function mayReadSystemGrant(access: Access, grant: SystemPermission): boolean {
  return isParty(access, grant);
}

/** Granter, grantee (through a group or PUBLIC as well), or VIEW on PERMISSIONS. */
function isParty(access: Access, { id, granted_by, granted_to }: Permission): boolean {
  return (
    access.self(granted_by) !== null || access.grantees.has(granted_to) || access.can('VIEW', id)
  );
}

/** Codes and directory passwords transfer the grant, so EDIT on PERMISSIONS does not show them. */
export function maySeeDirectorySecrets(access: Access, grant: DirectoryPermission): boolean {
  return (
    access.is_owner ||
    access.self(grant.granted_by) !== null ||
    access.canDirectory('MANAGE', grant.resource_id)
  );
}

export function maySeeSystemSecrets(access: Access, grant: SystemPermission): boolean {
  return access.is_owner || access.self(grant.granted_by) !== null;
}
