import { changed, type Summaries } from '../foundation/summary-context.js';
import { PREFIX } from '../kernel/ids.js';
import type { DirectoryEvents } from './events.js';

const kindOf = (id: string): string => (id.startsWith(PREFIX.file) ? 'file' : 'folder');

function counted({ length }: readonly string[], noun: string): string {
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}

export const directorySummaries: Summaries<DirectoryEvents> = {
  FileCreated: ({ actor, name }, { file_id }) => `${actor} made the file ${name(file_id)}`,

  FolderCreated: ({ actor, name }, { folder_id }) => `${actor} made the folder ${name(folder_id)}`,

  FileVersionCreated: ({ actor, name }, { file_id }) =>
    `${actor} stored a new version of the file ${name(file_id)}`,

  FileContentStored: ({ actor, name }, { file_id, size, sha256 }) =>
    `${actor} uploaded ${size} bytes to the file ${name(file_id)} (SHA-256 ${sha256})`,

  VersionsReleased: ({ actor }, { version_ids }) =>
    `${actor} ended the retention of ${counted(version_ids, 'former version')} of files`,

  ContentsDeleted: ({ actor }, { content_ids }) =>
    `${actor} deleted ${counted(content_ids, 'unused content')}`,

  FileUpdated: (context, { file_id }) => changed(context, 'file', file_id),

  FolderUpdated: (context, { folder_id }) => changed(context, 'folder', folder_id),

  ItemMoved: ({ actor, name }, { item_id }) =>
    `${actor} moved the ${kindOf(item_id)} ${name(item_id)}`,

  ItemCopied: ({ actor, name }, { source_id, copy_id }) =>
    `${actor} copied the ${kindOf(copy_id)} ${name(source_id)}`,

  ItemTrashed: ({ actor, former }, { item_id }) =>
    `${actor} put the ${kindOf(item_id)} ${former(item_id)} into the trash`,

  ItemRestored: ({ actor, name }, { item_id }) =>
    `${actor} restored the ${kindOf(item_id)} ${name(item_id)} from the trash`,

  ItemsExpired({ actor, former }, { trashed, kept }) {
    const [first = kept[0]!] = trashed.map(({ item_id }) => item_id);
    const what =
      trashed.length + kept.length === 1
        ? `the ${kindOf(first)} ${former(first)}`
        : `${trashed.length + kept.length} files and folders`;
    return trashed.length > 0
      ? `${actor} put ${what} into the trash, as expired`
      : `${actor} kept ${what} in the trash, though expired`;
  },

  ItemsDeleted({ actor, name }, { item_ids }) {
    const [first = ''] = item_ids;
    if (item_ids.length === 1)
      return `${actor} deleted the ${kindOf(first)} ${name(first)} for good`;
    return `${actor} deleted ${item_ids.length} files and folders for good`;
  },
};
