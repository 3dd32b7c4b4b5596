import type { Permission } from '../permission.js';
import type { DriveState } from '../../foundation/state.js';
import type { Invite } from '../../groups/record.js';

/**
 * A second implementation of the authorization model, straight from its description: every query scans all records,
 * without indexes or caches, and without sharing code with the implementation under test. For tests only.
 */
export class SlowModel {
  constructor(private readonly state: DriveState) {}

  isOwner(id: string): boolean {
    return [...this.state.organizations.values()].some((org) => id !== '' && org.owner_id === id);
  }

  // Principals

  /** Invites that make the user a member of the group at t. */
  memberships(user: string, group: string, t: number): Invite[] {
    if (!user.startsWith('UserID_')) return [];
    return [...this.state.invites.values()].filter(
      (invite) =>
        invite.group_id === group &&
        invite.invitee_id === user &&
        invite.active_from <= t &&
        (invite.expires_at <= 0 || invite.expires_at > t),
    );
  }

  ownsGroup(user: string, group: string): boolean {
    return [...this.state.groups.values()].some((one) => one.id === group && one.owner === user);
  }

  isMember(user: string, group: string, t: number): boolean {
    return this.ownsGroup(user, group) || this.memberships(user, group, t).length > 0;
  }

  isAdmin(user: string, group: string, t: number): boolean {
    return (
      this.ownsGroup(user, group) ||
      this.memberships(user, group, t).some((invite) => invite.role === 'ADMIN')
    );
  }

  isGrantee(who: string, granted_to: string, t: number): boolean {
    if (granted_to === 'PUBLIC' || granted_to === who) return true;
    return who.startsWith('UserID_') && this.isMember(who, granted_to, t);
  }

  // Grants

  counts(grant: Permission, t: number): boolean {
    const has_begun = grant.begin_date_ms <= 0 || grant.begin_date_ms <= t;
    const has_ended = grant.expiry_date_ms > 0 && grant.expiry_date_ms <= t;
    return has_begun && !has_ended;
  }

  systemGrants(who: string, resource: string, t: number): Permission[] {
    const table = this.table(resource);
    const record = resource.startsWith('GroupInviteID_')
      ? [...this.state.invites.values()].find(({ id }) => id === resource)?.group_id
      : resource;
    return [...this.state.system_permissions.values()].filter(
      (grant) =>
        (grant.resource_id === table || grant.resource_id === record) &&
        this.counts(grant, t) &&
        this.isGrantee(who, grant.granted_to, t),
    );
  }

  directoryGrants(who: string, resource: string, t: number): Permission[] {
    const chain = this.chain(resource, t);
    return [...this.state.directory_permissions.values()].filter(
      (grant) =>
        chain.includes(grant.resource_id) &&
        (grant.resource_id === resource || grant.inheritable) &&
        this.counts(grant, t) &&
        this.isGrantee(who, grant.granted_to, t),
    );
  }

  systemTypes(who: string, resource: string, t: number): string[] {
    const all = ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'];
    if (this.isOwner(who)) return all;
    const grants = this.systemGrants(who, resource, t);
    return all.filter((type) => grants.some((grant) => grant.permission_types.includes(type)));
  }

  directoryTypes(who: string, resource: string, t: number): string[] {
    const all = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'];
    if (this.chain(resource, t).length === 0) return [];
    if (this.isOwner(who)) return all;
    const grants = this.directoryGrants(who, resource, t);
    return all.filter((type) => grants.some((grant) => grant.permission_types.includes(type)));
  }

  // Ceiling: for each type one source that ends no earlier and, on a folder, reaches as deep.

  directoryCeiling(who: string, reach: Reach, t: number): string[] {
    if (this.isOwner(who)) return [];
    const on_folder = [...this.state.folders.values()].some(({ id }) => id === reach.resource_id);
    return reach.types.filter(
      (type) =>
        !this.directoryGrants(who, reach.resource_id, t).some(
          (grant) =>
            (grant.permission_types.includes(type) || grant.permission_types.includes('MANAGE')) &&
            (!reach.inheritable || !on_folder || grant.inheritable) &&
            this.outlasts(who, grant, reach.expiry_date_ms, t),
        ),
    );
  }

  systemCeiling(who: string, reach: Reach, t: number): string[] {
    if (this.isOwner(who)) return [];
    return reach.types.filter(
      (type) =>
        !this.systemGrants(who, reach.resource_id, t).some(
          (grant) =>
            grant.permission_types.includes(type) &&
            this.outlasts(who, grant, reach.expiry_date_ms, t),
        ),
    );
  }

  private outlasts(who: string, grant: Permission, end: number, t: number): boolean {
    if (!endsNoEarlier(grant.expiry_date_ms, end)) return false;
    if (!grant.granted_to.startsWith('GroupID_') || grant.granted_to === who) return true;
    if (this.ownsGroup(who, grant.granted_to)) return true;
    return this.memberships(who, grant.granted_to, t).some((invite) =>
      endsNoEarlier(invite.expires_at, end),
    );
  }

  // Evidence: the grants that alone give the type, oldest first, at most 8, groups with their invite.

  evidence(who: string, grants: Permission[], types: string[], t: number): string[] {
    return oldestFirst(
      grants.filter((grant) => grant.permission_types.some((type) => types.includes(type))),
    )
      .slice(0, 8)
      .flatMap(({ id, granted_to }) => {
        if (!granted_to.startsWith('GroupID_') || granted_to === who) return [id];
        if (this.ownsGroup(who, granted_to)) return [id, granted_to];
        return [id, oldestFirst(this.memberships(who, granted_to, t))[0]!.id];
      });
  }

  // Who may read a grant

  mayReadSystemGrant(who: string, grant: Permission, t: number): boolean {
    return (
      this.isOwner(who) ||
      this.isGrantee(who, grant.granted_to, t) ||
      grant.granted_by === who ||
      this.systemTypes(who, grant.id, t).includes('VIEW')
    );
  }

  mayReadDirectoryGrant(who: string, grant: Permission, t: number): boolean {
    return (
      this.mayReadSystemGrant(who, grant, t) ||
      this.directoryTypes(who, grant.resource_id, t).length > 0
    );
  }

  private table(resource: string): string {
    if (resource.startsWith('TABLE_')) return resource;
    if (resource.startsWith('DriveID_')) return 'TABLE_DRIVES';
    if (resource.startsWith('DiskID_')) return 'TABLE_DISKS';
    if (resource.startsWith('UserID_')) return 'TABLE_CONTACTS';
    if (resource.startsWith('GroupID_')) return 'TABLE_GROUPS';
    if (resource.startsWith('GroupInviteID_')) return 'TABLE_GROUPS';
    if (resource.startsWith('ApiKeyID_')) return 'TABLE_API_KEYS';
    if (resource.startsWith('WebhookID_')) return 'TABLE_WEBHOOKS';
    if (resource.startsWith('LabelID_')) return 'TABLE_LABELS';
    if (resource.startsWith('PurchaseID_')) return 'TABLE_PURCHASES';
    return 'TABLE_PERMISSIONS';
  }

  /** Resource and ancestors up to the first sovereign one; nothing where one of all ancestors is absent. */
  private chain(resource: string, t: number): string[] {
    const nodes = [...this.state.folders.values(), ...this.state.files.values()];
    const line = [];
    let wanted: string | null = resource;
    while (wanted !== null) {
      const found = nodes.find(({ id }) => id === wanted);
      if (!found || (found.expires_at > 0 && found.expires_at <= t)) return [];
      line.push(found);
      wanted = found.parent_folder_uuid;
    }
    const cut = line.findIndex((node) => node.has_sovereign_permissions);
    return (cut < 0 ? line : line.slice(0, cut + 1)).map(({ id }) => id);
  }
}

export interface Reach {
  resource_id: string;
  types: string[];
  expiry_date_ms: number;
  inheritable: boolean;
}

function endsNoEarlier(source: number, end: number): boolean {
  if (source <= 0) return true;
  return end > 0 && source >= end;
}

function oldestFirst<R extends { id: string; created_at: number }>(records: R[]): R[] {
  return records.toSorted((a, b) =>
    a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at - b.created_at,
  );
}
