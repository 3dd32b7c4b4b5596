import type { Permission } from '../access/permission.js';
import type { DriveState } from '../foundation/state.js';
import { Access } from '../access/access.js';
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
  readonly grantees: ReadonlySet<string>;
  /** Its current or scheduled grants, invites and groups. */
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
  private next_edge_ms = -Infinity;

  constructor(
    private readonly grantee_id: string,
    private readonly resource_id: string,
    private readonly identities: Identities,
    private readonly show: ShowPath,
  ) {}

  /** To be called before an event of this time is applied. */
  before(state: DriveState, timestamp_ms: number): void {
    while (this.rests_on && this.next_edge_ms < timestamp_ms) this.look(state, this.next_edge_ms);
  }

  /** To be called after an event was applied. */
  after(state: DriveState, touched: readonly TouchedKey[]): void {
    if (this.next_edge_ms <= state.timestamp_ms || this.isTouched(state, touched))
      this.look(state, state.timestamp_ms);
  }

  /** All intervals, by beginning and then type, at the end of the stream and time `now`. */
  ended(state: DriveState, now: number): HeldInterval[] {
    while (this.rests_on && this.next_edge_ms <= now) this.look(state, this.next_edge_ms);
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
    const { grantees } = access;
    const index = grantsOf(state, resource_id).pair('resource_grantee');
    const second_values = index.secondValues(grantees);
    for (const place of places)
      index.some(place, second_values, (grant) => {
        records.add(grant.id);
        return !edges.push(grant.begin_date_ms, grant.expiry_date_ms);
      });
    for (const invite of state.invites.where('invitee', grantee_id)) {
      records.add(invite.id);
      edges.push(invite.active_from, invite.expires_at);
    }
    for (const group_id of state.groups.by('owner', grantee_id)) records.add(group_id);

    this.rests_on = { grantee_id, resource_id, places, grantees, records };
    this.next_edge_ms = Infinity;
    for (const edge of edges) if (edge > now && edge < this.next_edge_ms) this.next_edge_ms = edge;
  }

  private isTouched(state: DriveState, touched: readonly TouchedKey[]): boolean {
    const { rests_on } = this;
    return !rests_on || touched.some((key) => isRestedOn(state, key, rests_on));
  }
}

function grantsOf(state: DriveState, resource_id: string) {
  const { directory_permissions, system_permissions } = state;
  return isDirectoryId(resource_id) ? directory_permissions : system_permissions;
}

/** True if the changed record was, or has become, a dependency of the answer. */
function isRestedOn(state: DriveState, { family, id }: TouchedKey, rests_on: RestsOn): boolean {
  const { grantee_id, places, grantees, records } = rests_on;
  const granted = (grant: Permission | undefined): boolean =>
    grant !== undefined && places.has(grant.resource_id) && grantees.has(grant.granted_to);
  switch (family) {
    case 'organization':
    case 'superswaps':
      return true;
    case 'directory_permissions':
      return records.has(id) || granted(state.directory_permissions.get(id));
    case 'system_permissions':
      return records.has(id) || granted(state.system_permissions.get(id));
    case 'group_invites':
      return records.has(id) || places.has(id) || state.invites.get(id)?.invitee_id === grantee_id;
    case 'groups':
      return records.has(id) || state.groups.get(id)?.owner === grantee_id;
    default:
      return places.has(id);
  }
}
