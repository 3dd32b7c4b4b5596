import { storedName } from './names.js';
import type { Disk, Item, Tree } from './tree.js';

/** Folders by their path: directory.md section 1. */

interface FolderPath {
  readonly disk_id: string;
  /** Under the root, or under the trash folder. */
  readonly in_trash: boolean;
  readonly names: readonly string[];
}

/** directory.md 1: `<DiskID>::/a/b/`; section 3: "missing trailing slash tolerated". */
export function splitPath(path: unknown): FolderPath | null {
  const match =
    typeof path === 'string' && /^(DiskID_[A-Za-z0-9_-]+)::(\/|\.trash\/)(.*)$/su.exec(path);
  if (!match) return null;
  const names = match[3]!.replace(/\/$/, '').split('/');
  const wanted = match[3] === '' ? [] : names;
  if (wanted.some((name) => storedName(name) === null)) return null;
  return { disk_id: match[1]!, in_trash: match[2] !== '/', names: wanted };
}

/** The folder of a path, null if there is none. */
export function folderAt(tree: Tree, path: unknown): Item | null {
  const parts = splitPath(path);
  const disk = tree.state.disks.find(({ id }) => id === parts?.disk_id);
  const found = disk && deepest(tree, disk, parts!);
  return found && found[1].length === 0 ? found[0] : null;
}

/** The deepest existing folder of a path, and the names that are missing below it. */
export function deepest(tree: Tree, disk: Disk, path: FolderPath): [Item, string[]] {
  let folder = path.in_trash ? disk.trash : disk.root;
  for (const [depth, name] of path.names.entries()) {
    const next = tree.sibling(folder, 'folder', name);
    if (!next) return [folder, path.names.slice(depth)];
    folder = next;
  }
  return [folder, []];
}
