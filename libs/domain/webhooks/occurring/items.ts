import type { DriveState } from '../../foundation/state.js';
import { presentFile } from '../../directory/file-view.js';
import { presentFolder } from '../../directory/folder-view.js';
import type { ShareTracking } from '../../directory/share-track.js';
import { isFile, type Item, itemOf, parentOf } from '../../relations/directory-tree.js';
import type { Folder } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import type { Occurrence, Payload } from './occurrences.js';
import { WATCHES } from '../record.js';

/** Maximum folders above an item whose webhooks are matched. */
const MOST_LEVELS = 20;

type Happening = 'viewed' | 'created' | 'updated' | 'deleted' | 'shared';

/** Finds the webhooks on these indexes whose creator may see an item at the moment; returns their ids. */
export type SeenBy = (item_id: string, indexes: readonly string[]) => ReadonlySet<string>;

/** A file or folder at one moment: its record as shown, and its webhooks. */
interface SeenItem {
  readonly item_id: string;
  readonly kind: 'file' | 'folder';
  readonly record: ItemPayload;
  /** The item, and all items of its kind. */
  readonly own: readonly string[];
  /** Folders above it, nearest first. */
  readonly above: readonly string[];
}

/** A file or folder just before an event, and the webhooks that may receive that state. */
interface ItemBefore {
  readonly item: SeenItem;
  readonly seen_by: ReadonlySet<string>;
}

type ItemPayload = Extract<Payload, { type: 'file' | 'subfile' | 'folder' | 'subfolder' }>;

/** The current item, undefined if it does not exist. */
export function seenItem(context: Context, item_id: string): SeenItem | undefined {
  const { state } = context;
  const item = itemOf(state, item_id);
  if (!item) return undefined;
  const places = placesOf(state, item);
  if (isFile(item)) {
    const record = { type: 'file', file: presentFile(context, item) } as const;
    return { item_id, kind: 'file', record, ...places };
  }
  const record = { type: 'folder', folder: presentFolder(context, item) } as const;
  return { item_id, kind: 'folder', record, ...places };
}

function placesOf(state: DriveState, item: Item): Pick<SeenItem, 'own' | 'above'> {
  const above = item.has_sovereign_permissions ? [] : foldersFrom(state, parentOf(state, item));
  return { own: [item.id, isFile(item) ? WATCHES.all_files : WATCHES.all_folders], above };
}

/** True if there are webhooks on an item or above it. */
function isWatched(state: DriveState, item: Item): boolean {
  const { own, above } = placesOf(state, item);
  return [...own, ...above].some((index) => state.webhooks.count('alt_index', index) > 0);
}

/**
 * The item before an event, undefined if it does not exist. `becomes` names the future place of it or its copy, whose
 * webhooks match too.
 */
export function itemBefore(
  context: Context,
  item_id: string,
  seenBy: SeenBy,
  becomes: { readonly id?: string; readonly parent_folder_uuid?: string } = {},
): ItemBefore | undefined {
  const item = seenItem(context, item_id);
  if (!item) return undefined;
  const { id = item_id, parent_folder_uuid: folder_id } = becomes;
  const { folders } = context.state;
  const there = folder_id === undefined ? [] : foldersFrom(context.state, folders.get(folder_id));
  const all = [...item.own, ...item.above, id, ...there, WATCHES.restore_trash];
  return { item, seen_by: seenBy(item_id, all) };
}

/** The occurrences of an item, for webhooks on the item and on its folders. `at` is the item's place at that time. */
export function itemOccurrences(
  what: Happening,
  at: SeenItem,
  before: Payload | undefined,
  after: Payload | undefined,
  before_to?: ReadonlySet<string>,
): readonly Occurrence[] {
  const { item_id, kind, own, above } = at;
  const sides = (side: (payload: Payload) => Payload) => ({
    ...(before && { before: side(before) }),
    ...(after && { after: side(after) }),
    ...(before_to && { before_to }),
    item_id,
  });
  return [
    { event: `${kind}.${what}`, indexes: own, ...sides((payload) => payload) },
    { event: `sub${kind}.${what}`, indexes: [...own, ...above], ...sides(asSub) },
  ];
}

/** The occurrences of a view of an item, by any share; none unless there are webhooks on it or above it. */
export function lookOccurrences(
  context: Context,
  item_id: string,
  share: ShareTracking,
): readonly Occurrence[] {
  const { state } = context;
  const item = itemOf(state, item_id);
  if (!item || !isWatched(state, item)) return [];
  const at = seenItem(context, item_id)!;
  const viewed = itemOccurrences('viewed', at, at.record, at.record);
  const shared = itemOccurrences('shared', at, undefined, { type: 'share_tracking', ...share });
  return [...viewed, ...shared];
}

function asSub(payload: Payload): Payload {
  if (payload.type === 'file') return { ...payload, type: 'subfile' };
  if (payload.type === 'folder') return { ...payload, type: 'subfolder' };
  return payload;
}

/**
 * Ids of a folder and its ancestors, nearest first, up to but excluding the first sovereign one: permissions on a
 * folder do not extend to sovereign content. A sovereign item therefore has none above it.
 */
function foldersFrom(state: DriveState, nearest: Folder | undefined): string[] {
  const above: string[] = [];
  for (let folder = nearest; folder; folder = parentOf(state, folder)) {
    if (folder.has_sovereign_permissions || above.length === MOST_LEVELS) break;
    above.push(folder.id);
  }
  return above;
}
