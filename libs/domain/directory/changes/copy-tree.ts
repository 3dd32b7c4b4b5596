import type { DriveState } from '../../foundation/state.js';
import { isExpired } from '../../access/resources.js';
import type { Folder } from '../../disks/record.js';
import { PREFIX, previewMarkOf } from '../../kernel/ids.js';
import { uuid5 } from '../../kernel/sha1.js';
import { forEach, type Steps } from '../../kernel/steps.js';
import type { DirectoryEvents } from '../events.js';
import { objectNameOf } from '../items/object.js';
import type { FileRecord } from '../record.js';
import { findContent, isFile, itemOf } from '../../relations/directory-tree.js';

type Copied = DirectoryEvents['ItemCopied'];

/** Members that a copy does not take from its source. */
interface Own {
  readonly id: string;
  readonly parent_folder_uuid: string;
  readonly name: string;
}

/** Copies an item with its current content. Ids derive from the event, so every fold yields the same ids. */
export function* copyTree(state: DriveState, copied: Copied, at_ms: number): Steps {
  const { source_id, copy_id, parent_folder_uuid, name } = copied;
  const source = itemOf(state, source_id);
  if (!source) return;
  const own = { id: copy_id, parent_folder_uuid, name };
  if (isFile(source)) return state.files.put(copyOfFile(source, own, copied, at_ms));
  const left_out = new Set(copied.left_out);
  const content = yield* findContent(
    state,
    source_id,
    (item) => !left_out.has(item.id) && !isExpired(item, at_ms),
  );
  state.folders.put(copyOfFolder(source, own, copied, at_ms));
  const copies = new Map([[source_id, copy_id]]);
  const below = (item: FileRecord | Folder, prefix: string): Own => ({
    id: `${prefix}${derived(copy_id, item.id)}`,
    parent_folder_uuid: copies.get(item.parent_folder_uuid!)!,
    name: item.name,
  });
  yield* forEach(content.folders, (folder) => {
    const copy = below(folder, PREFIX.folder);
    copies.set(folder.id, copy.id);
    state.folders.put(copyOfFolder(folder, copy, copied, at_ms));
  });
  yield* forEach(content.files, (file) =>
    state.files.put(copyOfFile(file, below(file, PREFIX.file), copied, at_ms)),
  );
}

function copyOfFolder(source: Folder, own: Own, { created_by }: Copied, at_ms: number): Folder {
  return { ...source, ...own, ...freshly(created_by, at_ms) };
}

function copyOfFile(source: FileRecord, own: Own, copied: Copied, at_ms: number): FileRecord {
  const { copy_id, created_by, files_expire_at } = copied;
  // The version id of copied content uses the same name as its item id.
  const version = own.id === copy_id ? derived(copy_id, source.id) : uuidOf(own.id);
  return {
    ...source,
    ...own,
    ...freshly(created_by, at_ms),
    version_id: `${PREFIX.file_version}${version}`,
    file_version: 1,
    prior_version: null,
    version_by: created_by,
    version_at: at_ms,
    // The stored object is shared: the service copies records, not objects in buckets.
    object_name: objectNameOf(source),
    expires_at: files_expire_at ?? source.expires_at,
  };
}

/** The opaque part of the id of an item in a copied tree; in a dry run it is marked as a preview. */
function derived(copy_id: string, source_id: string): string {
  return `${previewMarkOf(copy_id)}${uuid5(`${copy_id} ${source_id}`)}`;
}

function uuidOf(file_id: string): string {
  return file_id.slice(PREFIX.file.length);
}

function freshly(created_by: string, at_ms: number) {
  return {
    created_by,
    created_at: at_ms,
    last_updated_by: created_by,
    last_updated_date_ms: at_ms,
    has_sovereign_permissions: false,
    restore_trash_prior_folder_uuid: null,
    restore_name: null,
    trashed_by: null,
  };
}
