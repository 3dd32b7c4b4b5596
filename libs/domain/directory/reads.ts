import type { RecordBase } from '../kernel/record.js';
import { Access } from '../access/access.js';
import { DIRECTORY_RIGHTS } from '../access/visible.js';
import type { Folder } from '../disks/record.js';
import type { Context } from '../foundation/decision.js';
import type { ReadDefinition } from '../foundation/reading.js';
import { type FileView, presentFile } from './file-view.js';
import { type FolderView, presentFolder } from './folder-view.js';
import type { FileRecord } from './record.js';
import { searchableFiles, searchableFolders } from './finding/searchable.js';

/** What has expired is there for nobody. */
function mayView(context: Context, { id }: RecordBase): boolean {
  const access = Access.of(context);
  return access.exists(id) && access.canDirectory('VIEW', id);
}

export const fileReads: ReadDefinition<FileRecord, FileView> = {
  family: 'files',
  not_found: 'file-not-found',
  when_hidden: 'forbidden',
  mayRead: mayView,
  rests_on: [...DIRECTORY_RIGHTS, 'disks'],
  visible: searchableFiles,
  present: presentFile,
};

export const folderReads: ReadDefinition<Folder, FolderView> = {
  family: 'folders',
  not_found: 'folder-not-found',
  when_hidden: 'forbidden',
  mayRead: mayView,
  rests_on: [...DIRECTORY_RIGHTS, 'disks'],
  visible: searchableFolders,
  present: presentFolder,
};
