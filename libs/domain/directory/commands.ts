import type { Refusal } from '../kernel/refusal.js';
import type { ItemFields } from './events.js';
import type { UploadStatus } from './record.js';

/** Resolutions of a conflict with a sibling of the same name. */
export const CONFLICT_RESOLUTIONS = [
  'KEEP_BOTH',
  'REPLACE',
  'KEEP_NEWER',
  'KEEP_ORIGINAL',
] as const;
export type ConflictResolution = (typeof CONFLICT_RESOLUTIONS)[number];

export interface GetItem {
  id: string;
  share_track_hash?: string;
  /** True: the answer contains a link for downloading the content of a file without a token. */
  request_download_url?: boolean;
  fresh: { share_track_id: string };
}

interface CreateItem extends Partial<ItemFields> {
  id?: string;
  name: string;
  parent_folder_uuid: string;
  disk_id: string;
  /** Values of labels; unknown values are ignored. */
  labels?: readonly string[];
  file_conflict_resolution?: ConflictResolution;
  has_sovereign_permissions?: boolean;
}

export interface CreateFile extends CreateItem {
  /** Bytes. */
  file_size: number;
  /** Hex; the upload form only accepts content with this digest. */
  upload_sha256?: string;
  extension?: string;
  raw_url?: string;
  fresh: { id: string; version_id: string; permission_id: string };
}

export interface CreateFolder extends CreateItem {
  fresh: { id: string; permission_id: string };
}

export interface UpdateFolder extends Partial<ItemFields> {
  id: string;
  name?: string;
  /** Replaces all labels. */
  labels?: readonly string[];
}

/** An object that a bucket was asked for. */
export interface FoundObject {
  readonly object_key: string;
  /** Bytes. */
  readonly size: number;
  /** Hex; null if the bucket does not know it. */
  readonly sha256: string | null;
  readonly media_type: string | null;
}

export interface UpdateFile extends UpdateFolder {
  upload_status?: UploadStatus;
  raw_url?: string;
  /** True: the answer contains an upload form. For a complete file the upload creates a new version. */
  request_presigned_url?: boolean;
  /** Maximum bytes of the upload that the form is for. */
  upload_size?: number;
  /** Hex; the form only accepts content with this digest. */
  upload_sha256?: string;
  /** A former version that becomes the current one again, as a new version. */
  restore_version_id?: string;
  /** What the bucket answered about the object that this update requires. */
  found?: FoundObject | Refusal;
  fresh: { version_id: string };
}

export interface DeleteItem {
  id: string;
  permanent: boolean;
}

/** Copies or moves an item into a folder of the same disk. */
export interface TransferItem {
  id: string;
  /** The id or the path is required; the id takes precedence. */
  destination_folder_id?: string;
  destination_folder_path?: string;
  file_conflict_resolution?: ConflictResolution;
}

export interface CopyItem extends TransferItem {
  fresh: { id: string };
}

export interface RestoreTrash {
  id: string;
  /** Full path of a folder; created if it is missing. */
  restore_to_folder_path?: string;
  file_conflict_resolution?: ConflictResolution;
  /** Ids for missing folders of that path. */
  fresh: { folder_ids: readonly string[] };
}

/** Moves expired items to the trash and deletes items whose time in the trash is over, at most `most` at a time. */
export interface SweepExpired {
  most: number;
}
