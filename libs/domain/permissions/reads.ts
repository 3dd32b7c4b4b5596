import type { Permission } from '../access/permission.js';
import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../kernel/permission-types.js';
import {
  extended,
  described,
  flag,
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  type Shown,
  text,
  view,
} from '../kernel/view.js';
import { Access } from '../access/access.js';
import { clippedPath } from '../access/paths.js';
import { directoryNode, type DirectoryNode } from '../access/resources.js';
import { seesDiskName } from '../directory/items/item-view.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { findLabel, labelValues } from '../relations/labels.js';
import { granteeAvatar, granteeName, granterName } from './names.js';
import type { DirectoryPermission, SystemPermission } from './record.js';
import {
  mayReadDirectoryGrant,
  mayReadSystemGrant,
  maySeeDirectorySecrets,
  maySeeSystemSecrets,
} from './rules/rights.js';
import {
  DIRECTORY_RIGHTS,
  recordsHeld,
  resourcesReached,
  SYSTEM_RIGHTS,
} from '../access/visible.js';
import type { Clause, ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';
import { type Refusal, refuse } from '../kernel/refusal.js';

/** Members that both kinds of permissions share. */
const shownOfAll = {
  id: text(),
  resource_id: text(),
  resource_path: text('Clipped path, empty without VIEW; of system grants the resource'),
  granted_to: text('A user, a group, a placeholder or PUBLIC'),
  granted_by: text(),
  begin_date_ms: integer('ms; 0 = from the start'),
  expiry_date_ms: integer('ms; -1 = never'),
  inheritable: flag(),
  note: text(),
  created_at: integer(),
  last_modified_at: integer(),
  from_placeholder_grantee: nullable(text('The placeholder it was redeemed from')),
  labels: listOf(text()),
  redeem_code: nullable(text('Null without a code and for callers who may not see it')),
  resource_name: text(
    'Of a file or folder its name (of a root that of its disk), empty for those without VIEW; of a system resource its id',
  ),
  grantee_name: text(),
  grantee_avatar: text(),
  granter_name: text(),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
  metadata: nullable(object<object>('A directory password is null to those who may not see it')),
  external_id: nullable(text()),
  external_payload: nullable(text()),
};

export const directoryPermissionView = view('DirectoryPermission', {
  ...shownOfAll,
  permission_types: listOf(oneOf(DIRECTORY_TYPES)),
});
export type DirectoryPermissionView = Shown<typeof directoryPermissionView>;

export const systemPermissionView = view('SystemPermission', {
  ...shownOfAll,
  permission_types: listOf(oneOf(SYSTEM_TYPES)),
});
export type SystemPermissionView = Shown<typeof systemPermissionView>;

const AGAIN = 'The same record once more';

export const directoryPermissionAnswerView = extended(
  'DirectoryPermissionAnswer',
  directoryPermissionView,
  { permission: described(directoryPermissionView, AGAIN) },
);

export const systemPermissionAnswerView = extended('SystemPermissionAnswer', systemPermissionView, {
  permission: described(systemPermissionView, AGAIN),
});

type PermissionView<Type> = Omit<SystemPermissionView, 'permission_types'> & {
  permission_types: readonly Type[];
};

/** A directory grant as the caller of `context` sees it. */
export function presentDirectoryPermission(
  context: Context,
  grant: DirectoryPermission,
): DirectoryPermissionView {
  const { state } = context;
  const access = Access.of(context);
  const node = directoryNode(state, grant.resource_id);
  const sees_path = node !== undefined && access.canDirectory('VIEW', node.id);
  return present(context, access, grant, {
    resource_path: sees_path ? clippedPath(state, node) : '',
    resource_name: node ? nameOf(access, node, sees_path) : '',
    sees_secrets: maySeeDirectorySecrets(access, grant),
  });
}

/** The name of a folder or file, for a root that of its disk; `''` if the caller may not see it. */
function nameOf(access: Access, node: DirectoryNode, sees_path: boolean): string {
  const { state } = access;
  const is_root = node.parent_folder_uuid === null && node.name === '';
  if (!is_root) return sees_path ? node.name : '';
  return seesDiskName(access, node.disk_id) ? (state.disks.get(node.disk_id)?.name ?? '') : '';
}

/** A system grant as the caller of `context` sees it. */
export function presentSystemPermission(
  context: Context,
  grant: SystemPermission,
): SystemPermissionView {
  const access = Access.of(context);
  return present(context, access, grant, {
    resource_path: grant.resource_id,
    resource_name: grant.resource_id,
    sees_secrets: maySeeSystemSecrets(access, grant),
  });
}

function present<Type extends string>(
  context: Context,
  access: Access,
  grant: Permission<Type>,
  shown: { resource_path: string; resource_name: string; sees_secrets: boolean },
): PermissionView<Type> {
  return {
    id: grant.id,
    resource_id: grant.resource_id,
    resource_path: shown.resource_path,
    granted_to: grant.granted_to,
    granted_by: grant.granted_by,
    permission_types: grant.permission_types,
    begin_date_ms: grant.begin_date_ms,
    expiry_date_ms: grant.expiry_date_ms,
    inheritable: grant.inheritable,
    note: grant.note,
    created_at: grant.created_at,
    last_modified_at: grant.last_modified_at,
    from_placeholder_grantee: grant.from_placeholder_grantee,
    labels: labelValues(context.state, grant),
    redeem_code: shown.sees_secrets ? redeemCode(context, grant) : null,
    resource_name: shown.resource_name,
    grantee_name: granteeName(context, grant.granted_to),
    grantee_avatar: granteeAvatar(context, grant.granted_to),
    granter_name: granterName(context, grant.granted_by),
    permission_previews: access.systemTypes(grant.id),
    metadata: metadataOf(context, grant, shown.sees_secrets),
    external_id: grant.external_id || null,
    external_payload: grant.external_payload || null,
  };
}

function redeemCode({ masked, open }: Context, { redeem_code }: Permission): string | null {
  if (redeem_code === null) return null;
  return masked ? MASKED : open(redeem_code, 'redeem_code');
}

/** Only a directory password is secret; other content of clients is shown. */
function metadataOf(
  { masked, open }: Context,
  grant: Permission,
  sees_secrets: boolean,
): object | null {
  const metadata = open(grant.metadata, 'metadata');
  if (!isDirectoryPassword(metadata)) return metadata;
  if (!sees_secrets) return null;
  return masked ? { ...metadata, content: MASKED } : metadata;
}

function isDirectoryPassword(metadata: object | null): metadata is object {
  return (
    metadata !== null &&
    'metadata_type' in metadata &&
    metadata.metadata_type === 'DIRECTORY_PASSWORD'
  );
}

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
    const label_ids = new Set(labels.flatMap((label) => findLabel(state, label)?.id ?? []));
    const labelled = state.system_permissions.whereAmong('label', label_ids).map(({ id }) => id);
    clauses.push({ field: 'id', among: new Set(labelled) });
  }
  return clauses;
}
