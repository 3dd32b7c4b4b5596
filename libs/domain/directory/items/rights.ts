import type { DriveState } from '../../foundation/state.js';
import type { Access, Evidence } from '../../access/access.js';
import { pathTo } from '../../access/ancestor-paths.js';
import type { Folder } from '../../disks/record.js';
import { type Refusal, refuse } from '../../kernel/refusal.js';
import { endOf } from './expiry.js';
import type { Item } from '../../relations/directory-tree.js';

/** DELETE on the item's folder, or granted directly on the item. */
export function mayDelete(access: Access, item: Item): Evidence | null {
  const { id, parent_folder_uuid } = item;
  return (
    access.owner() ??
    (parent_folder_uuid === null ? null : access.directory('DELETE', parent_folder_uuid)) ??
    access.directoryDirectly('DELETE', id)
  );
}

/** The earliest expiry of an item and its ancestors, ms; Infinity for never. */
function wholeEndOf(
  state: DriveState,
  { expires_at, parent_folder_uuid: parent_id }: Item,
): number {
  const above = parent_id === null ? Infinity : pathTo(state, parent_id).ends_at;
  return Math.min(endOf(expires_at), above);
}

/**
 * The additional permission for a changed expiry; null if the caller lacks it. An earlier expiry deletes the item and
 * so requires the permission to delete it. Other changes require nothing more.
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

/** The same for an item that is put into a folder: if the folder expires earlier, so does the item. */
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

/** Permission for an update: EDIT, and that for an earlier expiry, if requested. */
export function mayUpdate(
  access: Access,
  item: Item,
  { expires_at }: { readonly expires_at?: number },
): Evidence | null {
  return access.both(
    () => holds(access, 'EDIT', item.id),
    () => mayEndAt(access, item, expires_at),
  );
}

/** Permission to remove an item from its folder. */
export function mayTake(access: Access, item_id: string): Evidence | null {
  return access.both(
    () => holds(access, 'VIEW', item_id),
    () => holds(access, 'EDIT', item_id),
  );
}

/** Permission to move an item from another place into a folder. */
export function mayPut(access: Access, item: Item, folder_id: string): Evidence | null {
  return access.both(
    () => holds(access, 'UPLOAD', folder_id),
    () => mayEndIn(access, item, folder_id),
  );
}

/**
 * The refusal of putting an item into a folder. Callers may give the folder by path: without VIEW an existing and a
 * missing folder get the same refusal.
 */
export function deniedArrival(access: Access, item_id: string, to: Folder): Refusal {
  const denied = access.denied(item_id);
  return access.canDirectory('VIEW', to.id) ? denied : refuse('forbidden');
}
