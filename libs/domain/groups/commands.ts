import type { GroupFields, InviteFields, Role } from './record.js';

/** What a caller may ask of groups. Absent fields take their default (create) or stay (update). */
export interface CreateGroup extends Partial<GroupFields> {
  id?: string;
  fresh: { group_id: string; invite_id: string };
}

export interface UpdateGroup extends Partial<Omit<GroupFields, 'host_url'>> {
  id: string;
  /** Null: back to the organization's. */
  host_url?: string | null;
}

export interface DeleteGroup {
  id: string;
}

export interface CreateInvite extends Partial<InviteFields> {
  id?: string;
  group_id: string;
  /** Absent: a fresh placeholder. */
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
