import { Access } from '../access/access.js';
import { recordsHeld, resourcesReached } from '../access/visible.js';
import type { Context } from '../drive/decision.js';
import type { Clause, ReadDefinition } from '../drive/reading.js';
import { PREFIX } from '../kernel/ids.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import type { DirectoryPermission, SystemPermission } from './record.js';
import { mayReadDirectoryGrant, mayReadSystemGrant } from './rights.js';
import {
  type DirectoryPermissionView,
  presentDirectoryPermission,
  presentSystemPermission,
  type SystemPermissionView,
} from './view.js';

export const directoryPermissionReads: ReadDefinition<
  DirectoryPermission,
  DirectoryPermissionView
> = {
  family: 'directory_permissions',
  not_found: 'permission-not-found',
  when_hidden: 'permission-not-found',
  mayRead: (context, grant) => mayReadDirectoryGrant(Access.of(context), grant),
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_PERMISSIONS')) return 'all';
    return [
      ...asParty(access, PREFIX.directory_permission),
      { field: 'resource_id', among: resourcesReached(access) },
    ];
  },
  present: presentDirectoryPermission,
};

export const systemPermissionReads: ReadDefinition<SystemPermission, SystemPermissionView> = {
  family: 'system_permissions',
  not_found: 'permission-not-found',
  when_hidden: 'permission-not-found',
  mayRead: (context, grant) => mayReadSystemGrant(Access.of(context), grant),
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_PERMISSIONS')) return 'all';
    return asParty(access, PREFIX.system_permission);
  },
  present: presentSystemPermission,
};

/** Grants made by the caller, made to the caller, or open to VIEW one by one. */
function asParty(access: Access, prefix: string): readonly Clause[] {
  return [
    { field: 'granted_by', among: new Set(access.grantee_id ? [access.grantee_id] : []) },
    { field: 'granted_to', among: access.grantees },
    { field: 'id', among: recordsHeld(access, 'VIEW', prefix) },
  ];
}

/** What the list of one resource's grants is taken from: all placed on it, for whoever may VIEW it. */
export function grantsOnResource(context: Context, resource_id: string): Clause | Refusal {
  const access = Access.of(context);
  if (!access.canDirectory('VIEW', resource_id)) return refuse('forbidden');
  if (!access.exists(resource_id)) return refuse('resource-not-found');
  return { field: 'resource_id', among: new Set([resource_id]) };
}
