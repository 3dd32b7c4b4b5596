import { Id, Text, Url } from '../platform/requests/fields.js';

export class CreateGroupBody {
  @Id('GroupID_') id?: string;
  @Text({ min: 1, max: 256, example: 'Finance' }) name?: string;
  @Url({ max: 2048 }) avatar?: string;
  @Text({ max: 8192 }) public_note?: string;
  @Text({ max: 8192 }) private_note?: string;
  @Url({ max: 4096 }) host_url?: string;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdateGroupBody {
  @Id('GroupID_', { required: true }) id!: string;
  @Text({ min: 1, max: 256, null: 'keeps' }) name?: string;
  @Url({ max: 2048, null: 'clears' }) avatar?: string | null;
  @Text({ max: 8192, null: 'clears' }) public_note?: string | null;
  @Text({ max: 8192, null: 'clears' }) private_note?: string | null;
  @Url({ max: 4096, null: 'clears' }) host_url?: string | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeleteGroupBody {
  @Id('GroupID_', { required: true }) id!: string;
}
