import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import {
  endingIndexes,
  endingOrders,
  isDescribed,
  ITEM_SETTINGS,
  type ItemDetails,
  NOT_TRASHED,
} from '../disks/record.js';
import { byExternalId } from '../kernel/external-id.js';

export const UPLOAD_STATUSES = ['QUEUED', 'PENDING', 'COMPLETED'] as const;
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];

/** Bytes in the content store, as a file version names them. */
interface StoredBytes {
  /** The record of the bytes; null once the version no longer has them. */
  readonly content_id: string | null;
  /** Hex. */
  readonly sha256: string;
  readonly media_type: string;
}

/** The content of a file version. The service knows the members of `StoredBytes` once it has received bytes. */
export interface FileContent extends Partial<{ [K in keyof StoredBytes]: StoredBytes[K] | null }> {
  /** Without dot, `''` for none. */
  readonly extension: string;
  /** Bytes. */
  readonly file_size: number;
  /** URL of external content; `''` if the service serves it. */
  readonly raw_url: string;
  readonly upload_status: UploadStatus;
}

/** A file with its current version. Its path is computed from its ancestors, never stored. */
export interface FileRecord extends RecordBase, FileContent, ItemDetails {
  readonly name: string;
  readonly parent_folder_uuid: string;
  readonly disk_id: string;
  readonly version_id: string;
  readonly file_version: number;
  readonly prior_version: string | null;
  /** User who created the current version. */
  readonly version_by: string;
  /** Creation time of the current version, ms. */
  readonly version_at: number;
  /** Name of the stored object, if it differs from the one derived from these fields: after a rename, or in a copy. */
  readonly object_name: string | null;
  /** False for uploads from before each version had its own object. */
  readonly keyed_by_version: boolean;
  readonly created_by: string;
  readonly created_at: number;
  readonly last_updated_by: string;
  readonly last_updated_date_ms: number;
  /** ms; -1 = never. */
  readonly expires_at: number;
  /** True stops the inheritance of permissions from above this file. */
  readonly has_sovereign_permissions: boolean;
}

const NO_BYTES = { content_id: null, sha256: null, media_type: null };
const byContent = { content: (version: FileContent) => version.content_id ?? null };

export const fileFamily: FamilyDefinition<FileRecord> = {
  name: 'files',
  prefix: PREFIX.file,
  defaults: {
    label_ids: [],
    prior_version: null,
    object_name: null,
    keyed_by_version: false,
    raw_url: '',
    ...NO_BYTES,
    ...ITEM_SETTINGS,
    ...NOT_TRASHED,
    trashed_at: 0,
  },
  user_fields: ['created_by', 'last_updated_by', 'version_by', 'trashed_by'],
  internal: ['keyed_by_version'],
  indexes: {
    ...byExternalId,
    ...byContent,
    parent: (file) => file.parent_folder_uuid,
    disk: (file) => file.disk_id,
    sibling: (file) => `${file.parent_folder_uuid}/${file.name}`,
    place: (file) => (file.has_sovereign_permissions ? 'sovereign' : null),
    ...endingIndexes,
    described: isDescribed,
  },
  orders: { name: { index: 'parent', text: (file) => file.name }, ...endingOrders },
  windows: (file) => [file.expires_at],
};

export interface FileVersion extends RecordBase, FileContent {
  readonly file_id: string;
  readonly file_version: number;
  readonly prior_version: string | null;
  readonly next_version: string;
  /** Name of the object in the disk's bucket; absent on other disks, and for versions of older releases. */
  readonly object_name?: string;
  readonly created_by: string;
  readonly created_at: number;
}

export const fileVersionFamily: FamilyDefinition<FileVersion> = {
  name: 'file_versions',
  defaults: { prior_version: null, raw_url: '', ...NO_BYTES },
  user_fields: ['created_by'],
  indexes: { file: (version) => version.file_id, ...byContent },
  // Only the service generates these ids, so clients cannot choose one again.
  reusable_ids: true,
  unhashed: true,
};

/** Bytes in the content store, under the id of this record. Any number of versions and copies may name them. */
export interface Content extends RecordBase {
  readonly disk_id: string;
  /** Bytes in clear. */
  readonly size: number;
  readonly stored_at: number;
  /** When the last version that named them was removed, ms; 0 while there is one. */
  readonly unused_since: number;
}

export const contentFamily: FamilyDefinition<Content> = {
  name: 'contents',
  defaults: {},
  user_fields: [],
  indexes: { unused: (content) => (content.unused_since > 0 ? 'unused' : null) },
  sums: {
    of_disk: (content) => [content.disk_id, content.size],
    of_drive: (content) => ['', content.size],
    unused: (content) => ['', content.unused_since > 0 ? content.size : 0],
  },
  // Only the service generates these ids.
  reusable_ids: true,
  unhashed: true,
};

/** Refusals of this family's commands and queries. */
export const directoryRefusals = {
  'folder-not-found': notFound('folder'),
  'file-not-found': notFound('file'),
  'name-in-use': {
    type: 'directory.name-in-use',
    status: 409,
    title: 'Another item in this folder has this name.',
  },
  'in-trash': {
    type: 'directory.in-trash',
    status: 400,
    title: 'A file or folder of the request is in the trash.',
  },
  'not-in-trash': {
    type: 'directory.not-in-trash',
    status: 404,
    title: 'The item is not in the trash, or is there only as part of a trashed folder.',
  },
  'top-folder': {
    type: 'directory.top-folder',
    status: 400,
    title: 'The root folder and the trash folder of a disk cannot be changed.',
  },
  'into-itself': {
    type: 'directory.into-itself',
    status: 400,
    title: 'A folder cannot be moved or copied into itself or one of its subfolders.',
  },
  'other-disk': {
    type: 'directory.other-disk',
    status: 400,
    title: 'Items cannot be moved, copied or restored to another disk.',
  },
  'path-too-long': {
    type: 'directory.path-too-long',
    status: 400,
    title: 'The full path of a folder would be too long.',
  },
  'too-many-items': {
    type: 'directory.too-many-items',
    status: 413,
    title: 'The command affects too many files and folders.',
  },
  'content-not-served': {
    type: 'file.content-not-served',
    status: 501,
    title: 'The service does not serve file content from this type of disk.',
  },
  'no-content': {
    type: 'content.none',
    status: 404,
    title: 'The file has no content yet.',
  },
  'version-not-found': {
    type: 'file.version-not-found',
    status: 404,
    title: 'The file has no such version.',
  },
  'content-gone': {
    type: 'content.gone',
    status: 410,
    title: 'The content of this version was deleted.',
  },
  'content-elsewhere': {
    type: 'content.elsewhere',
    status: 400,
    title: 'Content of files on this type of disk is not uploaded to the service.',
  },
  'content-mismatch': {
    type: 'content.mismatch',
    status: 400,
    title: 'The content is not what was announced; nothing was stored.',
  },
  'content-too-large': {
    type: 'content.too-large',
    status: 413,
    title: 'The content is too large, or the storage of the disk or organization is used up.',
  },
  'object-missing': {
    type: 'file.object-missing',
    status: 400,
    title: 'The bucket of the disk does not hold the content of this version.',
  },
  'bucket-refused': {
    type: 'disk.bucket-refused',
    status: 400,
    title:
      'The bucket of the disk cannot be asked for the content; check the credentials of the disk.',
  },
  'bucket-unavailable': {
    type: 'disk.bucket-unavailable',
    status: 503,
    title: 'The bucket of the disk did not say whether it holds the content; retry.',
  },
  'upload-used': {
    type: 'content.upload-used',
    status: 409,
    title: 'The upload form was already used.',
  },
  'upload-expired': {
    type: 'content.upload-expired',
    status: 403,
    title: 'The upload form or download link is invalid or has expired.',
  },
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    files: FileRecord;
    file_versions: FileVersion;
    contents: Content;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof directoryRefusals> {}
}
