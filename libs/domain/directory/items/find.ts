import { Access } from '../../access/access.js';
import { isThere } from '../../access/ancestor-paths.js';
import type { Folder } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import { type Refusal, refuse, refuseField } from '../../kernel/refusal.js';
import { storedName } from './names.js';
import {
  type ItemKind,
  kindOf,
  itemNamed,
  itemOf,
  type ItemOf,
} from '../../relations/directory-tree.js';

/**
 * The file or folder with that id, unless it is missing or expired.
 * @param pointer the field with the id, if others of the body have ids, too
 */
export function findItem<Kind extends ItemKind>(
  { state, now }: Context,
  kind: Kind,
  id: string,
  pointer?: string,
): ItemOf<Kind> | Refusal {
  const item = itemOf(state, id);
  const is_kind = item && kindOf(item) === kind;
  if (is_kind && isThere(state, item, now)) return item as ItemOf<Kind>;
  const details = pointer === undefined ? [] : [{ pointer, reason: `names no ${kind}` }];
  return refuse(kind === 'file' ? 'file-not-found' : 'folder-not-found', ...details);
}

/** A parsed full path: a disk's root or trash, and the names of folders below it. */
export interface FolderPath {
  readonly disk_id: string;
  readonly top: 'root' | 'trash';
  readonly names: readonly string[];
}

const FULL_PATH = /^(DiskID_[A-Za-z0-9_-]+)::(\/|\.trash(?:\/|$)|$)(.*)$/su;

/** Parses the full path of a folder; the trailing slash is optional. */
export function parseFolderPath(path: string, pointer: string): FolderPath | Refusal {
  const [, disk_id, top, below] = FULL_PATH.exec(path) ?? [];
  if (disk_id === undefined || top === undefined || below === undefined)
    return refuseField(pointer, 'must be the full path of a folder, such as DiskID_1::/a/b/');
  const names: string[] = [];
  for (const segment of below.replace(/\/$/, '').split('/')) {
    if (segment === '' && below === '') continue;
    const name = storedName(segment, pointer);
    if (typeof name !== 'string') return name;
    names.push(name);
  }
  return { disk_id, top: top.startsWith('.trash') ? 'trash' : 'root', names };
}

/** A followed path: its deepest existing folder, and the names of the missing ones. */
interface PathEnd {
  readonly folder: Folder;
  readonly missing: readonly string[];
}

/** Follows a path; undefined if there is no such disk. */
export function followPath({ state, now }: Context, path: FolderPath): PathEnd | undefined {
  const disk = state.disks.get(path.disk_id);
  let folder =
    disk && state.folders.get(path.top === 'root' ? disk.root_folder : disk.trash_folder);
  if (!folder) return undefined;
  for (let at = 0; at < path.names.length; at++) {
    const next: Folder | undefined = itemNamed(state, 'folder', folder.id, path.names[at]!, now);
    if (!next) return { folder, missing: path.names.slice(at) };
    folder = next;
  }
  return { folder, missing: [] };
}

/**
 * The folder at a full path. Only callers who may VIEW the deepest existing folder learn that a path leads to no
 * folder: for others an existing and a missing name give the same refusal.
 */
export function folderAt(context: Context, path: string, pointer: string): Folder | Refusal {
  const parsed = parseFolderPath(path, pointer);
  if ('refusal' in parsed) return parsed;
  const end = followPath(context, parsed);
  const is_hidden = end && !Access.of(context).canDirectory('VIEW', end.folder.id);
  if (end && end.missing.length > 0 && is_hidden) return refuse('forbidden');
  if (!end || end.missing.length > 0)
    return refuse('folder-not-found', { pointer, reason: 'leads to no folder' });
  return end.folder;
}
