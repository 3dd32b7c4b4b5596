import type { Permission } from '../../access/permission.js';
import type { Access } from '../../access/access.js';
import { beyondCeiling } from '../../access/ceiling.js';
import { PUBLIC } from '../../kernel/ids.js';
import { type Refusal, refuse } from '../../kernel/refusal.js';
import type { Table } from '../../kernel/table.js';
import type { GrantKind } from './kinds.js';
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

/** Only the owner may grant PUBLIC more than the kind allows. */
export function refusePublic(
  { public_types, never_public }: Pick<GrantKind<string>, 'public_types' | 'never_public'>,
  access: Access,
  { granted_to, resource_id, permission_types }: Extent,
): Refusal | null {
  if (access.is_owner || granted_to !== PUBLIC) return null;
  if (never_public.includes(access.state.kinds.tableOf(resource_id)))
    return refuse('public-grant-too-wide', {
      pointer: '/resource_id',
      reason: 'may not be opened to PUBLIC',
    });
  const too_wide = permission_types.filter((type) => !public_types.includes(type));
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

/** Refuses types that the caller may not grant in that scope. */
export function refuseBeyond(
  kind: Pick<GrantKind<string>, 'held'>,
  access: Access,
  extent: Extent,
  types: readonly string[],
): Refusal | null {
  const beyond = beyondCeiling(access, kind.held(access, extent.resource_id), extent, types);
  if (beyond.length === 0) return null;
  return refuse('ceiling', {
    pointer: '/permission_types',
    reason: `${beyond.join(', ')} not held on the resource as long and as deep as given`,
  });
}

/** Maximum grants to one grantee on one resource: whatever the grantee does there goes through all of them. */
export const MOST_GRANTS = 1000;

/** @param pointer the field with the grantee */
export function refuseTooManyGrants<Type extends string>(
  table: Table<Permission<Type>>,
  { resource_id, granted_to }: Pick<Permission, 'resource_id' | 'granted_to'>,
  pointer: string,
): Refusal | null {
  const held = table.pair('resource_grantee').count(resource_id, granted_to);
  if (held < MOST_GRANTS) return null;
  const reason = `must not get more than ${MOST_GRANTS} permissions on one resource`;
  return refuse('too-many-grants', { pointer, reason, limit: MOST_GRANTS });
}
