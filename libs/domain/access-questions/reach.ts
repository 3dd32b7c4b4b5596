import type { Access } from '../access/access.js';
import { KnownTypes } from '../access/known-types.js';
import {
  directoryNode,
  isExpired,
  systemFamilyOf,
  isFolder,
  PassedDown,
  sovereignNodes,
  topFolders,
} from '../access/resources.js';
import {
  allResources,
  countingDirectoryGrants,
  countingSystemGrants,
  resourcesReached,
} from '../access/visible.js';
import type { RecordKinds } from '../foundation/record-kinds.js';
import type { IdGroup } from '../kernel/indexes/id-groups.js';
import { becauseOf, reasons, type ShowPath } from './because.js';
import {
  hasParts,
  isDirectoryId,
  type PermissionType,
  permissionTypes,
  sameTypes,
  typesHeld,
} from './held.js';
import { described, listOf, type Shown, text, view } from '../kernel/view.js';

/** Family of the tables themselves. */
const TABLES_FAMILY = 'tables';

/** Families of accessible resources. */
export function reachableFamilies({ by_table }: RecordKinds): readonly string[] {
  return ['folders', 'files', TABLES_FAMILY, ...[...by_table.values()].flat()];
}

export interface ReachQuery {
  /** Only resources with this type. */
  readonly permission_type?: PermissionType | undefined;
  /** Only these; empty for all. */
  readonly families: readonly string[];
  /** True: roots of subtrees; false: every resource. */
  readonly collapse: boolean;
}

/** A resource that the identity can access. */
export interface ReachedPlace {
  readonly resource_id: string;
  readonly family: string;
  /** As the caller may see it: `<DiskID>::/a/b/`, `TABLE_X`, or `TABLE_X/<record id>`. */
  readonly path: string;
}

export const reachedView = view('Reached', {
  resource_id: text(),
  family: text('Family of the resource; `tables` for tables'),
  path: text('`<DiskID>::/a/b/`, `TABLE_X` or `TABLE_X/<record id>`'),
  types: permissionTypes,
  types_below: described(
    permissionTypes,
    'Collapsed: types inherited by all resources below without their own row or blocked inheritance',
  ),
  cuts: listOf(
    text(),
    'Collapsed: sovereign folders and files below, listed at the nearest row; ≤ 1,000',
  ),
  because: reasons,
});
export type Reached = Shown<typeof reachedView>;

const MOST_CUTS = 1000;

/** A family all of whose records the identity can access, through their table. */
interface ReachedFamily {
  readonly family: string;
  readonly table: string;
  readonly size: number;
  readonly groups: () => readonly IdGroup[];
}

/** All resources that the identity can access, in no order. */
interface ReachedPlaces {
  /** Those not in `families`. */
  readonly places: readonly ReachedPlace[];
  readonly families: readonly ReachedFamily[];
}

export function placesReached(access: Access, question: ReachQuery, show: ShowPath): ReachedPlaces {
  const { places: of_tables, families } = systemPlaces(access, question);
  const places = [...directoryPlaces(access, question, show), ...of_tables];
  if (question.families.length === 0) return { places, families };
  return {
    places: places.filter((place) => isRequested(place, question, access.state.kinds)),
    families: families.filter(({ family }) => question.families.includes(family)),
  };
}

export function pathInTable(table: string, record_id: string): string {
  return `${table}/${record_id}`;
}

/** The reached places of these resources, in their order. */
export function placesOf(
  { places }: ReachedPlaces,
  resource_ids: readonly string[],
  kinds: RecordKinds,
): ReachedPlace[] {
  const wanted = new Set(resource_ids);
  const alone = new Map<string, ReachedPlace>();
  for (const place of places)
    if (wanted.has(place.resource_id)) alone.set(place.resource_id, place);
  return resource_ids.map(
    (id) =>
      alone.get(id) ?? {
        resource_id: id,
        family: kinds.familyOf(id)!,
        path: pathInTable(kinds.tableOf(id), id),
      },
  );
}

/** Collapsed, a folder stands for files, a table for its records and a group for its invites. */
function isRequested(
  { resource_id, family }: ReachedPlace,
  { families, collapse }: ReachQuery,
  { by_table }: RecordKinds,
): boolean {
  if (families.includes(family)) return true;
  if (!collapse) return false;
  const of_table = by_table.get(resource_id);
  if (of_table) return of_table.some((covered) => families.includes(covered));
  const within = family === 'folders' ? 'files' : family === 'groups' ? 'group_invites' : '';
  return families.includes(within);
}

/** What presents a place as a row. */
export function reachedAs(
  access: Access,
  { collapse, permission_type }: ReachQuery,
  show: ShowPath,
): (place: ReachedPlace) => Reached {
  const known = new KnownTypes(access);
  const cuts = collapse ? cutsBelow(known, permission_type) : new Map<string, string[]>();
  return (place) => {
    const { resource_id } = place;
    return {
      ...place,
      types: typesHeld(access, resource_id),
      types_below: collapse ? typesPassedOn(known, resource_id) : [],
      cuts: cuts.get(resource_id) ?? [],
      because: becauseOf(access, resource_id, show),
    };
  };
}

function typesPassedOn(known: KnownTypes, resource_id: string): readonly PermissionType[] {
  const { access } = known;
  if (isDirectoryId(resource_id)) return known.below(resource_id);
  return hasParts(access.state, resource_id) ? access.systemTypes(resource_id) : [];
}

function directoryPlaces(access: Access, question: ReachQuery, show: ShowPath): ReachedPlace[] {
  const { state } = access;
  const { permission_type: type, collapse } = question;
  const places: ReachedPlace[] = [];
  const known = new KnownTypes(access);
  for (const resource_id of collapse ? directoryRoots(access, known, type) : everyNode(access)) {
    if (!collapse && type && !known.held(resource_id).some((held) => held === type)) continue;
    const family = isFolder(state, resource_id) ? 'folders' : 'files';
    places.push({ resource_id, family, path: show(access, resource_id) });
  }
  return places;
}

function everyNode(access: Access): Set<string> {
  return access.is_owner ? allResources(access) : resourcesReached(access);
}

/** Folders and files with more types than they inherit (or with the requested type). */
function directoryRoots(access: Access, known: KnownTypes, type?: PermissionType): Set<string> {
  const roots = new Set<string>();
  if (access.is_owner) {
    for (const id of topFolders(access.state)) if (isRoot(known, id, type)) roots.add(id);
    return roots;
  }
  for (const { resource_id: id } of countingDirectoryGrants(access))
    if (!roots.has(id) && isRoot(known, id, type)) roots.add(id);
  return roots;
}

function isRoot(known: KnownTypes, id: string, type?: PermissionType): boolean {
  const types: readonly PermissionType[] = known.held(id);
  const inherited: readonly PermissionType[] = known.inherited(id);
  return type ? types.includes(type) && !inherited.includes(type) : !sameTypes(types, inherited);
}

/** Null for a folder that has expired or has an expired ancestor. */
type NearestRoot = { readonly root_id?: string } | null;

/** The nearest root of folders: itself, or else its nearest ancestor that is one. */
function nearestRoots(known: KnownTypes, type?: PermissionType): PassedDown<NearestRoot> {
  const { state, now } = known.access;
  return new PassedDown<NearestRoot>(state, {}, (folder, above) => {
    if (above === null || isExpired(folder, now)) return null;
    return isRoot(known, folder.id, type) ? { root_id: folder.id } : above;
  });
}

/** By root: the sovereign folders and files below it that inherit nothing of it, each at its nearest root. */
function cutsBelow(known: KnownTypes, type?: PermissionType): Map<string, string[]> {
  const { access } = known;
  const { state } = access;
  const cuts = new Map<string, string[]>();
  if (access.is_owner) return cuts;
  const nearest_roots = nearestRoots(known, type);
  for (const id of sovereignNodes(state)) {
    const node = directoryNode(state, id)!;
    const parent_id = node.parent_folder_uuid!;
    const passed_on: readonly PermissionType[] = known.below(parent_id);
    if (type ? !passed_on.includes(type) : passed_on.length === 0) continue;
    const root = isExpired(node, access.now) ? undefined : nearest_roots.by(parent_id)?.root_id;
    if (!root) continue;
    const below = cuts.get(root);
    if (!below) cuts.set(root, [id]);
    else if (below.length < MOST_CUTS) below.push(id);
  }
  return cuts;
}

function systemPlaces(access: Access, question: ReachQuery): ReachedPlaces {
  const { state } = access;
  const { permission_type: type, collapse } = question;
  const places: ReachedPlace[] = [];
  const families: ReachedFamily[] = [];
  const listed = new Set<string>();
  const list = (resource_id: string, family: string, table: string): void => {
    if (listed.has(resource_id)) return;
    listed.add(resource_id);
    const path = table === resource_id ? table : pathInTable(table, resource_id);
    places.push({ resource_id, family, path });
  };
  const holds = (types: readonly PermissionType[]): boolean =>
    type ? types.includes(type) : types.length > 0;
  for (const table of state.kinds.tables) {
    if (!holds(access.systemTypes(table))) continue;
    list(table, TABLES_FAMILY, table);
    if (collapse) continue;
    for (const family of state.kinds.by_table.get(table)!) {
      const records = state.table(family);
      if (records)
        families.push({ family, table, size: records.size, groups: () => records.id_groups });
    }
  }
  const listed_tables = new Set(families.map(({ table }) => table));
  for (const { resource_id: id } of countingSystemGrants(access)) {
    const family = systemFamilyOf(state, id);
    // An invite is accessed only through its group; on files and folders only directory grants apply.
    if (!family || family === 'group_invites' || isDirectoryId(id)) continue;
    const table = state.kinds.tableOf(id);
    if (listed_tables.has(table)) continue;
    const types = access.systemTypes(id);
    const by_table: readonly PermissionType[] = access.systemTypes(table);
    const begins = type ? !by_table.includes(type) : !sameTypes(types, by_table);
    if (!holds(types) || !begins) continue;
    list(id, family, table);
    if (!collapse && family === 'groups')
      for (const invite_id of state.invites.by('group', id))
        list(invite_id, 'group_invites', table);
  }
  return { places, families };
}
