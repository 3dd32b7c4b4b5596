import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';

export interface Group extends RecordBase {
  readonly name: string;
  readonly owner: string;
  readonly avatar: string;
  readonly public_note: string;
  readonly private_note: string;
  readonly host_url: string;
  readonly external_id: string | null;
  readonly external_payload: string | null;
  readonly created_at: number;
  readonly last_modified_at: number;
}

export const groupFamily: FamilyDefinition<Group> = {
  name: 'groups',
  prefix: PREFIX.group,
  table: 'TABLE_GROUPS',
  noun: 'group',
  defaults: {
    label_ids: [],
    avatar: '',
    public_note: '',
    private_note: '',
    external_id: null,
    external_payload: null,
  },
  user_fields: ['owner'],
  indexes: { ...byExternalId, owner: (group) => group.owner },
};

export type Role = 'ADMIN' | 'MEMBER';

/** An invite to a user is the membership record itself. */
export interface Invite extends RecordBase {
  readonly group_id: string;
  readonly inviter_id: string;
  /** A user id, a placeholder id or `PUBLIC`. */
  readonly invitee_id: string;
  readonly role: Role;
  readonly note: string;
  /** ms; 0 = from the start. */
  readonly active_from: number;
  /** ms; -1 = never. */
  readonly expires_at: number;
  /** Null without a code; a PUBLIC invite's fixed code is not stored. */
  readonly redeem_code: Sealed<string | null>;
  /** SHA-256 (hex) of the code, `''` without one. */
  readonly redeem_digest: string;
  readonly from_placeholder_invitee: string | null;
  readonly external_id: string | null;
  readonly external_payload: string | null;
  readonly created_at: number;
  readonly last_modified_at: number;
}

export const inviteFamily: FamilyDefinition<Invite> = {
  name: 'group_invites',
  prefix: PREFIX.invite,
  table: 'TABLE_GROUPS',
  noun: 'invite',
  defaults: {
    label_ids: [],
    note: '',
    active_from: 0,
    expires_at: -1,
    redeem_code: null,
    redeem_digest: '',
    from_placeholder_invitee: null,
    external_id: null,
    external_payload: null,
  },
  user_fields: ['inviter_id', 'invitee_id'],
  indexes: {
    ...byExternalId,
    group: (invite) => invite.group_id,
    invitee: (invite) => invite.invitee_id,
  },
  windows: (invite) => [invite.active_from, invite.expires_at],
};

declare module '../foundation/state.js' {
  interface Records {
    groups: Group;
    invites: Invite;
  }
}
