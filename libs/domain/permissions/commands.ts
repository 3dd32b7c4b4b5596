import type { FreshCode } from '../foundation/fresh.js';
import type { DirectoryType, SystemType } from '../kernel/permission-types.js';
import type { Changes } from '../kernel/fields.js';
import type { GRANT_SETTINGS } from '../relations/default-grant.js';
import type { GrantFields } from './events.js';

/** Types may come in any order and repeated; they are stored distinct and in enumeration order. */
export interface CreateGrant<Type extends string> extends Partial<
  Omit<GrantFields<Type>, 'permission_types' | 'metadata'>
> {
  id?: string;
  resource_id: string;
  /** Absent: a fresh placeholder. */
  granted_to?: string;
  permission_types: readonly Type[];
  metadata?: object | null;
  fresh: FreshGrant;
}

/** Generated values for a new grant; some may remain unused. */
export interface FreshGrant extends FreshCode {
  permission_id: string;
  placeholder_id: string;
}

export type CreateDirectoryPermission = CreateGrant<DirectoryType>;
/** `resource_id` in its stored form: `TABLE_X` or a record's id. */
export type CreateSystemPermission = CreateGrant<SystemType>;

/** Types may come in any order and repeated, as in `CreateGrant`. */
export interface UpdateGrant<Type extends string> extends Changes<typeof GRANT_SETTINGS> {
  id: string;
  permission_types?: readonly Type[];
  inheritable?: boolean;
  /** System grants only. */
  resource_id?: string;
  /** System grants only. */
  granted_to?: string;
  /** For a grantee that is or becomes a placeholder; goes with `granted_to`. */
  fresh?: FreshCode;
}

export type UpdateDirectoryPermission = Omit<
  UpdateGrant<DirectoryType>,
  'resource_id' | 'granted_to' | 'fresh'
>;

export interface UpdateSystemPermission extends UpdateGrant<SystemType> {
  fresh: FreshCode;
}

export interface DeletePermission {
  permission_id: string;
}

export interface RedeemPermission {
  permission_id: string;
  /** The new grantee; need not be the caller. */
  user_id: string;
  /** SHA-256 (hex) of the code in the body. */
  redeem_digest: string;
  note?: string;
}

/** A query for the effective types of a grantee on a resource. */
export interface CheckPermission {
  resource_id: string;
  grantee_id: string;
}
