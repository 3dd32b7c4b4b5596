import type { Context } from '../foundation/decision.js';
import type { Visibility } from '../foundation/reading.js';
import type { SystemType } from '../kernel/permission-types.js';
import type { TableId } from '../kernel/record.js';
import type { Permission } from './permission.js';
import { Access } from './access.js';
import { isCounting } from './grants.js';
import {
  directoryChildren,
  type DirectoryNode,
  directoryNode,
  isExpired,
  isFolder,
  topFolders,
} from './resources.js';

/** Families that system permissions depend on: see `ReadDefinition.rests_on`. */
export const SYSTEM_RIGHTS = ['organization', 'groups', 'group_invites', 'system_permissions'];
/** Families that directory permissions and their scope depend on. */
export const DIRECTORY_RIGHTS = [...SYSTEM_RIGHTS, 'directory_permissions', 'folders', 'files'];

/**
 * Ids with this prefix whose own active system grant gives the type. Not for invites, whose permissions are those on
 * their group.
 */
export function recordsHeld(access: Access, type: SystemType, prefix: string): Set<string> {
  const ids = new Set<string>();
  for (const { resource_id, permission_types } of countingSystemGrants(access))
    if (resource_id.startsWith(prefix) && permission_types.includes(type)) ids.add(resource_id);
  return ids;
}

/**
 * Reads of records that VIEW shows, on the record or on its whole table.
 * @param prefix of the records' ids
 */
export function shownByViewRight(table: TableId, prefix: string) {
  return {
    mayRead: (context: Context, { id }: { readonly id: string }) =>
      Access.of(context).can('VIEW', id),
    rests_on: SYSTEM_RIGHTS,
    visible(context: Context): Visibility {
      const access = Access.of(context);
      if (access.can('VIEW', table)) return 'all';
      return [{ field: 'id', among: recordsHeld(access, 'VIEW', prefix) }];
    },
  };
}

/**
 * Folders and files on which this identity has any directory type: those with an active grant of their own, and below
 * inheritable grants everything down to sovereign items. Ownership is not considered.
 */
export function resourcesReached(access: Access): Set<string> {
  const reached = new Set<string>();
  const passing_on = new Set<string>();
  for (const grant of countingDirectoryGrants(access)) {
    if (!access.exists(grant.resource_id)) continue;
    reached.add(grant.resource_id);
    if (grant.inheritable) passing_on.add(grant.resource_id);
  }
  descend(access, passing_on, reached, (child) => !child.has_sovereign_permissions);
  return reached;
}

/** All existing folders and files at this time, as the owner sees them. */
export function allResources(access: Access): Set<string> {
  const there = new Set(topFolders(access.state));
  for (const id of there) if (!access.exists(id)) there.delete(id);
  descend(access, new Set(there), there, () => true);
  return there;
}

/** Active directory grants to this identity, on any resource. */
export function* countingDirectoryGrants({ state, grantees, now }: Access): Generator<Permission> {
  for (const grant of state.directory_permissions.whereAmong('grantee', grantees))
    if (isCounting(grant, now)) yield grant;
}

/** Active system grants to this identity, on any resource. */
export function* countingSystemGrants({ state, grantees, now }: Access): Generator<Permission> {
  for (const grant of state.system_permissions.whereAmong('grantee', grantees))
    if (isCounting(grant, now)) yield grant;
}

/** Adds the content of the folders to `reached`, entering only admitted children. */
function descend(
  { state, now }: Access,
  folders: Set<string>,
  reached: Set<string>,
  isEntered: (child: DirectoryNode) => boolean,
): void {
  for (const folder_id of folders)
    for (const child_id of directoryChildren(state, folder_id)) {
      const child = directoryNode(state, child_id)!;
      if (isExpired(child, now) || !isEntered(child)) continue;
      reached.add(child_id);
      // A Set iterates entries added meanwhile, so this visits the whole tree, each folder once.
      if (isFolder(state, child_id)) folders.add(child_id);
    }
}
