import type { Access, Evidence } from '../access/access.js';
import type { Folder } from '../disks/record.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
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

export const holds = (
  access: Access,
  type: Parameters<Access['directory']>[0],
  item_id: string,
): Evidence | null => access.owner() ?? access.directory(type, item_id);

/** To take an item away from where it is. */
export function mayTake(access: Access, item_id: string): Evidence | null {
  return access.both(
    () => holds(access, 'VIEW', item_id),
    () => holds(access, 'EDIT', item_id),
  );
}

/**
 * The refusal of bringing an item to a folder. A folder may be named by its path alone: to those who may
 * not VIEW it, one that is there and one that is not are refused alike.
 */
export function deniedArrival(access: Access, item_id: string, to: Folder): Refusal {
  const denied = access.denied(item_id);
  return access.canDirectory('VIEW', to.id) ? denied : refuse('forbidden');
}
