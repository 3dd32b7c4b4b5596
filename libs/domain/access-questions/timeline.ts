import type { Permission } from '../access/permission.js';
import type { DriveState } from '../foundation/state.js';
import { Access } from '../access/access.js';
import { invitesOf } from '../access/principals.js';
import { directoryNode, systemReach } from '../access/resources.js';
import type { TouchedKey } from '../kernel/undo-log.js';
import { becauseOf, MOST_SOURCES, type ShowPath, type Source, sourceView } from './because.js';
import {
  isDirectoryId,
  PERMISSION_TYPES,
  type PermissionType,
  typesFor,
  typesHeld,
} from './held.js';
import type { Identities } from './identity.js';
import { PUBLIC } from '../kernel/ids.js';
import type { PairIndex } from '../kernel/indexes/pair-index.js';
import { integer, listOf, oneOf, type Shown, view } from '../kernel/view.js';

/**
 * A period in which a type was held without interruption: from just after `from_revision` at `from_ms` to just before
 * `to_revision` at `to_ms`. The end of a window has the revision current at that time.
 */
export const heldIntervalView = view('HeldInterval', {
  permission_type: oneOf(PERMISSION_TYPES),
  from_ms: integer(),
  to_ms: integer('-1 if it is still held'),
  from_revision: integer('Revision when the interval began'),
  to_revision: integer('Revision when the interval ended; -1 if it is still held'),
  because: listOf(sourceView, 'All sources during the interval, at most 100'),
});
export type HeldInterval = Shown<typeof heldIntervalView>;

interface OpenInterval {
  readonly from_ms: number;
  readonly from_revision: number;
  readonly because: Map<string, Source>;
}

/** Dependencies of the last answer: it is valid until one of them changes. */
interface RestsOn {
  readonly grantee_id: string;
  readonly resource_id: string;
  /** The resource, and the resources whose grants may apply to it. */
  readonly places: ReadonlySet<string>;
  /** The current or scheduled grants on them, and the invites and owned groups by which those may apply. */
  readonly records: ReadonlySet<string>;
}

/**
 * The permissions of one identity on one resource, followed along a fold: `before` and `after` every event, then
 * `ended`. Recomputed only if a dependency of the last answer changed, or a window opened or closed in between.
 */
export class Timeline {
  private readonly closed: HeldInterval[] = [];
  private readonly open = new Map<PermissionType, OpenInterval>();
  private rests_on: RestsOn | null = null;
  private edge_ms = -Infinity;

  constructor(
    private readonly grantee_id: string,
    private readonly resource_id: string,
    private readonly identities: Identities,
    private readonly show: ShowPath,
  ) {}

  /** Time of the next change without an event; Infinity if there is none. */
  get next_edge_ms(): number {
    return this.rests_on ? this.edge_ms : Infinity;
  }

  /** To be called before an event of this time is applied. */
  before(state: DriveState, timestamp_ms: number): void {
    while (this.next_edge_ms < timestamp_ms) this.look(state, this.edge_ms);
  }

  /** To be called after an event was applied. */
  after(state: DriveState, touched: readonly TouchedKey[]): void {
    if (this.edge_ms <= state.timestamp_ms || this.isTouched(state, touched))
      this.look(state, state.timestamp_ms);
  }

  /** All intervals, by beginning and then type, at the end of the stream and time `now`. */
  ended(state: DriveState, now: number): HeldInterval[] {
    while (this.next_edge_ms <= now) this.look(state, this.edge_ms);
    for (const type of [...this.open.keys()]) this.close(type, -1, -1);
    const order = typesFor(this.resource_id);
    return this.closed.sort(
      (a, b) =>
        a.from_revision - b.from_revision ||
        a.from_ms - b.from_ms ||
        order.indexOf(a.permission_type) - order.indexOf(b.permission_type),
    );
  }

  private look(state: DriveState, at_ms: number): void {
    const { revision } = state;
    const resource_id = this.identities.resourceThen(this.resource_id, revision);
    const access = new Access(state, this.identities.userThen(this.grantee_id, revision), at_ms);
    const types = typesHeld(access, resource_id);
    for (const type of [...this.open.keys()])
      if (!types.includes(type)) this.close(type, at_ms, revision);
    const because = becauseOf(access, resource_id, this.show, types);
    for (const type of types) {
      let held = this.open.get(type);
      if (!held) {
        held = { from_ms: at_ms, from_revision: revision, because: new Map() };
        this.open.set(type, held);
      }
      for (const source of because[type]!) {
        const name = `${source.permission_id} ${source.via} ${source.invite_id}`;
        if (held.because.size < MOST_SOURCES) held.because.set(name, source);
      }
    }
    this.restOn(access, resource_id);
  }

  private close(permission_type: PermissionType, to_ms: number, to_revision: number): void {
    const { from_ms, from_revision, because } = this.open.get(permission_type)!;
    this.open.delete(permission_type);
    const ends = { from_ms, to_ms, from_revision, to_revision };
    this.closed.push({ permission_type, ...ends, because: [...because.values()] });
  }

  private restOn(access: Access, resource_id: string): void {
    const { state, grantee_id, now } = access;
    const edges: number[] = [];
    const places = new Set([resource_id]);
    if (isDirectoryId(resource_id))
      for (let node = directoryNode(state, resource_id); node;) {
        places.add(node.id);
        edges.push(node.expires_at);
        const parent_id = node.parent_folder_uuid;
        node = parent_id === null ? undefined : directoryNode(state, parent_id);
      }
    else for (const reaching of systemReach(state, resource_id)) places.add(reaching);

    const records = new Set<string>();
    const granted = new Set<string>();
    const invites = state.invites.where('invitee', grantee_id);
    const owned = state.groups.by('owner', grantee_id);
    const groups = invites.map(({ group_id }) => group_id);
    const index = grantsOf(state, resource_id);
    const may_apply = index.secondValues([grantee_id, PUBLIC, ...groups, ...owned]);
    for (const place of places)
      index.some(place, may_apply, (grant) => {
        records.add(grant.id);
        granted.add(grant.granted_to);
        return !edges.push(grant.begin_date_ms, grant.expiry_date_ms);
      });
    // A member of thousands of groups has a few grants through them: only those memberships matter.
    for (const invite of invites) {
      if (!granted.has(invite.group_id)) continue;
      records.add(invite.id);
      edges.push(invite.active_from, invite.expires_at);
    }
    for (const group_id of owned) if (granted.has(group_id)) records.add(group_id);

    this.rests_on = { grantee_id, resource_id, places, records };
    this.edge_ms = Infinity;
    for (const edge of edges) if (edge > now && edge < this.edge_ms) this.edge_ms = edge;
  }

  private isTouched(state: DriveState, touched: readonly TouchedKey[]): boolean {
    const { rests_on } = this;
    return !rests_on || touched.some((key) => isRestedOn(state, key, rests_on));
  }
}

function grantsOf(state: DriveState, resource_id: string): PairIndex<Permission> {
  const { directory_permissions, system_permissions } = state;
  const grants = isDirectoryId(resource_id) ? directory_permissions : system_permissions;
  return grants.pair('resource_grantee') as PairIndex<Permission>;
}

/** True if the changed record was, or has become, a dependency of the answer. */
function isRestedOn(state: DriveState, { family, id }: TouchedKey, rests_on: RestsOn): boolean {
  const { grantee_id, places, records } = rests_on;
  const isOnPlace = (grant: Permission | undefined): boolean =>
    grant !== undefined &&
    places.has(grant.resource_id) &&
    mayApply(state, grant.granted_to, grantee_id);
  switch (family) {
    case 'organization':
    case 'superswaps':
      return true;
    case 'directory_permissions':
      return records.has(id) || isOnPlace(state.directory_permissions.get(id));
    case 'system_permissions':
      return records.has(id) || isOnPlace(state.system_permissions.get(id));
    case 'group_invites': {
      if (records.has(id) || places.has(id)) return true;
      const invite = state.invites.get(id);
      return invite?.invitee_id === grantee_id && isGranted(state, invite.group_id, rests_on);
    }
    case 'groups':
      return (
        records.has(id) ||
        (state.groups.get(id)?.owner === grantee_id && isGranted(state, id, rests_on))
      );
    default:
      return places.has(id);
  }
}

/** True if grants to `granted_to` apply to the grantee at some time, as far as the state says. */
function mayApply(state: DriveState, granted_to: string, grantee_id: string): boolean {
  if (granted_to === grantee_id || granted_to === PUBLIC) return true;
  if (state.groups.get(granted_to)?.owner === grantee_id) return true;
  return invitesOf(state, granted_to, grantee_id).length > 0;
}

/** True if the group has a grant that may apply to the resource. */
function isGranted(state: DriveState, group_id: string, { places, resource_id }: RestsOn): boolean {
  const index = grantsOf(state, resource_id);
  const group = index.secondValues([group_id]);
  for (const place of places) if (index.some(place, group, () => true)) return true;
  return false;
}
