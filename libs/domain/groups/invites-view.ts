import { SYSTEM_TYPES, type SystemType } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { PUBLIC } from '../kernel/ids.js';
import { labelValues } from '../relations/labels.js';
import { inviteeName, userAvatar } from '../relations/people.js';
import type { Invite, Role } from './record.js';

export interface InviteView {
  id: string;
  group_id: string;
  inviter_id: string;
  invitee_id: string;
  role: Role;
  note: string;
  active_from: number;
  expires_at: number;
  created_at: number;
  last_modified_at: number;
  redeem_code: string | null;
  from_placeholder_invitee: string | null;
  labels: string[];
  external_id: string | null;
  external_payload: string | null;
  group_name: string;
  group_avatar: string;
  invitee_name: string;
  invitee_avatar: string | null;
  permission_previews: readonly SystemType[];
}

/** True if the caller may read the invite: who made it, whom it names, admins, VIEW on the group. */
export function mayReadInvite(access: Access, invite: Invite): boolean {
  return (
    access.is_owner ||
    access.self(invite.inviter_id, invite.invitee_id) !== null ||
    access.groupAdmin(invite.group_id) !== null ||
    access.can('VIEW', invite.group_id)
  );
}

/** An invite as the caller of `context` sees it. */
export function presentInvite(context: Context, invite: Invite): InviteView {
  const access = Access.of(context);
  const group = context.state.groups.get(invite.group_id);
  return {
    id: invite.id,
    group_id: invite.group_id,
    inviter_id: invite.inviter_id,
    invitee_id: invite.invitee_id,
    role: invite.role,
    note: invite.note,
    active_from: invite.active_from,
    expires_at: invite.expires_at,
    created_at: invite.created_at,
    last_modified_at: invite.last_modified_at,
    redeem_code: shownCode(context, access, invite),
    from_placeholder_invitee: invite.from_placeholder_invitee,
    labels: labelValues(context.state, invite),
    external_id: invite.external_id || null,
    external_payload: invite.external_payload || null,
    group_name: group?.name ?? '',
    group_avatar: group?.avatar ?? '',
    invitee_name: inviteeName(context, invite.invitee_id),
    invitee_avatar: userAvatar(context, invite.invitee_id),
    permission_previews: previews(access, invite),
  };
}

function shownCode(context: Context, access: Access, invite: Invite): string | null {
  if (invite.invitee_id === PUBLIC) return PUBLIC;
  if (invite.redeem_code === null || !maySeeCode(access, invite)) return null;
  return context.masked ? MASKED : context.open(invite.redeem_code, 'redeem_code');
}

/** A code makes its holder a member, so it requires the permission to create such an invite. */
function maySeeCode(access: Access, { group_id, inviter_id, role }: Invite): boolean {
  return (
    access.is_owner ||
    access.self(inviter_id) !== null ||
    access.groupAdmin(group_id) !== null ||
    access.can(role === 'ADMIN' ? 'EDIT' : 'INVITE', group_id)
  );
}

function previews(access: Access, invite: Invite): readonly SystemType[] {
  if (access.is_owner || access.groupAdmin(invite.group_id)) return SYSTEM_TYPES;
  const held = access.systemTypes(invite.group_id);
  if (held.includes('VIEW') || !mayReadInvite(access, invite)) return held;
  return SYSTEM_TYPES.filter((type) => type === 'VIEW' || held.includes(type));
}
