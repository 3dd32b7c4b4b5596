import type { ItemFields } from './events.js';
import type { UploadStatus } from './record.js';

/** What to do where a sibling has the name already. */
export const CONFLICT_RESOLUTIONS = [
  'KEEP_BOTH',
  'REPLACE',
  'KEEP_NEWER',
  'KEEP_ORIGINAL',
] as const;
export type ConflictResolution = (typeof CONFLICT_RESOLUTIONS)[number];

/** Reads one file or folder. */
export interface GetItem {
  id: string;
  share_track_hash?: string;
  fresh: { share_track_id: string };
}

interface CreateItem extends Partial<ItemFields> {
  id?: string;
  name: string;
  parent_folder_uuid: string;
  disk_id: string;
  /** Values of labels; those that no label has are passed over. */
  labels?: readonly string[];
  file_conflict_resolution?: ConflictResolution;
  has_sovereign_permissions?: boolean;
}

export interface CreateFile extends CreateItem {
  /** Bytes. */
  file_size: number;
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
  /** Takes the place of all labels. */
  labels?: readonly string[];
}

export interface UpdateFile extends UpdateFolder {
  upload_status?: UploadStatus;
  raw_url?: string;
  /** True: the answer holds a form to upload the content anew; of a complete file as a new version. */
  request_presigned_url?: boolean;
  fresh: { version_id: string };
}

export interface DeleteItem {
  id: string;
  permanent: boolean;
}

/** Copies or moves an item into a folder of the same disk. */
export interface TransferItem {
  id: string;
  /** One of the two is needed; the id wins. */
  destination_folder_id?: string;
  destination_folder_path?: string;
  file_conflict_resolution?: ConflictResolution;
}

export interface CopyItem extends TransferItem {
  fresh: { id: string };
}

export interface RestoreTrash {
  id: string;
  /** Full path of a folder; made if it is missing. */
  restore_to_folder_path?: string;
  file_conflict_resolution?: ConflictResolution;
  /** Ids for folders of that path that are missing. */
  fresh: { folder_ids: readonly string[] };
}

/** Puts what has expired into the trash and removes what lay there long enough, at most so many at a time. */
export interface SweepExpired {
  most: number;
}
