import type { Permission } from '../access/permission.js';
import type { Access } from '../access/access.js';
import { KnownTypes } from '../access/known-types.js';
import { clippedPath, fullPath } from '../access/paths.js';
import { directoryNode } from '../access/resources.js';
import { seesFullPaths } from '../directory/items/item-view.js';
import { mayReadDirectoryGrant, mayReadSystemGrant } from '../permissions/rules/rights.js';
import type { ShowPath } from './because.js';
import { isDirectoryId } from './held.js';

export interface About {
  readonly grantee_id?: string | undefined;
  readonly resource_id?: string | undefined;
}

/** Users may query themselves, holders of VIEW on a resource that resource, holders of VIEW on AUDIT everything. */
export function mayAskAbout(caller: Access, { grantee_id, resource_id }: About): boolean {
  if (grantee_id !== undefined && caller.self(grantee_id)) return true;
  if (resource_id !== undefined && mayView(caller, resource_id)) return true;
  return isAuditor(caller);
}

/** True for callers who may query the access of all users to all resources. */
export function isAuditor(caller: Access): boolean {
  return caller.can('VIEW', 'TABLE_AUDIT');
}

function mayView(caller: Access, resource_id: string): boolean {
  return isDirectoryId(resource_id)
    ? caller.canDirectory('VIEW', resource_id)
    : caller.can('VIEW', resource_id);
}

/**
 * Paths, of any point, as the caller may see them now: in full for auditors; for callers who may VIEW the
 * folder or file itself, in full with VIEW on the disk's root, else shortened; `''` for all others.
 */
export function pathsFor(caller: Access): ShowPath {
  return pathsSeen(caller, (resource_id) => caller.canDirectory('VIEW', resource_id));
}

/** The same for many paths, valid only until the caller's state changes. */
export function manyPathsFor(caller: Access): ShowPath {
  const types = new KnownTypes(caller);
  return pathsSeen(caller, (resource_id) => types.can('VIEW', resource_id));
}

function pathsSeen(caller: Access, mayViewItem: (resource_id: string) => boolean): ShowPath {
  const is_auditor = isAuditor(caller);
  const sees_root = new Map<string, boolean>();
  const seesRoot = (disk_id: string): boolean => {
    let sees = sees_root.get(disk_id);
    if (sees === undefined) sees_root.set(disk_id, (sees = seesFullPaths(caller, disk_id)));
    return sees;
  };
  return ({ state }, resource_id) => {
    const node = directoryNode(state, resource_id);
    if (!node) return '';
    if (is_auditor) return fullPath(state, node);
    if (!mayViewItem(resource_id)) return '';
    return seesRoot(node.disk_id) ? fullPath(state, node) : clippedPath(state, node);
  };
}

/**
 * Which inapplicable grants may be shown to the caller: all to auditors; to callers who may VIEW the
 * resource, those on it and others that they may read. To all others only what follows from
 * the id itself, as if there were no such resource: grants that they may read, placed on it or its table.
 */
export function deniedFor(caller: Access, resource_id: string): (grant: Permission) => boolean {
  if (isAuditor(caller)) return () => true;
  const is_directory = isDirectoryId(resource_id);
  const mayRead = is_directory ? mayReadDirectoryGrant : mayReadSystemGrant;
  if (mayView(caller, resource_id))
    return (grant) => grant.resource_id === resource_id || mayRead(caller, grant as never);
  const table = is_directory ? resource_id : caller.state.kinds.tableOf(resource_id);
  return (grant) =>
    (grant.resource_id === resource_id || grant.resource_id === table) &&
    mayRead(caller, grant as never);
}
