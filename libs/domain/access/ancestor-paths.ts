import type { DriveState, Records } from '../foundation/state.js';
import { type DirectoryNode, isExpired } from './resources.js';

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
  readonly paths: Map<string, AncestorPath>;
}

/** Maximum cached folders per state; beyond it the cache is cleared. */
const MOST_CACHED = 4096;

/** Records shown together are mostly in few folders; their paths are valid until a folder or disk changes. */
const cached_by_state = new WeakMap<DriveState, CachedPaths>();

export function pathTo(state: DriveState, folder_id: string): AncestorPath {
  const paths = pathsOf(state);
  const line: Records['folders'][] = [];
  let known: AncestorPath | undefined;
  for (let id: string | null = folder_id; id !== null; id = line.at(-1)!.parent_folder_uuid) {
    known = paths.get(id);
    if (known) break;
    line.push(state.folders.get(id)!);
  }
  if (paths.size + line.length > MOST_CACHED) paths.clear();
  for (const folder of line.toReversed())
    paths.set(folder.id, (known = pathThrough(state, known, folder)));
  return known!;
}

/** True if neither the folder or file nor one of its ancestors has expired. */
export function isThere(state: DriveState, node: DirectoryNode, now: number): boolean {
  if (isExpired(node, now)) return false;
  const { parent_folder_uuid: parent_id } = node;
  return parent_id === null || pathTo(state, parent_id).ends_at > now;
}

function pathThrough(
  state: DriveState,
  above: AncestorPath | undefined,
  folder: Records['folders'],
): AncestorPath {
  const { id, name, disk_id, expires_at } = folder;
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

function pathsOf(state: DriveState): Map<string, AncestorPath> {
  const { version: folders_version } = state.folders;
  const { version: disks_version } = state.disks;
  const known = cached_by_state.get(state);
  if (known?.folders_version === folders_version && known.disks_version === disks_version)
    return known.paths;
  const paths = new Map<string, AncestorPath>();
  cached_by_state.set(state, { folders_version, disks_version, paths });
  return paths;
}
