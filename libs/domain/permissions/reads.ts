import { Access } from '../access/access.js';
import type { Permission } from '../access/permission.js';
import {
  DIRECTORY_RIGHTS,
  recordsHeld,
  resourcesReached,
  SYSTEM_RIGHTS,
} from '../access/visible.js';
import type { Context } from '../foundation/decision.js';
import type { Clause, ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { findLabel } from '../relations/labels.js';
import type { DirectoryPermission, SystemPermission } from './record.js';
import { mayReadDirectoryGrant, mayReadSystemGrant } from './rules/rights.js';
import {
  type DirectoryPermissionView,
  presentDirectoryPermission,
  presentSystemPermission,
  type SystemPermissionView,
} from './view.js';

const grantFields = {
  resource_id: (grant: Permission) => grant.resource_id,
  granted_to: (grant: Permission) => grant.granted_to,
  granted_by: (grant: Permission) => grant.granted_by,
};

export const directoryPermissionReads: ReadDefinition<
  DirectoryPermission,
  DirectoryPermissionView
> = {
  family: 'directory_permissions',
  not_found: 'permission-not-found',
  when_hidden: 'permission-not-found',
  mayRead: (context, grant) => mayReadDirectoryGrant(Access.of(context), grant),
  rests_on: DIRECTORY_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_PERMISSIONS')) return 'all';
    return [
      ...asParty(access, PREFIX.directory_permission),
      { field: 'resource_id', among: resourcesReached(access) },
    ];
  },
  present: presentDirectoryPermission,
  fields: grantFields,
};

export const systemPermissionReads: ReadDefinition<SystemPermission, SystemPermissionView> = {
  family: 'system_permissions',
  not_found: 'permission-not-found',
  when_hidden: 'permission-not-found',
  mayRead: (context, grant) => mayReadSystemGrant(Access.of(context), grant),
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_PERMISSIONS')) return 'all';
    return asParty(access, PREFIX.system_permission);
  },
  present: presentSystemPermission,
  fields: grantFields,
};

/** Grants created by the caller, made to the caller, or with VIEW individually. */
function asParty(access: Access, prefix: string): readonly Clause[] {
  return [
    { field: 'granted_by', among: new Set(access.grantee_id ? [access.grantee_id] : []) },
    { field: 'granted_to', among: access.grantees },
    { field: 'id', among: recordsHeld(access, 'VIEW', prefix) },
  ];
}

/** Reads of one resource's list, which shows all of it to callers whom `grantsOnResource` admits. */
export const resourceGrantReads: typeof directoryPermissionReads = {
  ...directoryPermissionReads,
  mayRead: () => true,
  visible: () => 'all',
};

/** The source of the list of one resource's grants: all grants on it, for callers who may VIEW it. */
export function grantsOnResource(context: Context, resource_id: string): Clause | Refusal {
  const access = Access.of(context);
  if (!access.canDirectory('VIEW', resource_id)) return access.denied();
  if (!access.exists(resource_id)) return refuse('resource-not-found');
  return { field: 'resource_id', among: new Set([resource_id]) };
}

/** Filter of system grants in a list: of each given, non-empty list one value must match. */
export interface SystemGrantFilter {
  readonly resource_ids?: readonly string[] | undefined;
  readonly grantee_ids?: readonly string[] | undefined;
  readonly labels?: readonly string[] | undefined;
}

export function systemGrantsWhere(
  { state }: Context,
  filter: SystemGrantFilter,
): readonly Clause[] {
  const clauses: Clause[] = [];
  const { resource_ids = [], grantee_ids = [], labels = [] } = filter;
  if (resource_ids.length > 0) clauses.push({ field: 'resource_id', among: new Set(resource_ids) });
  if (grantee_ids.length > 0) clauses.push({ field: 'granted_to', among: new Set(grantee_ids) });
  if (labels.length > 0) {
    const labelled = labels.flatMap((label) => {
      const label_id = findLabel(state, label)?.id;
      return label_id === undefined ? [] : state.undo_log.pins.of(label_id);
    });
    clauses.push({ field: 'id', among: new Set(labelled) });
  }
  return clauses;
}
