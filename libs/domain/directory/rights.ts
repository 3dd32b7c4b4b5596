import type { Access, Evidence } from '../access/access.js';
import type { Item } from './tree.js';

/** DELETE on the folder around an item, or placed on the item itself. */
export function mayDelete(access: Access, item: Item): Evidence | null {
  const { id, parent_folder_uuid } = item;
  return (
    access.owner() ??
    (parent_folder_uuid === null ? null : access.directory('DELETE', parent_folder_uuid)) ??
    access.directoryDirectly('DELETE', id)
  );
}

/** Both types, and what gives them. */
export function mayBoth(
  access: Access,
  one: Evidence | null,
  other: Evidence | null,
): Evidence | null {
  if (access.is_owner) return access.owner();
  return one && other && [...new Set([...one, ...other])];
}

export const holds = (
  access: Access,
  type: Parameters<Access['directory']>[0],
  item_id: string,
): Evidence | null => access.owner() ?? access.directory(type, item_id);
