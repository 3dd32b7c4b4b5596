import { event, type DomainEvent } from '../../foundation/events.js';
import { Access } from '../../access/access.js';
import { accept, type Context, type Decider } from '../../foundation/decision.js';
import { isRefusal, refuse } from '../../kernel/refusal.js';
import type { DeleteItem } from '../commands.js';
import { refuseTooMany } from '../items/count.js';
import { findItem } from '../items/find.js';
import { nameInTrash } from '../items/names.js';
import { shownPath } from '../items/item-view.js';
import { mayDelete } from '../items/rights.js';
import {
  contentIds,
  isInTrash,
  type Item,
  type ItemKind,
  itemOf,
} from '../../relations/directory-tree.js';

/** Ids of the content of a folder, at any depth. */
interface Content {
  readonly deleted_files: readonly string[];
  readonly deleted_folders: readonly string[];
}

export interface ItemDeleted extends Content {
  /** `''` if the item was permanently deleted, or if the caller could not VIEW it. */
  readonly path_to_trash: string;
}

/** Moves an item to the trash of its disk, under a free name. */
export function trashed({ state, now, caller }: Context, item: Item): DomainEvent {
  return event('ItemTrashed', {
    item_id: item.id,
    name: nameInTrash(state, item),
    trashed_by: caller.user_id,
    trashed_at: now,
  });
}

export function deleteItem(kind: ItemKind): Decider<DeleteItem> {
  return (context, command) => {
    const { state } = context;
    const item = findItem(context, kind, command.id);
    if (isRefusal(item)) return item;
    const access = Access.of(context);
    const allowed = mayDelete(access, item);
    if (!allowed) return access.denied(item.id);
    if (item.parent_folder_uuid === null) return refuse('top-folder');
    if (!command.permanent && isInTrash(state, item))
      return refuse('in-trash', { pointer: '/id', reason: 'lies in the trash already' });
    const too_many = refuseTooMany(context, item);
    if (too_many) return too_many;
    if (!command.permanent) return accept(allowed, trashed(context, item));
    const outcome = contentBefore(context, item.id);
    return { ...accept(allowed, event('ItemsDeleted', { item_ids: [item.id] })), outcome };
  };
}

/** The content of an item before its deletion; it is unknown afterwards. */
function contentBefore({ state, now }: Context, item_id: string): Content {
  const { files, folders } = contentIds(state, itemOf(state, item_id)!, now);
  return { deleted_files: files, deleted_folders: folders };
}

/** The outcome of a permanent deletion names up to all items of an organization, so it is not stored. */
export function recoverDeleted({ id, permanent }: DeleteItem) {
  return permanent ? (before: Context): unknown => contentBefore(before, id) : null;
}

/** The answer of a deletion; for trashed items with their place in the trash. */
export function presentDeleted(
  context: Context,
  { id, permanent }: DeleteItem,
  outcome: unknown,
): ItemDeleted {
  const { state, now } = context;
  const item = permanent ? undefined : itemOf(state, id);
  if (!item) return { path_to_trash: '', ...(outcome as Content) };
  const { files, folders } = contentIds(state, item, now);
  const access = Access.of(context);
  const path_to_trash = couldView(access, item) ? shownPath(access, item) : '';
  return { path_to_trash, deleted_files: files, deleted_folders: folders };
}

/** True for callers who may VIEW the item in the trash, or could at its old place. */
function couldView(access: Access, item: Item): boolean {
  if (access.canDirectory('VIEW', item.id)) return true;
  const { restore_trash_prior_folder_uuid: before, has_sovereign_permissions } = item;
  return !!before && !has_sovereign_permissions && access.canDirectory('VIEW', before);
}
