import { type DomainEvent, event } from '../drive/events.js';
import type { SystemType } from '../permissions/record.js';
import { OWNER } from '../testing/drive.js';
import type { GroupEvents } from './events.js';

/** A group of `OWNER` with nothing set but its ids. */
export function grouped(
  group_id: string,
  owner = OWNER,
  admin_invite_id = `GroupInviteID_${group_id}`,
): DomainEvent {
  return event('GroupCreated', {
    group_id,
    owner,
    admin_invite_id,
    name: 'Finance',
    avatar: '',
    public_note: '',
    private_note: '',
    host_url: 'http://host.example',
    external_id: null,
    external_payload: null,
  });
}

/** A MEMBER invite by `OWNER`, always active, unless told otherwise. */
export function invited(
  invite_id: string,
  group_id: string,
  invitee_id: string,
  fields: Partial<GroupEvents['GroupInviteCreated']> = {},
): DomainEvent {
  return event('GroupInviteCreated', {
    invite_id,
    group_id,
    invitee_id,
    inviter_id: OWNER,
    role: 'MEMBER',
    note: '',
    active_from: 0,
    expires_at: -1,
    redeem_code: null,
    redeem_digest: '',
    from_placeholder_invitee: null,
    external_id: null,
    external_payload: null,
    ...fields,
  });
}

/** A system grant by `OWNER` that always counts. */
export function granted(
  permission_id: string,
  granted_to: string,
  resource_id: string,
  ...permission_types: SystemType[]
): DomainEvent {
  return event('SystemPermissionCreated', {
    permission_id,
    resource_id,
    granted_to,
    granted_by: OWNER,
    permission_types,
    begin_date_ms: 0,
    expiry_date_ms: -1,
    inheritable: true,
    note: '',
    metadata: null,
    external_id: null,
    external_payload: null,
    redeem_code: null,
    redeem_digest: '',
  });
}

/** One user id took another's place. */
export function superswapped(current_user_id: string, new_user_id: string): DomainEvent {
  return event('UserSuperswapped', { current_user_id, new_user_id, updated_count: 0 });
}
