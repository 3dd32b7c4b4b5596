import type { Context } from '../foundation/decision.js';
import { isAvailable } from './content/versions.js';
import { itemView, presentItem } from './items/item-view.js';
import { assetUrl } from './items/object.js';
import { type FileRecord, UPLOAD_STATUSES } from './record.js';
import { flag, integer, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';

export const fileView = view('DirectoryFile', {
  ...itemView.members,
  parent_folder_uuid: text(),
  version_id: text(),
  file_version: integer('1, 2, …'),
  prior_version: nullable(text()),
  next_version: nullable(text('Always null: the record is the current version')),
  extension: text({ example: 'pdf' }),
  file_size: integer('Bytes'),
  raw_url: text('As given by the client; otherwise the URL of its content at this service'),
  upload_status: oneOf(UPLOAD_STATUSES),
  media_type: nullable(text({ description: 'Null if unknown', example: 'application/pdf' })),
  sha256: nullable(text('SHA-256 of the content, hex; null if unknown')),
  content_available: flag('True if the content can be downloaded'),
});
export type FileView = Shown<typeof fileView>;

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
    media_type: file.media_type ?? null,
    sha256: file.sha256 ?? null,
    content_available: isAvailable(context, file.disk_id, file),
  };
}
