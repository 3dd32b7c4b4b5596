import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import { DISK_TYPES, type DiskType } from '../../../libs/domain/disks/record.js';
import type { DiskView } from '../../../libs/domain/disks/view.js';
import {
  ShownInteger,
  ShownIntegerOrNull,
  ShownOneOf,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

export class DiskRecord implements DiskView {
  @ShownText({ example: 'DiskID_3f0c…' }) id!: string;
  @ShownText({ example: 'Archive' }) name!: string;
  @ShownOneOf(DISK_TYPES) disk_type!: DiskType;
  @ShownTextOrNull() public_note!: string | null;
  @ShownTextOrNull({ description: 'Null without EDIT' }) private_note!: string | null;
  @ShownTextOrNull({ description: 'Null without EDIT' }) auth_json!: string | null;
  @ShownInteger() created_at!: number;
  @ShownText() root_folder!: string;
  @ShownText() trash_folder!: string;
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownTextOrNull() endpoint!: string | null;
  @ShownTextOrNull({ description: 'The same as endpoint' }) billing_url!: string | null;
  @ShownIntegerOrNull({ description: 'Lifetime of new files, ms' }) autoexpire_ms!: number | null;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
  @ShownTexts() labels!: string[];
}
