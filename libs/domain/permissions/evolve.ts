import type { Permission } from '../access/permission.js';
import type { Evolvers } from '../foundation/evolver.js';
import type { Table } from '../kernel/table.js';
import { removeGrant } from '../relations/cascade.js';
import type { PermissionEvents } from './events.js';

/** Transfers a placeholder's grant to a user and removes its code. */
function redeem<Type extends string>(
  table: Table<Permission<Type>>,
  data: { permission_id: string; granted_to: string; note: string | null },
  at_ms: number,
): void {
  const grant = table.get(data.permission_id);
  if (!grant) return;
  table.put({
    ...grant,
    granted_to: data.granted_to,
    from_placeholder_grantee: grant.granted_to,
    redeem_code: null,
    redeem_digest: '',
    note: data.note ?? grant.note,
    last_modified_at: at_ms,
  });
}

export const permissionEvolvers: Evolvers<PermissionEvents> = {
  DirectoryPermissionCreated(state, { permission_id, ...fields }, { timestamp_ms }) {
    state.directory_permissions.put({
      ...fields,
      id: permission_id,
      from_placeholder_grantee: null,
      created_at: timestamp_ms,
      last_modified_at: timestamp_ms,
    });
  },

  DirectoryPermissionUpdated(state, { permission_id, ...fields }, { timestamp_ms }) {
    const grant = state.directory_permissions.get(permission_id);
    if (grant)
      state.directory_permissions.put({ ...grant, ...fields, last_modified_at: timestamp_ms });
  },

  DirectoryPermissionDeleted(state, { permission_id }) {
    removeGrant(state, permission_id);
  },

  DirectoryPermissionRedeemed(state, data, { timestamp_ms }) {
    redeem(state.directory_permissions, data, timestamp_ms);
  },

  SystemPermissionCreated(state, { permission_id, ...fields }, { timestamp_ms }) {
    state.system_permissions.put({
      ...fields,
      id: permission_id,
      from_placeholder_grantee: null,
      created_at: timestamp_ms,
      last_modified_at: timestamp_ms,
    });
  },

  SystemPermissionUpdated(state, { permission_id, ...fields }, { timestamp_ms }) {
    const grant = state.system_permissions.get(permission_id);
    if (!grant) return;
    const regranted = fields.granted_to === undefined ? {} : { from_placeholder_grantee: null };
    state.system_permissions.put({
      ...grant,
      ...fields,
      ...regranted,
      last_modified_at: timestamp_ms,
    });
  },

  SystemPermissionDeleted(state, { permission_id }) {
    removeGrant(state, permission_id);
  },

  SystemPermissionRedeemed(state, data, { timestamp_ms }) {
    redeem(state.system_permissions, data, timestamp_ms);
  },
};
