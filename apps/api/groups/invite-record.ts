import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import type { InviteRedeemed } from '../../../libs/domain/groups/definitions.js';
import type { InviteView } from '../../../libs/domain/groups/invites-view.js';
import type { Role } from '../../../libs/domain/groups/record.js';
import type { MembershipAnswer } from '../../../libs/domain/groups/validate.js';
import {
  ShownFlag,
  ShownInteger,
  ShownOneOf,
  ShownRecord,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

export class InviteRecord implements InviteView {
  @ShownText({ example: 'GroupInviteID_3f0c…' }) id!: string;
  @ShownText() group_id!: string;
  @ShownText() inviter_id!: string;
  @ShownText({ description: 'A user id, a placeholder id or PUBLIC' }) invitee_id!: string;
  @ShownOneOf(['ADMIN', 'MEMBER']) role!: Role;
  @ShownText() note!: string;
  @ShownInteger({ description: 'ms; 0 = from the start' }) active_from!: number;
  @ShownInteger({ description: 'ms; -1 = never' }) expires_at!: number;
  @ShownInteger() created_at!: number;
  @ShownInteger() last_modified_at!: number;
  @ShownTextOrNull({ description: 'Null without a code and for callers who may not see it' })
  redeem_code!: string | null;
  @ShownTextOrNull({ description: 'The placeholder or public invite it was redeemed from' })
  from_placeholder_invitee!: string | null;
  @ShownTexts() labels!: string[];
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownText() group_name!: string;
  @ShownText() group_avatar!: string;
  @ShownText() invitee_name!: string;
  @ShownTextOrNull() invitee_avatar!: string | null;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
}

export class RedeemedInvite implements InviteRedeemed {
  @ShownRecord(() => InviteRecord) invite!: InviteView;
}

export class MembershipRecord implements MembershipAnswer {
  @ShownFlag() is_member!: boolean;
  @ShownText() group_id!: string;
  @ShownText() user_id!: string;
}
