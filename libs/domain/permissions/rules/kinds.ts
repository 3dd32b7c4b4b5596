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
import type { Refusal } from '../../kernel/refusal.js';
import type { Table } from '../../kernel/table.js';
import type { GrantCreated, GrantRedeemed, GrantUpdated } from '../events.js';
import {
  type Extent,
  refuseBeyondDirectory,
  refuseBeyondSystem,
  refusePublicDirectory,
  refusePublicSystem,
} from './limits.js';
import * as rights from './rights.js';

const UPDATABLE = [
  'begin_date_ms',
  'expiry_date_ms',
  'inheritable',
  'note',
  'metadata',
  'external_id',
  'external_payload',
] as const;

/** The differences between the two kinds of grants; all else is decided alike. */
export interface GrantKind<Type extends string> {
  readonly name: 'Directory' | 'System';
  readonly prefix: `${string}ID_`;
  readonly types: readonly Type[];
  /** Default of `inheritable`. */
  readonly inheritable: boolean;
  readonly updatable: readonly ((typeof UPDATABLE)[number] | 'resource_id')[];
  table(state: DriveState): Table<Permission<Type>>;
  /** False if the resource does not exist and the kind requires it. */
  exists(access: Access, resource_id: string): boolean;
  mayGrant(access: Access, resource_id: string): Evidence | null;
  mayRead(access: Access, grant: Permission<Type>): boolean;
  mayUpdate(access: Access, grant: Permission<Type>): Evidence | null;
  mayDelete(access: Access, grant: Permission<Type>): Evidence | null;
  refusePublic(access: Access, extent: Extent): Refusal | null;
  refuseBeyond(access: Access, extent: Extent, types: readonly string[]): Refusal | null;
  created(data: GrantCreated<Type>): DomainEvent;
  updated(data: GrantUpdated<Type>): DomainEvent;
  deleted(data: { permission_id: string }): DomainEvent;
  redeemed(data: GrantRedeemed): DomainEvent;
}

export const directoryGrants: GrantKind<DirectoryType> = {
  name: 'Directory',
  prefix: PREFIX.directory_permission,
  types: DIRECTORY_TYPES,
  inheritable: false,
  updatable: UPDATABLE,
  table: (state) => state.directory_permissions,
  exists: (access, resource_id) => access.exists(resource_id),
  mayGrant: rights.mayGrantDirectory,
  mayRead: rights.mayReadDirectoryGrant,
  mayUpdate: rights.mayUpdateDirectoryGrant,
  mayDelete: rights.mayDeleteDirectoryGrant,
  refusePublic: refusePublicDirectory,
  refuseBeyond: refuseBeyondDirectory,
  created: (data) => event('DirectoryPermissionCreated', data),
  updated: (data) => event('DirectoryPermissionUpdated', data),
  deleted: (data) => event('DirectoryPermissionDeleted', data),
  redeemed: (data) => event('DirectoryPermissionRedeemed', data),
};

export const systemGrants: GrantKind<SystemType> = {
  name: 'System',
  prefix: PREFIX.system_permission,
  types: SYSTEM_TYPES,
  inheritable: true,
  updatable: ['resource_id', ...UPDATABLE],
  table: (state) => state.system_permissions,
  // Tables always exist, and a grant may be created before its record.
  exists: () => true,
  mayGrant: rights.mayGrantSystem,
  mayRead: rights.mayReadSystemGrant,
  mayUpdate: rights.mayUpdateSystemGrant,
  mayDelete: rights.mayDeleteSystemGrant,
  refusePublic: refusePublicSystem,
  refuseBeyond: refuseBeyondSystem,
  created: (data) => event('SystemPermissionCreated', data),
  updated: (data) => event('SystemPermissionUpdated', data),
  deleted: (data) => event('SystemPermissionDeleted', data),
  redeemed: (data) => event('SystemPermissionRedeemed', data),
};
