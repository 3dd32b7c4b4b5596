import { event } from '../../foundation/events.js';
import { Access } from '../../access/access.js';
import { accept, type Context, type Decider } from '../../foundation/decision.js';
import { given, isEmpty } from '../../kernel/fields.js';
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/refusal.js';
import type { UpdateFile, UpdateFolder } from '../commands.js';
import { isCloud } from '../../disks/record.js';
import { refuseWithoutCredentials } from './create.js';
import type { DirectoryEvents } from '../events.js';
import { findItem } from '../items/find.js';
import { labelIds } from '../../relations/labels.js';
import { confirmedContent } from '../content/completion.js';
import { restorable } from '../content/versions.js';
import { extensionOf, storedName } from '../items/names.js';
import { objectNameOf, ownRawUrl } from '../items/object.js';
import { pathIn, refuseLongPaths } from '../items/path-length.js';
import type { FileRecord } from '../record.js';
import { mayUpdate } from '../items/rights.js';
import { type Item, type ItemKind, itemNamed } from '../../relations/directory-tree.js';

const DETAILS = ['expires_at', 'shortcut_to', 'notes', 'external_id', 'external_payload'] as const;

/** The requested name in its stored form; undefined if the name is not to change. */
function requestedName({ name }: UpdateFile | UpdateFolder): string | undefined | Refusal {
  return name === undefined ? undefined : storedName(name);
}

function refuseTaken(
  { state, now }: Context,
  kind: ItemKind,
  item: Item,
  name: string | undefined,
): Refusal | null {
  if (name === undefined) return null;
  const sibling = itemNamed(state, kind, item.parent_folder_uuid!, name, now);
  return sibling && sibling.id !== item.id ? refuse('name-in-use') : null;
}

/** Fields that files and folders share. */
function sharedFields({ state }: Context, command: UpdateFolder) {
  const { labels } = command;
  return { ...given(command, DETAILS), ...(labels && { label_ids: labelIds(state, labels) }) };
}

/** A changed extension does not move the stored object. A new upload uses the key of its version. */
function objectFields(file: FileRecord, extension: string, is_new_version: boolean) {
  const { object_name, keyed_by_version } = file;
  if (is_new_version)
    return {
      ...(object_name !== null && { object_name: null }),
      ...(!keyed_by_version && { keyed_by_version: true }),
    };
  const stays = object_name !== null || extension === file.extension;
  return stays ? {} : { object_name: objectNameOf(file) };
}

/**
 * True if a URL elsewhere would hide content that the current version has: an object in the bucket, or bytes whose hash
 * is known. The version keeps it, and the URL starts a new one.
 */
function hidesContent(
  { raw_url: current, sha256 }: FileRecord,
  raw_url: string | undefined,
  has_object: boolean,
): boolean {
  if (!raw_url || raw_url === current) return false;
  return Boolean(sha256) || (has_object && current === '');
}

/** A version that waited for its content has it at a URL elsewhere, as a file created with one. */
function completedElsewhere(
  { upload_status }: FileRecord,
  raw_url: string | undefined,
  uploads_anew: boolean,
): { upload_status?: 'COMPLETED' } {
  return raw_url && !uploads_anew && upload_status !== 'COMPLETED'
    ? { upload_status: 'COMPLETED' }
    : {};
}

/** A version whose content is uploaded to the bucket, or lies elsewhere. */
function nextVersion(
  { caller }: Context,
  file: FileRecord,
  command: UpdateFile,
): DirectoryEvents['FileVersionCreated'] {
  const { upload_size: file_size = file.file_size, request_presigned_url: is_uploaded } = command;
  return {
    file_id: file.id,
    version_id: command.fresh.version_id,
    updated_by: caller.user_id,
    ...{ extension: file.extension, file_size, raw_url: '', keyed_by_version: true },
    upload_status: is_uploaded ? 'QUEUED' : 'COMPLETED',
  };
}

/** The size of the version that waits for an upload. */
function requestedSize(file: FileRecord, { upload_size }: UpdateFile): { file_size?: number } {
  const is_complete = file.upload_status === 'COMPLETED';
  return is_complete || upload_size === undefined ? {} : { file_size: upload_size };
}

/** Refuses what describes an upload if no form for one is requested, and other content for a version that is restored. */
function refuseMisplaced(command: UpdateFile, uploads_anew: boolean): Refusal | null {
  const other = uploads_anew ? 'request_presigned_url' : 'raw_url';
  if (command.restore_version_id !== undefined && command[other] !== undefined)
    return refuseField(`/${other}`, 'cannot be combined with restore_version_id');
  if (uploads_anew) return null;
  const [misplaced] = (['upload_size', 'upload_sha256'] as const).filter(
    (field) => command[field] !== undefined,
  );
  return misplaced ? refuseField(`/${misplaced}`, 'requires request_presigned_url') : null;
}

/** A new version with the content of a former one. */
function restoredVersion(
  context: Context,
  file: FileRecord,
  { fresh }: UpdateFile,
  version_id: string,
  extension: string,
): DirectoryEvents['FileVersionCreated'] | Refusal {
  const version = restorable(context, file, version_id);
  if (isRefusal(version)) return version;
  const { file_size, raw_url, content_id, sha256, media_type, object_name } = version;
  return {
    file_id: file.id,
    version_id: fresh.version_id,
    updated_by: context.caller.user_id,
    ...{ extension, file_size, raw_url, upload_status: 'COMPLETED', keyed_by_version: true },
    ...(content_id && { content_id }),
    ...(sha256 && { sha256 }),
    ...(media_type && { media_type }),
    ...(object_name !== undefined && { object_name }),
  };
}

export const updateFile: Decider<UpdateFile> = (context, command) => {
  const { state, caller } = context;
  const name = requestedName(command);
  if (name !== undefined && typeof name !== 'string') return name;
  const file = findItem(context, 'file', command.id);
  if (isRefusal(file)) return file;
  const access = Access.of(context);
  const allowed = mayUpdate(access, file, command);
  if (!allowed) return access.denied(file.id);
  const taken = refuseTaken(context, 'file', file, name);
  if (taken) return taken;
  const uploads_anew = command.request_presigned_url === true;
  const raw_url =
    command.raw_url === undefined ? undefined : ownRawUrl(context, command.raw_url, file.id);
  const disk = state.disks.get(file.disk_id)!;
  const has_object = file.upload_status === 'COMPLETED' && isCloud(disk);
  const is_moved = hidesContent(file, raw_url, has_object);
  const misplaced = refuseMisplaced(command, uploads_anew);
  if (misplaced) return misplaced;
  if (is_moved && uploads_anew && !isCloud(disk))
    return refuseField('/raw_url', 'cannot be combined with request_presigned_url');
  const confirmed = confirmedContent(context, file, command);
  if (isRefusal(confirmed)) return confirmed;
  const extension = name === undefined ? file.extension : extensionOf(name);
  const fields = {
    ...sharedFields(context, command),
    ...completedElsewhere(file, raw_url, uploads_anew),
    ...given(command, ['upload_status']),
    ...requestedSize(file, command),
    ...confirmed,
    ...(raw_url !== undefined && { raw_url }),
    ...(name !== undefined && { name, extension }),
    ...objectFields(file, extension, uploads_anew || is_moved),
  };
  if (command.restore_version_id !== undefined) {
    const { restore_version_id: of } = command;
    const version = restoredVersion(context, file, command, of, extension);
    if (isRefusal(version)) return version;
    const {
      upload_status: _,
      object_name: __,
      ...said
    } = fields as typeof fields & Partial<DirectoryEvents['FileUpdated']>;
    return accept(allowed, event('FileVersionCreated', { ...said, ...version }));
  }
  if (uploads_anew) {
    const unready = refuseWithoutCredentials(disk);
    if (unready) return unready;
  }
  // Complete content may be shared with copies, so another upload creates a new version.
  if (is_moved || (uploads_anew && has_object)) {
    const version = nextVersion(context, file, command);
    const { object_name: _, ...said } = fields as typeof fields & { object_name?: null };
    return accept(allowed, event('FileVersionCreated', { ...version, ...said }));
  }
  // The key of a complete version is never signed again.
  const reopens = command.upload_status !== undefined && command.upload_status !== 'COMPLETED';
  if (reopens && has_object && file.raw_url === '')
    return refuseField(
      '/upload_status',
      'must be COMPLETED: the version has its content; request_presigned_url starts a new version',
    );
  if (isEmpty(fields)) return uploads_anew ? accept(allowed) : refuse('nothing-to-update');
  const updated = { file_id: file.id, updated_by: caller.user_id, ...fields };
  return {
    ...accept(allowed, event('FileUpdated', updated)),
    // The form of a repeated answer is for the same version.
    ...(uploads_anew && { outcome: { version_id: command.fresh.version_id } }),
  };
};

export const updateFolder: Decider<UpdateFolder> = (context, command) => {
  const name = requestedName(command);
  if (name !== undefined && typeof name !== 'string') return name;
  const folder = findItem(context, 'folder', command.id);
  if (isRefusal(folder)) return folder;
  const access = Access.of(context);
  const allowed = mayUpdate(access, folder, command);
  if (!allowed) return access.denied(folder.id);
  const is_top = folder.parent_folder_uuid === null;
  // All items of a disk depend on its top folders.
  if (is_top && (name !== undefined || command.expires_at !== undefined))
    return refuse('top-folder');
  const taken = refuseTaken(context, 'folder', folder, name);
  if (taken) return taken;
  if (name !== undefined) {
    const path = pathIn(context.state, folder.parent_folder_uuid!, name);
    const too_long = refuseLongPaths(context, folder, path, '/name');
    if (too_long) return too_long;
  }
  const fields = { ...sharedFields(context, command), ...(name !== undefined && { name }) };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  return accept(
    allowed,
    event('FolderUpdated', {
      folder_id: folder.id,
      updated_by: context.caller.user_id,
      ...fields,
    }),
  );
};
