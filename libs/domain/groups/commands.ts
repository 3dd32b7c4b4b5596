import type { GroupFields, InviteFields, Role } from './record.js';

/** Commands on groups. Absent fields get their default (create) or do not change (update). */
export interface CreateGroup extends Partial<GroupFields> {
  id?: string;
  fresh: { group_id: string; invite_id: string };
}

export interface UpdateGroup extends Partial<Omit<GroupFields, 'host_url'>> {
  id: string;
  /** Null: resets to the organization's. */
  host_url?: string | null;
}

export interface DeleteGroup {
  id: string;
}

export interface CreateInvite extends Partial<InviteFields> {
  id?: string;
  group_id: string;
  /** Absent: a new placeholder. */
  invitee_id?: string;
  role: Role;
  fresh: { invite_id: string; placeholder_id: string; code: string; code_digest: string };
}

export interface UpdateInvite extends Partial<InviteFields> {
  id: string;
}

export interface DeleteInvite {
  id: string;
}

export interface RedeemInvite {
  invite_id: string;
  redeem_code: string;
  /** SHA-256 (hex) of `redeem_code`. */
  redeem_digest: string;
  note?: string;
  fresh: { invite_id: string; subject_key_id: string };
}
