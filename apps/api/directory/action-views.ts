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
  nullable,
  object,
  optional,
  type Shown,
  text,
  view,
} from '../../../libs/domain/kernel/view.js';

/** Views in the responses to actions on files and folders. */

const PATH_TO_TRASH =
  'Clipped without VIEW on the root; empty after a permanent removal or without VIEW';

const uploadView = view('Upload', {
  url: text('URL to which the form is posted; empty if the disk accepts no uploads'),
  fields: mapOf(text()),
  method: optional(text({ example: 'POST' })),
  expires_at: optional(integer('ms')),
});

const downloadView = view('Download', {
  url: text('Downloads this version without a token'),
  expires_at: integer('ms'),
});

const fileReadView = view('FileRead', {
  file: fileView,
  download: optional(
    nullable(downloadView),
    'If requested; null if there is no content, in the trash, and with as_of: use directory/asset with as_of',
  ),
  breadcrumbs: listOf(breadcrumbView),
});

const folderReadView = view('FolderRead', {
  folder: folderView,
  breadcrumbs: listOf(breadcrumbView),
});

const fileStoredView = view('FileStored', {
  file: fileView,
  upload: optional(uploadView, 'In an update, only if the payload asks for an upload'),
  notes: text('Description of the result in one sentence'),
});

const folderStoredView = view('FolderStored', {
  folder: folderView,
  notes: optional(text('After a creation: description of the result in one sentence')),
});

const fileDeletedView = view('FileDeleted', {
  file_id: text(),
  path_to_trash: text(PATH_TO_TRASH),
});

const folderDeletedView = view('FolderDeleted', {
  folder_id: text(),
  path_to_trash: text(PATH_TO_TRASH),
  deleted_files: listOf(text(), 'Ids of the contained files, at any depth, sorted'),
  deleted_folders: listOf(text(), 'Ids of the contained folders, at any depth, sorted'),
});

const actionErrorView = view('ActionError', {
  code: integer('Like an HTTP status: 400, 403, 404, 409, 412, 413, 500 or 503'),
  message: text(),
  type: text({ description: 'The stable slug', example: 'directory.name-in-use' }),
  details: listOf(object<object>(), 'Invalid fields; pointers refer to the payload'),
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
  request: object<object>('The requested action'),
  response: actionResponseView,
});
export type ActionOutcomeView = Shown<typeof actionOutcomeView>;
