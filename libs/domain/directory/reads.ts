import type { RecordBase } from '../kernel/record.js';
import { clippedPath } from '../access/paths.js';
import type { Item } from '../relations/directory-tree.js';
import { metadataMatches, pathMatches } from './finding/search.js';
import { Access } from '../access/access.js';
import { KnownTypes } from '../access/known-types.js';
import { DIRECTORY_RIGHTS } from '../access/visible.js';
import type { Folder } from '../disks/record.js';
import type { Context } from '../foundation/decision.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import { type FileView, presentFile } from './file-view.js';
import { type FolderView, presentFolder } from './folder-view.js';
import type { FileRecord } from './record.js';
import { searchableFiles, searchableFolders } from './finding/searchable.js';

/** True if the caller may VIEW the item. Expired items are visible to no caller. */
function mayView(context: Context, { id }: RecordBase): boolean {
  const access = Access.of(context);
  return access.exists(id) && access.canDirectory('VIEW', id);
}

/** What folders pass on is computed once for all items. */
function mayViewEach(context: Context): (item: RecordBase) => boolean {
  const types = new KnownTypes(Access.of(context));
  return ({ id }) => types.access.exists(id) && types.can('VIEW', id);
}

const found = {
  filter_text: (item: Item) => lines(item.name, item.id),
  fields: {
    parent_folder_uuid: (item: Item) => item.parent_folder_uuid ?? '',
    disk_id: (item: Item) => item.disk_id,
  },
};

/** Paths depend on the ancestors, so path matches are found through folders. */
const itemSearch = {
  text: (item: Item) => lines(item.name, item.id),
  title: (item: Item) => item.name,
  updated_at: (item: Item) => item.last_updated_date_ms,
  preview: (item: Item, { state }: Context) => clippedPath(state, item),
  /** `/<disk_type>/<disk_id>/<id>`: contains no names, so every caller may see it. */
  link: ({ id, disk_id }: Item, { state }: Context) =>
    `/${state.disks.get(disk_id)?.disk_type ?? ''}/${disk_id}/${id}`,
};

export const fileReads: ReadDefinition<FileRecord, FileView> = {
  family: 'files',
  not_found: 'file-not-found',
  when_hidden: 'forbidden',
  mayRead: mayView,
  mayReadEach: mayViewEach,
  rests_on: [...DIRECTORY_RIGHTS, 'disks'],
  visible: searchableFiles,
  shown_from: {
    files: ({ id }) => [id],
    folders: 'all',
    disks: 'all',
    contents: 'all',
    labels: 'all',
    directory_permissions: 'all',
  },
  present: presentFile,
  ...found,
  search: {
    ...itemSearch,
    category: 'FILES',
    finds: (context, text) => ({
      by_path: () => pathMatches(context, text).files,
      by_metadata: () => metadataMatches(context.state, 'files', text),
    }),
  },
};

export const folderReads: ReadDefinition<Folder, FolderView> = {
  family: 'folders',
  not_found: 'folder-not-found',
  when_hidden: 'forbidden',
  mayRead: mayView,
  mayReadEach: mayViewEach,
  rests_on: [...DIRECTORY_RIGHTS, 'disks'],
  visible: searchableFolders,
  present: presentFolder,
  ...found,
  search: {
    ...itemSearch,
    category: 'FOLDERS',
    finds: (context, text) => ({
      by_path: () => pathMatches(context, text).folders,
      by_metadata: () => metadataMatches(context.state, 'folders', text),
    }),
  },
};
