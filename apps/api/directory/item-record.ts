import {
  DIRECTORY_TYPES,
  type DirectoryType,
} from '../../../libs/domain/kernel/permission-types.js';
import type { Breadcrumb } from '../../../libs/domain/directory/items/breadcrumbs.js';
import { VISIBILITIES, type Visibility } from '../../../libs/domain/directory/items/breadcrumbs.js';
import type { FileView } from '../../../libs/domain/directory/file-view.js';
import type { FolderView } from '../../../libs/domain/directory/folder-view.js';
import type { ItemView } from '../../../libs/domain/directory/items/item-view.js';
import { UPLOAD_STATUSES, type UploadStatus } from '../../../libs/domain/directory/record.js';
import { DISK_TYPES, type DiskType } from '../../../libs/domain/disks/record.js';
import {
  ShownFlag,
  ShownInteger,
  ShownOneOf,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

abstract class ItemRecord implements ItemView {
  @ShownText() id!: string;
  @ShownText() name!: string;
  @ShownText({ description: 'The clipped path for callers without VIEW on the disk’s root' })
  full_directory_path!: string;
  @ShownText({ example: 'DiskID_3f0c…::../report.pdf' }) clipped_directory_path!: string;
  @ShownTexts() labels!: string[];
  @ShownText() created_by!: string;
  @ShownInteger() created_at!: number;
  @ShownText() last_updated_by!: string;
  @ShownInteger({ description: 'Moving, trashing and restoring do not count as updates' })
  last_updated_date_ms!: number;
  @ShownText() disk_id!: string;
  @ShownOneOf(DISK_TYPES) disk_type!: DiskType | null;
  @ShownFlag({ description: 'True for what lies in the trash, at any depth' }) deleted!: boolean;
  @ShownInteger({ description: 'ms; -1 = never' }) expires_at!: number;
  @ShownText() drive_id!: string;
  @ShownTextOrNull({ description: 'Where it was trashed from; null for what was not itself' })
  restore_trash_prior_folder_uuid!: string | null;
  @ShownFlag() has_sovereign_permissions!: boolean;
  @ShownTextOrNull() shortcut_to!: string | null;
  @ShownTextOrNull() notes!: string | null;
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownWords(DIRECTORY_TYPES) permission_previews!: readonly DirectoryType[];
}

export class DirectoryFileRecord extends ItemRecord implements FileView {
  @ShownText() parent_folder_uuid!: string;
  @ShownText() version_id!: string;
  @ShownInteger({ description: '1, 2, …' }) file_version!: number;
  @ShownTextOrNull() prior_version!: string | null;
  @ShownTextOrNull({ description: 'Always null: the record is the current version' })
  next_version!: string | null;
  @ShownText({ example: 'pdf' }) extension!: string;
  @ShownInteger({ description: 'Bytes' }) file_size!: number;
  @ShownText({ description: 'As given by the client, else the address of its asset here' })
  raw_url!: string;
  @ShownOneOf(UPLOAD_STATUSES) upload_status!: UploadStatus;
}

export class DirectoryFolderRecord extends ItemRecord implements FolderView {
  @ShownTextOrNull() parent_folder_uuid!: string | null;
  @ShownTexts({ description: 'Direct children the caller may view, at most 1,000, by name' })
  subfolder_uuids!: string[];
  @ShownTexts({ description: 'Likewise' }) file_uuids!: string[];
}

export class BreadcrumbRecord implements Breadcrumb {
  @ShownText({ description: 'A folder or file, or `shared-with-me`' }) resource_id!: string;
  @ShownText({
    description: 'Of a root the name of its disk; empty without VIEW on the disk or its root',
  })
  resource_name!: string;
  @ShownWords(VISIBILITIES, { description: 'From grants placed directly on it' })
  visibility_preview!: Visibility[];
}
