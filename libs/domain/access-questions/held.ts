import type { Permission } from '../access/permission.js';
import {
  DIRECTORY_TYPES,
  SYSTEM_TYPES,
  type DirectoryType,
  type SystemType,
} from '../kernel/permission-types.js';
import type { DriveState } from '../foundation/state.js';
import type { Access } from '../access/access.js';
import { directoryGrants, type GrantSearch, systemGrants } from '../access/grants.js';
import { PREFIX } from '../kernel/ids.js';
import { listOf, oneOf } from '../kernel/view.js';

/** A permission type; the resource determines whether directory or system. */
export type PermissionType = DirectoryType | SystemType;

export const PERMISSION_TYPES = [...new Set<PermissionType>([...DIRECTORY_TYPES, ...SYSTEM_TYPES])];

/** Types of either kind. */
export const permissionTypes = listOf(oneOf(PERMISSION_TYPES));

/** True for ids of folders and files; all other resources are tables and their records. */
export function isDirectoryId(resource_id: string): boolean {
  return resource_id.startsWith(PREFIX.folder) || resource_id.startsWith(PREFIX.file);
}

/** True for a table, whose grants apply to its records, and for a group, whose grants apply to its invites. */
export function hasParts({ kinds }: DriveState, resource_id: string): boolean {
  return kinds.isTable(resource_id) || resource_id.startsWith(PREFIX.group);
}

/** All types of a resource, in enumeration order. */
export function typesFor(resource_id: string): readonly PermissionType[] {
  return isDirectoryId(resource_id) ? DIRECTORY_TYPES : SYSTEM_TYPES;
}

/** Effective types as granted (MANAGE literally), in enumeration order: what `check` answers. */
export function typesHeld(access: Access, resource_id: string): readonly PermissionType[] {
  return isDirectoryId(resource_id)
    ? access.directoryTypes(resource_id)
    : access.systemTypes(resource_id);
}

/** Active grants that apply to the resource: to the identity of an access, else to anybody. */
export function grantsFor(search: GrantSearch, resource_id: string): readonly Permission[] {
  const found = isDirectoryId(resource_id) ? directoryGrants : systemGrants;
  return found(search, resource_id);
}

export function sameTypes(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((type, at) => type === other[at]);
}
