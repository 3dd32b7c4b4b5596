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
  /** The disk to create when the organization is activated. */
  DefaultDiskBundled: { bundled_default_disk: Sealed<BundledDisk> };
  /** The spawn code was used. The key and disk created with it have their own events. */
  OrganizationActivated: Record<never, never>;
  OwnershipTransferRequested: { next_owner_id: string };
  OwnershipTransferCancelled: Record<never, never>;
  OwnershipTransferred: {
    old_owner_id: string;
    new_owner_id: string;
    /** For the new owner's contact, if there is none yet. */
    subject_key_id: string;
    /** For the new owner's ADMIN invite in the everyone group, if there is none yet. */
    everyone_invite_id: string;
  };
  AllowedDomainsUpdated: { allowed_domains: string };
  /** Read models of the drive were rebuilt. */
  ReadModelsRebuilt: { events_folded: number; documents_written: number };
  /** A notification arrived in the inbox. Its payload is only stored in the event. */
  InboxNotified: { inbox_notif_id: string; topic: string | null; payload: unknown };
  ShortlinkCreated: { slug: string; original_url: string; created_by: string };
  ShortlinkRemoved: { slug: string };
  /** One user id was replaced by another in the whole drive. */
  UserSuperswapped: {
    current_user_id: string;
    new_user_id: string;
    /** Number of records with the old id. Stored, since they cannot be counted afterwards. */
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
