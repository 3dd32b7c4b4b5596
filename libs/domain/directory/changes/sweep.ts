import { event } from '../../foundation/events.js';
import type { DriveState } from '../../foundation/state.js';
import { expiredIn, isExpired, PassedDown, sovereignNodes } from '../../access/resources.js';
import { isThere } from '../../access/ancestor-paths.js';
import { accept, type Context, type Decider } from '../../foundation/decision.js';
import { refuse } from '../../kernel/refusal.js';
import type { Table } from '../../kernel/table.js';
import type { SweepExpired } from '../commands.js';
import { countItems } from '../items/count.js';
import { freeName, nameInTrash } from '../items/names.js';
import {
  isFile,
  isInTrash,
  type Item,
  itemOf,
  kindOf,
  parentOf,
} from '../../relations/directory-tree.js';

/** Maximum bytes of all names in one event. */
const MOST_NAME_BYTES = 300_000;
/** Maximum bytes of a character in JSON; and bytes of the members around a name. */
const BYTES_PER_CHARACTER = 6;
const BYTES_BESIDE = 200;

/**
 * Removes expired items; run by the service itself. Expired items are already invisible. The sweep moves them to the
 * trash of their disk, where they can be restored, and permanently deletes items whose time in the trash is over. On
 * disks with a file lifetime, expired items are deleted permanently at once. A sovereign item in an expired folder is
 * moved to the trash separately.
 */
export const sweepExpired: Decider<SweepExpired> = (context, { most }) => {
  if (context.caller.via !== 'SYSTEM') return refuse('forbidden');
  const { state } = context;
  const expired = expiredItems(context, most);
  const closed_off = closedOff(context, expired);
  const is_first = closed_off.length > most;
  const ending = is_first ? [] : expired;
  const for_good = ending.filter((item) => keepsNothing(context, item));
  const others = ending.filter((item) => !keepsNothing(context, item));
  const in_trash = others.filter((item) => isInTrash(state, item));
  const leaving = others.filter((item) => !isInTrash(state, item));
  const staying = new Set(in_trash);
  const entering = [...closed_off.slice(0, most), ...leaving];
  const named = namesInTrash(context, [...staying, ...entering], staying);
  const kept = named.filter(({ item }) => staying.has(item));
  const trashed = named.filter(({ item }) => !staying.has(item)).map(renaming);
  const renamed = kept.filter(({ item, name }) => name !== item.name).map(renaming);
  // An expired folder is only removed after all sovereign items in it were moved out.
  const is_whole = !is_first && trashed.length === closed_off.length + leaving.length;
  const item_ids = removable(
    context,
    [...(is_whole ? for_good : []), ...outdated(context).take(most)],
    most,
  );
  return accept(
    ['SYSTEM'],
    ...(named.length > 0
      ? [
          event('ItemsExpired', {
            trashed,
            kept: kept.map(({ item }) => item.id),
            ...(renamed.length > 0 && { renamed }),
          }),
        ]
      : []),
    ...(item_ids.length > 0 ? [event('ItemsDeleted', { item_ids })] : []),
  );
};

/** True for disks that permanently delete expired items. */
function keepsNothing({ state }: Context, { disk_id }: Item): boolean {
  return Boolean(state.disks.get(disk_id)?.autoexpire_ms);
}

/** The topmost expired items, at most `most`, in order of expiry. */
function expiredItems({ state, now }: Context, most: number): Item[] {
  const found: Item[] = [];
  for (const table of [state.folders, state.files] as readonly Table<Item>[])
    for (const item of expiredIn(table, now)) {
      if (found.length === most) break;
      const parent = parentOf(state, item);
      if (!parent || isThere(state, parent, now)) found.push(item);
    }
  return found.sort((one, other) => one.expires_at - other.expires_at || compareIds(one, other));
}

/** The topmost sovereign items at any depth in those of these folders that are not in the trash. */
function closedOff(context: Context, expired: readonly Item[]): Item[] {
  const { state, now } = context;
  const leaving = new Set<string>();
  for (const item of expired)
    if (!isFile(item) && (keepsNothing(context, item) || !isInTrash(state, item)))
      leaving.add(item.id);
  if (leaving.size === 0) return [];
  const found = new Map<string, Item>();
  const closing = new PassedDown<Closing>(state, null, (folder, above) => {
    if (leaving.has(folder.id)) return 'open';
    return above === 'open' && folder.has_sovereign_permissions ? { below: folder.id } : above;
  });
  for (const id of sovereignNodes(state)) {
    const item = itemOf(state, id)!;
    if (leaving.has(id)) continue;
    const above = closing.by(item.parent_folder_uuid);
    if (!above) continue;
    const uppermost = above === 'open' ? item : itemOf(state, above.below)!;
    const goes_along = keepsNothing(context, uppermost) && isExpired(uppermost, now);
    if (!goes_along) found.set(uppermost.id, uppermost);
  }
  return [...found.values()].sort(compareIds);
}

/**
 * How a folder's content is related to the folders that leave: not in one (null), in one without a sovereign folder
 * in between, or below this uppermost sovereign folder in between.
 */
type Closing = { readonly below: string } | 'open' | null;

const compareIds = (one: Item, other: Item): number => (one.id < other.id ? -1 : 1);

interface Named {
  readonly item: Item;
  readonly name: string;
}

const renaming = ({ item, name }: Named) => ({ item_id: item.id, name });

/**
 * These items with their names in the trash, as many as fit in one event. One that stays where it is keeps its own name,
 * unless another item has taken it meanwhile.
 */
function namesInTrash(
  { state, now }: Context,
  items: readonly Item[],
  staying: ReadonlySet<Item>,
): Named[] {
  const named: Named[] = [];
  const taken = new Set<string>();
  let bytes = 0;
  for (const item of items) {
    const kind = kindOf(item);
    const stays = staying.has(item);
    const folder = stays ? item.parent_folder_uuid! : state.disks.get(item.disk_id)!.trash_folder;
    const placeOf = (name: string): string => `${kind} ${folder}/${name}`;
    const isPromised = (name: string): boolean => taken.has(placeOf(name));
    const name = stays
      ? freeName(state, kind, folder, item.name, now, isPromised)
      : nameInTrash(state, item, isPromised);
    bytes += name.length * BYTES_PER_CHARACTER + BYTES_BESIDE;
    if (bytes > MOST_NAME_BYTES) break;
    taken.add(placeOf(name));
    named.push({ item, name });
  }
  return named;
}

/** Items whose time in the trash is over. */
function* outdated({ state, now, settings }: Context): Generator<Item> {
  for (const table of [state.folders, state.files] as readonly Table<Item>[])
    for (const item of table.inOrder('trashed', 'for a time')) {
      if (item.trashed_at! + settings.trash_ms > now) break;
      yield item;
    }
}

/**
 * Ids of items to delete in one event: at most `most` items, and no more content than one command may affect. The
 * content of a larger folder is deleted first, that of its subfolders before it. At least one item is found, however many
 * larger folders are visited.
 */
function removable({ state, settings }: Context, items: readonly Item[], most: number): string[] {
  const ids = new Set<string>();
  const { items_per_action } = settings;
  let left = items_per_action;
  let visited = 0;
  const pending = items.slice(0, most).toReversed();
  for (let item = pending.pop(); item && ids.size < most; item = pending.pop()) {
    if (++visited > 2 * most && ids.size > 0) break;
    const count = countItems(state, item, items_per_action);
    if (count > items_per_action) pending.push(...childrenOf(state, item).take(most));
    else if (count <= left) {
      ids.add(item.id);
      left -= count;
    }
  }
  return [...ids];
}

function* childrenOf(state: DriveState, { id: folder_id }: Item): Generator<Item> {
  for (const table of [state.folders, state.files] as readonly Table<Item>[])
    for (const id of table.by('parent', folder_id)) yield table.get(id)!;
}
