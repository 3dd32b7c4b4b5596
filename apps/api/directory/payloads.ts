import {
  type ConflictResolution,
  CONFLICT_RESOLUTIONS,
} from '../../../libs/domain/directory/commands.js';
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
      'Without /, :: and control characters; not ., .. or .trash. A single : is stored as ;',
  });
const Expiry = (on_update = false): PropertyDecorator =>
  Timestamp({
    expiry: true,
    ...(on_update && { null: 'keeps' as const }),
    description: 'ms; -1 = never. From then on it is absent',
  });
const Labels = (description: string): PropertyDecorator =>
  ListOf(text({ max: 256 }), { max: 1000, distinct: true, description });
const RawUrl = (): PropertyDecorator =>
  Url({
    max: 4096,
    http_only: true,
    no_user: true,
    not_empty: true,
    null: 'keeps',
    description: 'Where the content lies, if not on the disk',
  });
const FileSize = (): PropertyDecorator =>
  Integer({ min: 0, required: true, description: 'Bytes; an upload may be no longer' });

/** What to do where a sibling has the name. */
const Conflicts = (): PropertyDecorator =>
  OneOf(CONFLICT_RESOLUTIONS, {
    default: 'KEEP_BOTH',
    description: 'Where the name is in use: see the description of the operation',
  });

export class GetFilePayload {
  @Id('FileID_', { required: true }) id!: string;
  @Text({ max: 4096 }) share_track_hash?: string;
}

export class GetFolderPayload {
  @Id('FolderID_', { required: true }) id!: string;
  @Text({ max: 4096 }) share_track_hash?: string;
}

abstract class CreatePayload {
  @Name(true) name!: string;
  @Id('FolderID_', { required: true }) parent_folder_uuid!: string;
  @Id('DiskID_', { required: true, description: 'The disk of the parent folder' }) disk_id!: string;
  @Labels('Values of labels; those that no label has are ignored') labels?: string[];
  @Expiry() expires_at?: number;
  @Conflicts() file_conflict_resolution!: ConflictResolution;
  @Flag({ description: 'True needs MANAGE on the parent and cuts inheritance of permissions' })
  has_sovereign_permissions?: boolean;
  @Text({ max: 8192 }) notes?: string;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class CreateFilePayload extends CreatePayload {
  @Id('FileID_', { description: 'That of an existing file stores a new version of it' })
  id?: string;
  @FileSize() file_size!: number;
  @Text({
    max: 33,
    description:
      'Counts for names without a dot: at most 32 of A-Z, a-z, 0-9, _ and -, after a dot or not',
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
  @Labels('Takes the place of all labels; unknown values are ignored') labels?: string[];
  @Expiry(true) expires_at?: number;
  @Text({ max: 8192, null: 'clears' }) notes?: string | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class UpdateFilePayload extends UpdatePayload {
  @Id('FileID_', { required: true }) id!: string;
  @OneOf(UPLOAD_STATUSES, { null: 'keeps' }) upload_status?: UploadStatus;
  @RawUrl() raw_url?: string;
  @Id('FileID_', { null: 'clears' }) shortcut_to?: string | null;
  @Flag({
    description:
      'True: the answer holds a form to upload the content anew; of a file that is COMPLETED as a new version',
  })
  request_presigned_url?: boolean;
}

export class UpdateFolderPayload extends UpdatePayload {
  @Id('FolderID_', { required: true }) id!: string;
  @Id('FolderID_', { null: 'clears' }) shortcut_to?: string | null;
}

const Permanent = (): PropertyDecorator =>
  Flag({ default: false, description: 'True: gone for good, not into the trash' });

export class DeleteFilePayload {
  @Id('FileID_', { required: true }) id!: string;
  @Permanent() permanent!: boolean;
}

export class DeleteFolderPayload {
  @Id('FolderID_', { required: true }) id!: string;
  @Permanent() permanent!: boolean;
}

abstract class TransferPayload {
  @Id('FolderID_', { description: 'This or the path is required; this wins' })
  destination_folder_id?: string;
  @Text({ max: 8192, empty: 'absent', description: 'Full path of a folder' })
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
    max: 8192,
    empty: 'absent',
    description: 'Full path of a folder, made if missing; absent: where it was, else the root',
  })
  restore_to_folder_path?: string;
  @Conflicts() file_conflict_resolution!: ConflictResolution;
}

/** What each action takes. */
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
