import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';
import type { GroupFields, InviteFields } from './record.js';

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
  /** A user redeemed a placeholder invite. */
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
