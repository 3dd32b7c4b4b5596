import type { Permission } from '../access/permission.js';
import type { DriveState, Records, Tables } from '../foundation/state.js';
import { Access } from '../access/access.js';
import { KnownTypes } from '../access/known-types.js';
import { isThere as nodeIsThere } from '../access/ancestor-paths.js';
import { isCounting } from '../access/grants.js';
import { isActive, membersOf } from '../access/principals.js';
import {
  directoryLine,
  directoryNode,
  isExpired,
  nodesUpwards,
  sovereignNodes,
  topFolders,
} from '../access/resources.js';
import { countingDirectoryGrants, countingSystemGrants } from '../access/visible.js';
import { PREFIX } from '../kernel/ids.js';
import { becauseOf, reasons, type ShowPath } from './because.js';
import {
  grantsFor,
  hasParts,
  isDirectoryId,
  type PermissionType,
  permissionTypes,
  typesFor,
  typesHeld,
} from './held.js';
import { Identities } from './identity.js';
import { isThere } from './known.js';
import { holderIds } from './who.js';
import { described, integer, listOf, type Shown, text, view } from '../kernel/view.js';

export interface Moment {
  readonly state: DriveState;
  readonly now: number;
}

export interface DiffQuery {
  readonly grantee_id?: string | undefined;
  readonly resource_id?: string | undefined;
}

/** A resource on which a grantee gained or lost permissions. */
export interface DiffPlace {
  /** The id at the later point. */
  readonly grantee_id: string;
  readonly resource_root: string;
  /** As the caller may see it, at the later point, else at the earlier one. */
  readonly path: string;
  /**
   * Folders, files and records below, at most 1,000, that did not change because of their own grants, or because they
   * were moved there; each at its nearest row.
   */
  readonly except: readonly string[];
}

export const accessChangeView = view('AccessChange', {
  grantee_id: text('The id at the later point'),
  resource_root: text(),
  path: text(),
  gained: permissionTypes,
  lost: permissionTypes,
  gained_below: described(
    permissionTypes,
    'Types gained by all resources below that existed at both points',
  ),
  lost_below: described(
    permissionTypes,
    'Types lost by all resources below that existed at both points',
  ),
  except: listOf(
    text(),
    'Resources below that did not change, because of their own grants or because they were moved there; at most 1,000',
  ),
  revisions: listOf(
    integer(),
    'Events in between that changed what decides: grants, memberships, owners, or where an item is; at most 100. ' +
      'Empty if only time caused the change',
  ),
  because: described(
    reasons,
    'Sources of the gained types at `to`, and of the lost types at `from`',
  ),
});
export type AccessChange = Shown<typeof accessChangeView>;

interface Changed {
  readonly gained: readonly PermissionType[];
  readonly lost: readonly PermissionType[];
}

const MOST_REVISIONS = 100;
const MOST_EXCEPT = 1000;
const NODE_FAMILIES = ['folders', 'files'];

/** A record that events between the points changed. */
export interface ChangedRecord {
  readonly definition: { readonly name: string };
  readonly id: string;
  /** Revisions of those among these events that changed what decides on permissions, ascending. */
  readonly revisions: readonly number[];
}

/** Permissions gained and lost between two points of a drive. */
export class AccessDiff {
  private readonly identities: Identities;
  /** True if records may count at one point only although no event in between changed them. */
  private is_by_time = false;
  /** Folders and files of both points that changed their parent or their inheritance. */
  private readonly moved = new Set<string>();
  /** Revisions of the events that changed what a record decides, by its id. */
  private readonly changing: ReadonlyMap<string, readonly number[]>;

  constructor(
    private readonly from: Moment,
    private readonly to: Moment,
    private readonly changed_records: readonly ChangedRecord[],
    private readonly show: ShowPath,
  ) {
    this.identities = new Identities(to.state);
    // An organization and its drive record have one id; only one of them decides.
    const deciding = changed_records.filter(({ revisions }) => revisions.length > 0);
    this.changing = new Map(deciding.map(({ id, revisions }) => [id, revisions]));
  }

  /** True if an id of the later point existed at either point. */
  isThere(id: string): boolean {
    const { from, to } = this;
    if (isThere(to.state, id, to.now)) return true;
    return isThere(from.state, this.identities.userThen(id, from.state.revision), from.now);
  }

  /** All changed places, in no order. Yields undefined regularly in between, so that a caller may pause. */
  *places({ grantee_id, resource_id }: DiffQuery): Generator<DiffPlace | undefined> {
    for (const _ of this.to.state.undo_log.finding()) yield;
    this.is_by_time = this.hasPassedEdges();
    yield* this.findMoved();
    if (resource_id !== undefined) {
      for (const id of grantee_id === undefined ? this.holdersOf(resource_id) : [grantee_id])
        yield this.placeAt(id, resource_id);
      return;
    }
    const grantees = new Set<string>();
    if (grantee_id !== undefined) grantees.add(grantee_id);
    else yield* this.findGrantees(grantees);
    for (const id of grantees) yield* this.rootsOf(id);
  }

  rowOf(place: DiffPlace): AccessChange {
    const { show } = this;
    const { grantee_id, resource_root } = place;
    const [before, after] = this.accesses(grantee_id);
    const old_root = this.resourceBefore(resource_root);
    const { gained, lost } = this.changeAt(before, after, resource_root);
    const below = this.changeBelow(before, after, resource_root);
    const gave = becauseOf(before, old_root, show, [...new Set([...lost, ...below.lost])]);
    const gives = becauseOf(after, resource_root, show, [...new Set([...gained, ...below.gained])]);
    return {
      ...place,
      gained,
      lost,
      gained_below: below.gained,
      lost_below: below.lost,
      revisions: this.revisionsOf([before, old_root], [after, resource_root]),
      because: { ...gave, ...gives },
    };
  }

  private accesses(grantee_id: string): readonly [Access, Access] {
    const { from, to } = this;
    return [
      new Access(from.state, this.granteeBefore(grantee_id), from.now),
      new Access(to.state, grantee_id, to.now),
    ];
  }

  /** The id at the earlier point; `''` if the id was another user's then. A former id in no use stands for itself. */
  private granteeBefore(id: string): string {
    const { from, to } = this;
    const then = this.identities.userThen(id, from.state.revision);
    const is_used_again = this.idSince(then) !== id && isThere(to.state, id, to.now);
    return is_used_again ? '' : then;
  }

  private resourceBefore(id: string): string {
    return this.identities.resourceThen(id, this.from.state.revision);
  }

  private idSince(id: string): string {
    return this.identities.since(id, this.from.state.revision);
  }

  /** The id at the later point of a user or resource named by a record of one of the points. */
  private idOf(id: string, named_at: Moment): string {
    return named_at === this.from ? this.idSince(id) : id;
  }

  private holdersOf(resource_id: string): Set<string> {
    const { from, to } = this;
    const before = holderIds(from.state, this.resourceBefore(resource_id), from.now);
    const after = holderIds(to.state, resource_id, to.now);
    return new Set([...before.map((id) => this.idSince(id)), ...after]);
  }

  private placeAt(grantee_id: string, resource_root: string): DiffPlace | undefined {
    const [before, after] = this.accesses(grantee_id);
    if (isNothing(this.changeAt(before, after, resource_root))) return undefined;
    return { grantee_id, resource_root, path: this.pathOf(resource_root), except: [] };
  }

  /** Places whose change for the grantee is not inherited from above. */
  private *rootsOf(grantee_id: string): Generator<DiffPlace | undefined> {
    const [before, after] = this.accesses(grantee_id);
    const exceptions: string[] = [];
    const passing_roots = new Map<string, { passes_on: boolean; except: string[] }>();
    const roots: DiffPlace[] = [];
    for (const id of this.candidates(before, after)) {
      yield;
      const own = this.changeAt(before, after, id);
      const below = this.changeBelow(before, after, id);
      const passed_on = this.changePassedOn(before, after, id);
      const is_leaf = !isDirectoryId(id) || isFile(id);
      if (passed_on && sameChange(own, passed_on) && (is_leaf || sameChange(below, passed_on)))
        continue;
      if (isNothing(own) && isNothing(below)) {
        if (passed_on || this.moved.has(id)) exceptions.push(id);
        continue;
      }
      const except: string[] = [];
      passing_roots.set(id, { passes_on: !isNothing(below), except });
      roots.push({ grantee_id, resource_root: id, path: this.pathOf(id), except });
    }
    for (const id of exceptions) {
      const above = isDirectoryId(id)
        ? lineAbove(after.state, id)
        : [after.state.kinds.tableOf(id)];
      const root = passing_roots.get(above.find((one) => passing_roots.has(one)) ?? '');
      if (root?.passes_on && root.except.length < MOST_EXCEPT) root.except.push(id);
    }
    yield* roots;
  }

  private changeAt(before: Access, after: Access, resource_id: string): Changed {
    return changed(
      resource_id,
      typesHeld(before, this.resourceBefore(resource_id)),
      typesHeld(after, resource_id),
    );
  }

  private changeBelow(before: Access, after: Access, resource_id: string): Changed {
    if (!isDirectoryId(resource_id)) {
      const has_parts = hasParts(after.state, resource_id);
      return has_parts ? this.changeAt(before, after, resource_id) : changed(resource_id, [], []);
    }
    const below = (access: Access) => new KnownTypes(access).below(resource_id);
    return changed(resource_id, below(before), below(after));
  }

  /** The change inherited from above; null if nothing is inherited at either point. */
  private changePassedOn(before: Access, after: Access, resource_id: string): Changed | null {
    if (!isDirectoryId(resource_id)) {
      const table = after.state.kinds.tableOf(resource_id);
      return table === resource_id ? null : this.changeAt(before, after, table);
    }
    const old_node = directoryNode(before.state, resource_id);
    const node = directoryNode(after.state, resource_id);
    if (!old_node || !node || this.moved.has(resource_id)) return null;
    if (node.parent_folder_uuid === null || node.has_sovereign_permissions) return null;
    const inherited = (access: Access) => new KnownTypes(access).inherited(resource_id);
    return changed(resource_id, inherited(before), inherited(after));
  }

  /** Resources that may have changed for the grantee independently of their parents. */
  private candidates(before: Access, after: Access): Set<string> {
    const candidates = new Set<string>([...after.state.kinds.tables, ...this.moved]);
    for (const access of [before, after]) {
      for (const grant of countingDirectoryGrants(access)) candidates.add(grant.resource_id);
      for (const { resource_id: id } of countingSystemGrants(access))
        // An invite is accessed only through its group.
        if (!id.startsWith(PREFIX.invite))
          candidates.add(access === before ? this.idSince(id) : id);
    }
    if (before.is_owner !== after.is_owner)
      for (const { state } of [before, after]) {
        for (const id of topFolders(state)) candidates.add(id);
        for (const id of sovereignNodes(state)) candidates.add(id);
      }
    return candidates;
  }

  private hasPassedEdges(): boolean {
    const { from, to } = this;
    const [begin, end] = [Math.min(from.now, to.now), Math.max(from.now, to.now)];
    // Windows of records that changed do not matter: those are looked at anyway.
    if (to.state.undo_log.edges.mayBeWithin(begin, end)) return true;
    // Whatever is below such a folder appeared or disappeared with it: its own time of expiry was changed, or it was
    // moved out of an expired folder, as the sweep does with sovereign items.
    return NODE_FAMILIES.flatMap((family) => this.changedOf(family)).some((id) => {
      const [before, after] = this.nodes(id);
      if (!before || !after) return false;
      return nodeIsThere(from.state, before, from.now) !== nodeIsThere(to.state, after, to.now);
    });
  }

  private changedOf(family: string): string[] {
    return this.changed_records
      .filter(({ definition }) => definition.name === family)
      .map(({ id }) => id);
  }

  private nodes(id: string) {
    return [directoryNode(this.from.state, id), directoryNode(this.to.state, id)] as const;
  }

  /** Ids of the records of a family that may differ or count differently. */
  private *idsOf(family: string): Generator<string> {
    if (!this.is_by_time) return yield* this.changedOf(family);
    const [before, after] = [this.from.state.table(family), this.to.state.table(family)];
    yield* after?.ids() ?? [];
    for (const id of before?.ids() ?? []) if (!after?.has(id)) yield id;
  }

  private *findMoved(): Generator<undefined> {
    const { from, to } = this;
    for (const family of NODE_FAMILIES)
      for (const id of this.idsOf(family)) {
        yield;
        const [before, after] = this.nodes(id);
        if (!before || !after) continue;
        const is_same =
          before.parent_folder_uuid === after.parent_folder_uuid &&
          before.has_sovereign_permissions === after.has_sovereign_permissions &&
          isExpired(before, from.now) === isExpired(after, to.now);
        if (!is_same) this.moved.add(id);
      }
  }

  /** All grantees that may have changes, under the id at the later point. */
  private *findGrantees(grantees: Set<string>): Generator<undefined> {
    const { from, to } = this;
    const add = (granted_to: string, moment: Moment): void => {
      if (granted_to.startsWith(PREFIX.placeholder_grantee)) return;
      grantees.add(this.idOf(granted_to, moment));
      // Users who became members since are handled below.
      for (const member of membersOf(from.state, granted_to, from.now))
        grantees.add(this.idSince(member));
    };
    for (const version of this.changes('system_permissions', (one, { now }) =>
      isCounting(one, now),
    )) {
      yield;
      if (version) add(version.record.granted_to, version.moment);
    }
    for (const version of this.changes('directory_permissions', reachesSomething)) {
      yield;
      if (version) add(version.record.granted_to, version.moment);
    }
    for (const version of this.changes('invites', (one, { now }) => isActive(one, now))) {
      yield;
      if (version?.record.invitee_id.startsWith(PREFIX.user))
        grantees.add(this.idOf(version.record.invitee_id, version.moment));
    }
    for (const version of this.changes('groups', () => true)) {
      yield;
      if (version) grantees.add(this.idOf(version.record.owner, version.moment));
    }
    for (const moment of [from, to])
      grantees.add(this.idOf(moment.state.organization.owner_id, moment));
    // Grants to a new id, or on it, passed to another user.
    for (const new_id of this.identities.newSince(from.state.revision)) {
      grantees.add(this.idSince(new_id));
      for (const moment of [from, to])
        for (const grant of moment.state.system_permissions.where('resource', new_id))
          add(grant.granted_to, moment);
    }
    for (const id of this.moved)
      for (const moment of [from, to]) {
        yield;
        for (const { granted_to } of grantsFor(moment, id)) add(granted_to, moment);
      }
  }

  /** Both versions of every record that changed, or became active or inactive; undefined for others. */
  private *changes<
    Family extends 'directory_permissions' | 'system_permissions' | 'invites' | 'groups',
  >(
    family: Family,
    counts: (record: Records[Family], moment: Moment) => boolean,
  ): Generator<{ readonly record: Records[Family]; readonly moment: Moment } | undefined> {
    const { from, to } = this;
    const old_table: Tables[Family] = from.state[family];
    const new_table: Tables[Family] = to.state[family];
    for (const id of this.idsOf(new_table.definition.name)) {
      const before = old_table.get(id);
      const after = new_table.get(id);
      const is_same =
        before !== undefined &&
        after !== undefined &&
        before.revision === after.revision &&
        counts(before, from) === counts(after, to);
      if (is_same) {
        yield;
        continue;
      }
      yield after && { record: after, moment: to };
      if (before) yield { record: before, moment: from };
    }
  }

  private pathOf(resource_id: string): string {
    const { from, to, show } = this;
    if (!isDirectoryId(resource_id)) {
      const table = to.state.kinds.tableOf(resource_id);
      return table === resource_id ? table : `${table}/${resource_id}`;
    }
    return show(directoryNode(to.state, resource_id) ? to : from, resource_id);
  }

  private revisionsOf(
    before: readonly [Access, string],
    after: readonly [Access, string],
  ): number[] {
    const ids = new Set<string>();
    for (const [access, resource_id] of [before, after]) {
      const because = Object.values(becauseOf(access, resource_id, () => ''));
      for (const { permission_id, via, invite_id } of because.flat())
        for (const id of [permission_id, via, invite_id]) if (id) ids.add(id);
      for (const id of [resource_id, ...lineAbove(access.state, resource_id)])
        if (this.moved.has(id)) ids.add(id);
    }
    if (before[0].is_owner !== after[0].is_owner) ids.add(this.to.state.drive_id);
    const revisions = new Set<number>();
    for (const id of ids)
      for (const revision of this.changing.get(id) ?? []) revisions.add(revision);
    return [...revisions].sort((a, b) => a - b).slice(0, MOST_REVISIONS);
  }
}

/** Folders and files appear and disappear by expiry, and the grants on them too. */
function reachesSomething(grant: Permission, { state, now }: Moment): boolean {
  return isCounting(grant, now) && directoryLine(state, grant.resource_id, now).reaching > 0;
}

/** Ids of the ancestors of a folder or file, nearest first. */
function lineAbove(state: DriveState, resource_id: string): string[] {
  return Array.from(nodesUpwards(state, resource_id), ({ id }) => id).slice(1);
}

function isFile(resource_id: string): boolean {
  return resource_id.startsWith(PREFIX.file);
}

function changed(
  resource_id: string,
  before: readonly PermissionType[],
  after: readonly PermissionType[],
): Changed {
  const all = typesFor(resource_id);
  return {
    gained: all.filter((type) => after.includes(type) && !before.includes(type)),
    lost: all.filter((type) => before.includes(type) && !after.includes(type)),
  };
}

function isNothing({ gained, lost }: Changed): boolean {
  return gained.length === 0 && lost.length === 0;
}

function sameChange(one: Changed, other: Changed): boolean {
  return one.gained.join() === other.gained.join() && one.lost.join() === other.lost.join();
}
