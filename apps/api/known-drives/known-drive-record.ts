import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import type { KnownDriveView } from '../../../libs/domain/known-drives/view.js';
import {
  ShownInteger,
  ShownIntegerOrNull,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

export class KnownDriveRecord implements KnownDriveView {
  @ShownText({ example: 'DriveID_rrkah-fqaaa-aaaaa-aaaaq-cai' }) id!: string;
  @ShownText({ example: 'Acme' }) name!: string;
  @ShownText() icp_principal!: string;
  @ShownText() public_note!: string;
  @ShownText({ description: 'Empty but for the owner' }) private_note!: string;
  @ShownText() host_url!: string;
  @ShownIntegerOrNull({ description: 'When its read models were last rebuilt, ms' })
  last_indexed_ms!: number | null;
  @ShownTextOrNull() email!: string | null;
  @ShownTexts() labels!: string[];
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownInteger() created_at!: number;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
}
