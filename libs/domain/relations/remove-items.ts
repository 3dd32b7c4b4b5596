import type { DriveState, Records } from '../foundation/state.js';
import { removeGrantsOn } from './cascade.js';
import { contentOf, isFile, itemOf } from './directory-tree.js';

/** Removes a file with its versions, or a folder with its content, and all grants on them. */
export function removeItem(state: DriveState, item_id: string): void {
  const item = itemOf(state, item_id);
  if (!item) return;
  if (isFile(item)) return removeFile(state, item);
  const { folders, files } = contentOf(state, item_id, () => true);
  for (const file of files) removeFile(state, file);
  for (const { id } of [item, ...folders]) {
    removeGrantsOn(state, id);
    state.folders.remove(id);
  }
}

export function removeFile(state: DriveState, { id }: Records['files']): void {
  removeGrantsOn(state, id);
  for (const version of state.file_versions.where('file', id))
    state.file_versions.remove(version.id);
  state.files.remove(id);
}
