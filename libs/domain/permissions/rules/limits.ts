import type { Permission } from '../../access/permission.js';
import type { Access } from '../../access/access.js';
import {
  beyondDirectoryCeiling,
  beyondSystemCeiling,
  type GrantReach,
} from '../../access/ceiling.js';
import { PUBLIC } from '../../kernel/ids.js';
import { type Refusal, refuse } from '../../kernel/refusal.js';
import { grows } from './window.js';

/** The grantee and scope of a grant. */
export type Extent = Pick<
  Permission,
  | 'resource_id'
  | 'granted_to'
  | 'permission_types'
  | 'begin_date_ms'
  | 'expiry_date_ms'
  | 'inheritable'
>;

const PUBLIC_DIRECTORY_TYPES = ['VIEW', 'UPLOAD'];
const PUBLIC_SYSTEM_TYPES = ['VIEW', 'CREATE'];
const NEVER_PUBLIC = ['TABLE_AUDIT', 'TABLE_API_KEYS', 'TABLE_PERMISSIONS', 'TABLE_WEBHOOKS'];

/** Only the owner may grant PUBLIC more than VIEW and UPLOAD. */
export function refusePublicDirectory(access: Access, extent: Extent): Refusal | null {
  return refusePublicTypes(access, extent, PUBLIC_DIRECTORY_TYPES);
}

export function refusePublicSystem(access: Access, extent: Extent): Refusal | null {
  if (access.is_owner || extent.granted_to !== PUBLIC) return null;
  if (NEVER_PUBLIC.includes(access.state.kinds.tableOf(extent.resource_id)))
    return refuse('public-grant-too-wide', {
      pointer: '/resource_id',
      reason: 'may not be opened to PUBLIC',
    });
  return refusePublicTypes(access, extent, PUBLIC_SYSTEM_TYPES);
}

function refusePublicTypes(
  access: Access,
  { granted_to, permission_types }: Extent,
  allowed: readonly string[],
): Refusal | null {
  if (access.is_owner || granted_to !== PUBLIC) return null;
  const too_wide = permission_types.filter((type) => !allowed.includes(type));
  if (too_wide.length === 0) return null;
  return refuse('public-grant-too-wide', {
    pointer: '/permission_types',
    reason: `${too_wide.join(', ')} may not be given to PUBLIC`,
  });
}

/**
 * The types of a changed grant that need a ceiling: the added ones; all of them if the grant becomes longer or
 * deeper, or its grantee or resource changes.
 */
export function typesToCheck(before: Extent, after: Extent): readonly string[] {
  const reaches_further =
    grows(before, after) ||
    (after.inheritable && !before.inheritable) ||
    after.resource_id !== before.resource_id ||
    after.granted_to !== before.granted_to;
  if (reaches_further) return after.permission_types;
  return after.permission_types.filter((type) => !before.permission_types.includes(type));
}

/** Refuses types that the caller may not grant in that scope on a folder or file. */
export function refuseBeyondDirectory(
  access: Access,
  extent: Extent,
  types: readonly string[],
): Refusal | null {
  return refuseTypes(beyondDirectoryCeiling(access, reachOf(extent, types)));
}

/** Refuses types that the caller may not grant in that scope on a table or record. */
export function refuseBeyondSystem(
  access: Access,
  extent: Extent,
  types: readonly string[],
): Refusal | null {
  return refuseTypes(beyondSystemCeiling(access, reachOf(extent, types)));
}

function reachOf({ resource_id, expiry_date_ms, inheritable }: Extent, types: readonly string[]) {
  return { resource_id, types, expiry_date_ms, inheritable } satisfies GrantReach;
}

function refuseTypes(beyond: readonly string[]): Refusal | null {
  if (beyond.length === 0) return null;
  return refuse('ceiling', {
    pointer: '/permission_types',
    reason: `${beyond.join(', ')} not held on the resource as long and as deep as given`,
  });
}
