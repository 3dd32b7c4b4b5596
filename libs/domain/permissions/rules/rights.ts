import type { Permission } from '../../access/permission.js';
import type { Access, Evidence } from '../../access/access.js';
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

/** INVITE, or MANAGE, which implies it, allows granting; the ceiling limits the types. */
export function mayGrantDirectory(access: Access, resource_id: string): Evidence | null {
  return access.owner() ?? access.directory('INVITE', resource_id);
}

export function mayUpdateDirectoryGrant(
  access: Access,
  grant: DirectoryPermission,
): Evidence | null {
  return (
    access.owner() ??
    access.directory('MANAGE', grant.resource_id) ??
    access.system('EDIT', grant.id) ??
    (access.self(grant.granted_by) && access.directory('INVITE', grant.resource_id))
  );
}

export function mayDeleteDirectoryGrant(
  access: Access,
  grant: DirectoryPermission,
): Evidence | null {
  return (
    access.owner() ??
    access.self(grant.granted_to) ??
    mayUpdateDirectoryGrant(access, grant) ??
    access.system('DELETE', grant.id)
  );
}

export function mayGrantSystem(access: Access, resource_id: string): Evidence | null {
  return (
    access.owner() ??
    access.system('CREATE', 'TABLE_PERMISSIONS') ??
    access.system('INVITE', resource_id)
  );
}

export function mayUpdateSystemGrant(access: Access, grant: SystemPermission): Evidence | null {
  return access.owner() ?? access.system('EDIT', grant.id);
}

export function mayDeleteSystemGrant(access: Access, grant: SystemPermission): Evidence | null {
  return (
    access.owner() ??
    access.self(grant.granted_to, grant.granted_by) ??
    access.system('DELETE', grant.id)
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
