import { Flag, Id, Text, Timestamp } from '../platform/requests/fields.js';

const KEY_END = '-1 = never, else a time in the future';

export class CreateApiKeyBody {
  @Id('ApiKeyID_') id?: string;
  @Text({ min: 1, max: 256, required: true, example: 'Build server' }) name!: string;
  @Id('UserID_', { description: 'The user that the key acts as; default: the caller' })
  user_id?: string;
  @Timestamp({ min: 0, description: 'Default: now' }) begins_at?: number;
  @Timestamp({ expiry: true, description: KEY_END }) expires_at?: number;
  @Text({ max: 8192 }) private_note?: string;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdateApiKeyBody {
  @Id('ApiKeyID_', { required: true }) id!: string;
  @Text({ min: 1, max: 256, null: 'keeps' }) name?: string;
  @Timestamp({ min: 0, null: 'keeps' }) begins_at?: number;
  @Timestamp({ expiry: true, null: 'keeps', description: KEY_END }) expires_at?: number;
  @Flag({ null: 'keeps', description: 'Only the owner may set it back to false' })
  is_revoked?: boolean;
  @Text({ max: 8192, null: 'clears' }) private_note?: string | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeleteApiKeyBody {
  @Id('ApiKeyID_', { required: true }) id!: string;
}
