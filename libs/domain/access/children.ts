import type { Table } from '../kernel/table.js';
import type { Access } from './access.js';
import { KnownTypes } from './known-types.js';
import { type DirectoryNode, expiredIn, isExpired } from './resources.js';

/** What an identity may VIEW of the content of a folder that it may VIEW. */
interface VisibleChildren {
  /** True for a child that it may VIEW. */
  readonly sees: (child: DirectoryNode) => boolean;
  /**
   * Number of such children of one kind. If the folder passes VIEW on, only those are checked that may be hidden
   * nevertheless, if they are fewer.
   */
  readonly count: <R extends DirectoryNode>(table: Table<R>) => number;
}

/**
 * Inherited permissions are computed once, so that big folders are cheap.
 * @param types shared by many folders that are visited in one state
 */
export function visibleChildren(
  access: Access,
  folder_id: string,
  types = new KnownTypes(access),
): VisibleChildren {
  const { state, now, is_owner } = access;
  const inherits = types.passesOnView(folder_id);
  const sees = (child: DirectoryNode): boolean => {
    if (isExpired(child, now)) return false;
    if (is_owner || (inherits && !child.has_sovereign_permissions)) return true;
    const has_own = state.directory_permissions.count('resource', child.id) > 0;
    return has_own && types.can('VIEW', child.id);
  };
  const count = <R extends DirectoryNode>(table: Table<R>): number => {
    const seenAmong = (ids: ReadonlySet<string>): number =>
      [...ids].reduce((found, id) => found + Number(sees(table.get(id)!)), 0);
    const children = table.by('parent', folder_id);
    const checked = inherits ? mayBeHidden(table, folder_id, now) : children;
    return children.size - checked.size + seenAmong(checked);
  };
  return { sees, count };
}

/** True if this identity may VIEW all children of a folder that it may VIEW, without checking each. */
export function seesAllChildren(access: Access, folder_id: string): boolean {
  const { state, now, is_owner } = access;
  if (!new KnownTypes(access).passesOnView(folder_id)) return false;
  const seesAll = <R extends DirectoryNode>(table: Table<R>): boolean =>
    [...mayBeHidden(table, folder_id, now)].every((id) => {
      const child = table.get(id)!;
      return !isExpired(child, now) && (is_owner || !child.has_sovereign_permissions);
    });
  return seesAll(state.folders) && seesAll(state.files);
}

/** The children of one kind that may be hidden although their folder passes VIEW on, or all of them if they are fewer. */
function mayBeHidden<R extends DirectoryNode>(
  table: Table<R>,
  folder_id: string,
  now: number,
): ReadonlySet<string> {
  const children = table.by('parent', folder_id);
  const sovereign = table.by('place', 'sovereign');
  let left = children.size - sovereign.size;
  if (left < 0) return children;
  const found = sovereign.intersection(children);
  for (const { id } of expiredIn(table, now)) {
    if (left-- === 0) return children;
    if (children.has(id)) found.add(id);
  }
  return found;
}
