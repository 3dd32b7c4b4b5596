import { CachedByState } from '../../kernel/cached-by-state.js';
import type { DriveState } from '../../foundation/state.js';
import { Access } from '../../access/access.js';
import { pathTo } from '../../access/ancestor-paths.js';
import { KnownTypes } from '../../access/known-types.js';
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

interface Clauses {
  readonly file_clauses: readonly Clause[];
  readonly folder_clauses: readonly Clause[];
}

/** The cached search scope of a user; `stamp` identifies the data besides files and folders that it was computed from. */
interface CachedScope extends Searchable, Clauses {
  readonly stamp: string;
  /** Until these versions, files and folders have not changed anything in it. */
  readonly files_version: number;
  readonly folders_version: number;
  readonly exceptions: ReadonlySet<string>;
}

/** Maximum cached users per state. If it is exceeded, all of them are cleared. */
const MOST_CACHED = 256;

const cached_by_state = new CachedByState<CachedScope>(MOST_CACHED);

/**
 * The search scope of the caller. While its data is unchanged its clauses are the same objects, by which read models
 * recognize them.
 */
function searchable(context: Context): CachedScope {
  const { state, now, caller } = context;
  const { edges } = state.undo_log;
  edges.pass(now);
  const tables = [
    state.disks,
    state.directory_permissions,
    state.invites,
    state.groups,
    state.organizations,
  ];
  const stamp = [edges.epoch, ...tables.map(({ version }) => version)].join();
  const cached = cached_by_state.get(state, caller.user_id);
  const followed = cached?.stamp === stamp ? following(cached, context) : null;
  if (followed) {
    cached_by_state.set(state, caller.user_id, followed);
    return followed;
  }
  const exceptions = foldersWithExceptions(context, Access.of(context));
  const fresh: CachedScope = {
    ...clausesOf(find(context, exceptions)),
    stamp,
    exceptions,
    files_version: state.files.version,
    folders_version: state.folders.version,
  };
  cached_by_state.set(state, caller.user_id, fresh);
  return fresh;
}

/** The cached scope with the changes of files and folders since then; null if it is to be found again. */
function following(cached: CachedScope, context: Context): CachedScope | null {
  const { files, folders } = context.state;
  const [files_version, folders_version] = [files.version, folders.version];
  if (cached.files_version === files_version && cached.folders_version === folders_version)
    return cached;
  const with_folders = followingFolders(cached, context);
  const with_files = with_folders && followingFiles(with_folders, context);
  return with_files && { ...with_files, files_version, folders_version };
}

/** With new folders, if other folders changed their names at most. */
function followingFolders(cached: CachedScope, context: Context): CachedScope | null {
  const { state, now } = context;
  const changes = state.folders.since(cached.folders_version);
  if (!changes) return null;
  const created: Folder[] = [];
  for (const { before, after } of changes) {
    if (before && after && isSameNode(before, after)) continue;
    if (before || !after || isSpecial(state, after, now)) return null;
    created.push(after);
  }
  if (created.length === 0) return cached;
  const types = new KnownTypes(Access.of(context));
  const open_folders = new Set(cached.open_folders);
  const folders = new Set(cached.folders);
  for (const folder of created) {
    if (!isSearched(context, folder.parent_folder_uuid!)) continue;
    const is_open = types.passesOnView(folder.parent_folder_uuid!);
    if (is_open) open_folders.add(folder.id);
    if (isVisible(types, folder, is_open)) folders.add(folder.id);
  }
  return { ...cached, ...clausesOf({ open_folders, folders, files: cached.files }) };
}

function isSameNode(one: Folder, other: Folder): boolean {
  return (
    one.parent_folder_uuid === other.parent_folder_uuid &&
    one.has_sovereign_permissions === other.has_sovereign_permissions &&
    one.expires_at === other.expires_at
  );
}

/** With changed files in folders with exceptions, if no other folder has become one. */
function followingFiles(cached: CachedScope, context: Context): CachedScope | null {
  const { state, now } = context;
  const isInOne = (file?: FileRecord): boolean =>
    file !== undefined && cached.exceptions.has(file.parent_folder_uuid);
  const changes = state.files.since(cached.files_version);
  if (!changes || !hasNone(changes, (file) => !isInOne(file) && isSpecial(state, file, now)))
    return null;
  const concerned = changes.filter(({ before, after }) => isInOne(before) || isInOne(after));
  if (concerned.length === 0) return cached;
  const types = new KnownTypes(Access.of(context));
  const files = new Set(cached.files);
  for (const { before, after } of concerned) {
    if (before) files.delete(before.id);
    if (!after || !isInOne(after) || isExpired(after, now)) continue;
    const { parent_folder_uuid: folder_id } = after;
    if (!isSearched(context, folder_id)) continue;
    if (isVisible(types, after, types.passesOnView(folder_id))) files.add(after.id);
  }
  const { folder_clauses } = cached;
  return { ...cached, ...clausesOf({ ...cached, files }), folder_clauses };
}

/** True if a search covers what is in a folder. */
function isSearched({ state, now }: Context, folder_id: string): boolean {
  const { ends_at, is_in_trash } = pathTo(state, folder_id);
  return ends_at > now && !is_in_trash;
}

/** True if an item may be hidden or visible unlike the folder around it. */
function isSpecial(state: DriveState, item: Item, now: number): boolean {
  return item.has_sovereign_permissions || isExpired(item, now) || hasGrants(state, item);
}

function clausesOf(found: Searchable): Searchable & Clauses {
  const { open_folders, files, folders } = found;
  return {
    ...{ open_folders, files, folders },
    file_clauses: [
      { field: 'parent_folder_uuid', among: open_folders },
      { field: 'id', among: files },
    ],
    folder_clauses: [{ field: 'id', among: folders }],
  };
}

/**
 * Walks all folders from the disks' roots down. Files are only checked one by one in folders with exceptions: expired
 * files, sovereign files, and files with their own grants.
 */
function find(context: Context, exceptions: ReadonlySet<string>): Searchable {
  const { state, now } = context;
  const types = new KnownTypes(Access.of(context));
  const open_folders = new Set<string>();
  const files = new Set<string>();
  const folders = new Set<string>();
  const entered: { folder: Folder; is_open: boolean }[] = [];
  const enter = (folder: Folder, around_is_open: boolean): void => {
    entered.push({ folder, is_open: opens(types, folder, around_is_open) });
  };
  for (const { root_folder } of state.disks.values()) enter(state.folders.get(root_folder)!, false);
  for (const { folder, is_open } of entered) {
    for (const child of state.folders.where('parent', folder.id)) {
      if (isExpired(child, now)) continue;
      enter(child, is_open);
      if (isVisible(types, child, is_open)) folders.add(child.id);
    }
    if (is_open && !exceptions.has(folder.id)) open_folders.add(folder.id);
    else if (is_open || exceptions.has(folder.id))
      for (const file of state.files.where('parent', folder.id))
        if (!isExpired(file, now) && isVisible(types, file, is_open)) files.add(file.id);
  }
  return { open_folders, files, folders };
}

/** True if non-sovereign items in a folder are visible. A folder without its own grants inherits this. */
function opens(types: KnownTypes, folder: Folder, around_is_open: boolean): boolean {
  const { is_owner, state } = types.access;
  if (is_owner) return true;
  if (!hasGrants(state, folder)) return around_is_open && !folder.has_sovereign_permissions;
  return types.passesOnView(folder.id);
}

function isVisible(types: KnownTypes, item: Item, around_is_open: boolean): boolean {
  const { is_owner, state } = types.access;
  if (is_owner || (around_is_open && !item.has_sovereign_permissions)) return true;
  return hasGrants(state, item) && types.can('VIEW', item.id);
}

function hasGrants(state: DriveState, { id }: Item): boolean {
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
