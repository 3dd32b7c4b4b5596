import type { permissionCommands } from '../../../libs/domain/permissions/definitions.js';
import { RECORD_KINDS } from '../../../libs/domain/drive/record-kinds.js';
import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../../../libs/domain/kernel/permission-types.js';
import type { MakersOf } from './maker.js';
import type { Means } from './means.js';

/** A table, or a record of any kind that system permissions know. */
function resource({ chance, state, id }: Means): string {
  if (chance.once(2)) return chance.of(RECORD_KINDS.tables);
  const { contacts, groups, invites, disks, api_keys, system_permissions } = state;
  const table = chance.of([contacts, groups, invites, disks, api_keys, system_permissions]);
  return id(table.ids(), 'DiskID_');
}

function grantedTo({ chance, user, group }: Means): { granted_to?: string } {
  const granted_to = chance.of([user(), group(), 'PUBLIC', undefined, undefined]);
  return granted_to === undefined ? {} : { granted_to };
}

const window = ({ begins, ends }: Means) => ({ begin_date_ms: begins, expiry_date_ms: ends });

const metadata = ({ chance, note }: Means) =>
  chance.of([null, { type: 'LABELS', $box: 0, content: note() }, {}]);

const grant = ({ fresh, code }: Means, kind: 'Directory' | 'System') => ({
  permission_id: fresh(`${kind}PermissionID_`),
  placeholder_id: fresh('PlaceholderPermissionGranteeID_'),
  ...code,
});

export const permissionMakers: MakersOf<typeof permissionCommands> = {
  CreateDirectoryPermission(means) {
    const { chance, external, item, chosen } = means;
    return {
      ...chosen('DirectoryPermissionID_'),
      resource_id: item(chance.once(3) ? 'File' : 'Folder'),
      ...grantedTo(means),
      permission_types: chance.some(DIRECTORY_TYPES),
      inheritable: chance.once(2),
      metadata: metadata(means),
      ...window(means),
      ...external,
      fresh: grant(means, 'Directory'),
    };
  },
  UpdateDirectoryPermission(means) {
    const { chance, state, ends, id } = means;
    return {
      id: id(state.directory_permissions.ids(), 'DirectoryPermissionID_'),
      permission_types: chance.some(DIRECTORY_TYPES),
      ...chance.maybe('metadata', metadata(means)),
      ...chance.maybe('expiry_date_ms', ends),
    };
  },
  CreateSystemPermission(means) {
    const { chance, external, chosen } = means;
    return {
      ...chosen('SystemPermissionID_'),
      resource_id: resource(means),
      ...grantedTo(means),
      permission_types: chance.some(SYSTEM_TYPES),
      metadata: metadata(means),
      ...window(means),
      ...external,
      fresh: grant(means, 'System'),
    };
  },
  UpdateSystemPermission(means) {
    const { chance, state, code, id } = means;
    return {
      id: id(state.system_permissions.ids(), 'SystemPermissionID_'),
      permission_types: chance.some(SYSTEM_TYPES),
      ...chance.maybe('resource_id', resource(means)),
      ...grantedTo(means),
      fresh: code,
    };
  },
  DeleteDirectoryPermission: ({ state, id }) => ({
    permission_id: id(state.directory_permissions.ids(), 'x'),
  }),
  DeleteSystemPermission: ({ state, id }) => ({
    permission_id: id(state.system_permissions.ids(), 'x'),
  }),
  RedeemDirectoryPermission: ({ state, user, id }) => {
    const permission_id = id(state.directory_permissions.ids(), 'x');
    const redeem_digest = state.directory_permissions.get(permission_id)?.redeem_digest;
    return { permission_id, user_id: user(), redeem_digest: redeem_digest || 'none' };
  },
  RedeemSystemPermission: ({ state, user, id }) => {
    const permission_id = id(state.system_permissions.ids(), 'x');
    const redeem_digest = state.system_permissions.get(permission_id)?.redeem_digest;
    return { permission_id, user_id: user(), redeem_digest: redeem_digest || 'none' };
  },
};
