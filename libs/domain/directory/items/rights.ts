import type { DriveState } from '../../foundation/state.js';
import type { Access, Evidence } from '../../access/access.js';
import { pathTo } from '../../access/ancestor-paths.js';
import type { Folder } from '../../disks/record.js';
import { type Refusal, refuse } from '../../kernel/refusal.js';
import { endOf } from './expiry.js';
import type { Item } from '../../relations/directory-tree.js';

/** DELETE on the folder around an item, or placed on the item itself. */
export function mayDelete(access: Access, item: Item): Evidence | null {
  const { id, parent_folder_uuid } = item;
  return (
    access.owner() ??
    (parent_folder_uuid === null ? null : access.directory('DELETE', parent_folder_uuid)) ??
    access.directoryDirectly('DELETE', id)
  );
}

/** When an item and all folders above it end, ms; Infinity for never. */
function wholeEndOf(
  state: DriveState,
  { expires_at, parent_folder_uuid: parent_id }: Item,
): number {
  const above = parent_id === null ? Infinity : pathTo(state, parent_id).ends_at;
  return Math.min(endOf(expires_at), above);
}

/**
 * What else a change of an item's expiry takes, null if that is not held. Ending an item sooner is a way
 * of deleting it and takes what that takes; other changes take nothing more.
 */
export function mayEndAt(
  access: Access,
  item: Item,
  expires_at: number | undefined,
): Evidence | null {
  if (expires_at === undefined || expires_at === item.expires_at) return [];
  const is_sooner = endOf(expires_at) < endOf(item.expires_at) || endOf(expires_at) <= access.now;
  return is_sooner ? mayDelete(access, item) : [];
}

/** Likewise for an item that goes into a folder: where that ends sooner, so does the item. */
function mayEndIn(access: Access, item: Item, folder_id: string): Evidence | null {
  const { state } = access;
  const is_sooner = pathTo(state, folder_id).ends_at < wholeEndOf(state, item);
  return is_sooner ? mayDelete(access, item) : [];
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

/** To bring an item that lies elsewhere into a folder. */
export function mayPut(access: Access, item: Item, folder_id: string): Evidence | null {
  return access.both(
    () => holds(access, 'UPLOAD', folder_id),
    () => mayEndIn(access, item, folder_id),
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
