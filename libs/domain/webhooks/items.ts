import { presentFile } from '../directory/file-view.js';
import { presentFolder } from '../directory/folder-view.js';
import type { ShareTracking } from '../directory/share-track.js';
import { isFile, type Item, itemOf, parentOf } from '../directory/tree.js';
import type { Context } from '../drive/decision.js';
import type { DriveState } from '../drive/state.js';
import type { Occurrence, Payload } from './occurrences.js';
import { WATCHES } from './record.js';

/** How many folders above an item are told of it at most. */
const MOST_LEVELS = 20;

/** What can happen to a file or folder. */
export type Happening = 'viewed' | 'created' | 'updated' | 'deleted' | 'shared';

/** A file or folder at one moment: its record as shown, and who is told of it. */
export interface SeenItem {
  readonly kind: 'file' | 'folder';
  readonly record: ItemPayload;
  /** The item and all of its kind. */
  readonly own: readonly string[];
  /** Folders above it, nearest first. */
  readonly above: readonly string[];
}

type ItemPayload = Extract<Payload, { type: 'file' | 'subfile' | 'folder' | 'subfolder' }>;

/** The item as it is now, undefined if it is not there. */
export function seenItem(context: Context, item_id: string): SeenItem | undefined {
  const { state } = context;
  const item = itemOf(state, item_id);
  if (!item) return undefined;
  const above = foldersAbove(state, item);
  if (isFile(item)) {
    const record = { type: 'file', file: presentFile(context, item) } as const;
    return { kind: 'file', record, own: [item.id, WATCHES.all_files], above };
  }
  const record = { type: 'folder', folder: presentFolder(context, item) } as const;
  return { kind: 'folder', record, own: [item.id, WATCHES.all_folders], above };
}

/**
 * What happened to an item, told to those who watch it and to those who watch what lies in a folder.
 * `at` is the item where it is (or was) when that happened.
 */
export function itemOccurrences(
  what: Happening,
  at: SeenItem,
  before: Payload | undefined,
  after: Payload | undefined,
): readonly Occurrence[] {
  const { kind, own, above } = at;
  const sides = (side: (payload: Payload) => Payload) => ({
    ...(before && { before: side(before) }),
    ...(after && { after: side(after) }),
  });
  return [
    { event: `${kind}.${what}`, indexes: own, ...sides((payload) => payload) },
    { event: `sub${kind}.${what}`, indexes: [...own, ...above], ...sides(asSub) },
  ];
}

/** What somebody's look at an item is told as, by whatever share it came. */
export function lookOccurrences(
  context: Context,
  item_id: string,
  share: ShareTracking,
): readonly Occurrence[] {
  const at = seenItem(context, item_id);
  if (!at) return [];
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
 * Ids of the folders above, up to and without the first sovereign one; of a sovereign item none at all:
 * who may see a folder need not see what cuts itself off from it.
 */
function foldersAbove(state: DriveState, item: Item): string[] {
  const above: string[] = [];
  if (item.has_sovereign_permissions) return above;
  for (let folder = parentOf(state, item); folder; folder = parentOf(state, folder)) {
    if (folder.has_sovereign_permissions || above.length === MOST_LEVELS) break;
    above.push(folder.id);
  }
  return above;
}
