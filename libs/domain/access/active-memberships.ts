import type { DriveState, Records } from '../foundation/state.js';
import { CachedByState } from '../kernel/cached-by-state.js';
import { lowerBound } from '../kernel/indexes/lower-bound.js';
import type { Replacement, Table } from '../kernel/table.js';
import { activeInvites, byAge, isActive } from './principals.js';

type Invite = Records['invites'];
type Group = Records['groups'];

export interface Membership {
  readonly group_id: string;
  /** Creation of the invite, else of the group, ms. */
  readonly since: number;
  /** The most relevant active invite: an ADMIN invite first, then the oldest; undefined for an owner without one. */
  readonly invite: Invite | undefined;
}

/** What is in order, and which changes concern it. */
interface Rule<E> {
  readonly invites: () => readonly Invite[];
  /** All entries with their keys, in no order, from those invites that are active. */
  readonly entries: (active: readonly Invite[]) => Iterable<readonly [key: string, entry: E]>;
  /** Undefined if there is none at `now`. */
  readonly entry: (key: string, now: number) => E | undefined;
  readonly compare: (a: E, b: E) => number;
  /** Key of the entry that an invite, or the owner of a group, may change. */
  readonly keyOfInvite: (invite: Invite) => string | null;
  readonly keyOfGroup: (group: Group) => string | null;
}

/** Entries in order, updated by the changes that concern them until a window opens or closes. */
class Ordered<E> {
  private readonly by_key: Map<string, E>;
  readonly order: E[];
  private invites_version: number;
  private groups_version: number;
  private until_ms = Infinity;

  constructor(
    private readonly state: DriveState,
    private readonly from_ms: number,
    private readonly rule: Rule<E>,
  ) {
    this.invites_version = state.invites.version;
    this.groups_version = state.groups.version;
    const invites = rule.invites();
    for (const invite of invites) this.noteEdges(invite);
    this.by_key = new Map(rule.entries(invites.filter((invite) => isActive(invite, from_ms))));
    this.order = [...this.by_key.values()].sort(rule.compare);
  }

  /** False if it must be made anew. */
  isBroughtTo(now: number): boolean {
    const { from_ms, until_ms, rule } = this;
    const { invites, groups } = this.state;
    if (now < from_ms || now >= until_ms) return false;
    if (this.invites_version === invites.version && this.groups_version === groups.version)
      return true;
    const invites_changed = keysOf(invites, this.invites_version, rule.keyOfInvite);
    // A changed name or note of a group changes no membership.
    const groups_changed = keysOf(groups, this.groups_version, rule.keyOfGroup, ownerChanged);
    if (!invites_changed || !groups_changed) return false;
    for (const { after } of invites.since(this.invites_version)!)
      if (after && rule.keyOfInvite(after) !== null) this.noteEdges(after);
    for (const key of invites_changed.union(groups_changed)) this.replace(key, now);
    this.invites_version = invites.version;
    this.groups_version = groups.version;
    return true;
  }

  private noteEdges({ active_from, expires_at }: Invite): void {
    for (const edge of [active_from, expires_at])
      if (edge > this.from_ms && edge < this.until_ms) this.until_ms = edge;
  }

  private replace(key: string, now: number): void {
    const before = this.by_key.get(key);
    if (before !== undefined) this.order.splice(this.placeOf(before), 1);
    const after = this.rule.entry(key, now);
    if (after === undefined) this.by_key.delete(key);
    else {
      this.by_key.set(key, after);
      this.order.splice(this.placeOf(after), 0, after);
    }
  }

  /** Position of the first entry that is not before this one. */
  private placeOf(entry: E): number {
    return lowerBound(this.order, (other) => this.rule.compare(other, entry) < 0);
  }
}

/** Keys that changed since a version; null if that is too long ago. */
function keysOf<R extends Invite | Group>(
  table: Table<R>,
  version: number,
  keyOf: (record: R) => string | null,
  isMeant: (replacement: Replacement<R>) => boolean = () => true,
): Set<string> | null {
  const replaced = table.since(version);
  if (!replaced) return null;
  const keys = new Set<string>();
  for (const replacement of replaced) {
    if (!isMeant(replacement)) continue;
    for (const record of [replacement.before, replacement.after]) {
      const key = record ? keyOf(record) : null;
      if (key !== null) keys.add(key);
    }
  }
  return keys;
}

const ownerChanged = ({ before, after }: Replacement<Group>): boolean =>
  before?.owner !== after?.owner;

/** Number of invites up to which putting them in order each time is fast. */
const FEW = 32;
/** Maximum kept orders per state; beyond it all are dropped. */
const MOST_KEPT = 1_024;

const kept_by_state = new CachedByState<Ordered<unknown>>(MOST_KEPT);

function ordered<E>(
  state: DriveState,
  id: string,
  is_few: boolean,
  now: number,
  rule: () => Rule<E>,
): readonly E[] {
  if (is_few) return new Ordered(state, now, rule()).order;
  const known = kept_by_state.get(state, id) as Ordered<E> | undefined;
  if (known?.isBroughtTo(now)) return known.order;
  const made = new Ordered(state, now, rule());
  kept_by_state.set(state, id, made as unknown as Ordered<unknown>);
  return made.order;
}

/**
 * Active invites of a group: admins first, then the oldest. Do not retain.
 * @param few number of invites up to which nothing is kept
 */
export function invitesInOrder(state: DriveState, group_id: string, now: number, few = FEW) {
  const { invites } = state;
  const is_few = invites.count('group', group_id) <= few;
  return ordered<Invite>(state, group_id, is_few, now, () => ({
    invites: () => invites.where('group', group_id),
    entries: (active) => active.map((invite) => [invite.id, invite]),
    entry(id, at) {
      const invite = invites.get(id);
      return invite?.group_id === group_id && isActive(invite, at) ? invite : undefined;
    },
    compare: byRelevance,
    keyOfInvite: (invite) => (invite.group_id === group_id ? invite.id : null),
    keyOfGroup: () => null,
  }));
}

/**
 * Groups of a user, the newest membership first. Do not retain.
 * @param few number of memberships up to which nothing is kept
 */
export function membershipsInOrder(state: DriveState, user_id: string, now: number, few = FEW) {
  const { groups, invites } = state;
  const count = invites.count('invitee', user_id) + groups.count('owner', user_id);
  const membership = (group_id: string, active: readonly Invite[]): Membership | undefined => {
    const group = groups.get(group_id);
    const [invite] = active.toSorted(byRelevance);
    if (!group || (!invite && group.owner !== user_id)) return undefined;
    return { group_id, since: invite?.created_at ?? group.created_at, invite };
  };
  return ordered<Membership>(state, user_id, count <= few, now, () => ({
    invites: () => invites.where('invitee', user_id),
    *entries(active) {
      // Not by `entry`, which searches the invites of a group or user for each group.
      const by_group = Map.groupBy(active, ({ group_id }) => group_id);
      for (const id of groups.by('owner', user_id)) if (!by_group.has(id)) by_group.set(id, []);
      for (const [group_id, of_group] of by_group) {
        const entry = membership(group_id, of_group);
        if (entry) yield [group_id, entry];
      }
    },
    entry: (group_id, at) => membership(group_id, activeInvites(state, group_id, user_id, at)),
    compare: (a, b) => b.since - a.since || (a.group_id < b.group_id ? -1 : 1),
    keyOfInvite: ({ invitee_id, group_id }) => (invitee_id === user_id ? group_id : null),
    keyOfGroup: ({ id, owner }) => (owner === user_id ? id : null),
  }));
}

function byRelevance(a: Invite, b: Invite): number {
  return adminsFirst(a, b) || byAge(a, b);
}

function adminsFirst(a: Invite, b: Invite): number {
  if (a.role === b.role) return 0;
  return a.role === 'ADMIN' ? -1 : 1;
}
