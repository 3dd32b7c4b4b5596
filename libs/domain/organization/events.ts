import type { BundledDisk } from '../disks/bundled.js';
import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';
import type { SystemType } from '../kernel/permission-types.js';
import type { DriveState } from '../foundation/state.js';
import { bareContact } from '../relations/bare-contact.js';
import type { Evolvers } from '../foundation/evolver.js';
import { isActive } from '../access/principals.js';
import { membership } from '../relations/membership.js';
import { principalOf } from '../kernel/ids.js';
import { defaultGrant } from '../relations/default-grant.js';
import type { Organization } from './record.js';
import { superswap } from '../relations/superswap.js';
import type { Summaries } from '../foundation/summary-context.js';

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

/** Name of the group that every contact joins. */
const EVERYONE_GROUP_NAME = 'Group for All';

/** Clears the spawn code, once used or erased, and the bundled disk. */
const NO_SPAWN_CODE = {
  spawn_redeem_code: '',
  spawn_redeem_digest: '',
  bundled_default_disk: null,
};

function change(state: DriveState, fields: Partial<Organization>): void {
  state.organizations.put({ ...state.organization, ...fields });
}

export const organizationEvolvers: Evolvers<OrganizationEvents> = {
  OrganizationSpawned(state, data, { timestamp_ms: at_ms }) {
    const { drive_id, owner_id, host_url, everyone_group_id: group_id } = data;
    const name = data.organization_name;
    state.organizations.put({
      id: drive_id,
      name,
      owner_id,
      pending_owner_id: null,
      pending_since_ms: 0,
      host_url,
      frontend_url: data.frontend_url,
      spawn_redeem_code: data.spawn_redeem_code,
      spawn_redeem_digest: data.spawn_redeem_digest,
      spawn_note: data.spawn_note,
      bundled_default_disk: null,
      default_everyone_group_id: group_id,
      allowed_domains: '',
      external_id: data.external_id,
      external_payload: null,
      email: data.email,
      created_at: at_ms,
    });
    const owner = bareContact(owner_id, data.subject_key_id, at_ms);
    state.contacts.put({ ...owner, name: data.name });
    state.drives.put({
      id: drive_id,
      name,
      icp_principal: principalOf(drive_id),
      public_note: '',
      private_note: '',
      host_url,
      last_indexed_ms: null,
      email: data.email,
      external_id: data.external_id,
      external_payload: null,
      created_at: at_ms,
    });
    state.groups.put({
      id: group_id,
      name: EVERYONE_GROUP_NAME,
      owner: owner_id,
      avatar: '',
      public_note: '',
      private_note: '',
      host_url,
      external_id: null,
      external_payload: null,
      created_at: at_ms,
      last_modified_at: at_ms,
    });
    state.invites.put(
      membership(data.everyone_invite_id, group_id, owner_id, owner_id, 'ADMIN', at_ms),
    );
    const may_view = defaultGrant<SystemType>(
      data.everyone_permission_id,
      'TABLE_DISKS',
      group_id,
      owner_id,
      ['VIEW'],
      true,
      at_ms,
    );
    state.system_permissions.put({ ...may_view, begin_date_ms: at_ms });
  },

  DefaultDiskBundled(state, { bundled_default_disk }) {
    change(state, { bundled_default_disk });
  },

  OrganizationActivated(state) {
    change(state, NO_SPAWN_CODE);
  },

  OwnershipTransferRequested(state, { next_owner_id }, { timestamp_ms }) {
    change(state, { pending_owner_id: next_owner_id, pending_since_ms: timestamp_ms });
  },

  OwnershipTransferCancelled(state) {
    change(state, { pending_owner_id: null, pending_since_ms: 0 });
  },

  OwnershipTransferred(state, data, { timestamp_ms: at_ms }) {
    const { old_owner_id, new_owner_id } = data;
    change(state, {
      owner_id: new_owner_id,
      pending_owner_id: null,
      pending_since_ms: 0,
      ...NO_SPAWN_CODE,
    });
    const contact = state.contacts.get(new_owner_id);
    if (!contact) state.contacts.put(bareContact(new_owner_id, data.subject_key_id, at_ms));
    else if (contact.redeem_digest)
      state.contacts.put({
        ...contact,
        redeem_code: '',
        redeem_digest: '',
        code_ends_on_sign_in: false,
        updated_at: at_ms,
      });
    const trusted = [null, old_owner_id, new_owner_id];
    for (const key_id of [...state.api_keys.by('user', new_owner_id)]) {
      const key = state.api_keys.get(key_id)!;
      if (!trusted.includes(key.created_by)) state.api_keys.put({ ...key, is_revoked: true });
    }
    const group = state.groups.get(state.organization.default_everyone_group_id);
    if (!group) return;
    state.groups.put({ ...group, owner: new_owner_id, last_modified_at: at_ms });
    const invites = [...state.invites.where('group', group.id)];
    const has_admin_invite = invites.some(
      (invite) =>
        invite.invitee_id === new_owner_id && invite.role === 'ADMIN' && isActive(invite, at_ms),
    );
    if (!has_admin_invite)
      state.invites.put(
        membership(data.everyone_invite_id, group.id, old_owner_id, new_owner_id, 'ADMIN', at_ms),
      );
  },

  AllowedDomainsUpdated(state, { allowed_domains }) {
    change(state, { allowed_domains });
  },

  ReadModelsRebuilt(state, _, { timestamp_ms }) {
    const own = state.drives.get(state.drive_id);
    if (own) state.drives.put({ ...own, last_indexed_ms: timestamp_ms });
  },

  // A notification is only an event; it creates no record.
  InboxNotified() {},

  ShortlinkCreated(state, { slug, original_url, created_by }, { timestamp_ms }) {
    state.shortlinks.put({ id: slug, original_url, created_by, created_at: timestamp_ms });
  },

  ShortlinkRemoved(state, { slug }) {
    state.shortlinks.remove(slug);
  },

  UserSuperswapped: (state, { current_user_id, new_user_id }, facts) =>
    superswap(state, current_user_id, new_user_id, facts),
};

export const organizationSummaries: Summaries<OrganizationEvents> = {
  OrganizationSpawned: ({ name }, { organization_name, owner_id }) =>
    `The organization ${organization_name} was founded for ${name(owner_id)}`,

  DefaultDiskBundled: () => 'The organization was given a disk to begin with',

  OrganizationActivated: () => 'The organization was activated with its code',

  OwnershipTransferRequested: ({ actor, name }, { next_owner_id }) =>
    `${actor} asked to hand the organization over to ${name(next_owner_id)}`,

  OwnershipTransferCancelled: ({ actor }) => `${actor} cancelled the transfer of ownership`,

  OwnershipTransferred: ({ actor, name }, { new_owner_id }) =>
    `${actor} handed the organization over to ${name(new_owner_id)}`,

  AllowedDomainsUpdated: ({ actor }, { allowed_domains }) =>
    allowed_domains
      ? `${actor} set the allowed domains to ${allowed_domains}`
      : `${actor} cleared the allowed domains`,

  ReadModelsRebuilt: ({ actor }, { events_folded }) =>
    `${actor} rebuilt the read models from ${events_folded} events`,

  InboxNotified: ({ actor }, { topic }) =>
    `${actor} put a notice into the inbox${topic ? ` on ${topic}` : ''}`,

  ShortlinkCreated: ({ actor }, { slug }) => `${actor} made the short link ${slug}`,

  ShortlinkRemoved: ({ actor }, { slug }) => `${actor} removed the short link ${slug}`,

  UserSuperswapped: ({ actor, name }, { current_user_id, new_user_id }) =>
    `${actor} replaced the user id ${current_user_id} by ${new_user_id} (${name(new_user_id)})`,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends OrganizationEvents {}
}
