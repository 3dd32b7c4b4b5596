import type { DriveState } from '../../foundation/state.js';
import type { Context, Visits } from '../../foundation/decision.js';
import { type Refusal, refuseItems } from '../../kernel/refusal.js';
import type { Table } from '../../kernel/table.js';
import type { Item } from '../../relations/directory-tree.js';

/**
 * Counts an item and all its content, including expired items. It does not visit files one by one. Counting stops above
 * `most`: the result is then any number above it.
 */
export function countItems(
  state: DriveState,
  { id }: Pick<Item, 'id'>,
  most: number,
  visits?: Visits,
): number {
  let count = 1;
  const entered = [id];
  for (const folder_id of entered) {
    count += state.files.count('parent', folder_id) + state.folders.count('parent', folder_id);
    if (count > most) break;
    for (const child_id of state.folders.by('parent', folder_id)) entered.push(child_id);
  }
  visits?.add(entered.length);
  return count;
}

/**
 * Refuses an item with more content than one command may affect. The refusal does not reveal its size.
 * @param prefix begins the reason if the item is not the one that the command names
 */
export function refuseTooMany(
  { state, settings, visits }: Context,
  item: Item,
  prefix = '',
): Refusal | null {
  const { items_per_action: most } = settings;
  if (countItems(state, item, most, visits) <= most) return null;
  return refuseItems(`${prefix}has at least ${most + 1} files and folders, itself included`, most);
}

/** Refuses a copy of more labels than one command may affect items: each takes memory, as an item does. */
export function refuseTooManyLabels(
  { state, settings, visits }: Context,
  item: Item,
): Refusal | null {
  const { items_per_action: most } = settings;
  let labels = item.label_ids?.length ?? 0;
  let visited = 1;
  const entered = [item.id];
  for (const folder_id of entered) {
    for (const table of [state.files, state.folders] as readonly Table<Item>[])
      for (const { label_ids = [] } of table.where('parent', folder_id)) {
        labels += label_ids.length;
        visited += 1;
      }
    if (labels > most) break;
    for (const child_id of state.folders.by('parent', folder_id)) entered.push(child_id);
  }
  visits?.add(visited);
  if (labels <= most) return null;
  return refuseItems(`has at least ${most + 1} labels on its files and folders`, most);
}
