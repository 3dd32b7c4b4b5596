import { event, type DomainEvent } from '../../foundation/events.js';
import { Access, type Evidence } from '../../access/access.js';
import { type Folder, ITEM_SETTINGS } from '../../disks/record.js';
import { accept, type Context, type Decider } from '../../foundation/decision.js';
import { bodyOf } from '../../kernel/fields.js';
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/refusal.js';
import type { RestoreTrash } from '../commands.js';
import { arrive } from '../items/conflict.js';
import { refuseTooMany } from '../items/count.js';
import { type FolderPath, followPath, parseFolderPath } from '../items/find.js';
import {
  pathBelow,
  pathIn,
  type PathLength,
  refuseLongPath,
  refuseLongPaths,
} from '../items/path-length.js';
import { deniedArrival, mayPut, mayTake } from '../items/rights.js';
import {
  contentIds,
  isFile,
  isInTrash,
  isTrash,
  type Item,
  itemOf,
  liveItem,
  refuseInTrash,
} from '../../relations/directory-tree.js';
import { listOf, type Shown, text, view } from '../../kernel/view.js';

/** Ids of the restored item and its content; both lists are empty if an existing item was kept. */
export const restoredView = view('Restored', {
  restored_files: listOf(text(), 'Ids, the item itself first; empty if an existing one was kept'),
  restored_folders: listOf(text()),
});
export type Restored = Shown<typeof restoredView>;

/** Maximum folders that one restore creates; longer paths are refused. */
export const MOST_FOLDERS_MADE = 64;

interface Destination {
  /** The deepest existing folder of the path. */
  readonly folder: Folder;
  /** Names of the missing folders below it. */
  readonly missing: readonly string[];
  /** True if it is the item's previous folder. */
  readonly is_prior: boolean;
}

const PATH = '/restore_to_folder_path';
const PRIOR_IN_TRASH = {
  pointer: '/id',
  reason:
    'was in a folder that is in the trash; restore that first, or give restore_to_folder_path',
};

/**
 * The destination: the requested path, which is on the item's disk, otherwise the item's previous folder, otherwise its
 * disk's root.
 */
function destinationOf(context: Context, path: FolderPath | undefined, item: Item): Destination {
  const { state, now } = context;
  if (path === undefined) {
    const prior_id = item.restore_trash_prior_folder_uuid!;
    const prior = liveItem(state, prior_id, now) as Folder | undefined;
    if (prior) return { folder: prior, missing: [], is_prior: true };
    const root = state.folders.get(state.disks.get(item.disk_id)!.root_folder)!;
    return { folder: root, missing: [], is_prior: false };
  }
  const { folder, missing } = followPath(context, path)!;
  const is_prior = missing.length === 0 && folder.id === item.restore_trash_prior_folder_uuid;
  return { folder, missing, is_prior };
}

export const restoreTrash: Decider<RestoreTrash> = (context, command) => {
  const { state, now, caller } = context;
  const { restore_to_folder_path: requested_path } = command;
  const path = requested_path === undefined ? undefined : parseFolderPath(requested_path, PATH);
  if (path && isRefusal(path)) return path;
  const item = liveItem(state, command.id, now);
  const was_trashed = item && (item.restore_trash_prior_folder_uuid ?? null) !== null;
  if (!was_trashed || !isInTrash(state, item)) return refuse('not-in-trash');
  const access = Access.of(context);
  if (path && path.disk_id !== item.disk_id)
    return mayTake(access, item.id) ? refuse('other-disk') : access.denied(item.id);
  const to = destinationOf(context, path, item);
  const allowed = mayRestore(access, item, to);
  if (!allowed) return deniedArrival(access, item.id, to.folder);
  // Only now: who may not put anything there must not learn which of the folders exist.
  if (to.missing.length > MOST_FOLDERS_MADE)
    return refuseField(PATH, `must make at most ${MOST_FOLDERS_MADE} folders`, MOST_FOLDERS_MADE);
  if (isTrash(state, to.folder) || isInTrash(state, to.folder))
    return path ? refuseInTrash(PATH) : refuse('in-trash', PRIOR_IN_TRASH);
  const too_many = refuseTooMany(context, item);
  if (too_many) return too_many;
  const made: DomainEvent[] = [];
  let folder_id = to.folder.id;
  to.missing.forEach((name, at) => {
    const id = command.fresh.folder_ids[at]!;
    made.push(folderOnTheWay(id, name, folder_id, item.disk_id, caller.user_id));
    folder_id = id;
  });
  const name = item.restore_name ?? item.name;
  const policy = command.file_conflict_resolution;
  const arrival = arrive(context, item, folder_id, name, policy, allowed);
  if (isRefusal(arrival)) return arrival;
  if ('keeps' in arrival) {
    if (policy === 'KEEP_ORIGINAL') return refuse('name-in-use');
    return accept(allowed);
  }
  const too_long = refuseLongRestore(context, item, to, arrival.name, path ? PATH : '/id');
  if (too_long) return too_long;
  const restored = event('ItemRestored', {
    item_id: item.id,
    parent_folder_uuid: folder_id,
    name: arrival.name,
  });
  return accept(arrival.allowed, ...made, ...arrival.before, restored);
};

/** Refuses a destination where the path of a folder, also of one made on the way, would be too long, at `pointer`. */
function refuseLongRestore(
  context: Context,
  item: Item,
  { folder, missing }: Destination,
  name: string,
  pointer: string,
): Refusal | null {
  let path: PathLength | null = null;
  const below = (folder_name: string): PathLength =>
    path ? pathBelow(path, folder_name) : pathIn(context.state, folder.id, folder_name);
  for (const folder_name of missing) path = below(folder_name);
  const on_the_way = path && refuseLongPath(path, pointer);
  return on_the_way ?? refuseLongPaths(context, item, below(name), pointer);
}

/** The user who trashed an item may restore it to its old place; anything else is a move. */
function mayRestore(access: Access, item: Item, to: Destination): Evidence | null {
  const undoes = to.is_prior ? access.self(item.trashed_by ?? null) : null;
  if (undoes && !access.is_owner) return undoes;
  return access.both(
    () => mayTake(access, item.id),
    () => mayPut(access, item, to.folder.id),
  );
}

/** The answer of a restore: the item and its content in their new place. */
export function presentRestored(
  { state, now }: Context,
  { id }: RestoreTrash,
  events: readonly DomainEvent[],
): Restored {
  const item = bodyOf(events, 'ItemRestored') && itemOf(state, id);
  if (!item) return { restored_files: [], restored_folders: [] };
  const { files, folders } = contentIds(state, item, now);
  (isFile(item) ? files : folders).unshift(id);
  return { restored_files: files, restored_folders: folders };
}

function folderOnTheWay(
  folder_id: string,
  name: string,
  parent_folder_uuid: string,
  disk_id: string,
  created_by: string,
): DomainEvent {
  return event('FolderCreated', {
    folder_id,
    name,
    parent_folder_uuid,
    disk_id,
    created_by,
    ...ITEM_SETTINGS,
    label_ids: [],
    creator_permission_id: null,
  });
}
