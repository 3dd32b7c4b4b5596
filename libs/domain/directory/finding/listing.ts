import type { DirectoryType } from '../../kernel/permission-types.js';
import { Access } from '../../access/access.js';
import { seesAllChildren, visibleChildren } from '../../access/children.js';
import type { DirectoryNode } from '../../access/resources.js';
import type { Disk, Folder } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import type { OrderedId, OrderedIds } from '../../kernel/indexes/ordered-index.js';
import { foldCase, mayBeCut } from '../../kernel/indexes/text-key.js';
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/refusal.js';
import type { Table } from '../../kernel/table.js';
import { type Breadcrumb, breadcrumbs, sharedBreadcrumbs } from '../items/breadcrumbs.js';
import { findItem, folderAt } from '../items/find.js';
import { sharedItems } from './shared-items.js';

/** The listed folder, by the first given member. A disk alone lists the items shared on it. */
export interface ListedPlace {
  readonly folder_id?: string;
  readonly path?: string;
  readonly disk_id?: string;
}

/** All items of a place that the caller may see, ordered by name. */
export interface Listing {
  /** Identifies the place in cursors. */
  readonly place_id: string;
  readonly folders: OrderedIds;
  readonly files: OrderedIds;
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly permission_previews: readonly DirectoryType[];
}

/** Lists the items of a place whose names contain `filters` (case-insensitive). */
export function listPlace(
  context: Context,
  place: ListedPlace,
  filters: string,
): Listing | Refusal {
  const { folder_id, path, disk_id } = place;
  if (folder_id !== undefined || path !== undefined) {
    const folder =
      folder_id === undefined
        ? folderAt(context, path!, '/path')
        : findItem(context, 'folder', folder_id);
    return isRefusal(folder) ? folder : listFolder(context, folder, filters, folder_id);
  }
  if (disk_id === undefined) return refuseField('/folder_id', 'or path or disk_id is required');
  const disk = context.state.disks.get(disk_id);
  return disk ? listShared(context, disk, filters) : refuse('disk-not-found');
}

/** Lists a folder. If the request gave only its path, a hidden folder is refused like a missing one. */
function listFolder(
  context: Context,
  folder: Folder,
  filters: string,
  named_id = '',
): Listing | Refusal {
  const { state } = context;
  const access = Access.of(context);
  if (!access.canDirectory('VIEW', folder.id)) return access.denied(named_id);
  const { sees } = visibleChildren(access, folder.id);
  const wanted = foldCase(filters);
  // If all children are visible, the list is used as it is: checking each child of a big folder is expensive.
  const is_whole = wanted === '' && seesAllChildren(access, folder.id);
  const among = <R extends DirectoryNode>(table: Table<R>): OrderedIds => {
    const children = table.ordered('name', folder.id);
    if (is_whole) return children;
    return children.filter((place) => hasName(table, place, wanted) && sees(table.get(place.id)!));
  };
  return {
    place_id: folder.id,
    folders: among(state.folders),
    files: among(state.files),
    breadcrumbs: breadcrumbs(context, folder),
    permission_previews: access.directoryTypes(folder.id),
  };
}

/** Lists the items of a disk with grants to the caller, to one of the caller's groups, or to everyone. */
function listShared(context: Context, disk: Disk, filters: string): Listing {
  const { state } = context;
  const shared = sharedItems(context);
  const wanted = foldCase(filters);
  const among = (kind: 'folders' | 'files'): OrderedIds => {
    const places = shared.inOrder(disk.id, kind);
    if (wanted === '') return places;
    return places.filter((place) => hasName(state[kind], place, wanted));
  };
  return {
    place_id: `shared ${disk.id}`,
    folders: among('folders'),
    files: among('files'),
    breadcrumbs: sharedBreadcrumbs(context, state.folders.get(disk.root_folder)!),
    permission_previews: [],
  };
}

/** True if the name of an item contains the text, in lower case. Reading the item would cost more than its key. */
function hasName(
  table: { get(id: string): DirectoryNode | undefined },
  { id, key }: OrderedId,
  wanted: string,
): boolean {
  if (key.includes(wanted)) return true;
  return mayBeCut(key) && foldCase(table.get(id)!.name).includes(wanted);
}
