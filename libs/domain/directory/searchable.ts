import { Access, gives } from '../access/access.js';
import { isExpired } from '../access/resources.js';
import type { Folder } from '../disks/record.js';
import type { Context } from '../drive/decision.js';
import type { Clause } from '../drive/reading.js';
import type { FileRecord } from './record.js';
import type { Item } from './tree.js';

/** What search covers: what the caller may view and what lies neither in a trash nor expired. */
interface Searchable {
  /** Folders whose ordinary files are all visible. */
  readonly open_folders: ReadonlySet<string>;
  /** Visible files elsewhere. */
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

export function searchableFiles(context: Context): readonly Clause[] {
  const { open_folders, files } = searchable(context);
  return [
    { field: 'parent_folder_uuid', among: open_folders },
    { field: 'id', among: files },
  ];
}

export function searchableFolders(context: Context): readonly Clause[] {
  return [{ field: 'id', among: searchable(context).folders }];
}

/**
 * Walks all folders from the disks' roots down. Files are not looked at one by one, but where some of a
 * folder stand out: they have expired, are sovereign, or bear grants of their own.
 */
function searchable(context: Context): Searchable {
  const { state, now } = context;
  const access = Access.of(context);
  const odd = foldersWithOddFiles(context, access);
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
