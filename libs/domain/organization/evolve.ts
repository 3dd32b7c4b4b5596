import type { SystemType } from '../kernel/permission-types.js';
import type { DriveState } from '../foundation/state.js';
import { bareContact } from '../relations/bare-contact.js';
import type { Evolvers } from '../foundation/evolver.js';
import { isActive } from '../access/active.js';
import { membership } from '../relations/membership.js';
import { principalOf } from '../kernel/ids.js';
import { defaultGrant } from '../relations/default-grant.js';
import type { OrganizationEvents } from './events.js';
import type { Organization } from './record.js';
import { superswap } from '../relations/superswap.js';

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

  UserSuperswapped(state, { current_user_id, new_user_id }, facts) {
    superswap(state, current_user_id, new_user_id, facts);
  },
};
