import type { DriveState } from '../../foundation/state.js';
import { Access, gives } from '../../access/access.js';
import { expiredIn, isExpired } from '../../access/resources.js';
import { hasNone } from '../../kernel/table.js';
import type { Folder } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import type { Clause } from '../../foundation/reading.js';
import type { FileRecord } from '../record.js';
import type { Item } from '../../relations/directory-tree.js';

/** The files and folders that search covers: visible to the caller, not in a trash, and not expired. */
interface Searchable {
  /** Folders all of whose files are visible. */
  readonly open_folders: ReadonlySet<string>;
  /** Visible files in other folders. */
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

export function searchableFiles(context: Context): readonly Clause[] {
  return searchable(context).file_clauses;
}

export function searchableFolders(context: Context): readonly Clause[] {
  return searchable(context).folder_clauses;
}

/** The cached search scope of a user; `stamp` identifies the data besides files that it was computed from. */
interface CachedScope extends Searchable {
  readonly stamp: string;
  /** No file that matters was changed until this version of their table. */
  files_version: number;
  readonly exceptions: ReadonlySet<string>;
  readonly file_clauses: readonly Clause[];
  readonly folder_clauses: readonly Clause[];
}

/** Maximum cached users per state. If it is exceeded, all of them are cleared. */
const MOST_CACHED = 256;

const cached_by_state = new WeakMap<DriveState, Map<string, CachedScope>>();

/**
 * The search scope of the caller. While its data is unchanged it is the same object, by which read models recognize it.
 */
function searchable(context: Context): CachedScope {
  const { state, now, caller } = context;
  const { edges } = state.undo_log;
  edges.pass(now);
  const tables = [
    state.folders,
    state.disks,
    state.directory_permissions,
    state.invites,
    state.groups,
    state.organizations,
  ];
  const stamp = [edges.epoch, ...tables.map(({ version }) => version)].join();
  let by_user = cached_by_state.get(state);
  if (!by_user) cached_by_state.set(state, (by_user = new Map()));
  const cached = by_user.get(caller.user_id);
  if (cached?.stamp === stamp && holdsFor(cached, context)) return cached;
  if (by_user.size >= MOST_CACHED) by_user.clear();
  const exceptions = foldersWithExceptions(context, Access.of(context));
  const found = find(context, exceptions);
  const fresh: CachedScope = {
    ...found,
    stamp,
    exceptions,
    files_version: state.files.version,
    file_clauses: [
      { field: 'parent_folder_uuid', among: found.open_folders },
      { field: 'id', among: found.files },
    ],
    folder_clauses: [{ field: 'id', among: found.folders }],
  };
  by_user.set(caller.user_id, fresh);
  return fresh;
}

/** True if no file has changed since that is, or was, in a folder with exceptions or makes one. */
function holdsFor(cached: CachedScope, { state: { files }, now }: Context): boolean {
  if (cached.files_version === files.version) return true;
  const makesException = (file: FileRecord): boolean =>
    file.has_sovereign_permissions ||
    isExpired(file, now) ||
    cached.exceptions.has(file.parent_folder_uuid);
  if (!hasNone(files.since(cached.files_version), makesException)) return false;
  cached.files_version = files.version;
  return true;
}

/**
 * Walks all folders from the disks' roots down. Files are only checked one by one in folders with exceptions: expired
 * files, sovereign files, and files with their own grants.
 */
function find(context: Context, exceptions: ReadonlySet<string>): Searchable {
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
    if (is_open && !exceptions.has(folder.id)) open_folders.add(folder.id);
    else if (is_open || exceptions.has(folder.id))
      for (const file of state.files.where('parent', folder.id))
        if (!isExpired(file, now) && isVisible(access, file, is_open)) files.add(file.id);
  }
  return { open_folders, files, folders };
}

/** True if non-sovereign items in a folder are visible. A folder without its own grants inherits this. */
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

function foldersWithExceptions({ state, now }: Context, access: Access): Set<string> {
  const exceptions = new Set<string>();
  const note = (file: FileRecord | undefined): void => {
    if (file) exceptions.add(file.parent_folder_uuid);
  };
  for (const file of expiredIn(state.files, now)) note(file);
  if (access.is_owner) return exceptions;
  for (const file of state.files.where('place', 'sovereign')) note(file);
  for (const { resource_id } of state.directory_permissions.whereAmong('grantee', access.grantees))
    note(state.files.get(resource_id));
  return exceptions;
}
