import type { DriveState } from '../drive/state.js';
import { type DirectoryNode, directoryNode, isFolder } from './resources.js';

/** Names from the disk's top folder down to the node; a root folder is called `''`. */
function segments(state: DriveState, node: DirectoryNode): readonly string[] {
  const names: string[] = [];
  for (let at: DirectoryNode | undefined = node; at;) {
    names.push(at.name);
    at = at.parent_folder_uuid === null ? undefined : directoryNode(state, at.parent_folder_uuid);
  }
  return names.toReversed();
}

/** `<DiskID>::/a/b/` for a folder, `<DiskID>::/a/b/name.ext` for a file; below the trash `<DiskID>::.trash/…`. */
export function fullPath(state: DriveState, node: DirectoryNode): string {
  const end = isFolder(state, node.id) ? '/' : '';
  return `${node.disk_id}::${segments(state, node).join('/')}${end}`;
}

/** The path with all but the last name clipped: `<DiskID>::../<last>`, `<DiskID>::<last>`, root `<DiskID>::/`. */
export function clippedPath(state: DriveState, node: DirectoryNode): string {
  const names = segments(state, node).filter((name) => name !== '');
  const end = isFolder(state, node.id) ? '/' : '';
  if (names.length === 0) return `${node.disk_id}::/`;
  return `${node.disk_id}::${names.length > 1 ? '../' : ''}${names.at(-1)}${end}`;
}
