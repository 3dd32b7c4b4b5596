import type { DriveState } from '../drive/state.js';
import { isActive } from '../groups/active.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';

/** A grantee set, and what it rests on: two tables as they stood, and no window opening or closing. */
interface Known {
  readonly set: ReadonlySet<string>;
  readonly invites_version: number;
  readonly groups_version: number;
  readonly from_ms: number;
  readonly until_ms: number;
}

/** Users whose sets are kept per state; beyond it all are forgotten and found anew. */
const MOST_KNOWN = 4096;

const known_sets = new WeakMap<DriveState, Map<string, Known>>();

/** All ids whose grants count for this grantee at `now`: itself, everyone, and a user's groups. */
export function granteeSet(
  state: DriveState,
  grantee_id: string,
  now: number,
): ReadonlySet<string> {
  // Only users are in groups; nothing else is worth keeping.
  if (!grantee_id.startsWith(PREFIX.user))
    return new Set(grantee_id ? [grantee_id, PUBLIC] : [PUBLIC]);
  let sets = known_sets.get(state);
  if (!sets) known_sets.set(state, (sets = new Map()));
  const known = sets.get(grantee_id);
  if (known && holds(known, state, now)) return known.set;
  if (!known && sets.size >= MOST_KNOWN) sets.clear();
  const found = find(state, grantee_id, now);
  sets.set(grantee_id, found);
  return found.set;
}

function holds(known: Known, state: DriveState, now: number): boolean {
  return (
    known.invites_version === state.invites.version &&
    known.groups_version === state.groups.version &&
    known.from_ms <= now &&
    now < known.until_ms
  );
}

function find(state: DriveState, user_id: string, now: number): Known {
  const set = new Set(state.groups.by('owner', user_id)).add(user_id).add(PUBLIC);
  let until_ms = Infinity;
  for (const invite of state.invites.where('invitee', user_id)) {
    if (isActive(invite, now)) set.add(invite.group_id);
    for (const edge of [invite.active_from, invite.expires_at])
      if (edge > now && edge < until_ms) until_ms = edge;
  }
  return {
    set,
    invites_version: state.invites.version,
    groups_version: state.groups.version,
    from_ms: now,
    until_ms,
  };
}
