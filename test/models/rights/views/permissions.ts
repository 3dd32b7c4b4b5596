import {
  DIRECTORY_TYPES,
  directoryTypes,
  holds,
  mayIn,
  SYSTEM_TYPES,
  systemTypes,
} from '../evaluation.js';
import { mayCheck, maySeeGrant } from '../readers.js';
import { isReferredTo } from '../users.js';
import type { Grant, Id, World } from '../world.js';
import {
  differencesOf,
  EMPTY,
  got,
  hidden,
  listed,
  type Look,
  type Shown,
  type Viewer,
  visible,
} from './look.js';

/** What somebody sees of permissions, and what checks answer. */

export function lookAtGrants(viewer: Viewer): Look[] {
  const { world, user, now } = viewer;
  const system = visible(
    world.system,
    (grant) => maySeeGrant(world, user, grant, now),
    (grant) => shownGrant(viewer, grant),
  );
  return [
    listed(system, 'permissions/system/list'),
    ...[...world.items.keys()].map((id) => grantsOn(viewer, id)),
  ];
}

/** "Anyone else gets 404, same as unknown." */
export function getGrants(viewer: Viewer): Look[] {
  const { world, user, now } = viewer;
  const look = (kind: string, table: ReadonlyMap<Id, Grant>): Look[] =>
    [...table.values()].map((grant) => {
      const status = maySeeGrant(world, user, grant, now) ? 200 : 404;
      return got(`permissions/${kind}/get/${grant.id}`, status, () => shownGrant(viewer, grant));
    });
  return [...look('system', world.system), ...look('directory', world.directory)];
}

/** permissions.md, directory, "POST /list": "VIEW on the resource, else 403. Only grants placed directly on that resource." */
function grantsOn(viewer: Viewer, resource_id: Id): Look {
  const { world, user, now } = viewer;
  const shown = visible(
    world.directory,
    (grant) => grant.resource_id === resource_id,
    (grant) => shownGrant(viewer, grant),
  );
  const look = listed(shown, 'permissions/directory/list', { filters: { resource_id } });
  return mayIn(world, user, 'VIEW', resource_id, now) ? look : { ...look, statuses: [403] };
}

function shownGrant({ world, user, now }: Viewer, grant: Grant): Shown {
  const { resource_id } = grant;
  const is_directory = world.items.has(resource_id);
  // "owner, granter, holders of MANAGE on the resource; not S:EDIT(PERMISSIONS)".
  const may_see_secrets =
    user === world.owner ||
    grant.granted_by === user ||
    (is_directory && mayIn(world, user, 'MANAGE', resource_id, now));
  return {
    resource_id,
    granted_to: grant.granted_to,
    granted_by: grant.granted_by,
    permission_types: grant.permission_types,
    redeem_code: hidden(grant.has_code && may_see_secrets),
    metadata: hidden(grant.has_password && may_see_secrets),
    permission_previews: systemTypes(world, user, grant.id, now),
    // "Clipped form to holders of VIEW on the resource, else """; of a system permission its resource.
    ...(is_directory
      ? mayIn(world, user, 'VIEW', resource_id, now)
        ? {}
        : { resource_path: EMPTY }
      : { resource_path: resource_id }),
  };
}

/** permissions.md, "POST /check" of both kinds. */
export function check(viewer: Viewer, grantee_id: string, resource_id: Id): Look {
  const { world, user, now } = viewer;
  const is_directory = /^F(ile|older)ID_/.test(resource_id);
  const permissions = is_directory
    ? directoryTypes(world, grantee_id, resource_id, now)
    : systemTypes(world, grantee_id, resource_id, now);
  return {
    method: 'POST',
    path: `permissions/${is_directory ? 'directory' : 'system'}/check`,
    body: { grantee_id, resource_id },
    statuses: [mayCheck(world, user, grantee_id, resource_id, now) ? 200 : 403],
    differences: (data) => differencesOf({ permissions }, data),
  };
}

/** time-travel.md, section 7: "Self may ask about itself"; "booleans in order", of types as `check` gives them. */
export function checkOwn({ world, user, now }: Viewer, resources: readonly Id[]): Look {
  const asked = resources.flatMap((resource_id) => {
    const is_directory = world.items.has(resource_id);
    const order = is_directory ? DIRECTORY_TYPES : SYSTEM_TYPES;
    const types = is_directory ? directoryTypes : systemTypes;
    const held = types(world, user, resource_id, now);
    return order.map((permission_type) => ({
      check: { grantee_id: user, resource_id, permission_type },
      is_held: held.includes(permission_type),
    }));
  });
  const some = asked.slice(-1000);
  // "An id that never existed in this organization → 404 …, for askers with VIEW on AUDIT": the model knows no history.
  const is_auditor = holds(world, user, 'VIEW', 'TABLE_AUDIT', now);
  const may_be_unknown = is_auditor && !isReferredTo(world, user);
  return {
    method: 'POST',
    path: 'organization/check_many',
    body: { checks: some.map(({ check: one }) => one) },
    statuses: may_be_unknown ? [200, 404] : [200],
    differences: (data) => {
      const answers: boolean[] = Array.isArray(data) ? data : data.results;
      return some
        .filter(({ is_held }, at) => answers[at] !== is_held)
        .map(({ check: one, is_held }) => `${JSON.stringify(one)}: expected ${is_held}`);
    },
  };
}

export const TABLES = [
  'TABLE_DRIVES',
  'TABLE_DISKS',
  'TABLE_CONTACTS',
  'TABLE_GROUPS',
  'TABLE_API_KEYS',
  'TABLE_PERMISSIONS',
  'TABLE_WEBHOOKS',
  'TABLE_LABELS',
  'TABLE_INBOX',
  'TABLE_PURCHASES',
  'TABLE_AUDIT',
];

/** Everything that a check may name. */
export function resourcesOf(world: World): Id[] {
  const { contacts, groups, invites, disks, labels, webhooks, purchases, drives } = world;
  const records = [
    contacts,
    groups,
    invites,
    disks,
    labels,
    webhooks,
    purchases,
    drives,
    world.items,
  ];
  return [...TABLES, ...records.flatMap((table) => [...table.keys()])];
}
