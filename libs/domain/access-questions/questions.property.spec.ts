import type { Permission } from '../access/permission.js';
import fc from 'fast-check';
import { Access } from '../access/access.js';
import { directoryNode } from '../access/resources.js';
import {
  FILES,
  FOLDERS,
  GROUPS,
  PLACEHOLDERS,
  RandomDrive,
  steps,
  SYSTEM_RESOURCES,
  USERS,
} from '../access/testing/random-drive.js';
import { SlowModel } from '../access/testing/slow-model.js';
import { explain, type ExplainOptions } from './explain.js';
import { isDirectoryId, type PermissionType } from './held.js';
import { placesOf, placesReached, type Reached, type ReachQuery, reachedAs } from './reach.js';
import { holder, holderIds } from './who.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 60);
const HOLDERS = [...USERS, ...GROUPS, 'PUBLIC'];
const SOMEBODY = [...HOLDERS, ...PLACEHOLDERS];
const RESOURCES = [...FOLDERS, ...FILES, ...SYSTEM_RESOURCES, 'FolderID_unknown'];
const MOMENTS = [0, 1, 3, 5, 6, 9, 20];
const TYPES: readonly (PermissionType | undefined)[] = [undefined, 'VIEW', 'EDIT', 'MANAGE'];
const SHOW_ALL: ExplainOptions = { path: (_, id) => `path of ${id}`, denied: () => true };

type Compare = (actual: unknown, expected: unknown, ...question: readonly unknown[]) => void;
type Ask = (drive: RandomDrive, model: SlowModel, now: number, compare: Compare) => void;

/** Queries at several times after the last random step. A failure shows seed and steps. */
function differences(ask: Ask): void {
  fc.assert(
    fc.property(steps, (taken) => {
      const drive = new RandomDrive();
      for (const step of taken) drive.take(step);
      const model = new SlowModel(drive.state);
      const found: unknown[] = [];
      for (const now of MOMENTS)
        ask(drive, model, now, (actual, expected, ...question) => {
          if (JSON.stringify(actual) !== JSON.stringify(expected))
            found.push({ now, question, actual, expected });
        });
      expect(found.slice(0, 3)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}

function slowTypes(model: SlowModel, who: string, resource: string, now: number): string[] {
  return isDirectoryId(resource)
    ? model.directoryTypes(who, resource, now)
    : model.systemTypes(who, resource, now);
}

function slowGrants(model: SlowModel, who: string, resource: string, now: number): Permission[] {
  return isDirectoryId(resource)
    ? model.directoryGrants(who, resource, now)
    : model.systemGrants(who, resource, now);
}

/** Ids of the sources of each type; first null for ownership. */
function slowSources(model: SlowModel, who: string, resource: string, now: number) {
  const grants = slowGrants(model, who, resource, now);
  return slowTypes(model, who, resource, now).map((type) => [
    type,
    [
      ...(model.isOwner(who) ? [null] : []),
      ...grants.filter(({ permission_types: types }) => types.includes(type)).map(({ id }) => id),
    ].sort(),
  ]);
}

function sources(because: object): unknown {
  return Object.entries(because as Record<string, { permission_id: string | null }[]>).map(
    ([type, of]) => [type, of.map(({ permission_id }) => permission_id).sort()],
  );
}

const explanations: Ask = ({ state }, model, now, compare) => {
  for (const who of SOMEBODY)
    for (const resource of RESOURCES) {
      const explained = explain(new Access(state, who, now), resource, SHOW_ALL);
      compare(explained.permissions, slowTypes(model, who, resource, now), who, resource);
      compare(sources(explained.because), slowSources(model, who, resource, now), who, resource);
      for (const source of Object.values(explained.because).flat()) {
        const { via, invite_id, permission_id, inherited_from } = source;
        if (via === 'OWNER') continue;
        const grant = state.table('directory_permissions')!.get(permission_id!) as Permission;
        const placed_on = grant?.resource_id ?? resource;
        compare(inherited_from?.folder_id ?? null, placed_on === resource ? null : placed_on, who);
        // In a query about a group, its own grants are direct.
        const is_invited = via.startsWith('GroupID_') && !model.ownsGroup(who, via);
        const memberships = model.memberships(who, via, now).map(({ id }) => id);
        const is_right = is_invited ? memberships.includes(invite_id!) : invite_id === null;
        compare(is_right, true, who, resource, source);
      }
    }
};

/** Inapplicable grants on the path, found by scanning all grants. */
const denials: Ask = ({ state }, model, now, compare) => {
  const nobodys = (grant: Permission, who: string): boolean =>
    grant.granted_to.startsWith('UserID_') && grant.granted_to !== who;
  for (const who of USERS)
    for (const resource of FOLDERS) {
      if (
        slowTypes(
          model,
          [...USERS].find((one) => model.isOwner(one))!,
          resource,
          now,
        ).length === 0
      )
        continue;
      const line: string[] = [];
      for (let node = directoryNode(state, resource); node;) {
        line.push(node.id);
        node = directoryNode(state, node.parent_folder_uuid ?? '');
      }
      const counting = new Set(model.directoryGrants(who, resource, now));
      const expected = [...state.directory_permissions.values()]
        .filter((grant) => line.includes(grant.resource_id))
        .filter((grant) => !counting.has(grant) && !nobodys(grant, who));
      const explained = explain(new Access(state, who, now), resource, SHOW_ALL).denied;
      compare(
        explained.map((one) => one.permission_id).sort(),
        expected.map(({ id }) => id).sort(),
        who,
      );
      for (const { permission_id, reason } of explained) {
        const grant = state.directory_permissions.get(permission_id)!;
        const begins_later = grant.begin_date_ms > now;
        const is_past = grant.expiry_date_ms > 0 && grant.expiry_date_ms <= now;
        const holds: Record<string, boolean> = {
          NOT_BEGUN: begins_later,
          EXPIRED: is_past && !begins_later,
          NOT_INHERITABLE: !grant.inheritable && grant.resource_id !== resource,
          SOVEREIGN_FOLDER: grant.inheritable && grant.resource_id !== resource,
          NOT_REDEEMED: grant.granted_to.startsWith('Placeholder'),
          NOT_A_MEMBER: !model.isMember(who, grant.granted_to, now),
        };
        compare(holds[reason], true, who, resource, grant, reason);
      }
    }
};

const holders: Ask = ({ state }, model, now, compare) => {
  for (const resource of RESOURCES)
    for (const type of TYPES) {
      const rows = holderIds(state, resource, now, type).map((id) => {
        const { types, because } = holder(state, resource, id, now, () => '');
        return [id, types, sources(because)];
      });
      const expected = HOLDERS.toSorted()
        .filter((who) => {
          const types = slowTypes(model, who, resource, now);
          if (type ? !types.includes(type) : types.length === 0) return false;
          // Users with only the permissions of PUBLIC have no row.
          const grants = slowGrants(model, who, resource, now);
          const is_own = who === 'PUBLIC' || model.isOwner(who);
          return is_own || grants.some(({ granted_to }) => granted_to !== 'PUBLIC');
        })
        .map((who) => [
          who,
          slowTypes(model, who, resource, now),
          slowSources(model, who, resource, now),
        ]);
      compare(rows, expected, resource, type);
    }
};

/** All resources that exist: folders, tables, and records of the tables. */
function existing({ state }: RandomDrive): string[] {
  const { groups, invites, contacts, disks, drives, system_permissions, directory_permissions } =
    state;
  const tables = [groups, invites, contacts, disks, drives, system_permissions];
  const records = [...tables, directory_permissions].flatMap((table) => [...table.ids()]);
  const names = ['DRIVES', 'DISKS', 'CONTACTS', 'GROUPS', 'API_KEYS', 'PERMISSIONS'];
  names.push('WEBHOOKS', 'LABELS', 'INBOX', 'PURCHASES', 'AUDIT');
  return [...FOLDERS, ...FILES, ...names.map((name) => `TABLE_${name}`), ...records];
}

/** All reached places, those of whole families too. */
function everyPlace(access: Access, question: ReachQuery) {
  const reached = placesReached(access, question, () => '');
  const ids = reached.families.flatMap(({ groups }) => groups().flatMap((group) => [...group.ids]));
  return [...reached.places, ...placesOf(reached, ids, access.state.kinds)];
}

const everythingReached: Ask = (drive, model, now, compare) => {
  for (const who of SOMEBODY)
    for (const permission_type of TYPES) {
      const access = new Access(drive.state, who, now);
      const question = { families: [], collapse: false, permission_type };
      const found = everyPlace(access, question).map(({ resource_id }) => resource_id);
      const expected = existing(drive).filter((resource) => {
        const types = slowTypes(model, who, resource, now);
        return permission_type ? types.includes(permission_type) : types.length > 0;
      });
      compare(found.sort(), expected.sort(), who, permission_type);
    }
};

/** True for a folder that has expired or has an expired ancestor: the owner has no permissions there. */
function isAbsent(model: SlowModel, resource: string, now: number): boolean {
  const owner = USERS.find((user) => model.isOwner(user))!;
  return isDirectoryId(resource) && model.directoryTypes(owner, resource, now).length === 0;
}

/** The types of one resource according to the collapsed rows. */
function readFrom(rows: Map<string, Reached>, { state }: RandomDrive, resource: string) {
  const own = rows.get(resource);
  if (own) return own.types;
  if (!isDirectoryId(resource)) {
    const group = state.invites.get(resource)?.group_id ?? '';
    const table = state.system_permissions.has(resource) ? 'PERMISSIONS' : '';
    const of_table = Object.entries(TABLE_OF).find(([prefix]) => resource.startsWith(prefix))?.[1];
    return (rows.get(group) ?? rows.get(`TABLE_${table || of_table}`))?.types_below ?? [];
  }
  const line: string[] = [];
  for (let id: string | null = resource; id !== null;) {
    line.push(id);
    const nearest = rows.get(id);
    if (nearest) return nearest.cuts.some((cut) => line.includes(cut)) ? [] : nearest.types_below;
    id = directoryNode(state, id)?.parent_folder_uuid ?? null;
  }
  return [];
}

const TABLE_OF = {
  GroupID_: 'GROUPS',
  GroupInviteID_: 'GROUPS',
  UserID_: 'CONTACTS',
  DiskID_: 'DISKS',
  DriveID_: 'DRIVES',
  DirectoryPermissionID_: 'PERMISSIONS',
  SystemPermissionID_: 'PERMISSIONS',
};

const collapsed: Ask = (drive, model, now, compare) => {
  for (const who of SOMEBODY)
    for (const permission_type of TYPES) {
      const access = new Access(drive.state, who, now);
      const question: ReachQuery = { families: [], collapse: true, permission_type };
      const places = everyPlace(access, question);
      const reached_rows = places.map(reachedAs(access, question, () => ''));
      const rows = new Map(reached_rows.map((row) => [row.resource_id, row]));
      compare(rows.size, reached_rows.length, who, 'rows are distinct');
      for (const resource of existing(drive)) {
        const types = slowTypes(model, who, resource, now);
        // Expired folders have no rows.
        if (isDirectoryId(resource) && isAbsent(model, resource, now)) continue;
        const read = readFrom(rows, drive, resource);
        if (permission_type)
          compare(
            (read as readonly string[]).includes(permission_type),
            types.includes(permission_type),
            who,
            resource,
            permission_type,
          );
        else compare(read, types, who, resource);
      }
    }
};

describe('access queries agree with the slow reference model', () => {
  it.each([
    ['what somebody holds, and why', explanations],
    ['grants that do not count', denials],
    ['everybody who holds something', holders],
    ['everything that somebody reaches', everythingReached],
    ['everything that somebody reaches, collapsed', collapsed],
  ])('on %s', (_, ask) => {
    expect.hasAssertions();
    differences(ask);
  });
});
