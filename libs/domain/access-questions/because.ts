import type { Permission } from '../access/permission.js';
import type { Access } from '../access/access.js';
import { byAge, membershipOf } from '../access/principals.js';
import { PUBLIC } from '../kernel/ids.js';
import { grantsHeld, isDirectoryId, type PermissionType, typesHeld } from './held.js';

/** Source of a permission type: an active grant, or ownership of the organization. */
export interface Source {
  /** Null for ownership. */
  readonly permission_id: string | null;
  readonly granted_by: string | null;
  /** The resource of the grant; null for ownership. */
  readonly resource_id: string | null;
  /** ms; 0 = from the start. */
  readonly begin_date_ms: number;
  /** ms; -1 = never. */
  readonly expiry_date_ms: number;
  /** `DIRECT`, `PUBLIC`, `OWNER`, or the id of the grantee group. */
  readonly via: string;
  /** The invite of the membership; null if there is none, as for the group's owner. */
  readonly invite_id: string | null;
  /** The folder whose grant is inherited; null for the resource's own grants and for tables. */
  readonly inherited_from: InheritedFrom | null;
}

export interface InheritedFrom {
  readonly folder_id: string;
  readonly path: string;
}

/** The sources of each type, in enumeration order. */
export type Because = Readonly<Partial<Record<PermissionType, readonly Source[]>>>;

/** The path of a folder or file in a state as the caller may see it, `''` if not at all. */
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
function sourceOf(access: Access, grant: Permission, resource_id: string, show: ShowPath): Source {
  const { granted_to, resource_id: placed_on } = grant;
  const membership = membershipOf(access.state, granted_to, access.grantee_id, access.now);
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
  for (const grant of grantsHeld(access, resource_id).toSorted(byAge)) {
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
