import type { DriveState, Records } from '../foundation/state.js';
import { PREFIX } from '../kernel/ids.js';

/** True if the invite is active at `now` (ms), regardless of its invitee. */
export function isActive(invite: Records['invites'], now: number): boolean {
  return invite.active_from <= now && (invite.expires_at <= 0 || invite.expires_at > now);
}

/** Invites of a group to this user, active or not, in no order. */
export function invitesOf(
  state: DriveState,
  group_id: string,
  user_id: string,
): Records['invites'][] {
  // By the shorter index: big groups have many invites, busy users many memberships.
  const by_user = state.invites.count('invitee', user_id) <= state.invites.count('group', group_id);
  const candidates = by_user
    ? state.invites.where('invitee', user_id)
    : state.invites.where('group', group_id);
  return candidates.filter(
    (invite) => invite.group_id === group_id && invite.invitee_id === user_id,
  );
}

/** Active invites of a group that admit this user, oldest first, then by id. */
export function activeInvites(
  state: DriveState,
  group_id: string,
  user_id: string,
  now: number,
): Records['invites'][] {
  return invitesOf(state, group_id, user_id)
    .filter((invite) => isActive(invite, now))
    .sort(byAge);
}

/** Oldest first, then lowest id: the order of evidence. */
export function byAge(
  a: { created_at: number; id: string },
  b: { created_at: number; id: string },
): number {
  return a.created_at - b.created_at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/**
 * Evidence of the user's membership at `now`: the group's id for its owner, else the oldest invite's; null if none.
 * @param role only of invites with this role; the owner has every role
 */
export function membershipOf(
  state: DriveState,
  group_id: string,
  user_id: string,
  now: number,
  role?: 'ADMIN',
): string | null {
  if (state.groups.get(group_id)?.owner === user_id) return group_id;
  if (!user_id.startsWith(PREFIX.user)) return null;
  const invites = activeInvites(state, group_id, user_id, now);
  return (role ? invites.find((invite) => invite.role === role) : invites[0])?.id ?? null;
}

/** When the user's membership ends, ms; Infinity if it never does, -Infinity without one. */
export function membershipEnd(
  state: DriveState,
  group_id: string,
  user_id: string,
  now: number,
): number {
  if (state.groups.get(group_id)?.owner === user_id) return Infinity;
  return invitesOf(state, group_id, user_id)
    .filter((invite) => isActive(invite, now))
    .reduce(later, -Infinity);
}

function later(end_ms: number, { expires_at }: Records['invites']): number {
  return Math.max(end_ms, expires_at <= 0 ? Infinity : expires_at);
}

/** Groups the user is a member of at `now`, owned ones included. */
export function groupsOf(state: DriveState, user_id: string, now: number): Set<string> {
  const groups = new Set(state.groups.by('owner', user_id));
  if (!user_id.startsWith(PREFIX.user)) return groups;
  for (const invite of state.invites.where('invitee', user_id))
    if (isActive(invite, now)) groups.add(invite.group_id);
  return groups;
}

/** Members of the group at `now`: its owner and the users of active invites. */
export function membersOf(state: DriveState, group_id: string, now: number): Set<string> {
  const members = new Set<string>();
  const owner = state.groups.get(group_id)?.owner;
  if (owner) members.add(owner);
  for (const invite of state.invites.where('group', group_id))
    if (invite.invitee_id.startsWith(PREFIX.user) && isActive(invite, now))
      members.add(invite.invitee_id);
  return members;
}
