import { record } from './answers.js';
import { learnCopy, learnUpdate, newId } from './changes.js';
import { type Decision, refuse } from './decision.js';
import { areFieldsValid, idPrefix, isId, type Payload, resolutionOf } from './inputs.js';
import type { Kind } from './names.js';
import { folderAt } from './paths.js';
import type { Caller, Item, Tree } from './tree.js';

/** COPY_* and MOVE_* of directory.md section 4. */

export function copy(tree: Tree, caller: Caller, kind: Kind, payload: Payload): Decision {
  return transfer(tree, caller, kind, payload, ['VIEW'], (source, destination, shown) =>
    copyItem(tree, caller, source, destination, shown),
  );
}

export function move(tree: Tree, caller: Caller, kind: Kind, payload: Payload): Decision {
  return transfer(tree, caller, kind, payload, ['VIEW', 'EDIT'], (source, destination) => {
    place(tree, source, destination);
    return source;
  });
}

/** What copying and moving have in common: `carry` brings the source to a destination where its name is free. */
function transfer(
  tree: Tree,
  caller: Caller,
  kind: Kind,
  payload: Payload,
  rights: readonly string[],
  carry: (source: Item, destination: Item, shown: any) => Item,
): Decision {
  const is_move = rights.includes('EDIT');
  const { id, destination_folder_id: to, destination_folder_path: path } = payload;
  if (!isId(id, idPrefix(kind)) || !areFieldsValid(payload, kind)) return refuse(400);
  if (to === undefined ? path === undefined : !isId(to, 'FolderID')) return refuse(400);
  const source = tree.find(id);
  const destination = to === undefined ? folderAt(tree, path) : tree.find(to);
  // A path that is no folder path may be called malformed or unknown; whether a caller who may not VIEW its folders may
  // learn that it is unknown is not said.
  if (!source || !destination)
    return to === undefined && source ? refuse(404, 400, 403) : refuse(404);
  const may = rights.every((right) => tree.may(caller, right, source));
  const may_all = may && tree.may(caller, 'UPLOAD', destination);
  // "Root and trash folders cannot be copied or moved (403/400)".
  if (tree.isTop(source)) return refuse(400, 403);
  if (!may_all) return refuse(403);
  // permissions-model.md 7 says of UPDATE_* "EDIT must not destroy", of a move into a folder that expires nothing.
  const ends = is_move && expires(destination) && !tree.mayDelete(caller, source) ? [403] : [];
  // "same disk only (400)"; "into itself or a descendant → 400".
  if (source.disk !== destination.disk || tree.isWithin(destination, source))
    return refuse(400, ...ends);
  // The contract has no rule for trash as a destination; CREATE_* and RESTORE_TRASH refuse it as a destination with 400.
  if (tree.isInTrash(destination)) return refuse(400, ...ends);
  const sibling = tree.sibling(destination, kind, source.name);
  // A move to where the item already is conflicts with nothing, as a rename to its own name: "unless it is the same item".
  const existing = is_move && sibling === source ? undefined : sibling;
  const resolution = resolutionOf(payload);
  if (existing && resolution !== 'KEEP_BOTH') {
    const shown = is_move && resolution === 'KEEP_ORIGINAL' ? source : existing;
    // Whether an item that the caller may not VIEW is returned is not said.
    const may_refuse = [...ends, ...(tree.may(caller, 'VIEW', shown) ? [] : [403])];
    const kept = { apply: () => record(tree, caller, shown), may_refuse };
    // KEEP_ORIGINAL: "copy: existing returned; move: source returned unmoved".
    if (tree.isInTrash(source)) return refuse(400, 403);
    // What replacing an item by its own copy means is not said; the service keeps it.
    if (resolution === 'KEEP_ORIGINAL' || existing === source) return kept;
    const may_delete = tree.mayDelete(caller, existing);
    // KEEP_NEWER: "REPLACE if the source is newer, else existing kept and returned". Whether keeping needs the right to
    // delete is not said.
    if (resolution === 'KEEP_NEWER' && source.updated_at <= existing.updated_at)
      return may_delete ? kept : { ...kept, may_refuse: [...may_refuse, 403] };
    if (!may_delete) return refuse(403);
  }
  const may_refuse = [
    // Whether an item in the trash can be copied or moved is not said; RESTORE_TRASH is the way out of it.
    ...(tree.isInTrash(source) ? [400] : []),
    ...ends,
  ];
  return {
    ...(may_refuse.length > 0 && { may_refuse }),
    apply: (result) => {
      // REPLACE: "existing target goes to trash, source takes its name".
      if (existing && resolution !== 'KEEP_BOTH') tree.trash(existing, caller);
      const carried = carry(source, destination, result);
      if (carried.is_copied) learnCopy(tree, carried, result);
      if (carried.is_touched) learnUpdate(tree, carried, result);
      return record(tree, caller, carried);
    },
  };
}

function expires(folder: Item): boolean {
  return folder.expires_at > 0 || (folder.parent !== null && expires(folder.parent));
}

/** Moves an item below another folder, under the first free name. */
export function place(tree: Tree, item: Item, destination: Item): void {
  tree.touch(item);
  if (item.parent === destination) return;
  item.name = tree.freeName(destination, item.kind, item.name);
  item.parent = destination;
  // directory.md 2, `deleted`: "true in trash"; a replaced folder may have taken the item there a moment ago.
  for (const each of [item, ...tree.allBelow(item)]) each.deleted = tree.isInTrash(each);
}

/**
 * directory.md 4, Copy: "new ids, version 1, `created_by` = caller, grants and `has_sovereign_permissions` not copied,
 * labels and notes kept; recursive for folders, content the caller may not VIEW left out".
 */
function copyItem(tree: Tree, caller: Caller, source: Item, folder: Item, shown: any): Item {
  const user = tree.users[caller];
  const copied: Item = {
    ...source,
    id: newId(tree, shown?.id),
    parent: folder,
    name: tree.freeName(folder, source.kind, source.name),
    created_by: user,
    created_at: tree.now,
    updated_by: user,
    updated_at: tree.now,
    is_touched: false,
    is_copied: true,
    deleted: false,
    prior_folder_id: null,
    trashed_by: null,
    sovereign: false,
    labels: [...source.labels],
    versions: source.versions.slice(-1).map((version) => ({
      ...version,
      id: newId(tree, shown?.version_id),
      created_by: user,
      created_at: tree.now,
    })),
  };
  const content = tree.children(source).filter((child) => tree.may(caller, 'VIEW', child));
  tree.state.items.push(copied);
  for (const child of content) copyItem(tree, caller, child, copied, undefined);
  return copied;
}
