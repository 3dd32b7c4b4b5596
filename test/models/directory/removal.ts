import { breadcrumbs, record } from './answers.js';
import { newItem } from './changes.js';
import { type Decision, Either, refuse, Unordered } from './decision.js';
import { areFieldsValid, idPrefix, isId, type Payload, resolutionOf } from './inputs.js';
import type { Kind } from './names.js';
import { deepest, splitPath } from './paths.js';
import { place } from './transfer.js';
import type { Caller, Item, Tree } from './tree.js';

/** GET_*, DELETE_* and RESTORE_TRASH of directory.md section 4. */

export function read(tree: Tree, caller: Caller, kind: Kind, { id }: Payload): Decision {
  if (!isId(id, idPrefix(kind))) return refuse(400);
  const item = tree.find(id);
  if (!item) return refuse(404);
  if (!tree.may(caller, 'VIEW', item)) return refuse(403);
  return {
    apply: () => ({
      [kind]: record(tree, caller, item),
      breadcrumbs: breadcrumbs(tree, caller, item),
    }),
  };
}

export function remove(tree: Tree, caller: Caller, kind: Kind, payload: Payload): Decision {
  const { id, permanent = false } = payload;
  if (!isId(id, idPrefix(kind)) || typeof permanent !== 'boolean') return refuse(400);
  const item = tree.find(id);
  if (!item) return refuse(404);
  // "Root and trash folders cannot be deleted (403/400)".
  if (tree.isTop(item)) return refuse(400, 403);
  if (!tree.mayDelete(caller, item)) return refuse(403);
  // "Deleting something already in trash non-permanently → 400".
  if (!permanent && tree.isInTrash(item)) return refuse(400);
  return {
    apply: () => {
      const saw = tree.may(caller, 'VIEW', item);
      const content = tree.below(item);
      const ids = (of: Kind) =>
        new Unordered(content.filter((each) => each.kind === of).map((each) => each.id));
      if (permanent) tree.remove([item, ...tree.allBelow(item)]);
      else tree.trash(item, caller);
      return {
        [`${kind}_id`]: item.id,
        path_to_trash: permanent
          ? ''
          : saw
            ? tree.shownPath(caller, item)
            : unseen(tree, caller, item),
        ...(kind === 'folder' && { deleted_files: ids('file'), deleted_folders: ids('folder') }),
      };
    },
  };
}

/** Whether the path tells its name to somebody who may delete the item but not VIEW it is not said. */
function unseen(tree: Tree, caller: Caller, item: Item): Either {
  return new Either([tree.shownPath(caller, item), '']);
}

export function restore(tree: Tree, caller: Caller, payload: Payload): Decision {
  const { id, restore_to_folder_path: path } = payload;
  if (!isId(id, 'FileID', 'FolderID') || !areFieldsValid(payload, 'file')) return refuse(400);
  const wanted = path === undefined ? null : splitPath(path);
  if (path !== undefined && !wanted) return refuse(400);
  const item = tree.find(id);
  // "only for `deleted` items that were trashed themselves (404 otherwise)".
  if (!item || item.parent !== item.disk.trash) return refuse(404);
  // "Destination: `restore_to_folder_path`, else the prior folder, else the disk root if the prior folder is gone".
  const prior = tree.find(item.prior_folder_id!);
  let destination = prior ?? item.disk.root;
  let missing: readonly string[] = [];
  if (wanted) {
    if (!tree.state.disks.some((disk) => disk.id === wanted.disk_id)) return refuse(404, 400);
    // The contract names no rule for another disk; COPY and MOVE have "same disk only (400)".
    if (wanted.disk_id !== item.disk.id) return refuse(400, 403);
    [destination, missing] = deepest(tree, item.disk, wanted);
  }
  const may_by_rights =
    tree.may(caller, 'UPLOAD', destination) &&
    tree.may(caller, 'VIEW', item) &&
    tree.may(caller, 'EDIT', item);
  // permissions-model.md 7: "or being the user who trashed it, back to the prior folder only".
  const is_own = item.trashed_by === caller && destination === prior && missing.length === 0;
  if (!may_by_rights && !is_own) return refuse(403);
  // "Destination in trash → 400".
  if (tree.isInTrash(destination)) return refuse(400);
  const clash = missing.length === 0 && tree.sibling(destination, item.kind, item.prior_name);
  if (clash && resolutionOf(payload) !== 'KEEP_BOTH') {
    if (resolutionOf(payload) === 'KEEP_ORIGINAL') return refuse(409);
    // "REPLACE if the source is newer, else existing kept and returned": a restore has no place for a returned item.
    if (resolutionOf(payload) === 'KEEP_NEWER' && item.updated_at <= clash.updated_at)
      return { apply: () => ({}), may_refuse: [403, 409] };
    if (!tree.mayDelete(caller, clash)) return refuse(403);
  }
  return {
    apply: () => {
      // Whether the folders made on the way are among the restored ones is not said.
      const made = missing.reduce((folder, name) => {
        return newItem(tree, caller, 'folder', folder, { name }, undefined);
      }, destination);
      if (clash && resolutionOf(payload) !== 'KEEP_BOTH') tree.trash(clash, caller);
      item.name = item.prior_name;
      place(tree, item, made);
      for (const each of [item, ...tree.allBelow(item)]) each.prior_folder_id = null;
      const ids = (of: Kind) =>
        [item, ...tree.below(item)].filter(({ kind }) => kind === of).map((each) => each.id);
      return {
        restored_files: new Unordered(ids('file')),
        restored_folders: new Unordered(ids('folder')),
      };
    },
  };
}
