import type { DriveState } from '../../foundation/state.js';
import { pathTo } from '../../access/ancestor-paths.js';
import type { Context } from '../../foundation/decision.js';
import { type Refusal, refuse } from '../../kernel/refusal.js';
import { type Item, isFile } from '../../relations/directory-tree.js';

/** Maximum characters of a folder's full path. The path of a file may be longer by its name. */
export const MOST_PATH_CHARACTERS = 8192;

/** A folder's place: the length of the path above it, and its name. */
export interface FolderPlace {
  readonly above: number;
  readonly name: string;
}

/** The place of a folder with this name in an existing folder. */
export function placeIn(state: DriveState, folder_id: string, name: string): FolderPlace {
  return { above: pathTo(state, folder_id).path.length, name };
}

/** Characters of the full path of a folder at this place. */
export function pathLength({ above, name }: FolderPlace): number {
  return above + name.length + 1;
}

/** Refuses a folder whose path is too long. `pointer` names the field that decides its place. */
export function refuseLongPath(place: FolderPlace, pointer: string): Refusal | null {
  return pathLength(place) > MOST_PATH_CHARACTERS ? tooLong(pointer) : null;
}

function tooLong(pointer: string): Refusal {
  const reason = `makes the full path of a folder longer than ${MOST_PATH_CHARACTERS} characters`;
  return refuse('path-too-long', { pointer, reason, limit: MOST_PATH_CHARACTERS });
}

/**
 * Refuses a place or name of an existing item where its path, or that of a folder in it, would be too long. Paths that
 * do not become longer are never refused.
 */
export function refuseLongPaths(
  { state, visits }: Context,
  item: Item,
  place: FolderPlace,
  pointer: string,
): Refusal | null {
  if (isFile(item)) return null;
  const base = pathLength(place);
  if (base <= pathTo(state, item.id).path.length) return null;
  const lengths = [base];
  const entered = [item.id];
  let refusal: Refusal | null = null;
  for (let at = 0; at < entered.length && !refusal; at++) {
    if (lengths[at]! > MOST_PATH_CHARACTERS) refusal = tooLong(pointer);
    for (const child_id of state.folders.by('parent', entered[at]!)) {
      entered.push(child_id);
      lengths.push(lengths[at]! + state.folders.get(child_id)!.name.length + 1);
    }
  }
  visits?.add(entered.length);
  return refusal;
}
