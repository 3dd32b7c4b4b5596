import type { OperationTexts } from './operation-text.js';

const RAW = 'Content never passes through this service: it goes straight to and from the disk.';

const ACTIONS_TEXT = `
200 whatever becomes of the actions: each outcome says by itself whether its action succeeded, in the order asked
for. With an Idempotency-Key all actions go into one append or, beyond its size, none: 413; a key of another request
is 422. If-Match is compared with the record that each action names. With \`as_of\` only reads.
In a dry run each action is decided on what those before it would have done, and the list is that of the real
call; what would have been stored stands in \`dry_run\` beside \`data\`, so only with \`?envelope=ok\`.

| Action | Needs | Result |
|---|---|---|
| GET_FILE, GET_FOLDER | VIEW | \`{file or folder, breadcrumbs}\` |
| CREATE_FILE | UPLOAD on the parent; EDIT on a file that \`id\` names, and as UPDATE_FILE for its end | \`{file, upload, notes}\` |
| CREATE_FOLDER | UPLOAD on the parent | \`{folder, notes}\` |
| UPDATE_FILE, UPDATE_FOLDER | EDIT; for an earlier end also what DELETE_* needs | \`{file, upload?, notes}\`, \`{folder}\` |
| DELETE_FILE, DELETE_FOLDER | DELETE on the parent or directly on the item | the id, \`path_to_trash\`, ids of the content |
| COPY_FILE, COPY_FOLDER | VIEW on the source, UPLOAD on the destination | the copy |
| MOVE_FILE, MOVE_FOLDER | VIEW and EDIT on the source, UPLOAD on the destination | the moved record |
| RESTORE_TRASH | UPLOAD on the destination, and VIEW and EDIT on the item or having trashed it | \`{restored_files, restored_folders}\` |

Where a name is in use, \`file_conflict_resolution\` decides: KEEP_BOTH takes \`name (2).ext\` or the next free
number; REPLACE stores a new version (create) or puts the existing item into the trash; KEEP_NEWER does so
only if the existing one is older; KEEP_ORIGINAL keeps it (create, restore: 409). Replacing needs EDIT on the
existing item (create) or the right to delete it, a copy or move that answers the existing item VIEW on it.
An item in the trash keeps its id and content; what is trashed under another name, because the trash had it
already, is restored under its own.
To end sooner is to be deleted, so a move or restore into a folder that expires before the item takes the right to
delete it. What expires goes into the trash, where it does not expire any more; content that cuts inheritance off
goes there by itself. The trash keeps items for TRASH_DAYS (30 unless set). Disks with \`autoexpire_ms\` remove for good
what has expired; a new version there never ends before the file did.
One action copies, trashes, restores or removes at most as many files and folders as the installation allows
(DIRECTORY_ITEMS_PER_ACTION), beyond it 413 with that number; nothing is copied or moved into itself or below: 400.
On AWS_BUCKET and STORJ_WEB3 disks \`upload\` is a form for one private object, valid for 24 hours. Every version has an
object of its own, \`{drive}/{disk}/{file}/{version}.{extension}\`; its form carries the media type and the file's name.
Copies share the stored object of their source: the service copies records, not what lies in buckets.
`.trim();

/** Operations on files and folders. */
export const DIRECTORY_TEXTS: OperationTexts = {
  'post directory/raw_upload/chunk': { summary: 'Not implemented', description: RAW },
  'post directory/raw_upload/complete': { summary: 'Not implemented', description: RAW },
  'get directory/raw_download/meta': { summary: 'Not implemented', description: RAW },
  'get directory/raw_download/chunk': { summary: 'Not implemented', description: RAW },
  'post directory/list': {
    summary: 'List a folder, or what was shared with the caller on a disk',
    description:
      'By name, folders first, then files, in either direction. Needs VIEW on the folder; children whose ' +
      'own permissions deny VIEW are left out. Pages hold at most page_size folders and files together.',
  },
  'post directory/action': {
    summary: 'Run 1–100 actions on files and folders',
    description: ACTIONS_TEXT,
  },
  'get directory/asset/{file_id_with_extension}': {
    summary: 'Go to the content of a file',
    description:
      'Needs VIEW; files that PUBLIC may view need no token, and a token that does not count is ignored. ' +
      'Files in the trash and expired ones are not found. For the past everybody needs a token, and content ' +
      'in a bucket is not served: its address would be signed with a secret.',
  },
};
