import type { DriveState } from '../foundation/state.js';
import { type DirectoryNode, isExpired, PassedDown } from './resources.js';

/** Properties of a folder's content that follow from the folder and its ancestors. */
export interface AncestorPath {
  /** The folder's full path, `<DiskID>::/a/b/`. */
  readonly path: string;
  /** Number of folders of the path; 1 for a disk's root. */
  readonly depth: number;
  /** False for a disk's root, which is not part of its content's paths. */
  readonly is_named: boolean;
  /** True below a disk's trash. */
  readonly is_in_trash: boolean;
  /** When the first of these folders expires, ms; Infinity if none does. */
  readonly ends_at: number;
}

interface CachedPaths {
  readonly folders_version: number;
  readonly disks_version: number;
  readonly paths: PassedDown<AncestorPath | undefined>;
}

/** Maximum cached folders per state; beyond it the cache is cleared. */
const MOST_CACHED = 4096;

/** Records shown together are mostly in few folders; their paths are valid until a folder or disk changes. */
const cached_by_state = new WeakMap<DriveState, CachedPaths>();

/** @param folder_id of an existing folder */
export function pathTo(state: DriveState, folder_id: string): AncestorPath {
  return pathsOf(state).by(folder_id)!;
}

/** True if neither the folder or file nor one of its ancestors has expired. */
export function isThere(state: DriveState, node: DirectoryNode, now: number): boolean {
  if (isExpired(node, now)) return false;
  const { parent_folder_uuid: parent_id } = node;
  return parent_id === null || pathTo(state, parent_id).ends_at > now;
}

function pathThrough(
  state: DriveState,
  { id, name, disk_id, expires_at }: DirectoryNode,
  above: AncestorPath | undefined,
): AncestorPath {
  const ends_at = expires_at > 0 ? expires_at : Infinity;
  if (!above) {
    const is_in_trash = state.disks.get(disk_id)?.trash_folder === id;
    return { path: `${disk_id}::${name}/`, depth: 1, is_named: name !== '', is_in_trash, ends_at };
  }
  return {
    path: `${above.path}${name}/`,
    depth: above.depth + 1,
    is_named: true,
    is_in_trash: above.is_in_trash,
    ends_at: Math.min(above.ends_at, ends_at),
  };
}

function pathsOf(state: DriveState): CachedPaths['paths'] {
  const { version: folders_version } = state.folders;
  const { version: disks_version } = state.disks;
  const known = cached_by_state.get(state);
  const is_current =
    known?.folders_version === folders_version && known.disks_version === disks_version;
  if (is_current && known.paths.size <= MOST_CACHED) return known.paths;
  const paths = new PassedDown<AncestorPath | undefined>(state, undefined, (folder, above) =>
    pathThrough(state, folder, above),
  );
  cached_by_state.set(state, { folders_version, disks_version, paths });
  return paths;
}
