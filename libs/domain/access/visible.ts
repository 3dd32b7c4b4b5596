import type { SystemType } from '../permissions/record.js';
import type { Access } from './access.js';
import { isCounting } from './grants.js';
import { directoryChildren, directoryNode, isExpired, isFolder } from './resources.js';

/**
 * Ids with this prefix on which a counting system grant of the record itself gives the type.
 * Not for invites, whose rights are those on their group.
 */
export function recordsHeld(access: Access, type: SystemType, prefix: string): Set<string> {
  const ids = new Set<string>();
  for (const grantee of access.grantees)
    for (const grant of access.state.system_permissions.where('grantee', grantee))
      if (
        grant.resource_id.startsWith(prefix) &&
        grant.permission_types.includes(type) &&
        isCounting(grant, access.now)
      )
        ids.add(grant.resource_id);
  return ids;
}

/**
 * Folders and files on which this identity holds any directory type: those with a counting grant of
 * its own, and below inheritable ones everything down to the sovereign cuts. The owner is not asked.
 */
export function resourcesReached(access: Access): Set<string> {
  const { state, now } = access;
  const reached = new Set<string>();
  const passing_on: string[] = [];
  for (const grantee of access.grantees)
    for (const grant of state.directory_permissions.where('grantee', grantee)) {
      const { resource_id, inheritable } = grant;
      if (!isCounting(grant, now) || !access.exists(resource_id)) continue;
      reached.add(resource_id);
      if (inheritable) passing_on.push(resource_id);
    }
  const passed_on = new Set(passing_on);
  for (const folder_id of passed_on)
    for (const child_id of directoryChildren(state, folder_id)) {
      const child = directoryNode(state, child_id)!;
      if (child.has_sovereign_permissions || isExpired(child, now)) continue;
      reached.add(child_id);
      // A Set walks what is added to it on the way, so this descends the whole tree, each folder once.
      if (isFolder(state, child_id)) passed_on.add(child_id);
    }
  return reached;
}
