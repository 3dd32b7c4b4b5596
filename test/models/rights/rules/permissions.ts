import {
  counts,
  DIRECTORY_TYPES,
  endOf,
  holds,
  isWithinCeiling,
  mayIn,
  SYSTEM_TYPES,
  tableOf,
} from '../evaluation.js';
import { maySeeGrant } from '../readers.js';
import { isFormerId } from '../users.js';
import { addGrant, type Grant, type Id, type World } from '../world.js';
import {
  accepted,
  type Call,
  ending,
  isEmptyWindow,
  refused,
  type Rules,
  type Verdict,
} from './rule.js';

/** permissions.md and the rows on permissions of permissions-model.md, section 7. */
export const permissionRules: Rules = {
  // "D:MANAGE, or D:INVITE with the ceiling"; "everybody but the owner can only give what they have".
  'permissions/directory/create': ({ world, user, body, now }) => {
    if (isEmptyWindow(body.begin_date_ms, body.expiry_date_ms)) return refused(400);
    if (!world.items.has(body.resource_id)) return refused(404);
    const grant = grantOf(body, user, DIRECTORY_TYPES);
    const unknown_group = isUnknownGroup(world, grant.granted_to) ? [404] : [];
    if (!mayIn(world, user, 'INVITE', grant.resource_id, now))
      return refused(403, ...unknown_group);
    if (!mayBePublic(world, user, grant)) return refused(403);
    if (!isWithinCeiling(world, user, grant, grant.permission_types, now))
      return refused(403, ...unknown_group);
    if (unknown_group.length > 0) return refused(404);
    if (world.used.has(grant.id)) return refused(400);
    return accepted(() => store(world, world.directory, grant));
  },

  // "S:CREATE(PERMISSIONS), or S:INVITE on the target; ceiling".
  'permissions/system/create': ({ world, user, body, now }) => {
    if (isEmptyWindow(body.begin_date_ms, body.expiry_date_ms)) return refused(400);
    const grant = grantOf(body, user, SYSTEM_TYPES);
    const unknown_group = isUnknownGroup(world, grant.granted_to) ? [404] : [];
    const may =
      holds(world, user, 'CREATE', 'TABLE_PERMISSIONS', now) ||
      holds(world, user, 'INVITE', grant.resource_id, now);
    if (!may || !mayBePublic(world, user, grant)) return refused(403, ...unknown_group);
    if (!isWithinCeiling(world, user, grant, grant.permission_types, now))
      return refused(403, ...unknown_group);
    if (unknown_group.length > 0) return refused(404);
    if (world.used.has(grant.id)) return refused(400);
    return accepted(() => store(world, world.system, grant));
  },

  // "D:MANAGE, S:EDIT(PERMISSIONS), or the granter while still holding D:INVITE; ceiling for all three".
  'permissions/directory/update': (call) =>
    update(call, call.world.directory, (grant) => mayChange(call, grant, 'EDIT')),

  // "S:EDIT(PERMISSIONS); ceiling".
  'permissions/system/update': (call) =>
    update(call, call.world.system, (grant) =>
      holds(call.world, call.user, 'EDIT', grant.id, call.now),
    ),

  // "as update, S:DELETE(PERMISSIONS), or the grantee user itself".
  'permissions/directory/delete': (call) =>
    remove(
      call,
      call.world.directory,
      (grant) => mayChange(call, grant, 'EDIT') || mayChange(call, grant, 'DELETE'),
    ),

  // "S:DELETE(PERMISSIONS), granter, grantee user itself".
  'permissions/system/delete': (call) =>
    remove(
      call,
      call.world.system,
      (grant) =>
        holds(call.world, call.user, 'DELETE', grant.id, call.now) ||
        grant.granted_by === call.user,
    ),

  'permissions/directory/redeem': (call) => redeem(call, call.world.directory),
  'permissions/system/redeem': (call) => redeem(call, call.world.system),
};

/** Changes of a directory permission that need MANAGE, a system type on the permission, or its granter's INVITE. */
function mayChange({ world, user, now }: Call, grant: Grant, type: string): boolean {
  return (
    mayIn(world, user, 'MANAGE', grant.resource_id, now) ||
    holds(world, user, type, grant.id, now) ||
    (grant.granted_by === user && mayIn(world, user, 'INVITE', grant.resource_id, now))
  );
}

function grantOf(body: any, user: Id, order: readonly string[]): Grant {
  return {
    id: body.id,
    resource_id: body.resource_id,
    granted_to: body.granted_to,
    granted_by: user,
    permission_types: order.filter((type) => body.permission_types.includes(type)),
    begin_date_ms: body.begin_date_ms ?? 0,
    expiry_date_ms: ending(body.expiry_date_ms),
    inheritable: body.inheritable ?? false,
    has_code: body.granted_to.startsWith('Placeholder'),
    has_password: body.metadata?.metadata_type === 'DIRECTORY_PASSWORD',
  };
}

function store(world: World, table: Map<Id, Grant>, grant: Grant): void {
  addGrant(table, grant);
  world.used.add(grant.id);
}

/** permissions.md, "Grantee input": "An unknown GroupID → 404". */
function isUnknownGroup(world: World, grantee: string): boolean {
  return grantee.startsWith('GroupID_') && !world.groups.has(grantee);
}

/**
 * permissions.md, "Grantee input": "Unless the caller is the owner, PUBLIC may carry only VIEW, UPLOAD (directory) or
 * VIEW, CREATE (system), and nothing on AUDIT, API_KEYS, PERMISSIONS or WEBHOOKS and their records".
 */
function mayBePublic(world: World, user: Id, grant: Grant): boolean {
  if (user === world.owner || grant.granted_to !== 'PUBLIC') return true;
  const { resource_id, permission_types: types } = grant;
  if (world.items.has(resource_id))
    return types.every((type) => type === 'VIEW' || type === 'UPLOAD');
  const closed = ['TABLE_AUDIT', 'TABLE_API_KEYS', 'TABLE_PERMISSIONS', 'TABLE_WEBHOOKS'];
  return (
    types.every((type) => type === 'VIEW' || type === 'CREATE') &&
    !closed.includes(tableOf(resource_id))
  );
}

function update(
  { world, user, body, now }: Call,
  table: Map<Id, Grant>,
  may: (grant: Grant) => boolean,
): Verdict {
  if (isEmptyWindow(body.begin_date_ms, body.expiry_date_ms)) return refused(400);
  const old = table.get(body.id);
  // "404 for those who may not read the record, 403 for those who may read but not change it".
  if (!old) return refused(404);
  const is_seen = maySeeGrant(world, user, old, now);
  if (!is_seen && !may(old)) return refused(404);
  const order = world.items.has(old.resource_id) ? DIRECTORY_TYPES : SYSTEM_TYPES;
  const next = grantOf({ ...old, ...body }, old.granted_by, order);
  const has_new_grantee = body.granted_to !== undefined && body.granted_to !== old.granted_to;
  next.has_code = body.granted_to?.startsWith('Placeholder') ?? old.has_code;
  next.has_password = body.metadata === undefined ? old.has_password : next.has_password;
  const is_empty = isEmptyWindow(next.begin_date_ms, next.expiry_date_ms);
  const also = [
    ...hiddenFromHolder(is_seen),
    ...(isUnknownGroup(world, next.granted_to) ? [404] : []),
    ...(is_empty ? [400] : []),
  ];
  if (!may(old)) return refused(403, ...also);
  if (!mayBePublic(world, user, next)) {
    // Undecided: types that the owner gave to PUBLIC and that stay.
    const adds = has_new_grantee || addedTypes(old, next).length > 0 || grows(old, next);
    return adds
      ? refused(403, ...also)
      : { statuses: [200, 403, ...also], effect: () => save(old, next) };
  }
  // "Update: added types are checked; all resulting types when the window grows at either end, inheritable is switched
  // on, or a system grant's resource or grantee changes."
  const checks_all =
    grows(old, next) ||
    (next.inheritable && !old.inheritable && order === DIRECTORY_TYPES) ||
    next.resource_id !== old.resource_id ||
    has_new_grantee;
  const needed = checks_all ? next.permission_types : addedTypes(old, next);
  if (!isWithinCeiling(world, user, next, needed, now)) return refused(403, ...also);
  const is_wrong = is_empty || isUnknownGroup(world, next.granted_to);
  if (is_wrong) return refused(...also);
  return { statuses: [200, ...also], effect: () => save(old, next) };
}

/**
 * Undecided: "404 for those who may not read the record" (permissions.md), yet S:EDIT or S:DELETE(PERMISSIONS), which
 * does not give VIEW, suffices to change it (permissions-model.md, section 7).
 */
function hiddenFromHolder(is_seen: boolean): number[] {
  return is_seen ? [] : [404];
}

function save(old: Grant, next: Grant): void {
  Object.assign(old, next);
}

function addedTypes(old: Grant, next: Grant): string[] {
  return next.permission_types.filter((type) => !old.permission_types.includes(type));
}

function grows(old: Grant, next: Grant): boolean {
  return (
    next.begin_date_ms < old.begin_date_ms || endOf(next.expiry_date_ms) > endOf(old.expiry_date_ms)
  );
}

function remove(
  { world, user, body, now }: Call,
  table: Map<Id, Grant>,
  may: (grant: Grant) => boolean,
): Verdict {
  const grant = table.get(body.permission_id);
  if (!grant) return refused(404);
  const is_seen = maySeeGrant(world, user, grant, now);
  if (!may(grant) && grant.granted_to !== user) return refused(is_seen ? 403 : 404);
  const statuses = [200, ...hiddenFromHolder(is_seen)];
  return { statuses, effect: () => table.delete(grant.id) };
}

/** permissions.md, "POST /redeem": "404 unknown; 400 not a placeholder grant, wrong/used code, expired, not yet active". */
function redeem({ world, body, now }: Call, table: Map<Id, Grant>): Verdict {
  const grant = table.get(body.permission_id);
  if (!grant) return refused(404);
  const is_former = isFormerId(world, body.user_id);
  if (!grant.has_code || body.redeem_code !== `$code:${grant.id}` || !counts(grant, now))
    return refused(400, ...(is_former ? [409] : []));
  if (is_former) return refused(409);
  return accepted(() => Object.assign(grant, { granted_to: body.user_id, has_code: false }));
}
