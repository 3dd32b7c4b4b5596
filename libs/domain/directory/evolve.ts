import { DIRECTORY_TYPES } from '../kernel/permission-types.js';
import type { DriveState } from '../foundation/state.js';
import { isExpired } from '../access/resources.js';
import type { Evolvers } from '../foundation/evolver.js';
import { type Folder, isCloud, NOT_TRASHED } from '../disks/record.js';
import { defaultGrant } from '../relations/default-grant.js';
import { copyTree } from './changes/copy-tree.js';
import { objectNameOf } from './items/object.js';
import type { DirectoryEvents } from './events.js';
import type { FileRecord } from './record.js';
import { noteIfUnused } from '../relations/contents.js';
import { removeItem } from '../relations/remove-items.js';
import { isFile, type Item, itemOf } from '../relations/directory-tree.js';

/** The record without its time of trashing. */
function undated<R extends Item>({ trashed_at: _, ...record }: R): R {
  return record as unknown as R;
}

/** Moves an item to its disk's trash. Without a time the trash keeps it indefinitely. */
function trash(
  state: DriveState,
  { item_id, name }: { readonly item_id: string; readonly name: string },
  by: { readonly trashed_by: string | null; readonly trashed_at?: number | undefined },
): void {
  const item = itemOf(state, item_id);
  const disk = item && state.disks.get(item.disk_id);
  if (!disk) return;
  const { trashed_by, trashed_at } = by;
  putItem(state, {
    ...undated(item),
    name,
    parent_folder_uuid: disk.trash_folder,
    restore_trash_prior_folder_uuid: item.parent_folder_uuid,
    restore_name: name === item.name ? null : item.name,
    trashed_by,
    ...(trashed_at && { trashed_at }),
  });
}

/** Clears an expiry that has passed, so that the trash keeps the item for the usual time. */
function unexpire(state: DriveState, item_id: string, at_ms: number): void {
  const item = itemOf(state, item_id);
  if (item && isExpired(item, at_ms)) putItem(state, { ...item, expires_at: -1 });
}

/** Renames an item in the trash. One that was trashed itself is restored under its former name. */
function renameInTrash(state: DriveState, item_id: string, name: string): void {
  const item = itemOf(state, item_id);
  if (!item) return;
  const { trashed_by, trashed_at } = item;
  const was_trashed = trashed_by !== null || trashed_at !== undefined;
  const restore_name = was_trashed ? (item.restore_name ?? item.name) : null;
  putItem(state, { ...item, name, restore_name });
}

function putItem(state: DriveState, item: Item): void {
  if (isFile(item)) state.files.put(item);
  else state.folders.put(item);
}

/** The record with these labels; without labels it lacks the member. */
function labelled<R extends Item>(record: R, label_ids: readonly string[] | undefined): R {
  if (label_ids === undefined) return record;
  if (label_ids.length === 0 && record.label_ids === undefined) return record;
  const { label_ids: _, ...rest } = record;
  return (label_ids.length > 0 ? { ...rest, label_ids } : rest) as R;
}

/** Grants all six types on a sovereign item to its creator, who could not access it otherwise. */
function grantToCreator(
  state: DriveState,
  resource_id: string,
  created: DirectoryEvents['FileCreated' | 'FolderCreated'],
  at_ms: number,
): void {
  const { creator_permission_id: id, creator_permission_ends: ends, created_by: by } = created;
  if (id === null) return;
  const grant = defaultGrant(id, resource_id, by, by, DIRECTORY_TYPES, true, at_ms);
  state.directory_permissions.put(ends === undefined ? grant : { ...grant, expiry_date_ms: ends });
}

/** Stores the current version of a file as a former version. */
function supersede(state: DriveState, file: FileRecord, next_version: string): void {
  const { content_id, sha256, media_type } = file;
  state.file_versions.put({
    id: file.version_id,
    file_id: file.id,
    file_version: file.file_version,
    prior_version: file.prior_version,
    next_version,
    extension: file.extension,
    file_size: file.file_size,
    raw_url: file.raw_url,
    upload_status: file.upload_status,
    created_by: file.version_by,
    created_at: file.version_at,
    ...(hasBucket(state, file) && { object_name: objectNameOf(file) }),
    ...(hasKnownBytes(file) && { content_id, sha256, media_type }),
  });
}

function hasBucket(state: DriveState, { disk_id }: FileRecord): boolean {
  const disk = state.disks.get(disk_id);
  return disk !== undefined && isCloud(disk);
}

function hasKnownBytes({ sha256, media_type }: FileRecord): boolean {
  return Boolean(sha256 ?? media_type);
}

/** The record without the bytes of its version. */
function emptied({ content_id: _, sha256: __, media_type: ___, ...file }: FileRecord): FileRecord {
  return file;
}

export const directoryEvolvers: Evolvers<DirectoryEvents> = {
  FileCreated(state, data, { timestamp_ms: at_ms }) {
    const { created_by } = data;
    // Listed member by member: records of one shape take half the memory of spread ones.
    const file: FileRecord = {
      id: data.file_id,
      name: data.name,
      parent_folder_uuid: data.parent_folder_uuid,
      disk_id: data.disk_id,
      version_id: data.version_id,
      file_version: 1,
      prior_version: null,
      version_by: created_by,
      version_at: at_ms,
      object_name: null,
      keyed_by_version: data.keyed_by_version ?? false,
      extension: data.extension,
      file_size: data.file_size,
      raw_url: data.raw_url,
      upload_status: data.upload_status,
      created_by,
      created_at: at_ms,
      last_updated_by: created_by,
      last_updated_date_ms: at_ms,
      expires_at: data.expires_at,
      has_sovereign_permissions: data.has_sovereign_permissions,
      shortcut_to: data.shortcut_to,
      notes: data.notes,
      external_id: data.external_id,
      external_payload: data.external_payload,
      restore_trash_prior_folder_uuid: null,
      restore_name: null,
      trashed_by: null,
    };
    state.files.put(labelled(file, data.label_ids));
    grantToCreator(state, data.file_id, data, at_ms);
  },

  FolderCreated(state, data, { timestamp_ms: at_ms }) {
    const { created_by } = data;
    const folder: Folder = {
      id: data.folder_id,
      name: data.name,
      parent_folder_uuid: data.parent_folder_uuid,
      disk_id: data.disk_id,
      created_by,
      created_at: at_ms,
      last_updated_by: created_by,
      last_updated_date_ms: at_ms,
      expires_at: data.expires_at,
      has_sovereign_permissions: data.has_sovereign_permissions,
      shortcut_to: data.shortcut_to,
      notes: data.notes,
      external_id: data.external_id,
      external_payload: data.external_payload,
      restore_trash_prior_folder_uuid: null,
      restore_name: null,
      trashed_by: null,
    };
    state.folders.put(labelled(folder, data.label_ids));
    grantToCreator(state, data.folder_id, data, at_ms);
  },

  FileVersionCreated(state, data, { timestamp_ms: at_ms }) {
    const { file_id, version_id, updated_by, label_ids, ...fields } = data;
    const file = state.files.get(file_id);
    if (!file) return;
    supersede(state, file, version_id);
    const updated: FileRecord = {
      ...(hasKnownBytes(file) ? emptied(file) : file),
      ...fields,
      ...touched(fields, updated_by, at_ms),
      version_id,
      file_version: file.file_version + 1,
      prior_version: file.version_id,
      version_by: updated_by,
      version_at: at_ms,
      object_name: fields.object_name ?? null,
      keyed_by_version: fields.keyed_by_version ?? false,
    };
    state.files.put(labelled(updated, label_ids));
  },

  FileUpdated(state, { file_id, updated_by, label_ids, ...fields }, { timestamp_ms }) {
    const file = state.files.get(file_id);
    if (!file) return;
    const updated = { ...file, ...fields, ...touched(fields, updated_by, timestamp_ms) };
    state.files.put(labelled(updated, label_ids));
  },

  FolderUpdated(state, { folder_id, updated_by, label_ids, ...fields }, { timestamp_ms }) {
    const folder = state.folders.get(folder_id);
    if (!folder) return;
    const updated = { ...folder, ...fields, ...touched(fields, updated_by, timestamp_ms) };
    state.folders.put(labelled(updated, label_ids));
  },

  FileContentStored(state, data, { timestamp_ms: at_ms }) {
    const { file_id, version_id, stored_by, content_id, sha256, size, media_type } = data;
    const file = state.files.get(file_id);
    if (!file) return;
    const { disk_id } = file;
    state.contents.put({ id: content_id, disk_id, size, stored_at: at_ms, unused_since: 0 });
    const is_new = version_id !== file.version_id;
    if (is_new) supersede(state, file, version_id);
    state.files.put({
      ...file,
      ...(is_new && {
        version_id,
        file_version: file.file_version + 1,
        prior_version: file.version_id,
        version_by: stored_by,
        version_at: at_ms,
        object_name: null,
        keyed_by_version: true,
      }),
      ...touched({}, stored_by, at_ms),
      ...(data.expires_at !== undefined && { expires_at: data.expires_at }),
      ...{ content_id, sha256, media_type, file_size: size },
      raw_url: '',
      upload_status: 'COMPLETED',
    });
  },

  VersionsReleased(state, { version_ids }, { timestamp_ms }) {
    for (const id of version_ids) {
      const version = state.file_versions.get(id);
      if (!version) continue;
      state.file_versions.put({ ...version, content_id: null });
      noteIfUnused(state, version.content_id, timestamp_ms);
    }
  },

  ContentsDeleted(state, { content_ids }) {
    for (const id of content_ids) state.contents.remove(id);
  },

  ItemMoved(state, { item_id, parent_folder_uuid, name }) {
    const item = itemOf(state, item_id);
    if (item) putItem(state, { ...item, parent_folder_uuid, name });
  },

  ItemCopied: (state, data, { timestamp_ms }) => copyTree(state, data, timestamp_ms),

  ItemTrashed(state, data) {
    trash(state, data, data);
  },

  ItemRestored(state, { item_id, parent_folder_uuid, name }) {
    const item = itemOf(state, item_id);
    if (item) putItem(state, { ...undated(item), ...NOT_TRASHED, parent_folder_uuid, name });
  },

  ItemsExpired(state, { trashed, kept, renamed = [] }, { timestamp_ms: trashed_at }) {
    for (const item of trashed) {
      trash(state, item, { trashed_by: null, trashed_at });
      unexpire(state, item.item_id, trashed_at);
    }
    for (const item_id of kept) unexpire(state, item_id, trashed_at);
    for (const { item_id, name } of renamed) renameInTrash(state, item_id, name);
  },

  *ItemsDeleted(state, { item_ids }, { timestamp_ms }) {
    for (const item_id of item_ids) yield* removeItem(state, item_id, timestamp_ms);
  },
};

/** Members that every update changes. An item renamed in the trash is restored under its new name. */
function touched(fields: { name?: string }, by: string, at_ms: number) {
  return {
    last_updated_by: by,
    last_updated_date_ms: at_ms,
    ...(fields.name !== undefined && { restore_name: null }),
  };
}
