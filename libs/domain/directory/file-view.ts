import type { Context } from '../foundation/decision.js';
import { type ItemView, presentItem } from './items/item-view.js';
import { assetUrl } from './items/object.js';
import type { FileRecord, UploadStatus } from './record.js';

export interface FileView extends ItemView {
  parent_folder_uuid: string;
  version_id: string;
  file_version: number;
  prior_version: string | null;
  /** Always null: a file's record is its current version. */
  next_version: string | null;
  extension: string;
  file_size: number;
  raw_url: string;
  upload_status: UploadStatus;
}

/** A file as the caller of `context` sees it. */
export function presentFile(context: Context, file: FileRecord): FileView {
  const { settings, state } = context;
  const asset = assetUrl(settings.host_url, state.drive_id, file.id);
  return {
    ...presentItem(context, file),
    parent_folder_uuid: file.parent_folder_uuid,
    version_id: file.version_id,
    file_version: file.file_version,
    prior_version: file.prior_version,
    next_version: null,
    extension: file.extension,
    file_size: file.file_size,
    raw_url: file.raw_url || `${asset}.${encodeURIComponent(file.extension)}`,
    upload_status: file.upload_status,
  };
}
