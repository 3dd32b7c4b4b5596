import type { Table } from '../kernel/table.js';
import { type Access, gives } from './access.js';
import { type DirectoryNode, directoryNode, isExpired, sovereignNodes } from './resources.js';

/**
 * A predicate for the children of an existing folder that this identity may VIEW. Inherited permissions are computed
 * once, so that big folders are cheap.
 */
export function childrenViewer(
  access: Access,
  folder_id: string,
): (child: DirectoryNode) => boolean {
  const { state, now } = access;
  if (access.is_owner) return (child) => !isExpired(child, now);
  const inherits = passesOnView(access, folder_id);
  return (child) => {
    if (isExpired(child, now)) return false;
    if (inherits && !child.has_sovereign_permissions) return true;
    const has_own = state.directory_permissions.count('resource', child.id) > 0;
    return has_own && access.canDirectory('VIEW', child.id);
  };
}

/**
 * How many children of one kind this identity may VIEW, in a folder that it may VIEW. If the folder passes VIEW on, only
 * those are checked that may be hidden nevertheless, if they are fewer.
 */
export function countVisibleChildren<R extends DirectoryNode>(
  access: Access,
  folder_id: string,
  table: Table<R>,
): number {
  const sees = childrenViewer(access, folder_id);
  const count = (ids: ReadonlySet<string>): number =>
    [...ids].reduce((found, id) => found + Number(sees(table.get(id)!)), 0);
  const children = table.by('parent', folder_id);
  const exceptions = table.count('ends', 'some time') + table.count('place', 'sovereign');
  if (exceptions >= children.size || !(access.is_owner || passesOnView(access, folder_id)))
    return count(children);
  const checked = table
    .by('ends', 'some time')
    .union(table.by('place', 'sovereign'))
    .intersection(children);
  return children.size - checked.size + count(checked);
}

/** True if this identity may VIEW all children of a folder that it may VIEW, without checking each. */
export function seesAllChildren(access: Access, folder_id: string): boolean {
  const { state, now } = access;
  for (const table of [state.folders, state.files])
    for (const child of table.where('ends', 'some time') as readonly DirectoryNode[])
      if (child.parent_folder_uuid === folder_id && isExpired(child, now)) return false;
  if (access.is_owner) return true;
  if (!passesOnView(access, folder_id)) return false;
  for (const id of sovereignNodes(state))
    if (directoryNode(state, id)!.parent_folder_uuid === folder_id) return false;
  return true;
}

/** True if the folder's content inherits this identity's VIEW. */
function passesOnView(access: Access, folder_id: string): boolean {
  return access
    .directoryGrants(folder_id)
    .some((grant) => grant.inheritable && gives(grant, 'VIEW'));
}
