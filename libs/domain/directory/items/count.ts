import type { DriveState } from '../../foundation/state.js';
import type { Context } from '../../foundation/decision.js';
import { type Refusal, refuseItems } from '../../kernel/refusal.js';
import type { Item } from '../../relations/directory-tree.js';

/**
 * How many files and folders an item is with all that lies in it, expired ones included. Files are not
 * looked at one by one, and counting stops above `most`: the answer is then any number above it.
 */
export function countItems(state: DriveState, { id }: Pick<Item, 'id'>, most: number): number {
  let count = 1;
  const entered = [id];
  for (const folder_id of entered) {
    count += state.files.count('parent', folder_id) + state.folders.count('parent', folder_id);
    if (count > most) break;
    for (const child_id of state.folders.by('parent', folder_id)) entered.push(child_id);
  }
  return count;
}

/** Refuses an item with more in it than one command takes. Says of its size no more than that. */
export function refuseTooMany({ state, settings }: Context, item: Item): Refusal | null {
  const { items_per_action: most } = settings;
  if (countItems(state, item, most) <= most) return null;
  return refuseItems(`has at least ${most + 1} files and folders, itself included`, most);
}
