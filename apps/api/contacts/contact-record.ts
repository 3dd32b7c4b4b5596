import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import type { AutoLogin } from '../../../libs/application/contacts/login.js';
import type { ContactRedemption } from '../../../libs/domain/contacts/definitions.js';
import type { GroupPreview } from '../../../libs/domain/contacts/group-previews.js';
import type { ContactView } from '../../../libs/domain/contacts/view.js';
import {
  ShownFlag,
  ShownInteger,
  ShownRecord,
  ShownRecords,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

export class GroupPreviewRecord implements GroupPreview {
  @ShownText() group_id!: string;
  @ShownText({ description: 'Empty for a group owned without an invite' }) invite_id!: string;
  @ShownFlag() is_admin!: boolean;
  @ShownText() group_name!: string;
  @ShownText() group_avatar!: string;
}

export class ContactRecord implements ContactView {
  @ShownText({ example: 'UserID_x2n5…' }) id!: string;
  @ShownText({ example: 'Bob' }) name!: string;
  @ShownText() avatar!: string;
  @ShownText() email!: string;
  @ShownText({ description: 'Empty for callers who may not see it' }) notifications_url!: string;
  @ShownText() public_note!: string;
  @ShownText({ description: 'Empty for callers who may not see it' }) private_note!: string;
  @ShownText() evm_public_address!: string;
  @ShownText() icp_principal!: string;
  @ShownText({ description: 'Always empty' }) seed_phrase!: '';
  @ShownText({ description: 'Always empty' }) secret_entropy!: '';
  @ShownText({ description: 'Own id while a placeholder, the former id after redeeming' })
  from_placeholder_user_id!: string;
  @ShownText({ description: 'Empty once dead and for callers who may not see it' })
  redeem_code!: string;
  @ShownInteger() created_at!: number;
  @ShownInteger({ description: 'ms; 0 until first seen' }) last_online_ms!: number;
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
  @ShownTexts() labels!: string[];
  @ShownRecords(() => GroupPreviewRecord, { description: 'Newest first, at most 100' })
  group_previews!: GroupPreview[];
  @ShownInteger({ description: 'How many there are' }) group_count!: number;
  @ShownTexts({
    description: 'Ids this contact had before; empty for callers who may not see them',
  })
  past_user_ids!: readonly string[];
}

export class RedeemedContact implements ContactRedemption {
  @ShownRecord(() => ContactRecord) contact!: ContactView;
  @ShownText({ description: 'A key of the contact, shown only here' }) api_key!: string;
}

export class AutoLoginRecord implements AutoLogin {
  @ShownText() user_id!: string;
  @ShownText() auto_login_url!: string;
  @ShownText({ description: 'The same as auto_login_url' }) auto_login_link!: string;
  @ShownText() full_login_instructions!: string;
}
