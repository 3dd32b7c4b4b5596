import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { invitesTo } from '../relations/found-by.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';
import { INVITE_DEFAULTS, type INVITE_SETTINGS } from '../relations/membership.js';

/** The fields of a group that a client may set, with their defaults. */
export const GROUP_DEFAULTS = {
  avatar: '',
  public_note: '',
  private_note: '',
  external_id: null as string | null,
  external_payload: null as string | null,
};

export type GroupFields = typeof GROUP_DEFAULTS & { name: string; host_url: string };

export interface Group extends RecordBase, Readonly<GroupFields> {
  readonly owner: string;
  readonly created_at: number;
  readonly last_modified_at: number;
}

export const groupFamily: FamilyDefinition<Group> = {
  name: 'groups',
  prefix: PREFIX.group,
  table: 'TABLE_GROUPS',
  noun: 'group',
  defaults: { label_ids: [], ...GROUP_DEFAULTS },
  user_fields: ['owner'],
  indexes: { ...byExternalId, owner: (group) => group.owner },
};

export type Role = 'ADMIN' | 'MEMBER';

/** The fields of an invite that a client may change. */
export type InviteFields = typeof INVITE_SETTINGS & { role: Role };

/** An invite to a user is the membership record itself. */
export interface Invite extends RecordBase, Readonly<InviteFields> {
  readonly group_id: string;
  readonly inviter_id: string;
  /** A user id, a placeholder id or `PUBLIC`. */
  readonly invitee_id: string;
  /** Null without a code; a PUBLIC invite's fixed code is not stored. */
  readonly redeem_code: Sealed<string | null>;
  /** SHA-256 (hex) of the code, `''` without one. */
  readonly redeem_digest: string;
  readonly from_placeholder_invitee: string | null;
  readonly created_at: number;
  readonly last_modified_at: number;
}

export const inviteFamily: FamilyDefinition<Invite> = {
  name: 'group_invites',
  prefix: PREFIX.invite,
  table: 'TABLE_GROUPS',
  noun: 'invite',
  defaults: { label_ids: [], ...INVITE_DEFAULTS },
  user_fields: ['inviter_id', 'invitee_id'],
  indexes: {
    ...byExternalId,
    group: (invite) => invite.group_id,
    invitee: (invite) => invite.invitee_id,
  },
  found_by: ({ group_id, invitee_id }) => invitesTo(group_id, invitee_id),
  windows: (invite) => [invite.active_from, invite.expires_at],
};

/** Refusals of this family's commands and queries. */
export const groupRefusals = {
  'group-not-found': notFound('group'),
  'invite-not-found': notFound('invite'),
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    groups: Group;
    invites: Invite;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof groupRefusals> {}
}
