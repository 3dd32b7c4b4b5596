import type { Grant, Group, Id, Invite, Item, World } from './world.js';

/** Sentences of permissions-model.md, sections 1 to 5 and the ceiling of section 7. Times are in ms. */

/** Section 2, in the order of output (section 6). */
export const SYSTEM_TYPES = ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'];
export const DIRECTORY_TYPES = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'];

/** Section 1, "Member of G at t"; groups.md, "Active invite". */
export function isActive(invite: Invite, now: number): boolean {
  return invite.active_from <= now && (invite.expires_at <= 0 || invite.expires_at > now);
}

/** Section 3: "A grant counts at t when …". */
export function counts(grant: Grant, now: number): boolean {
  const has_begun = grant.begin_date_ms <= 0 || grant.begin_date_ms <= now;
  return has_begun && (grant.expiry_date_ms <= 0 || grant.expiry_date_ms > now);
}

/** Section 1: "Member of G at t: U owns G, or an invite of G has invitee U" and is active. */
export function isMember(world: World, user: Id, group: Group, now: number): boolean {
  return group.owner === user || memberships(world, user, group.id, now).length > 0;
}

/** Section 1: "Group admin: owner of G, or an active invite with role ADMIN." */
export function isGroupAdmin(world: World, user: Id, group: Group, now: number): boolean {
  const invites = memberships(world, user, group.id, now);
  return group.owner === user || invites.some(({ role }) => role === 'ADMIN');
}

function memberships(world: World, user: Id, group_id: Id, now: number): Invite[] {
  return [...world.invites.values()].filter(
    (invite) => invite.group_id === group_id && invite.invitee_id === user && isActive(invite, now),
  );
}

/** Section 1, "Grantee set": of a user, a group, a placeholder or PUBLIC. */
export function granteeSet(world: World, grantee: string, now: number): Set<string> {
  const groups = [...world.groups.values()].filter((group) => isMember(world, grantee, group, now));
  const own = grantee.startsWith('UserID_') ? groups.map(({ id }) => id) : [];
  return new Set([grantee, 'PUBLIC', ...own]);
}

const TABLES: readonly (readonly [string, string])[] = [
  ['DriveID_', 'TABLE_DRIVES'],
  ['DiskID_', 'TABLE_DISKS'],
  ['UserID_', 'TABLE_CONTACTS'],
  ['GroupID_', 'TABLE_GROUPS'],
  ['GroupInviteID_', 'TABLE_GROUPS'],
  ['ApiKeyID_', 'TABLE_API_KEYS'],
  ['WebhookID_', 'TABLE_WEBHOOKS'],
  ['LabelID_', 'TABLE_LABELS'],
  ['PurchaseID_', 'TABLE_PURCHASES'],
];

/** Section 4, "Record → table". */
export function tableOf(resource: Id): string {
  if (resource.startsWith('TABLE_')) return resource;
  return TABLES.find(([prefix]) => resource.startsWith(prefix))?.[1] ?? 'TABLE_PERMISSIONS';
}

/** Section 4: grants on the table, and on the record; "for a GroupInviteID_ … on the group's id". */
function systemGrants(world: World, grantee: string, resource: Id, now: number): Grant[] {
  const record = world.invites.get(resource)?.group_id ?? resource;
  const grantees = granteeSet(world, grantee, now);
  return [...world.system.values()].filter(
    (grant) =>
      (grant.resource_id === record || grant.resource_id === tableOf(resource)) &&
      counts(grant, now) &&
      grantees.has(grant.granted_to),
  );
}

/** Section 5: chain and steps 1 and 2. */
function directoryGrants(world: World, grantee: string, resource: Id, now: number): Grant[] {
  const chain = chainOf(world, resource).map(({ id }) => id);
  const grantees = granteeSet(world, grantee, now);
  return [...world.directory.values()].filter(
    (grant) =>
      chain.includes(grant.resource_id) &&
      counts(grant, now) &&
      (grant.resource_id === resource || grant.inheritable) &&
      grantees.has(grant.granted_to),
  );
}

/** Section 5, step 1: "unless R is sovereign, walk to the parent, append, stop after appending a sovereign folder". */
export function chainOf(world: World, resource: Id): Item[] {
  const chain: Item[] = [];
  let item = world.items.get(resource);
  while (item) {
    chain.push(item);
    item = item.sovereign || item.parent === null ? undefined : world.items.get(item.parent);
  }
  return chain;
}

function union(grants: readonly Grant[], order: readonly string[]): string[] {
  const types = grants.flatMap(({ permission_types }) => permission_types);
  return order.filter((type) => types.includes(type));
}

/** Section 4, "types(grantee, …)". */
export function systemTypes(world: World, grantee: string, resource: Id, now: number): string[] {
  if (grantee === world.owner) return SYSTEM_TYPES;
  return union(systemGrants(world, grantee, resource, now), SYSTEM_TYPES);
}

/** Section 5, step 3: literal, "MANAGE … is reported literally by check and previews" (section 2). */
export function directoryTypes(world: World, grantee: string, resource: Id, now: number): string[] {
  if (!world.items.has(resource)) return [];
  if (grantee === world.owner) return DIRECTORY_TYPES;
  return union(directoryGrants(world, grantee, resource, now), DIRECTORY_TYPES);
}

/** S:type(resource) of section 7. */
export function holds(world: World, user: Id, type: string, resource: Id, now: number): boolean {
  return systemTypes(world, user, resource, now).includes(type);
}

/** D:type(resource) of section 7: "MANAGE suffices". */
export function mayIn(world: World, user: Id, type: string, resource: Id, now: number): boolean {
  const types = directoryTypes(world, user, resource, now);
  return types.includes(type) || types.includes('MANAGE');
}

/** Section 7: "D:DELETE on the parent folder, or D:DELETE granted directly on the resource". */
export function mayDelete(world: World, user: Id, item: Item, now: number): boolean {
  if (item.parent !== null && mayIn(world, user, 'DELETE', item.parent, now)) return true;
  return directoryGrants(world, user, item.id, now).some(
    ({ resource_id, permission_types: types }) =>
      resource_id === item.id && (types.includes('DELETE') || types.includes('MANAGE')),
  );
}

/** The end of a window: "-1 = never" (README.md, section 4). */
export function endOf(time: number): number {
  return time <= 0 ? Infinity : time;
}

/** Until when a source gives its types: "a counting grant and, if it came through a group, the membership invite". */
function endOfSource(world: World, user: Id, grant: Grant, now: number): number {
  const end = endOf(grant.expiry_date_ms);
  const group = world.groups.get(grant.granted_to);
  if (!group || group.owner === user) return end;
  const ends = memberships(world, user, group.id, now).map((invite) => endOf(invite.expires_at));
  return Math.min(end, Math.max(...ends));
}

/** Section 7, "Ceiling": types and reach. `types` are those of the new grant that need it. */
export function isWithinCeiling(
  world: World,
  user: Id,
  grant: Pick<Grant, 'resource_id' | 'expiry_date_ms' | 'inheritable'>,
  types: readonly string[],
  now: number,
): boolean {
  if (user === world.owner) return true;
  const item = world.items.get(grant.resource_id);
  const held = item
    ? directoryGrants(world, user, grant.resource_id, now)
    : systemGrants(world, user, grant.resource_id, now);
  const must_be_inheritable = item?.kind === 'FOLDER' && grant.inheritable;
  return types.every((type) =>
    held.some(
      (source) =>
        // "directory MANAGE covers all six, and only MANAGE covers MANAGE"
        (source.permission_types.includes(type) ||
          (item !== undefined && source.permission_types.includes('MANAGE'))) &&
        endOfSource(world, user, source, now) >= endOf(grant.expiry_date_ms) &&
        (!must_be_inheritable || source.inheritable),
    ),
  );
}
