import type { DriveState } from '../../foundation/state.js';
import { type AncestorPath, pathTo } from '../../access/ancestor-paths.js';
import type { Context } from '../../foundation/decision.js';
import { type Refusal, refuse } from '../../kernel/refusal.js';
import { type Item, isFile } from '../../relations/directory-tree.js';

/** Maximum characters of a folder's full path. The path of a file may be longer by its name. */
export const MOST_PATH_CHARACTERS = 8192;
/** Maximum folders of a path, the disk's root included: each is a breadcrumb, and is visited by permission checks. */
export const MOST_PATH_FOLDERS = 1024;

/** A folder's full path by its length. */
export interface PathLength {
  readonly characters: number;
  readonly folders: number;
}

function lengthOf({ path, depth }: AncestorPath): PathLength {
  return { characters: path.length, folders: depth };
}

/** The path of a folder with this name below another one. */
export function pathBelow({ characters, folders }: PathLength, name: string): PathLength {
  return { characters: characters + name.length + 1, folders: folders + 1 };
}

/** The path of a folder with this name in an existing folder. */
export function pathIn(state: DriveState, folder_id: string, name: string): PathLength {
  return pathBelow(lengthOf(pathTo(state, folder_id)), name);
}

/** Refuses a path that is too long. `pointer` names the field that decides it. */
export function refuseLongPath(
  { characters, folders }: PathLength,
  pointer: string,
): Refusal | null {
  if (characters > MOST_PATH_CHARACTERS)
    return tooLong(pointer, MOST_PATH_CHARACTERS, 'characters');
  if (folders > MOST_PATH_FOLDERS) return tooLong(pointer, MOST_PATH_FOLDERS, 'folders');
  return null;
}

function tooLong(pointer: string, limit: number, unit: string): Refusal {
  const reason = `makes the full path of a folder longer than ${limit} ${unit}`;
  return refuse('path-too-long', { pointer, reason, limit });
}

/**
 * Refuses a new path of an existing item if it, or that of a folder in it, would be too long. Paths that do not become
 * longer are never refused.
 */
export function refuseLongPaths(
  { state, visits }: Context,
  item: Item,
  path: PathLength,
  pointer: string,
): Refusal | null {
  if (isFile(item)) return null;
  const now = lengthOf(pathTo(state, item.id));
  if (path.characters <= now.characters && path.folders <= now.folders) return null;
  const paths = [path];
  const entered = [item.id];
  let refusal: Refusal | null = null;
  for (let at = 0; at < entered.length && !refusal; at++) {
    refusal = refuseLongPath(paths[at]!, pointer);
    for (const child_id of state.folders.by('parent', entered[at]!)) {
      entered.push(child_id);
      paths.push(pathBelow(paths[at]!, state.folders.get(child_id)!.name));
    }
  }
  visits?.add(entered.length);
  return refusal;
}
