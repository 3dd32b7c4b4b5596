import type { DriveState } from '../../foundation/state.js';
import { Access, gives } from '../../access/access.js';
import { isExpired } from '../../access/resources.js';
import type { Folder } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import type { Clause } from '../../foundation/reading.js';
import type { FileRecord } from '../record.js';
import type { Item } from '../../relations/directory-tree.js';

/** What search covers: what the caller may view and what lies neither in a trash nor expired. */
interface Searchable {
  /** Folders whose ordinary files are all visible. */
  readonly open_folders: ReadonlySet<string>;
  /** Visible files elsewhere. */
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

export function searchableFiles(context: Context): readonly Clause[] {
  return searchable(context).file_clauses;
}

export function searchableFolders(context: Context): readonly Clause[] {
  return searchable(context).folder_clauses;
}

/** What is remembered of a user, with all that it rests on. */
interface Known extends Searchable {
  readonly stamp: string;
  readonly file_clauses: readonly Clause[];
  readonly folder_clauses: readonly Clause[];
}

/** Users remembered per state; beyond it all are forgotten and found anew. */
const MOST_KNOWN = 256;

const known_by_state = new WeakMap<DriveState, Map<string, Known>>();

/** Stays the same object while it rests on the same: read models know a visibility again by that. */
function searchable(context: Context): Known {
  const { state, now, caller } = context;
  const { edges } = state.undo_log;
  edges.pass(now);
  const odd = foldersWithOddFiles(context, Access.of(context));
  const tables = [
    state.folders,
    state.disks,
    state.directory_permissions,
    state.invites,
    state.groups,
    state.organizations,
    // New and changed files alone change nothing where none of them stands out.
    ...(odd.size > 0 ? [state.files] : []),
  ];
  const stamp = [edges.epoch, odd.size, ...tables.map(({ version }) => version)].join();
  let by_user = known_by_state.get(state);
  if (!by_user) known_by_state.set(state, (by_user = new Map()));
  const known = by_user.get(caller.user_id);
  if (known?.stamp === stamp) return known;
  if (by_user.size >= MOST_KNOWN) by_user.clear();
  const found = find(context, odd);
  const made: Known = {
    ...found,
    stamp,
    file_clauses: [
      { field: 'parent_folder_uuid', among: found.open_folders },
      { field: 'id', among: found.files },
    ],
    folder_clauses: [{ field: 'id', among: found.folders }],
  };
  by_user.set(caller.user_id, made);
  return made;
}

/**
 * Walks all folders from the disks' roots down. Files are not looked at one by one, but where some of a
 * folder stand out: they have expired, are sovereign, or bear grants of their own.
 */
function find(context: Context, odd: ReadonlySet<string>): Searchable {
  const { state, now } = context;
  const access = Access.of(context);
  const open_folders = new Set<string>();
  const files = new Set<string>();
  const folders = new Set<string>();
  const entered: { folder: Folder; is_open: boolean }[] = [];
  const enter = (folder: Folder, around_is_open: boolean): void => {
    entered.push({ folder, is_open: opens(access, folder, around_is_open) });
  };
  for (const { root_folder } of state.disks.values()) enter(state.folders.get(root_folder)!, false);
  for (const { folder, is_open } of entered) {
    for (const child of state.folders.where('parent', folder.id)) {
      if (isExpired(child, now)) continue;
      enter(child, is_open);
      if (isVisible(access, child, is_open)) folders.add(child.id);
    }
    if (is_open && !odd.has(folder.id)) open_folders.add(folder.id);
    else if (is_open || odd.has(folder.id))
      for (const file of state.files.where('parent', folder.id))
        if (!isExpired(file, now) && isVisible(access, file, is_open)) files.add(file.id);
  }
  return { open_folders, files, folders };
}

/** True if what lies in a folder is visible unless it is sovereign. Only grants of its own change that. */
function opens(access: Access, folder: Folder, around_is_open: boolean): boolean {
  if (access.is_owner) return true;
  if (!hasGrants(access, folder)) return around_is_open && !folder.has_sovereign_permissions;
  return access
    .directoryGrants(folder.id)
    .some((grant) => grant.inheritable && gives(grant, 'VIEW'));
}

function isVisible(access: Access, item: Item, around_is_open: boolean): boolean {
  if (access.is_owner || (around_is_open && !item.has_sovereign_permissions)) return true;
  return hasGrants(access, item) && access.canDirectory('VIEW', item.id);
}

function hasGrants({ state }: Access, { id }: Item): boolean {
  return state.directory_permissions.count('resource', id) > 0;
}

function foldersWithOddFiles({ state, now }: Context, access: Access): Set<string> {
  const odd = new Set<string>();
  const note = (file: FileRecord | undefined): void => {
    if (file) odd.add(file.parent_folder_uuid);
  };
  for (const file of state.files.where('ends', 'some time')) if (isExpired(file, now)) note(file);
  if (access.is_owner) return odd;
  for (const file of state.files.where('place', 'sovereign')) note(file);
  for (const grantee of access.grantees)
    for (const { resource_id } of state.directory_permissions.where('grantee', grantee))
      note(state.files.get(resource_id));
  return odd;
}
