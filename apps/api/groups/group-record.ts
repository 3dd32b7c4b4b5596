import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import type { GroupView, MemberPreview } from '../../../libs/domain/groups/view.js';
import {
  ShownFlag,
  ShownInteger,
  ShownRecords,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

export class MemberPreviewRecord implements MemberPreview {
  @ShownText({ description: 'A user id, a placeholder id or PUBLIC' }) user_id!: string;
  @ShownText() name!: string;
  @ShownText({ description: 'The note of the invite' }) note!: string;
  @ShownTextOrNull() avatar!: string | null;
  @ShownText() group_id!: string;
  @ShownFlag() is_admin!: boolean;
  @ShownText() invite_id!: string;
  @ShownInteger({ description: 'ms; 0 if never seen' }) last_online_ms!: number;
}

export class GroupRecord implements GroupView {
  @ShownText({ example: 'GroupID_3f0c…' }) id!: string;
  @ShownText({ example: 'Finance' }) name!: string;
  @ShownText() owner!: string;
  @ShownText() avatar!: string;
  @ShownText() public_note!: string;
  @ShownText({ description: 'Empty for callers who may not see it' }) private_note!: string;
  @ShownTexts({ description: 'Ids of active ADMIN invites, at most 100' })
  admin_invites!: string[];
  @ShownTexts({ description: 'Ids of all active invites, at most 100' })
  member_invites!: string[];
  @ShownInteger() created_at!: number;
  @ShownInteger() last_modified_at!: number;
  @ShownText() drive_id!: string;
  @ShownText() host_url!: string;
  @ShownTexts() labels!: string[];
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownRecords(() => MemberPreviewRecord, { description: 'Admins first, at most 100' })
  member_previews!: MemberPreview[];
  @ShownInteger() member_count!: number;
  @ShownInteger() admin_count!: number;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
}
