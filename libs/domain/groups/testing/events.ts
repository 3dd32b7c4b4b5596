import { INVITE_DEFAULTS } from '../../relations/membership.js';
import type { SystemType } from '../../kernel/permission-types.js';
import { event, type DomainEvent } from '../../foundation/events.js';
import type { ApiKeyEvents } from '../../api-keys/events.js';
import { serviceContactCreated } from '../../relations/bare-contact.js';
import type { ContactEvents } from '../../contacts/events.js';
import { bodyOf } from '../../kernel/fields.js';
import { systemGranted } from '../../permissions/testing/events.js';
import { OWNER } from '../../testing/drive.js';
import type { GroupEvents } from '../events.js';

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

/** A MEMBER invite by `OWNER`; by default always active. */
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
    ...INVITE_DEFAULTS,
    ...fields,
  });
}

/** A system grant by `OWNER` that is always active. */
export function granted(
  permission_id: string,
  granted_to: string,
  resource_id: string,
  ...permission_types: SystemType[]
): DomainEvent {
  return systemGranted(permission_id, resource_id, granted_to, OWNER, ...permission_types);
}

/** The event of a superswap. */
export function superswapped(current_user_id: string, new_user_id: string): DomainEvent {
  return event('UserSuperswapped', { current_user_id, new_user_id, updated_count: 0 });
}

/** A contact created by `OWNER`; by default without a code and in no group. */
export function contacted(
  contact_id: string,
  fields: Partial<ContactEvents['ContactCreated']> = {},
): DomainEvent {
  const nobody = serviceContactCreated(contact_id, `subject-${contact_id}`);
  const data = bodyOf([nobody], 'ContactCreated')!;
  return event('ContactCreated', { ...data, created_by: OWNER, ...fields });
}

/** A key created by the service; it never expires. */
export function keyed(
  api_key_id: string,
  user_id: string,
  digest: string,
  fields: Partial<ApiKeyEvents['ApiKeyCreated']> = {},
): DomainEvent {
  return event('ApiKeyCreated', {
    api_key_id,
    user_id,
    digest,
    last4: 'abcd',
    created_by: null,
    subject_key_id: null,
    name: 'key',
    private_note: null,
    begins_at: 0,
    expires_at: -1,
    external_id: null,
    external_payload: null,
    ...fields,
  });
}

/** A member of a quickstart with a key; all ids are derived from `of`. */
export function joined(
  of: string,
  fields: Partial<ContactEvents['MemberJoined']> = {},
): DomainEvent {
  return event('MemberJoined', {
    contact_id: `UserID_${of}`,
    subject_key_id: `subject-${of}`,
    name: of,
    everyone_invite_id: `GroupInviteID_${of}`,
    api_key_id: `ApiKeyID_${of}`,
    api_key_digest: `digest-of-${of}`,
    api_key_last4: of.slice(-4),
    ...fields,
  });
}
