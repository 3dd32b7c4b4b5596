import type { BundledDisk } from '../disks/bundled.js';
import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';

/** Events of the organization as a whole. */
export interface OrganizationEvents {
  /** The first event of every drive: organization, owner's contact, own drive record, everyone group. */
  OrganizationSpawned: {
    drive_id: string;
    organization_name: string;
    owner_id: string;
    /** Name of the owner's contact. */
    name: Sealed<string>;
    subject_key_id: string;
    host_url: string;
    frontend_url: string;
    spawn_redeem_code: Sealed<string>;
    spawn_redeem_digest: string;
    spawn_note: Sealed<string>;
    email: Sealed<string | null>;
    external_id: string | null;
    everyone_group_id: string;
    everyone_invite_id: string;
    everyone_permission_id: string;
  };
  /** The disk that is to be made when the organization is activated. */
  DefaultDiskBundled: { bundled_default_disk: Sealed<BundledDisk> };
  /** The spawn code was used; keys and disks made on that occasion are events of their own. */
  OrganizationActivated: Record<never, never>;
  OwnershipTransferRequested: { next_owner_id: string };
  OwnershipTransferCancelled: Record<never, never>;
  OwnershipTransferred: {
    old_owner_id: string;
    new_owner_id: string;
    /** For the new owner's contact, should there be none. */
    subject_key_id: string;
    /** For the new owner's ADMIN invite in the everyone group, should there be none. */
    everyone_invite_id: string;
  };
  AllowedDomainsUpdated: { allowed_domains: string };
  /** Read models of the drive were rebuilt. */
  ReadModelsRebuilt: { events_folded: number; documents_written: number };
  /** Something arrived in the inbox. The payload lives in the event only. */
  InboxNotified: { inbox_notif_id: string; topic: string | null; payload: unknown };
  ShortlinkCreated: { slug: string; original_url: string; created_by: string };
  ShortlinkRemoved: { slug: string };
  /** One user id took another's place everywhere in the drive. */
  UserSuperswapped: {
    current_user_id: string;
    new_user_id: string;
    /** Records that held the old id. Told here since nobody can count them afterwards. */
    updated_count: number;
  };
}

export const organizationSchemas: EventSchemas<OrganizationEvents> = {
  OrganizationSpawned: {
    version: 1,
    secret: ['spawn_redeem_code', 'email'],
    personal: ['name', 'spawn_note'],
    hidden: ['spawn_redeem_digest'],
  },
  DefaultDiskBundled: { version: 1, secret: ['bundled_default_disk'] },
  OrganizationActivated: { version: 1 },
  OwnershipTransferRequested: { version: 1 },
  OwnershipTransferCancelled: { version: 1 },
  OwnershipTransferred: { version: 1 },
  AllowedDomainsUpdated: { version: 1 },
  ReadModelsRebuilt: { version: 1 },
  InboxNotified: { version: 1, about: 'inbox_notif_id' },
  ShortlinkCreated: { version: 1 },
  ShortlinkRemoved: { version: 1 },
  UserSuperswapped: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends OrganizationEvents {}
}
