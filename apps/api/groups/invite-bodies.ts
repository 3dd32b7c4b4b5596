import type { Role } from '../../../libs/domain/groups/record.js';
import { Id, ListBody, OneOf, Text, Timestamp } from '../platform/requests/fields.js';

const ROLES: readonly Role[] = ['ADMIN', 'MEMBER'];

export class CreateInviteBody {
  @Id('GroupInviteID_') id?: string;
  @Id('GroupID_', { required: true }) group_id!: string;
  @Id(['UserID_', 'PlaceholderGroupInviteeID_'], {
    literals: ['PUBLIC'],
    description: 'If absent, a placeholder with a redeem code is created',
  })
  invitee_id?: string;
  @OneOf(ROLES, { required: true }) role!: Role;
  @Timestamp({ description: 'Start time in ms; 0 = no start' }) active_from?: number;
  @Timestamp({ expiry: true, description: 'ms; -1 = never' }) expires_at?: number;
  @Text({ max: 8192 }) note?: string;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdateInviteBody {
  @Id('GroupInviteID_', { required: true }) id!: string;
  @OneOf(ROLES, { null: 'keeps' }) role?: Role;
  @Timestamp({ null: 'keeps' }) active_from?: number;
  @Timestamp({ expiry: true, null: 'keeps' }) expires_at?: number;
  @Text({ max: 8192, null: 'clears' }) note?: string | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeleteInviteBody {
  @Id('GroupInviteID_', { required: true }) id!: string;
}

export class ListInvitesBody extends ListBody {
  @Id('GroupID_', { required: true }) group_id!: string;
}

export class RedeemInviteBody {
  @Id('GroupInviteID_', { required: true }) invite_id!: string;
  @Text({ max: 256, required: true, description: 'Redeem code; PUBLIC for a public invite' })
  redeem_code!: string;
  @Text({ max: 512 }) note?: string;
}

export class ValidateMembershipBody {
  @Id('UserID_', { required: true }) user_id!: string;
  @Id('GroupID_', { required: true }) group_id!: string;
}
