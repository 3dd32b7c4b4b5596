import type { DriveState } from '../foundation/state.js';
import { type DirectoryNode, isFolder } from './resources.js';
import { pathTo } from './ancestor-paths.js';

/** `<DiskID>::/a/b/` for a folder, `<DiskID>::/a/b/name.ext` for a file; below the trash `<DiskID>::.trash/…`. */
export function fullPath(state: DriveState, node: DirectoryNode): string {
  const { disk_id, parent_folder_uuid: parent_id } = node;
  const before = parent_id === null ? `${disk_id}::` : pathTo(state, parent_id).path;
  return before + lastPart(state, node);
}

/** The path with only its last name: `<DiskID>::../<last>`, `<DiskID>::<last>`, root `<DiskID>::/`. */
export function clippedPath(state: DriveState, node: DirectoryNode): string {
  const { disk_id, parent_folder_uuid: parent_id } = node;
  const is_clipped = parent_id !== null && pathTo(state, parent_id).is_named;
  return `${disk_id}::${is_clipped ? '../' : ''}${lastPart(state, node)}`;
}

/** A disk's root has no name, its trash has one. */
function lastPart(state: DriveState, { id, name }: DirectoryNode): string {
  return isFolder(state, id) ? `${name}/` : name;
}
