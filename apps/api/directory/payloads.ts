import {
  type ConflictResolution,
  CONFLICT_RESOLUTIONS,
} from '../../../libs/domain/directory/commands.js';
import { MOST_PATH_CHARACTERS } from '../../../libs/domain/directory/items/path-length.js';
import { UPLOAD_STATUSES, type UploadStatus } from '../../../libs/domain/directory/record.js';
import type { ActionName } from '../../../libs/application/directory/action-kinds.js';
import {
  Flag,
  Id,
  Integer,
  ListOf,
  OneOf,
  Text,
  Timestamp,
  Url,
} from '../platform/requests/fields.js';
import { text } from '../platform/requests/rules.js';
import type { Class } from '../platform/requests/rule.js';

const Name = (required: boolean): PropertyDecorator =>
  Text({
    min: 1,
    max: 256,
    required,
    ...(!required && { null: 'keeps' as const }),
    description:
      'Must not contain /, :: or control characters, nor be ., .. or .trash. A single : is stored as ;',
  });
const Expiry = (on_update = false): PropertyDecorator =>
  Timestamp({
    expiry: true,
    ...(on_update && { null: 'keeps' as const }),
    description: 'Expiry time in ms; -1 = never',
  });
const Labels = (description: string): PropertyDecorator =>
  ListOf(text({ max: 256 }), { max: 1000, distinct: true, description });
const RawUrl = (more = ''): PropertyDecorator =>
  Url({
    max: 4096,
    http_only: true,
    no_user: true,
    not_empty: true,
    null: 'keeps',
    description: `URL of the content, if it is not on the disk${more}`,
  });
const FileSize = (): PropertyDecorator =>
  Integer({ min: 0, required: true, description: 'Size in bytes; an upload must not be larger' });

const Digest = (description: string): PropertyDecorator =>
  Text({
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    pattern_text: '64 lower-case hex characters',
    description,
  });

/** Resolution of a name conflict with another item of the folder. */
const Conflicts = (): PropertyDecorator =>
  OneOf(CONFLICT_RESOLUTIONS, {
    default: 'KEEP_BOTH',
    description: 'Applies if the name is in use; see the description of the operation',
  });

export class GetFilePayload {
  @Id('FileID_', { required: true }) id!: string;
  @Text({ max: 4096 }) share_track_hash?: string;
  @Flag({
    description: 'True: the response contains a link that downloads the content without a token',
  })
  request_download_url?: boolean;
}

export class GetFolderPayload {
  @Id('FolderID_', { required: true }) id!: string;
  @Text({ max: 4096 }) share_track_hash?: string;
}

abstract class CreatePayload {
  @Name(true) name!: string;
  @Id('FolderID_', { required: true }) parent_folder_uuid!: string;
  @Id('DiskID_', { required: true, description: 'Disk of the parent folder' }) disk_id!: string;
  @Labels('Label values; unknown values are ignored') labels?: string[];
  @Expiry() expires_at?: number;
  @Conflicts() file_conflict_resolution!: ConflictResolution;
  @Flag({
    description: 'True: the item does not inherit permissions; requires MANAGE on the parent',
  })
  has_sovereign_permissions?: boolean;
  @Text({ max: 8192 }) notes?: string;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class CreateFilePayload extends CreatePayload {
  @Id('FileID_', { description: 'The id of an existing file stores a new version of that file' })
  id?: string;
  @FileSize() file_size!: number;
  @Digest('SHA-256 of the content, hex; the upload form then accepts no other content')
  upload_sha256?: string;
  @Text({
    max: 33,
    description:
      'Used for names without a dot: at most 32 of A-Z, a-z, 0-9, _ and -, with or without a leading dot',
  })
  extension?: string;
  @RawUrl() raw_url?: string;
  @Id('FileID_') shortcut_to?: string;
}

export class CreateFolderPayload extends CreatePayload {
  @Id('FolderID_') id?: string;
  @Id('FolderID_') shortcut_to?: string;
}

abstract class UpdatePayload {
  @Name(false) name?: string;
  @Labels('Replaces all labels; unknown values are ignored') labels?: string[];
  @Expiry(true) expires_at?: number;
  @Text({ max: 8192, null: 'clears' }) notes?: string | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class UpdateFilePayload extends UpdatePayload {
  @Id('FileID_', { required: true }) id!: string;
  @OneOf(UPLOAD_STATUSES, { null: 'keeps' }) upload_status?: UploadStatus;
  @RawUrl(
    '; content on the disk stays that of a former version, and the URL starts a new one; a file that waits for its ' +
      'content becomes COMPLETED, unless request_presigned_url or upload_status is given',
  )
  raw_url?: string;
  @Id('FileID_', { null: 'clears' }) shortcut_to?: string | null;
  @Flag({
    description:
      'True: the response contains a new upload form; for a COMPLETED file, the upload is a new version',
  })
  request_presigned_url?: boolean;
  @Integer({
    min: 0,
    description:
      'With request_presigned_url: maximum bytes of the upload; default: the size of the file in a bucket, or ' +
      'CONTENT_MAX_BYTES',
  })
  upload_size?: number;
  @Digest('With request_presigned_url: SHA-256 of the content, hex; the form accepts no other')
  upload_sha256?: string;
  @Id('FileVersionID_', {
    description:
      'A former version; it becomes the current one again, as a new version with its content. Not together with ' +
      'request_presigned_url',
  })
  restore_version_id?: string;
}

export class UpdateFolderPayload extends UpdatePayload {
  @Id('FolderID_', { required: true }) id!: string;
  @Id('FolderID_', { null: 'clears' }) shortcut_to?: string | null;
}

const Permanent = (): PropertyDecorator =>
  Flag({ default: false, description: 'True: deletes permanently, without the trash' });

export class DeleteFilePayload {
  @Id('FileID_', { required: true }) id!: string;
  @Permanent() permanent!: boolean;
}

export class DeleteFolderPayload {
  @Id('FolderID_', { required: true }) id!: string;
  @Permanent() permanent!: boolean;
}

abstract class TransferPayload {
  @Id('FolderID_', { description: 'Required unless the path is given; takes precedence over it' })
  destination_folder_id?: string;
  @Text({ max: MOST_PATH_CHARACTERS, empty: 'absent', description: 'Full path of a folder' })
  destination_folder_path?: string;
  @Conflicts() file_conflict_resolution!: ConflictResolution;
}

export class TransferFilePayload extends TransferPayload {
  @Id('FileID_', { required: true }) id!: string;
}

export class TransferFolderPayload extends TransferPayload {
  @Id('FolderID_', { required: true }) id!: string;
}

export class RestoreTrashPayload {
  @Id(['FileID_', 'FolderID_'], { required: true }) id!: string;
  @Text({
    max: MOST_PATH_CHARACTERS,
    empty: 'absent',
    description:
      'Full path of a folder, which is created if missing; absent: the original folder, else the root',
  })
  restore_to_folder_path?: string;
  @Conflicts() file_conflict_resolution!: ConflictResolution;
}

export const PAYLOADS: Readonly<Record<ActionName, Class>> = {
  GET_FILE: GetFilePayload,
  GET_FOLDER: GetFolderPayload,
  CREATE_FILE: CreateFilePayload,
  CREATE_FOLDER: CreateFolderPayload,
  UPDATE_FILE: UpdateFilePayload,
  UPDATE_FOLDER: UpdateFolderPayload,
  DELETE_FILE: DeleteFilePayload,
  DELETE_FOLDER: DeleteFolderPayload,
  COPY_FILE: TransferFilePayload,
  COPY_FOLDER: TransferFolderPayload,
  MOVE_FILE: TransferFilePayload,
  MOVE_FOLDER: TransferFolderPayload,
  RESTORE_TRASH: RestoreTrashPayload,
};
