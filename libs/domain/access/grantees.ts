import { CachedByState } from '../kernel/cached-by-state.js';
import type { Permission } from './permission.js';
import type { DriveState, Records } from '../foundation/state.js';
import { isActive } from './principals.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';
import type { PairIndex, SecondValues } from '../kernel/indexes/pair-index.js';
import { hasNone, type Replacement } from '../kernel/table.js';

type GrantIndex = Pick<PairIndex<Permission>, 'known_values' | 'secondValues'>;

/** All ids whose grants apply to an identity at one time. Immutable. */
export class Grantees {
  private known_system?: SecondValues;
  private known_directory?: SecondValues;

  constructor(readonly ids: ReadonlySet<string>) {}

  /** The same for looking up system grants. */
  system(index: GrantIndex): SecondValues {
    return (this.known_system = this.numbered(index, this.known_system));
  }

  /** The same for looking up directory grants. */
  directory(index: GrantIndex): SecondValues {
    return (this.known_directory = this.numbered(index, this.known_directory));
  }

  private numbered(index: GrantIndex, known: SecondValues | undefined): SecondValues {
    return known?.known_values === index.known_values ? known : index.secondValues(this.ids);
  }
}

/** Cached data of a user, valid until an invite or group of the user changes or a window opens or closes. */
interface Known {
  readonly grantees: Grantees;
  invites_version: number;
  groups_version: number;
  readonly from_ms: number;
  readonly until_ms: number;
}

/** Maximum cached users per state; beyond it the cache is cleared. */
const MOST_KNOWN = 4096;

const known_by_state = new CachedByState<Known>(MOST_KNOWN);

/** All ids whose grants apply to this grantee at `now`: itself, `PUBLIC`, and a user's groups. */
export function granteesOf(state: DriveState, grantee_id: string, now: number): Grantees {
  // Only users are in groups; others are not worth caching.
  if (!grantee_id.startsWith(PREFIX.user))
    return new Grantees(new Set(grantee_id ? [grantee_id, PUBLIC] : [PUBLIC]));
  const known = known_by_state.get(state, grantee_id);
  if (known && holds(known, state, grantee_id, now)) return known.grantees;
  const found = find(state, grantee_id, now);
  known_by_state.set(state, grantee_id, found);
  return found.grantees;
}

function holds(known: Known, state: DriveState, user_id: string, now: number): boolean {
  if (now < known.from_ms || now >= known.until_ms) return false;
  const { invites, groups } = state;
  if (known.invites_version === invites.version && known.groups_version === groups.version)
    return true;
  // Most changes concern other users.
  const is_others =
    hasNone(invites.since(known.invites_version), (invite) => invite.invitee_id === user_id) &&
    hasNone(newOwners(groups.since(known.groups_version)), (group) => group.owner === user_id);
  if (!is_others) return false;
  known.invites_version = invites.version;
  known.groups_version = groups.version;
  return true;
}

/** Only the owner of a group concerns anyone's grantees. */
function newOwners(replaced: readonly Replacement<Records['groups']>[] | null) {
  return replaced && replaced.filter(({ before, after }) => before?.owner !== after?.owner);
}

function find(state: DriveState, user_id: string, now: number): Known {
  const ids = new Set(state.groups.by('owner', user_id)).add(user_id).add(PUBLIC);
  let until_ms = Infinity;
  for (const invite of state.invites.where('invitee', user_id)) {
    if (isActive(invite, now)) ids.add(invite.group_id);
    for (const edge of [invite.active_from, invite.expires_at])
      if (edge > now && edge < until_ms) until_ms = edge;
  }
  return {
    grantees: new Grantees(ids),
    invites_version: state.invites.version,
    groups_version: state.groups.version,
    from_ms: now,
    until_ms,
  };
}
