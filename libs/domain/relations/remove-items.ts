import type { DriveState, Records } from '../foundation/state.js';
import { removeGrantsOn } from './cascade.js';
import { noteIfUnused } from './contents.js';
import { contentOf, isFile, itemOf } from './directory-tree.js';

/**
 * Removes a file with its versions, or a folder with its content, and all grants on them.
 * @param at_ms time of the event
 */
export function removeItem(state: DriveState, item_id: string, at_ms: number): void {
  const item = itemOf(state, item_id);
  if (!item) return;
  if (isFile(item)) return removeFile(state, item, at_ms);
  const { folders, files } = contentOf(state, item_id, () => true);
  for (const file of files) removeFile(state, file, at_ms);
  for (const { id } of [item, ...folders]) {
    removeGrantsOn(state, id);
    state.folders.remove(id);
  }
}

export function removeFile(state: DriveState, file: Records['files'], at_ms: number): void {
  const { id } = file;
  removeGrantsOn(state, id);
  const versions = state.file_versions.where('file', id);
  for (const version of versions) state.file_versions.remove(version.id);
  state.files.remove(id);
  for (const { content_id } of [file, ...versions]) noteIfUnused(state, content_id, at_ms);
}
