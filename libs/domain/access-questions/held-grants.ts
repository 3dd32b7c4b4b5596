import type { Access } from '../access/access.js';
import { isCounting } from '../access/grants.js';
import type { Permission } from '../access/permission.js';
import { invitesOf } from '../access/principals.js';
import { directoryLine, nodesUpwards, systemReach } from '../access/resources.js';
import type { DriveState, Records } from '../foundation/state.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';
import { lowerBound } from '../kernel/indexes/lower-bound.js';
import type { PairIndex } from '../kernel/indexes/pair-index.js';
import type { Table } from '../kernel/table.js';
import type { TouchedKey } from '../kernel/undo-log.js';
import { isDirectoryId, type PermissionType, typesFor, typesHeld } from './held.js';

/** Among ids of grants to look at again: everything has to be found again. */
export const ALL = '';

/**
 * The types that an identity has on a resource, and the grants that give them. A change of one grant or membership
 * costs as much as the grants it concerns, so that thousands of them can be followed one after the other.
 */
export class HeldGrants {
  readonly grantee_id: string;
  /** The resource and all around it. */
  private readonly places = new Set<string>();
  /** The resources whose grants apply; true: only inheritable ones. */
  private readonly reaching = new Map<string, boolean>();
  private readonly owned: ReadonlySet<PermissionType>;
  /** The types that each grant gives now. */
  private readonly given = new Map<string, readonly PermissionType[]>();
  /** The number of grants that give a type now. */
  private readonly counts = new Map<PermissionType, number>();
  /** The membership in each group with grants, as of the last look at them; null without one. */
  private readonly memberships = new Map<string, string | null>();
  /** Group of each invite to the identity that a grant on these resources may depend on. */
  private readonly group_of_invite = new Map<string, string>();
  private readonly edges = new Edges();

  constructor(
    access: Access,
    readonly resource_id: string,
  ) {
    const { state, now } = access;
    this.grantee_id = access.grantee_id;
    this.owned = new Set(access.is_owner ? typesHeld(access, resource_id) : []);
    this.places.add(resource_id);
    if (isDirectoryId(resource_id)) {
      for (const { id, expires_at } of nodesUpwards(state, resource_id)) {
        this.places.add(id);
        if (expires_at > now) this.edges.add(expires_at, ALL);
      }
      const { ids, reaching } = directoryLine(state, resource_id, now);
      for (const [at, id] of ids.slice(0, reaching).entries()) this.reaching.set(id, at > 0);
    } else
      for (const id of systemReach(state, resource_id)) {
        this.places.add(id);
        this.reaching.set(id, false);
      }
    this.update(access, this.mayApply(state));
  }

  /** In no order. */
  get types(): ReadonlySet<PermissionType> {
    return this.owned.union(new Set(this.counts.keys()));
  }

  /** Time of the next change without an event, ms; Infinity if there is none. */
  get next_edge_ms(): number {
    return this.edges.first_ms;
  }

  /** Ids of the grants that an event or a time up to that of the access may have changed, or `ALL` among them. */
  concernedBy(access: Access, touched: readonly TouchedKey[]): ReadonlySet<string> {
    const ids = this.edges.take(access.now);
    for (const key of touched) for (const id of this.concernedByRecord(access, key)) ids.add(id);
    const groups = [...ids].filter((id) => id.startsWith(PREFIX.group));
    for (const id of groups) ids.delete(id);
    const changed = groups.filter((id) => this.mayConcernGrants(access, id));
    return changed.length > 0 ? ids.union(this.grantsTo(access.state, changed)) : ids;
  }

  /** Looks at grants again. @returns those that give types now */
  update(access: Access, grant_ids: ReadonlySet<string>): Permission[] {
    const { state } = access;
    const giving: Permission[] = [];
    for (const id of grant_ids) {
      const grant = this.table(state).get(id);
      const types = grant ? this.typesBy(access, grant) : [];
      for (const type of this.given.get(id) ?? []) this.count(type, -1);
      for (const type of types) this.count(type, 1);
      if (types.length > 0) this.given.set(id, types);
      else this.given.delete(id);
      if (grant && types.length > 0) giving.push(grant);
      if (grant) this.noteEdges(access, grant);
    }
    return giving;
  }

  /** False if the membership is the same as at the last look at the group's grants. */
  private mayConcernGrants(access: Access, group_id: string): boolean {
    const known = this.memberships.get(group_id);
    return known === undefined || known !== access.membershipIn(group_id);
  }

  /** Ids of grants or groups, or `ALL`. */
  private concernedByRecord({ state, now }: Access, { family, id }: TouchedKey): Iterable<string> {
    if (this.places.has(id)) return [ALL];
    switch (family) {
      case 'organization':
      case 'superswaps':
        return [ALL];
      case this.table(state).definition.name: {
        const grant = this.table(state).get(id);
        const is_on_place = grant !== undefined && this.places.has(grant.resource_id);
        return this.given.has(id) || is_on_place ? [id] : [];
      }
      case 'group_invites': {
        const invite = state.invites.get(id);
        const is_own = invite?.invitee_id === this.grantee_id;
        const group_id = is_own ? invite.group_id : this.group_of_invite.get(id);
        if (is_own) this.noteInvite(invite, now);
        return group_id === undefined ? [] : [group_id];
      }
      case 'groups':
        return [id];
      default:
        return [];
    }
  }

  private typesBy(access: Access, grant: Permission): readonly PermissionType[] {
    const needs_inheritable = this.reaching.get(grant.resource_id);
    if (needs_inheritable === undefined || (needs_inheritable && !grant.inheritable)) return [];
    if (!isCounting(grant, access.now)) return [];
    const { granted_to } = grant;
    const is_meant =
      granted_to === this.grantee_id ||
      granted_to === PUBLIC ||
      access.membershipIn(granted_to) !== null;
    if (!is_meant) return [];
    return typesFor(this.resource_id).filter((type) => grant.permission_types.includes(type));
  }

  private count(type: PermissionType, change: 1 | -1): void {
    const count = (this.counts.get(type) ?? 0) + change;
    if (count > 0) this.counts.set(type, count);
    else this.counts.delete(type);
  }

  /** When a grant may begin or end to apply; those of its group's invites once for all its grants. */
  private noteEdges(access: Access, grant: Permission): void {
    const { state, now } = access;
    const { id, granted_to, begin_date_ms, expiry_date_ms } = grant;
    this.addEdges(id, now, begin_date_ms, expiry_date_ms);
    if (!granted_to.startsWith(PREFIX.group)) return;
    const is_new = !this.memberships.has(granted_to);
    this.memberships.set(granted_to, access.membershipIn(granted_to));
    if (!is_new) return;
    for (const invite of invitesOf(state, granted_to, this.grantee_id))
      this.noteInvite(invite, now);
  }

  private noteInvite(invite: Records['invites'], now: number): void {
    const { id, group_id, active_from, expires_at } = invite;
    // Without a grant, a membership decides on nothing.
    if (!this.memberships.has(group_id)) return;
    this.group_of_invite.set(id, group_id);
    this.addEdges(group_id, now, active_from, expires_at);
  }

  private addEdges(id: string, now: number, ...edges: readonly number[]): void {
    for (const edge of edges) if (edge > now) this.edges.add(edge, id);
  }

  private mayApply(state: DriveState): Set<string> {
    const groups = state.invites.where('invitee', this.grantee_id).map(({ group_id }) => group_id);
    const owned = state.groups.by('owner', this.grantee_id);
    return this.grantsTo(state, [this.grantee_id, PUBLIC, ...groups, ...owned]);
  }

  /** The grants on all places to some of these. */
  private grantsTo(state: DriveState, grantee_ids: readonly string[]): Set<string> {
    const index = this.table(state).pair('resource_grantee') as PairIndex<Permission>;
    const grantees = index.secondValues(grantee_ids);
    const ids = new Set<string>();
    for (const place of this.places) index.some(place, grantees, ({ id }) => !ids.add(id));
    return ids;
  }

  private table({ directory_permissions, system_permissions }: DriveState): Table<Permission> {
    const is_directory = isDirectoryId(this.resource_id);
    return (is_directory ? directory_permissions : system_permissions) as Table<Permission>;
  }
}

/** Times at which something may change, and ids of grants or groups. */
class Edges {
  /** Latest first. */
  private readonly times: number[] = [];
  private readonly ids_at = new Map<number, Set<string>>();

  get first_ms(): number {
    return this.times.at(-1) ?? Infinity;
  }

  add(edge_ms: number, id: string): void {
    const known = this.ids_at.get(edge_ms);
    if (known) return void known.add(id);
    this.ids_at.set(edge_ms, new Set([id]));
    const { times } = this;
    times.splice(
      lowerBound(times, (other) => other > edge_ms),
      0,
      edge_ms,
    );
  }

  /** The ids of all times up to one, which are no longer known then. */
  take(to_ms: number): Set<string> {
    const taken = new Set<string>();
    while (this.first_ms <= to_ms) {
      const edge_ms = this.times.pop()!;
      for (const id of this.ids_at.get(edge_ms)!) taken.add(id);
      this.ids_at.delete(edge_ms);
    }
    return taken;
  }
}
