import { restoredView } from '../../../libs/domain/directory/changes/restore.js';
import { fileView } from '../../../libs/domain/directory/file-view.js';
import { folderView } from '../../../libs/domain/directory/folder-view.js';
import { breadcrumbView } from '../../../libs/domain/directory/items/breadcrumbs.js';
import {
  either,
  flag,
  integer,
  listOf,
  mapOf,
  object,
  optional,
  type Shown,
  text,
  view,
} from '../../../libs/domain/kernel/view.js';

/** What the actions on files and folders answer. */

const PATH_TO_TRASH = 'Empty if it is gone for good, and for callers who could not VIEW it';

const uploadView = view('Upload', {
  url: text('Where to post the form; empty if there is nothing to upload to'),
  fields: mapOf(text()),
});

const fileReadView = view('FileRead', {
  file: fileView,
  breadcrumbs: listOf(breadcrumbView),
});

const folderReadView = view('FolderRead', {
  folder: folderView,
  breadcrumbs: listOf(breadcrumbView),
});

const fileStoredView = view('FileStored', {
  file: fileView,
  upload: optional(uploadView, 'Of an update only if it was asked for'),
  notes: text('What was done, in a sentence'),
});

const folderStoredView = view('FolderStored', {
  folder: folderView,
  notes: optional(text('Of a creation: what was done')),
});

const fileDeletedView = view('FileDeleted', {
  file_id: text(),
  path_to_trash: text(PATH_TO_TRASH),
});

const folderDeletedView = view('FolderDeleted', {
  folder_id: text(),
  path_to_trash: text(PATH_TO_TRASH),
  deleted_files: listOf(text(), 'Ids of what lay in it, at any depth'),
  deleted_folders: listOf(text()),
});

const actionErrorView = view('ActionError', {
  code: integer('400, 403, 404, 409, 412, 413, 500 or 503, as a status would say'),
  message: text(),
  type: text({ description: 'The stable slug', example: 'directory.name-in-use' }),
  details: listOf(object<object>(), 'Fields to blame; pointers lead into the payload'),
});

const actionResponseView = view('ActionResponse', {
  result: optional(
    either(
      fileReadView,
      folderReadView,
      fileStoredView,
      folderStoredView,
      fileDeletedView,
      folderDeletedView,
      fileView,
      folderView,
      restoredView,
    ),
  ),
  error: optional(actionErrorView),
});

export const actionOutcomeView = view('ActionOutcome', {
  id: text({ example: 'DirectoryActionOutcomeID_3f0c…' }),
  success: flag(),
  request: object<object>('The action as it was asked for'),
  response: actionResponseView,
});
export type ActionOutcomeView = Shown<typeof actionOutcomeView>;
