import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';
import type { Role } from './record.js';

/** The fields of a group that a client may set. */
export interface GroupFields {
  name: string;
  avatar: string;
  public_note: string;
  private_note: string;
  host_url: string;
  external_id: string | null;
  external_payload: string | null;
}

/** The fields of an invite that a client may change. */
export interface InviteFields {
  role: Role;
  note: string;
  active_from: number;
  expires_at: number;
  external_id: string | null;
  external_payload: string | null;
}

export interface GroupEvents {
  GroupCreated: GroupFields & { group_id: string; owner: string; admin_invite_id: string };
  GroupUpdated: { group_id: string } & Partial<GroupFields>;
  GroupDeleted: { group_id: string };
  GroupInviteCreated: InviteFields & {
    invite_id: string;
    group_id: string;
    inviter_id: string;
    invitee_id: string;
    redeem_code: Sealed<string | null>;
    redeem_digest: string;
    from_placeholder_invitee: string | null;
  };
  GroupInviteUpdated: { invite_id: string } & Partial<InviteFields>;
  GroupInvitesDeleted: { invite_ids: readonly string[] };
  /** A placeholder invite was claimed by a user. */
  GroupInviteRedeemed: { invite_id: string; invitee_id: string; note: string };
}

export const groupSchemas: EventSchemas<GroupEvents> = {
  GroupCreated: { version: 1 },
  GroupUpdated: { version: 1 },
  GroupDeleted: { version: 1 },
  GroupInviteCreated: { version: 1, secret: ['redeem_code'], hidden: ['redeem_digest'] },
  GroupInviteUpdated: { version: 1 },
  GroupInvitesDeleted: { version: 1 },
  GroupInviteRedeemed: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends GroupEvents {}
}
