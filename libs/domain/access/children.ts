import { type Access, gives } from './access.js';
import { type DirectoryNode, isExpired } from './resources.js';

/**
 * Tells of the children of one folder that is there whether this identity may VIEW them. What they
 * inherit is worked out once, so that big folders cost a look at each child.
 */
export function childrenViewer(
  access: Access,
  folder_id: string,
): (child: DirectoryNode) => boolean {
  const { state, now } = access;
  if (access.is_owner) return (child) => !isExpired(child, now);
  const inherits = access
    .directoryGrants(folder_id)
    .some((grant) => grant.inheritable && gives(grant, 'VIEW'));
  return (child) => {
    if (isExpired(child, now)) return false;
    if (inherits && !child.has_sovereign_permissions) return true;
    const has_own = state.directory_permissions.count('resource', child.id) > 0;
    return has_own && access.canDirectory('VIEW', child.id);
  };
}
