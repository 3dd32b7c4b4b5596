import type { Permission } from '../access/permission.js';
import type { Access } from '../access/access.js';
import { byAge } from '../access/principals.js';
import { PUBLIC } from '../kernel/ids.js';
import { grantsFor, isDirectoryId, type PermissionType, typesHeld } from './held.js';
import {
  integer,
  listOf,
  mapOf,
  nullable,
  type Shape,
  type Shown,
  text,
  view,
} from '../kernel/view.js';

const inheritedFromView = view('InheritedFrom', {
  folder_id: text(),
  path: text('Path as the caller may see it; empty if the caller may not see it'),
});
export type InheritedFrom = Shown<typeof inheritedFromView>;

/** A source of a permission type: an active grant, or ownership of the organization. */
export const sourceView = view('Source', {
  permission_id: nullable(text('Null for ownership')),
  granted_by: nullable(text()),
  resource_id: nullable(text('Resource of the grant')),
  begin_date_ms: integer('ms; 0 = from the start'),
  expiry_date_ms: integer('ms; -1 = never'),
  via: text('DIRECT, PUBLIC, OWNER, or the id of the group granted to'),
  invite_id: nullable(text('Invite of the membership')),
  inherited_from: nullable(inheritedFromView, 'Folder from which it is inherited'),
});
export type Source = Shown<typeof sourceView>;

/** The sources of each type, in enumeration order. */
export type Because = Readonly<Partial<Record<PermissionType, readonly Source[]>>>;

export const reasons: Shape<Because> = mapOf(
  listOf(sourceView),
  'Sources of each type: ownership, then grants, oldest first, at most 100',
);

/** The path of a folder or file in a state as the caller may see it; `''` if the caller may not see it. */
export type ShowPath = (moment: Pick<Access, 'state'>, resource_id: string) => string;

/** Maximum sources shown per type. */
export const MOST_SOURCES = 100;

const OWNERSHIP: Source = {
  permission_id: null,
  granted_by: null,
  resource_id: null,
  begin_date_ms: 0,
  expiry_date_ms: -1,
  via: 'OWNER',
  invite_id: null,
  inherited_from: null,
};

/** How an active grant applies to the identity on the resource. */
export function sourceOf(
  access: Access,
  grant: Permission,
  resource_id: string,
  show: ShowPath,
): Source {
  const { granted_to, resource_id: placed_on } = grant;
  const membership = access.membershipIn(granted_to);
  const is_inherited = isDirectoryId(resource_id) && placed_on !== resource_id;
  return {
    permission_id: grant.id,
    granted_by: grant.granted_by,
    resource_id: placed_on,
    begin_date_ms: grant.begin_date_ms,
    expiry_date_ms: grant.expiry_date_ms,
    via: viaOf(access, granted_to),
    invite_id: membership === granted_to ? null : membership,
    inherited_from: is_inherited ? { folder_id: placed_on, path: show(access, placed_on) } : null,
  };
}

function viaOf({ grantee_id }: Access, granted_to: string): string {
  if (granted_to === PUBLIC) return grantee_id === PUBLIC ? 'DIRECT' : 'PUBLIC';
  return granted_to === grantee_id ? 'DIRECT' : granted_to;
}

/**
 * The sources of each type that the identity has on the resource, or only of the given types: ownership, then active
 * grants, oldest first, at most 100 per type.
 */
export function becauseOf(
  access: Access,
  resource_id: string,
  show: ShowPath,
  types: readonly PermissionType[] = typesHeld(access, resource_id),
): Because {
  const because: Partial<Record<PermissionType, Source[]>> = {};
  if (types.length === 0) return because;
  const is_owners = access.is_owner && typesHeld(access, resource_id).length > 0;
  for (const type of types) because[type] = is_owners ? [OWNERSHIP] : [];
  for (const grant of grantsFor(access, resource_id).toSorted(byAge)) {
    const given = (grant.permission_types as readonly PermissionType[]).filter((type) => {
      const sources = because[type];
      return sources !== undefined && sources.length < MOST_SOURCES;
    });
    if (given.length === 0) continue;
    const source = sourceOf(access, grant, resource_id, show);
    for (const type of given) because[type]!.push(source);
  }
  return because;
}
