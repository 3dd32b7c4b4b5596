import { denial } from './reasons.js';
import type { Permission } from './permission.js';
import {
  DIRECTORY_TYPES,
  SYSTEM_TYPES,
  type DirectoryType,
  type SystemType,
} from '../kernel/permission-types.js';
import type { DriveState } from '../foundation/state.js';
import type { Context } from '../foundation/decision.js';
import type { Refusal } from '../kernel/refusal.js';
import { type Grantees, granteesOf } from './grantees.js';
import {
  countGrantedUpwards,
  directoryGrants,
  someDirectoryGrant,
  someSystemGrant,
  systemGrants,
} from './grants.js';
import { byAge, membershipOf } from './principals.js';
import { MissingRights } from '../foundation/missing-rights.js';
import { directoryNode } from './resources.js';
import { isThere } from './ancestor-paths.js';

/** Evidence of an authorization, as stored with the events: `OWNER`, `SELF`, or ids of grants and invites. */
export type Evidence = readonly string[];

/** The evidence of two authorizations, both of which are needed. */
export function together(one: Evidence, other: Evidence): Evidence {
  return [...new Set([...one, ...other])];
}

const OWNER: Evidence = ['OWNER'];
const SELF: Evidence = ['SELF'];
const MOST_GRANTS_NAMED = 8;

/**
 * The permissions of one identity in one state at one time. Each check returns its evidence, or null; chain them with
 * `??` in order of precedence, owner first.
 */
export class Access {
  private known_grantees?: Grantees;
  private known_memberships?: Map<string, string | null>;

  constructor(
    readonly state: DriveState,
    /** A user, group, placeholder or `PUBLIC`; `''` for an anonymous caller. */
    readonly grantee_id: string,
    readonly now: number,
    private noted_missing?: MissingRights,
    /** Time at which folders and files must not have expired, ms; grants and memberships count at `now`. */
    readonly items_at = now,
  ) {}

  /** Records failed checks; created on first use. */
  private get missing(): MissingRights {
    return (this.noted_missing ??= new MissingRights());
  }

  static of(context: Context): Access {
    const { state, caller, now, missing } = context;
    return new Access(state, caller.user_id, now, missing);
  }

  /** Ids whose grants apply to this identity. */
  get grantees(): ReadonlySet<string> {
    return this.counting.ids;
  }

  /** The same for looking up grants. */
  get counting(): Grantees {
    return (this.known_grantees ??= granteesOf(this.state, this.grantee_id, this.now));
  }

  get is_owner(): boolean {
    return this.grantee_id !== '' && this.grantee_id === this.state.organization.owner_id;
  }

  owner(): Evidence | null {
    if (this.is_owner) return OWNER;
    this.missing.add({ of: 'organization' });
    return null;
  }

  /** Authorizes by the caller's relation to the record: itself, its creator, its addressee. */
  self(...user_ids: readonly (string | null)[]): Evidence | null {
    if (this.grantee_id !== '' && user_ids.includes(this.grantee_id)) return SELF;
    this.missing.add({ of: 'oneself' });
    return null;
  }

  /** Administration of a group: its owner or an active ADMIN invite. */
  groupAdmin(group_id: string): Evidence | null {
    const by = membershipOf(this.state, group_id, this.grantee_id, this.now, 'ADMIN');
    if (by !== null) return [by];
    this.missing.add({ of: 'group', group_id });
    return null;
  }

  /** Membership of a group: its owner or any active invite. */
  member(group_id: string): Evidence | null {
    const by = membershipOf(this.state, group_id, this.grantee_id, this.now);
    return by === null ? null : [by];
  }

  /** The evidence of membership of a group, null without one; found once per group, since many grants may go to it. */
  membershipIn(group_id: string): string | null {
    const known = (this.known_memberships ??= new Map<string, string | null>());
    let by = known.get(group_id);
    if (by === undefined) {
      by = membershipOf(this.state, group_id, this.grantee_id, this.now);
      known.set(group_id, by);
    }
    return by;
  }

  /** A system type on a table or record, without regard to ownership. */
  system(type: SystemType, resource_id: string): Evidence | null {
    const found = this.evidence(this.systemGrants(resource_id), (grant) =>
      grant.permission_types.includes(type),
    );
    if (!found) this.missing.add({ of: 'system', type, resource_id });
    return found;
  }

  /** A directory type on a folder or file, also through MANAGE; without regard to ownership. */
  directory(type: DirectoryType, resource_id: string): Evidence | null {
    const found = this.evidence(this.directoryGrants(resource_id), (grant) => gives(grant, type));
    if (!found) this.missing.add({ of: 'directory', type, resource_id, is_direct: false });
    return found;
  }

  /** A directory type by grants on the folder or file itself, also through MANAGE. */
  directoryDirectly(type: DirectoryType, resource_id: string): Evidence | null {
    const found = this.evidence(
      this.directoryGrants(resource_id),
      (grant) => grant.resource_id === resource_id && gives(grant, type),
    );
    if (!found) this.missing.add({ of: 'directory', type, resource_id, is_direct: true });
    return found;
  }

  /** VIEW on a folder by grants that its content inherits. */
  viewBelow(folder_id: string): Evidence | null {
    return this.evidence(
      this.directoryGrants(folder_id),
      (grant) => grant.inheritable && gives(grant, 'VIEW'),
    );
  }

  /** True for the owner and for holders of the type: the short form for reads. */
  can(type: SystemType, resource_id: string): boolean {
    if (this.is_owner) return true;
    const can = someSystemGrant(this, resource_id, (grant) =>
      grant.permission_types.includes(type),
    );
    if (!can) this.missing.add({ of: 'system', type, resource_id });
    return can;
  }

  /** True for the owner and for holders of the directory type or MANAGE. */
  canDirectory(type: DirectoryType, resource_id: string): boolean {
    if (this.is_owner) return true;
    const can = someDirectoryGrant(this, resource_id, (grant) => gives(grant, type));
    if (!can) this.missing.add({ of: 'directory', type, resource_id, is_direct: false });
    return can;
  }

  /** How many in a row of a folder and its ancestors, up to the first sovereign one, this identity may VIEW. */
  viewableUpwards(folder_id: string): number {
    if (this.is_owner) return Infinity;
    return countGrantedUpwards(this, folder_id, (grant) => gives(grant, 'VIEW'));
  }

  /** The evidence of both checks, or null if one fails. */
  both(one: () => Evidence | null, other: () => Evidence | null): Evidence | null {
    const found = this.missing.both(one, other);
    return found && together(...found);
  }

  /**
   * The refusal for all failed checks so far.
   *
   * @param named ids that the request itself names, so that naming them reveals nothing
   */
  denied(...named: string[]): Refusal {
    return denial(this, this.missing, named);
  }

  /** Effective system types, in enumeration order; all of them for the owner. */
  systemTypes(resource_id: string): readonly SystemType[] {
    if (this.is_owner) return SYSTEM_TYPES;
    return heldTypes(SYSTEM_TYPES, this.systemGrants(resource_id));
  }

  /**
   * Effective directory types as granted (MANAGE literally), in enumeration order; all for the owner. On a
   * missing item no caller has any.
   */
  directoryTypes(resource_id: string): readonly DirectoryType[] {
    if (this.is_owner) return this.exists(resource_id) ? DIRECTORY_TYPES : [];
    return heldTypes(DIRECTORY_TYPES, this.directoryGrants(resource_id));
  }

  /** Active system grants to this identity that apply to the table or record. */
  systemGrants(resource_id: string): readonly Permission[] {
    return systemGrants(this, resource_id);
  }

  /** Active directory grants to this identity that apply to the folder or file. */
  directoryGrants(resource_id: string): readonly Permission[] {
    return directoryGrants(this, resource_id);
  }

  /** True for a folder or file that exists and has not expired. */
  exists(resource_id: string): boolean {
    const node = directoryNode(this.state, resource_id);
    return node !== undefined && isThere(this.state, node, this.now);
  }

  /** Grants that each suffice, oldest first, each group's followed by the evidence of membership. */
  private evidence(
    grants: readonly Permission[],
    suffices: (grant: Permission) => boolean,
  ): Evidence | null {
    const giving = grants.filter(suffices).sort(byAge).slice(0, MOST_GRANTS_NAMED);
    if (giving.length === 0) return null;
    return giving.flatMap(({ id, granted_to }) => {
      const via = membershipOf(this.state, granted_to, this.grantee_id, this.now);
      return via === null ? [id] : [id, via];
    });
  }
}

/** True if a directory grant, or held types, give the type, directly or through MANAGE. */
export function gives(
  { permission_types: types }: Pick<Permission, 'permission_types'>,
  type: DirectoryType,
): boolean {
  return types.includes(type) || types.includes('MANAGE');
}

function heldTypes<Type extends string>(
  all: readonly Type[],
  grants: readonly Permission[],
): readonly Type[] {
  const held = new Set<string>();
  for (const { permission_types } of grants) for (const type of permission_types) held.add(type);
  return held.size === 0 ? [] : all.filter((type) => held.has(type));
}
