import type { DriveState, Records } from '../foundation/state.js';
import { directoryNode, isExpired, isFolder } from '../access/resources.js';
import { isThere, pathTo } from '../access/ancestor-paths.js';

type Folder = Records['folders'];
type FileRecord = Records['files'];

export type Item = FileRecord | Folder;

export function itemOf(state: DriveState, item_id: string): Item | undefined {
  return state.files.get(item_id) ?? state.folders.get(item_id);
}

export function isFile(item: Item): item is FileRecord {
  return 'version_id' in item;
}

/** The folder an item lies in, undefined for a disk's root and trash. */
export function parentOf(state: DriveState, item: Item): Folder | undefined {
  return item.parent_folder_uuid === null ? undefined : state.folders.get(item.parent_folder_uuid);
}

/** True for what lies in a disk's trash, at any depth; the trash folder itself does not. */
export function isInTrash(state: DriveState, { parent_folder_uuid }: Item): boolean {
  return parent_folder_uuid !== null && pathTo(state, parent_folder_uuid).is_in_trash;
}

/** True for a disk's trash folder. */
export function isTrash(state: DriveState, { id, disk_id }: Item): boolean {
  return state.disks.get(disk_id)?.trash_folder === id;
}

/** True for a folder and all that lies in it at any depth. */
export function isWithin(state: DriveState, item: Item, folder_id: string): boolean {
  for (let at: Item | undefined = item; at; at = parentOf(state, at))
    if (at.id === folder_id) return true;
  return false;
}

/** The live file of that name in a folder; one that has expired leaves its name to others. */
export function fileNamed(
  state: DriveState,
  folder_id: string,
  name: string,
  now: number,
): FileRecord | undefined {
  return state.files.where('sibling', `${folder_id}/${name}`).find((file) => !isExpired(file, now));
}

/** The live folder of that name in a folder. */
export function folderNamed(
  state: DriveState,
  folder_id: string,
  name: string,
  now: number,
): Folder | undefined {
  return state.folders
    .where('sibling', `${folder_id}/${name}`)
    .find((folder) => !isExpired(folder, now));
}

/** What lies in a folder at any depth, each folder before its content; `enters` may leave things out. */
export function contentOf(
  state: DriveState,
  folder_id: string,
  enters: (item: Item) => boolean,
): { folders: Folder[]; files: FileRecord[] } {
  const folders: Folder[] = [];
  const files: FileRecord[] = [];
  const pending = [folder_id];
  for (const at of pending) {
    for (const file of state.files.where('parent', at)) if (enters(file)) files.push(file);
    for (const folder of state.folders.where('parent', at)) {
      if (!enters(folder)) continue;
      folders.push(folder);
      pending.push(folder.id);
    }
  }
  return { folders, files };
}

/** Ids of what is there in a folder, at any depth. */
export function contentIds(
  state: DriveState,
  item: Item,
  now: number,
): { files: string[]; folders: string[] } {
  if (!isFolder(state, item.id)) return { files: [], folders: [] };
  const { folders, files } = contentOf(state, item.id, (one) => !isExpired(one, now));
  return { files: files.map(({ id }) => id), folders: folders.map(({ id }) => id) };
}

/** The item if it is there at this time. */
export function liveItem(state: DriveState, item_id: string, now: number): Item | undefined {
  const item = directoryNode(state, item_id) as Item | undefined;
  return item && isThere(state, item, now) ? item : undefined;
}
