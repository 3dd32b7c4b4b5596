import { DIRECTORY_TYPES, endOf, mayDelete, mayIn } from '../evaluation.js';
import { addGrant, type Id, type Item, removeWhere, type World } from '../world.js';
import { accepted, type Call, refused, type Rule, type Rules, type Verdict } from './rule.js';

/** directory.md, section 4, and the rows on files and folders of permissions-model.md, section 7. */

/** Several refusals that hold at one time: the contract does not order those of one action. */
function firstOf(...refusals: readonly (number | false)[]): Verdict | null {
  const held = refusals.filter((status) => status !== false);
  return held.length > 0 ? refused(...held) : null;
}

const create =
  (kind: Item['kind']): Rule =>
  (call) => {
    const { world, user, body, now } = call;
    const existing = world.items.get(body.id);
    if (existing?.kind === 'FILE' && kind === 'FILE') return overwrite(call, existing);
    const parent = world.items.get(body.parent_folder_uuid);
    if (!parent) return refused(404);
    const sovereign: boolean = body.has_sovereign_permissions ?? false;
    const same =
      body.file_conflict_resolution === 'REPLACE'
        ? sibling(world, parent, { ...body, kind })
        : null;
    const refusal = firstOf(
      !mayIn(world, user, 'UPLOAD', parent.id, now) && 403,
      sovereign && !mayIn(world, user, 'MANAGE', parent.id, now) && 403,
      isInTrash(world, parent) && 400,
      world.used.has(body.id) && 400,
      // "REPLACE, KEEP_NEWER onto an existing item: additionally D:EDIT on it (create)".
      same !== null && !mayIn(world, user, 'EDIT', same.id, now) && 403,
    );
    if (refusal) return refusal;
    return accepted((data) => {
      const made = data.file ?? data.folder;
      if (same) same.last_updated_by = user;
      else addCreated(call, { kind, parent, sovereign, name: made.name });
    });
  };

function addCreated(
  { world, user, body, n }: Call,
  made: Pick<Item, 'kind' | 'sovereign' | 'name'> & { parent: Item },
): void {
  add(world, { id: body.id, user, ...made });
  if (!made.sovereign || user === world.owner) return;
  // "A creator other than the owner gets all six types directly on it, inheritable."
  const id = `DirectoryPermissionID_sovereign${n}`;
  const grant = { resource_id: body.id, granted_to: user, granted_by: user, inheritable: true };
  addGrant(world.directory, { id, ...grant, permission_types: DIRECTORY_TYPES });
  world.unnamed.push({ kind: 'grant', id, resource: body.id, grantee: user });
}

/** "CREATE_FILE with id of an existing file and EDIT on it: overwrites that file as a new version". */
function overwrite({ world, user, body, now }: Call, file: Item): Verdict {
  const parent = world.items.get(body.parent_folder_uuid);
  const fits = parent?.id === file.parent && !isInTrash(world, file);
  // Without EDIT the id is one that is "already used otherwise": 400.
  if (!mayIn(world, user, 'EDIT', file.id, now)) return refused(403, 400, ...(fits ? [] : [404]));
  // Undecided: a place that is not the file's, and a file in the trash.
  const statuses = fits && !body.has_sovereign_permissions ? [200] : [200, 400, 403, 404];
  return { statuses, effect: () => (file.last_updated_by = user) };
}

/** The item of that kind and name in a folder. */
function sibling(
  world: World,
  parent: Item,
  { kind, name }: Pick<Item, 'kind' | 'name'>,
): Item | null {
  const items = [...world.items.values()];
  const is_same = (item: Item): boolean =>
    item.parent === parent.id && item.kind === kind && item.name === name;
  return items.find(is_same) ?? null;
}

/** "UPDATE_*: D:EDIT on resource; an expires_at that is set, shortened or lies in the past additionally what DELETE_* needs". */
const update: Rule = ({ world, user, body, now }) => {
  const item = world.items.get(body.id);
  if (!item) return refused(404);
  if (!mayIn(world, user, 'EDIT', item.id, now)) return refused(403);
  const { expires_at = item.expires_at } = body;
  const is_sooner = endOf(expires_at) < endOf(item.expires_at);
  if (is_sooner && !mayDelete(world, user, item, now)) return refused(403);
  return accepted((data) => {
    const shown = data.file ?? data.folder;
    Object.assign(item, { last_updated_by: user, expires_at, name: shown.name });
  });
};

/** "DELETE_*: D:DELETE on the parent folder, or D:DELETE granted directly on the resource". */
const remove: Rule = ({ world, user, body, now }) => {
  const item = world.items.get(body.id);
  if (!item) return refused(404);
  const refusal = firstOf(
    !mayDelete(world, user, item, now) && 403,
    item.deleted && !body.permanent && 400,
  );
  if (refusal) return refusal;
  return accepted(() => (body.permanent ? destroy(world, item) : trash(world, item, user)));
};

/** "MOVE_*: D:VIEW and D:EDIT on source and D:UPLOAD on destination". */
const move: Rule = ({ world, user, body, now }) => {
  const item = world.items.get(body.id);
  const destination = world.items.get(body.destination_folder_id);
  if (!item || !destination) return refused(404, ...(item || destination ? [403] : []));
  const replaces = body.file_conflict_resolution === 'REPLACE';
  const same = replaces ? sibling(world, destination, item) : null;
  const refusal = firstOf(
    // "REPLACE … D:DELETE as in DELETE_* (copy, move, restore)".
    same !== null && same !== item && !mayDelete(world, user, same, now) && 403,
    !mayIn(world, user, 'VIEW', item.id, now) && 403,
    !mayIn(world, user, 'EDIT', item.id, now) && 403,
    !mayIn(world, user, 'UPLOAD', destination.id, now) && 403,
    item.disk_id !== destination.disk_id && 400,
    isWithin(world, destination, item) && 400,
    isInTrash(world, destination) && 400,
    isInTrash(world, item) && 400,
  );
  if (refusal) return refusal;
  return accepted((data) => {
    if (same && same !== item) trash(world, same, user);
    item.parent = destination.id;
    item.name = data.name;
    item.last_updated_by = user;
  });
};

/** "COPY_*: D:VIEW on source and D:UPLOAD on destination"; here of files. */
const copy: Rule = ({ world, user, body, now, n }) => {
  const item = world.items.get(body.id);
  const parent = world.items.get(body.destination_folder_id);
  if (!item || !parent) return refused(404, ...(item || parent ? [403] : []));
  const refusal = firstOf(
    !mayIn(world, user, 'VIEW', item.id, now) && 403,
    !mayIn(world, user, 'UPLOAD', parent.id, now) && 403,
    item.disk_id !== parent.disk_id && 400,
    isInTrash(world, parent) && 400,
    isInTrash(world, item) && 400,
  );
  if (refusal) return refusal;
  return accepted((data) => {
    const id = `FileID_copy${n}`;
    // "Grants and has_sovereign_permissions not copied".
    add(world, { id, kind: 'FILE', name: data.name, parent, sovereign: false, user });
    world.name(id, data.id);
  });
};

/**
 * "RESTORE_TRASH: D:UPLOAD on the destination folder, and D:VIEW and D:EDIT on the item; or being the user who trashed
 * it, back to the prior folder only"; directory.md, "Restore".
 */
const restore: Rule = ({ world, user, body, now }) => {
  const item = world.items.get(body.id);
  if (!item?.prior_folder) return refused(404, ...(item ? [403] : []));
  const prior = world.items.get(item.prior_folder);
  const destination = prior ?? world.items.get(world.disks.get(item.disk_id)!.root_folder)!;
  const may =
    mayIn(world, user, 'UPLOAD', destination.id, now) &&
    mayIn(world, user, 'VIEW', item.id, now) &&
    mayIn(world, user, 'EDIT', item.id, now);
  const may_undo = item.trashed_by === user && prior !== undefined;
  const refusal = firstOf(!may && !may_undo && 403, isInTrash(world, destination) && 400);
  if (refusal) return refusal;
  return accepted(() => {
    item.parent = destination.id;
    item.prior_folder = null;
    item.trashed_by = null;
    for (const each of within(world, item)) each.deleted = false;
  });
};

const ACTIONS: Rules = {
  CREATE_FOLDER: create('FOLDER'),
  CREATE_FILE: create('FILE'),
  UPDATE_FILE: update,
  UPDATE_FOLDER: update,
  DELETE_FILE: remove,
  DELETE_FOLDER: remove,
  MOVE_FILE: move,
  MOVE_FOLDER: move,
  COPY_FILE: copy,
  RESTORE_TRASH: restore,
};

export const directoryRules: Rules = {
  'directory/action': (call: Call) => {
    const { action, payload } = call.body.actions[0];
    return ACTIONS[action]!({ ...call, body: payload });
  },
};

function add(
  world: World,
  made: Pick<Item, 'id' | 'kind' | 'name' | 'sovereign'> & { parent: Item; user: Id },
): void {
  const { parent, user, ...own } = made;
  const place = { disk_id: parent.disk_id, parent: parent.id, expires_at: -1, deleted: false };
  const people = { created_by: user, last_updated_by: user, trashed_by: null };
  world.items.set(own.id, { ...own, ...place, ...people, prior_folder: null });
  world.used.add(own.id);
}

export function isInTrash(world: World, item: Item): boolean {
  return item.deleted || item.id === world.disks.get(item.disk_id)!.trash_folder;
}

function isWithin(world: World, item: Item, ancestor: Item): boolean {
  return within(world, ancestor).includes(item);
}

/** The item and everything below it. */
export function within(world: World, item: Item): Item[] {
  const children = [...world.items.values()].filter(({ parent }) => parent === item.id);
  return [item, ...children.flatMap((child) => within(world, child))];
}

/** "Trash: item is re-parented to the trash folder …". */
function trash(world: World, item: Item, user: Id): void {
  item.prior_folder = item.parent;
  item.parent = world.disks.get(item.disk_id)!.trash_folder;
  item.trashed_by = user;
  for (const each of within(world, item)) each.deleted = true;
}

/** "Permanent: item, descendants, versions, grants, label pins removed." */
export function destroy(world: World, item: Item): void {
  const gone = within(world, item).map(({ id }) => id);
  for (const id of gone) world.items.delete(id);
  removeWhere(world.directory, ({ resource_id }) => gone.includes(resource_id));
  for (const label of world.labels.values())
    label.resources = label.resources.filter((id) => !gone.includes(id));
}
