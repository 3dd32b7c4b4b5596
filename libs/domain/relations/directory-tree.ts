import type { DriveState, Records } from '../foundation/state.js';
import { directoryNode, isExpired, isFolder } from '../access/resources.js';
import { isThere, pathTo } from '../access/ancestor-paths.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { atOnce, forEach, type Steps } from '../kernel/steps.js';
import type { Table } from '../kernel/table.js';

type Folder = Records['folders'];
type FileRecord = Records['files'];

export type Item = FileRecord | Folder;

export type ItemKind = 'file' | 'folder';
export type ItemOf<Kind extends ItemKind> = Kind extends 'file' ? FileRecord : Folder;

export function itemOf(state: DriveState, item_id: string): Item | undefined {
  return state.files.get(item_id) ?? state.folders.get(item_id);
}

export function isFile(item: Item): item is FileRecord {
  return 'version_id' in item;
}

export function kindOf(item: Item): ItemKind {
  return isFile(item) ? 'file' : 'folder';
}

/** The parent folder of an item; undefined for a disk's root and trash. */
export function parentOf(state: DriveState, item: Item): Folder | undefined {
  return item.parent_folder_uuid === null ? undefined : state.folders.get(item.parent_folder_uuid);
}

/** True for items in a disk's trash, at any depth; false for the trash folder itself. */
export function isInTrash(state: DriveState, { parent_folder_uuid }: Item): boolean {
  return parent_folder_uuid !== null && pathTo(state, parent_folder_uuid).is_in_trash;
}

/** @param pointer the field that names what is in the trash */
export function refuseInTrash(pointer: string): Refusal {
  return refuse('in-trash', { pointer, reason: 'lies in the trash' });
}

export function isTrash(state: DriveState, { id, disk_id }: Item): boolean {
  return state.disks.get(disk_id)?.trash_folder === id;
}

/** True for a folder itself and its content at any depth. */
export function isWithin(state: DriveState, item: Item, folder_id: string): boolean {
  for (let at: Item | undefined = item; at; at = parentOf(state, at))
    if (at.id === folder_id) return true;
  return false;
}

/** The live file or folder with that name in a folder. An expired one does not block its name. */
export function itemNamed<Kind extends ItemKind>(
  state: DriveState,
  kind: Kind,
  folder_id: string,
  name: string,
  now: number,
): ItemOf<Kind> | undefined {
  const table = (kind === 'file' ? state.files : state.folders) as unknown as Table<ItemOf<Kind>>;
  return table.where('sibling', `${folder_id}/${name}`).find((item) => !isExpired(item, now));
}

interface Content {
  readonly folders: Folder[];
  readonly files: FileRecord[];
}

/** The content of a folder at any depth, each folder before its content. `enters` decides which items are included. */
function contentOf(state: DriveState, folder_id: string, enters: (item: Item) => boolean): Content {
  return atOnce(findContent(state, folder_id, enters));
}

/** The same in steps. */
export function* findContent(
  state: DriveState,
  folder_id: string,
  enters: (item: Item) => boolean,
): Steps<Content> {
  const folders: Folder[] = [];
  const files: FileRecord[] = [];
  const pending = [folder_id];
  for (const at of pending) {
    yield* forEach(state.files.where('parent', at), (file) => {
      if (enters(file)) files.push(file);
    });
    yield* forEach(state.folders.where('parent', at), (folder) => {
      if (!enters(folder)) return;
      folders.push(folder);
      pending.push(folder.id);
    });
    yield;
  }
  return { folders, files };
}

/** Ids of the live content of a folder, at any depth. */
export function contentIds(
  state: DriveState,
  item: Item,
  now: number,
): { files: string[]; folders: string[] } {
  if (!isFolder(state, item.id)) return { files: [], folders: [] };
  const { folders, files } = contentOf(state, item.id, (one) => !isExpired(one, now));
  return { files: sortedIds(files), folders: sortedIds(folders) };
}

function sortedIds(items: readonly Item[]): string[] {
  return items.map(({ id }) => id).sort();
}

/** The item with that id, unless it is missing or expired at this time. */
export function liveItem(state: DriveState, item_id: string, now: number): Item | undefined {
  const item = directoryNode(state, item_id) as Item | undefined;
  return item && isThere(state, item, now) ? item : undefined;
}
