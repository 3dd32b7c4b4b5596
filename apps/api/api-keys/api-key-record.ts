import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import type { ApiKeyView } from '../../../libs/domain/api-keys/view.js';
import {
  ShownFlag,
  ShownInteger,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

export class ApiKeyRecord implements ApiKeyView {
  @ShownText({ example: 'ApiKeyID_3f0c…' }) id!: string;
  @ShownText({ description: 'The token in the answer of create, masked ever after' })
  value!: string;
  @ShownText() user_id!: string;
  @ShownText({ example: 'Build server' }) name!: string;
  @ShownTextOrNull({ description: 'Null for everybody but the key’s user and the owner' })
  private_note!: string | null;
  @ShownInteger() created_at!: number;
  @ShownInteger() begins_at!: number;
  @ShownInteger({ description: '-1 = never' }) expires_at!: number;
  @ShownFlag() is_revoked!: boolean;
  @ShownTexts() labels!: string[];
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownTextOrNull({ description: 'Name of the user’s contact' }) user_name!: string | null;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
}
