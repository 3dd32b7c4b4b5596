import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';
import type { FamilyDefinition, RecordBase } from '../kernel/table.js';

/** Directory permission types, in the order in which they are always shown. */
export const DIRECTORY_TYPES = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'] as const;
export type DirectoryType = (typeof DIRECTORY_TYPES)[number];

/** System permission types, in the order in which they are always shown. */
export const SYSTEM_TYPES = ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'] as const;
export type SystemType = (typeof SYSTEM_TYPES)[number];

/** The given types, each once, in the order of `all`. */
export function inOrder<Type extends string>(
  all: readonly Type[],
  given: readonly Type[],
): readonly Type[] {
  return all.filter((type) => given.includes(type));
}

/** A grant, directory or system. */
export interface Permission<Type extends string = string> extends RecordBase {
  /** Directory: a folder's or file's id. System: `TABLE_X` or a record's id. */
  readonly resource_id: string;
  /** A user, a group, a placeholder or `PUBLIC`. */
  readonly granted_to: string;
  readonly granted_by: string;
  /** Distinct, in enumeration order. */
  readonly permission_types: readonly Type[];
  /** ms; 0 = from the start. */
  readonly begin_date_ms: number;
  /** ms; -1 = never. */
  readonly expiry_date_ms: number;
  readonly inheritable: boolean;
  readonly note: string;
  readonly metadata: Sealed<object | null>;
  readonly redeem_code: Sealed<string | null>;
  /** SHA-256 (hex) of the code, `''` without one. */
  readonly redeem_digest: string;
  readonly from_placeholder_grantee: string | null;
  readonly external_id: string | null;
  readonly external_payload: string | null;
  readonly created_at: number;
  readonly last_modified_at: number;
}

export type DirectoryPermission = Permission<DirectoryType>;
export type SystemPermission = Permission<SystemType>;

const shared = {
  defaults: {
    label_ids: [],
    begin_date_ms: 0,
    expiry_date_ms: -1,
    note: '',
    metadata: null,
    redeem_code: null,
    redeem_digest: '',
    from_placeholder_grantee: null,
    external_id: null,
    external_payload: null,
  },
  indexes: {
    ...byExternalId,
    resource: (grant: Permission) => grant.resource_id,
    grantee: (grant: Permission) => grant.granted_to,
    granter: (grant: Permission) => grant.granted_by,
  },
  pairs: {
    resource_grantee: (grant: Permission) => [grant.resource_id, grant.granted_to] as const,
  },
  windows: (grant: Permission) => [grant.begin_date_ms, grant.expiry_date_ms],
} as const;

export const directoryPermissionFamily: FamilyDefinition<DirectoryPermission> = {
  name: 'directory_permissions',
  ...shared,
  user_fields: ['granted_by', 'granted_to'],
};

export const systemPermissionFamily: FamilyDefinition<SystemPermission> = {
  name: 'system_permissions',
  ...shared,
  user_fields: ['granted_by', 'granted_to', 'resource_id'],
};
