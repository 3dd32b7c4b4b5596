import type { Permission } from '../../access/permission.js';
import {
  DIRECTORY_TYPES,
  SYSTEM_TYPES,
  type DirectoryType,
  type SystemType,
} from '../../kernel/permission-types.js';
import type { DriveState } from '../../foundation/state.js';
import { event, type DomainEvent } from '../../foundation/events.js';
import type { Access, Evidence } from '../../access/access.js';
import { PREFIX } from '../../kernel/ids.js';
import type { TableId } from '../../kernel/record.js';
import type { Table } from '../../kernel/table.js';
import type { GrantCreated, GrantUpdated } from '../events.js';
import { mayReadDirectoryGrant, mayReadSystemGrant } from './rights.js';

/** The differences between the two kinds of grants; all else is decided alike. */
export interface GrantKind<Type extends string> {
  readonly name: 'Directory' | 'System';
  readonly prefix: `${string}ID_`;
  readonly types: readonly Type[];
  /** Types that PUBLIC may get from others than the owner. */
  readonly public_types: readonly Type[];
  /** Tables that only the owner may open to PUBLIC, with their records. */
  readonly never_public: readonly TableId[];
  /** Default of `inheritable`. */
  readonly inheritable: boolean;
  /** Fields that an update may change, besides the settings, types and grantee. */
  readonly updatable: readonly ('inheritable' | 'resource_id')[];
  table(state: DriveState): Table<Permission<Type>>;
  /** False if the resource does not exist and the kind requires it. */
  exists(access: Access, resource_id: string): boolean;
  /** The caller's active grants that apply to the resource. */
  held(access: Access, resource_id: string): readonly Permission[];
  mayGrant(access: Access, resource_id: string): Evidence | null;
  mayRead(access: Access, grant: Permission<Type>): boolean;
  mayUpdate(access: Access, grant: Permission<Type>): Evidence | null;
  mayDelete(access: Access, grant: Permission<Type>): Evidence | null;
  created(data: GrantCreated<Type>): DomainEvent;
  updated(data: GrantUpdated<Type>): DomainEvent;
}

export const directoryGrants: GrantKind<DirectoryType> = {
  name: 'Directory',
  prefix: PREFIX.directory_permission,
  types: DIRECTORY_TYPES,
  public_types: ['VIEW', 'UPLOAD'],
  never_public: [],
  inheritable: false,
  updatable: ['inheritable'],
  table: (state) => state.directory_permissions,
  exists: (access, resource_id) => access.exists(resource_id),
  held: (access, resource_id) => access.directoryGrants(resource_id),
  // INVITE, or MANAGE, which implies it, allows granting; the ceiling limits the types.
  mayGrant: (access, resource_id) => access.owner() ?? access.directory('INVITE', resource_id),
  mayRead: mayReadDirectoryGrant,
  mayUpdate: (access, { id, resource_id, granted_by }) =>
    access.owner() ??
    access.directory('MANAGE', resource_id) ??
    access.system('EDIT', id) ??
    (access.self(granted_by) && access.directory('INVITE', resource_id)),
  mayDelete: (access, grant) =>
    access.owner() ??
    access.self(grant.granted_to) ??
    directoryGrants.mayUpdate(access, grant) ??
    access.system('DELETE', grant.id),
  created: (data) => event('DirectoryPermissionCreated', data),
  updated: (data) => event('DirectoryPermissionUpdated', data),
};

export const systemGrants: GrantKind<SystemType> = {
  name: 'System',
  prefix: PREFIX.system_permission,
  types: SYSTEM_TYPES,
  public_types: ['VIEW', 'CREATE'],
  never_public: ['TABLE_AUDIT', 'TABLE_API_KEYS', 'TABLE_PERMISSIONS', 'TABLE_WEBHOOKS'],
  inheritable: true,
  updatable: ['inheritable', 'resource_id'],
  table: (state) => state.system_permissions,
  // Tables always exist, and a grant may be created before its record.
  exists: () => true,
  held: (access, resource_id) => access.systemGrants(resource_id),
  mayGrant: (access, resource_id) =>
    access.owner() ??
    access.system('CREATE', 'TABLE_PERMISSIONS') ??
    access.system('INVITE', resource_id),
  mayRead: mayReadSystemGrant,
  mayUpdate: (access, { id }) => access.owner() ?? access.system('EDIT', id),
  mayDelete: (access, { id, granted_to, granted_by }) =>
    access.owner() ?? access.self(granted_to, granted_by) ?? access.system('DELETE', id),
  created: (data) => event('SystemPermissionCreated', data),
  updated: (data) => event('SystemPermissionUpdated', data),
};
