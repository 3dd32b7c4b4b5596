import type { DriveState, Records } from '../foundation/state.js';
import { type DirectoryNode, isExpired } from './resources.js';

/** What all that lies directly in one folder has from that folder and those above it. */
export interface AncestorPath {
  /** The folder's full path, `<DiskID>::/a/b/`; names of what lies in it follow. */
  readonly path: string;
  /** False for a disk's root, whose content shows no folder in its path. */
  readonly is_named: boolean;
  /** True below a disk's trash. */
  readonly is_in_trash: boolean;
  /** When the first of these folders expires, ms; Infinity if none does. */
  readonly ends_at: number;
}

interface KnownWays {
  readonly folders_version: number;
  readonly disks_version: number;
  readonly paths: Map<string, AncestorPath>;
}

/** Folders whose paths are remembered per state; beyond it all are forgotten and found anew. */
const MOST_KNOWN = 4096;

/** Most of what is shown together lies in a few folders; their paths hold until a folder or disk changes. */
const known_by_state = new WeakMap<DriveState, KnownWays>();

/** The way into a folder that is there. */
export function pathTo(state: DriveState, folder_id: string): AncestorPath {
  const paths = pathsOf(state);
  const line: Records['folders'][] = [];
  let known: AncestorPath | undefined;
  for (let id: string | null = folder_id; id !== null; id = line.at(-1)!.parent_folder_uuid) {
    known = paths.get(id);
    if (known) break;
    line.push(state.folders.get(id)!);
  }
  if (paths.size + line.length > MOST_KNOWN) paths.clear();
  for (const folder of line.toReversed())
    paths.set(folder.id, (known = pathThrough(state, known, folder)));
  return known!;
}

/** True if neither a folder or file nor a folder above it has expired. */
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
    return { path: `${disk_id}::${name}/`, is_named: name !== '', is_in_trash, ends_at };
  }
  return {
    path: `${above.path}${name}/`,
    is_named: true,
    is_in_trash: above.is_in_trash,
    ends_at: Math.min(above.ends_at, ends_at),
  };
}

function pathsOf(state: DriveState): Map<string, AncestorPath> {
  const { version: folders_version } = state.folders;
  const { version: disks_version } = state.disks;
  const known = known_by_state.get(state);
  if (known?.folders_version === folders_version && known.disks_version === disks_version)
    return known.paths;
  const paths = new Map<string, AncestorPath>();
  known_by_state.set(state, { folders_version, disks_version, paths });
  return paths;
}
