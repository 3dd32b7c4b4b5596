import type { Table } from '../kernel/table.js';
import { type Access, gives } from './access.js';
import { type DirectoryNode, directoryNode, isExpired, sovereignNodes } from './resources.js';

/** What an identity may VIEW of the content of a folder that it may VIEW. */
export interface VisibleChildren {
  /** True for a child that it may VIEW. */
  readonly sees: (child: DirectoryNode) => boolean;
  /**
   * Number of such children of one kind. If the folder passes VIEW on, only those are checked that may be hidden
   * nevertheless, if they are fewer.
   */
  readonly count: <R extends DirectoryNode>(table: Table<R>) => number;
}

/** Inherited permissions are computed once, so that big folders are cheap. */
export function visibleChildren(access: Access, folder_id: string): VisibleChildren {
  const { state, now, is_owner } = access;
  const inherits = is_owner || passesOnView(access, folder_id);
  const sees = (child: DirectoryNode): boolean => {
    if (isExpired(child, now)) return false;
    if (is_owner || (inherits && !child.has_sovereign_permissions)) return true;
    const has_own = state.directory_permissions.count('resource', child.id) > 0;
    return has_own && access.canDirectory('VIEW', child.id);
  };
  const count = <R extends DirectoryNode>(table: Table<R>): number => {
    const seenAmong = (ids: ReadonlySet<string>): number =>
      [...ids].reduce((found, id) => found + Number(sees(table.get(id)!)), 0);
    const children = table.by('parent', folder_id);
    const exceptions = table.count('ends', 'some time') + table.count('place', 'sovereign');
    if (exceptions >= children.size || !inherits) return seenAmong(children);
    const checked = table
      .by('ends', 'some time')
      .union(table.by('place', 'sovereign'))
      .intersection(children);
    return children.size - checked.size + seenAmong(checked);
  };
  return { sees, count };
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
