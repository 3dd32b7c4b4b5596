import type { DriveState } from '../foundation/state.js';
import { directoryLine, isExpired, nodesUpwards } from '../access/resources.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';
import { isDirectoryId } from './held.js';
import { integer, optional, type Shown, view } from '../kernel/view.js';

/** The lifetime of an id, ms. */
export const existedView = view('Existed', {
  from_ms: integer('ms; time of the first event about the id'),
  to_ms: integer('ms; time when it was removed, swapped or expired; -1 if it still exists'),
});
export type Existed = Shown<typeof existedView>;

/** The lifetime of a queried id that did not exist at the point of the answer; for auditors only. */
export const ifExisted = optional(
  existedView,
  'Lifetime of a queried id that did not exist at the point; of the resource if both ids did not',
);

/**
 * True if an id exists in a state at a time: a table, `PUBLIC`, a record, a placeholder of a grant, or a user who is
 * a contact or is named by a grant, invite, group or key.
 */
export function isThere(state: DriveState, id: string, now: number): boolean {
  if (id === PUBLIC || state.kinds.isTable(id) || id === state.drive_id) return true;
  if (isDirectoryId(id)) return directoryLine(state, id, now).ids.length > 0;
  if (id.startsWith(PREFIX.user)) return isContactOrPrincipal(state, id);
  if (id.startsWith(PREFIX.placeholder_grantee)) return isGrantee(state, id);
  const family = state.kinds.familyOf(id);
  return family !== undefined && (state.table(family)?.has(id) ?? false);
}

/** When a stored item expired, ms; undefined if it has not. */
export function expiredSince(state: DriveState, id: string, now: number): number | undefined {
  let since: number | undefined;
  for (const node of nodesUpwards(state, id))
    if (isExpired(node, now)) since = Math.min(since ?? Infinity, node.expires_at);
  return since;
}

/** True for ids that events may mention although no record ever had them. */
export function isPrincipalId(id: string): boolean {
  return id.startsWith(PREFIX.user) || id.startsWith(PREFIX.placeholder_grantee);
}

function isContactOrPrincipal(state: DriveState, id: string): boolean {
  const { owner_id, pending_owner_id } = state.organization;
  if (id === owner_id || id === pending_owner_id) return true;
  if (state.contacts.has(id) || isGrantee(state, id)) return true;
  return (
    state.invites.count('invitee', id) > 0 ||
    state.groups.count('owner', id) > 0 ||
    state.api_keys.count('user', id) > 0 ||
    grantsOf(state).some((grants) => grants.count('granter', id) > 0)
  );
}

function isGrantee(state: DriveState, id: string): boolean {
  return grantsOf(state).some((grants) => grants.count('grantee', id) > 0);
}

function grantsOf({ directory_permissions, system_permissions }: DriveState) {
  return [directory_permissions, system_permissions];
}
