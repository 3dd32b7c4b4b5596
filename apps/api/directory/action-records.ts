import { DIRECTORY_TYPES } from '../../../libs/domain/kernel/permission-types.js';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  ShownFlag,
  ShownInteger,
  ShownObject,
  ShownRecord,
  ShownRecords,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';
import { BreadcrumbRecord, DirectoryFileRecord, DirectoryFolderRecord } from './item-record.js';

export class UploadRecord {
  @ShownText({ description: 'Where to post the form; empty if there is nothing to upload to' })
  url!: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  fields!: Record<string, string>;
}

export class FileReadRecord {
  @ShownRecord(() => DirectoryFileRecord) file!: DirectoryFileRecord;
  @ShownRecords(() => BreadcrumbRecord) breadcrumbs!: BreadcrumbRecord[];
}

export class FolderReadRecord {
  @ShownRecord(() => DirectoryFolderRecord) folder!: DirectoryFolderRecord;
  @ShownRecords(() => BreadcrumbRecord) breadcrumbs!: BreadcrumbRecord[];
}

export class FileStoredRecord {
  @ShownRecord(() => DirectoryFileRecord) file!: DirectoryFileRecord;
  @ApiProperty({
    type: () => UploadRecord,
    required: false,
    description: 'Of an update only if it was asked for',
  })
  upload?: UploadRecord;
  @ShownText({ description: 'What was done, in a sentence' }) notes!: string;
}

export class FolderStoredRecord {
  @ShownRecord(() => DirectoryFolderRecord) folder!: DirectoryFolderRecord;
  @ApiProperty({ type: String, required: false, description: 'Of a creation: what was done' })
  notes?: string;
}

const PATH_TO_TRASH = {
  description: 'Empty if it is gone for good, and for callers who could not VIEW it',
};

export class FileDeletedRecord {
  @ShownText() file_id!: string;
  @ShownText(PATH_TO_TRASH) path_to_trash!: string;
}

export class FolderDeletedRecord {
  @ShownText() folder_id!: string;
  @ShownText(PATH_TO_TRASH) path_to_trash!: string;
  @ShownTexts({ description: 'Ids of what lay in it, at any depth' }) deleted_files!: string[];
  @ShownTexts() deleted_folders!: string[];
}

export class RestoredRecord {
  @ShownTexts({ description: 'Ids, the item itself first; empty if an existing one was kept' })
  restored_files!: string[];
  @ShownTexts() restored_folders!: string[];
}

const RESULTS = [
  FileReadRecord,
  FolderReadRecord,
  FileStoredRecord,
  FolderStoredRecord,
  FileDeletedRecord,
  FolderDeletedRecord,
  DirectoryFileRecord,
  DirectoryFolderRecord,
  RestoredRecord,
] as const;

export class ActionErrorRecord {
  @ShownInteger({ description: '400, 403, 404, 409, 412, 413, 500 or 503, as a status would say' })
  code!: number;
  @ShownText() message!: string;
  @ShownText({ description: 'The stable slug', example: 'directory.name-in-use' }) type!: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Fields to blame; pointers lead into the payload',
  })
  details!: object[];
}

@ApiExtraModels(...RESULTS)
export class ActionResponseRecord {
  @ApiProperty({
    // Some have all members of another one.
    anyOf: RESULTS.map((type) => ({ $ref: getSchemaPath(type) })),
    required: false,
  })
  result?: object;
  @ApiProperty({ type: () => ActionErrorRecord, required: false }) error?: ActionErrorRecord;
}

export class ActionOutcomeRecord {
  @ShownText({ example: 'DirectoryActionOutcomeID_3f0c…' }) id!: string;
  @ShownFlag() success!: boolean;
  @ShownObject({ description: 'The action as it was asked for' }) request!: object;
  @ShownRecord(() => ActionResponseRecord) response!: ActionResponseRecord;
}

export class DirectoryPageRecord {
  @ShownRecords(() => DirectoryFolderRecord) folders!: DirectoryFolderRecord[];
  @ShownRecords(() => DirectoryFileRecord) files!: DirectoryFileRecord[];
  @ShownInteger({ description: 'Visible ones, over all pages' }) total_folders!: number;
  @ShownInteger() total_files!: number;
  @ShownTextOrNull({ description: 'For the next page; null at the end' }) cursor!: string | null;
  @ShownRecords(() => BreadcrumbRecord) breadcrumbs!: BreadcrumbRecord[];
  @ShownWords(DIRECTORY_TYPES, { description: 'What the caller holds on the folder' })
  permission_previews!: string[];
}
