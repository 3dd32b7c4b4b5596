import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { grantsOn } from '../relations/found-by.js';
import type { Permission } from '../access/permission.js';
import { visibilityKeyOf } from '../access/visibility.js';
import { byExternalId } from '../kernel/external-id.js';
import type { DirectoryType, SystemType } from '../kernel/permission-types.js';
import { GRANT_DEFAULTS } from '../relations/default-grant.js';

export type DirectoryPermission = Permission<DirectoryType>;
export type SystemPermission = Permission<SystemType>;

const shared = {
  defaults: { label_ids: [], ...GRANT_DEFAULTS },
  indexes: {
    ...byExternalId,
    resource: (grant: Permission) => grant.resource_id,
    grantee: (grant: Permission) => grant.granted_to,
    granter: (grant: Permission) => grant.granted_by,
  },
  pairs: {
    resource_grantee: (grant: Permission) => [grant.resource_id, grant.granted_to] as const,
  },
  found_by: (grant: Permission) => grantsOn(grant.resource_id),
  windows: (grant: Permission) => [grant.begin_date_ms, grant.expiry_date_ms],
} as const;

export const directoryPermissionFamily: FamilyDefinition<DirectoryPermission> = {
  name: 'directory_permissions',
  prefix: PREFIX.directory_permission,
  table: 'TABLE_PERMISSIONS',
  ...shared,
  indexes: { ...shared.indexes, visibility: visibilityKeyOf },
  user_fields: ['granted_by', 'granted_to'],
};

export const systemPermissionFamily: FamilyDefinition<SystemPermission> = {
  name: 'system_permissions',
  prefix: PREFIX.system_permission,
  table: 'TABLE_PERMISSIONS',
  ...shared,
  indexes: { ...shared.indexes, label: ({ label_ids = null }) => label_ids },
  user_fields: ['granted_by', 'granted_to', 'resource_id'],
};

/** Refusals of this family's commands and queries. */
export const permissionRefusals = {
  ceiling: {
    type: 'permission.ceiling',
    status: 403,
    title: 'You can grant only permissions that you hold, within the same period and scope.',
  },
  'public-grant-too-wide': {
    type: 'permission.public-too-wide',
    status: 403,
    title: 'Only the owner may grant these permissions to PUBLIC.',
  },
  'too-many-grants': {
    type: 'permission.too-many',
    status: 400,
    title: 'The grantee has the maximum number of permissions on this resource.',
  },
  'permission-not-found': notFound('permission'),
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    directory_permissions: DirectoryPermission;
    system_permissions: SystemPermission;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof permissionRefusals> {}
}
