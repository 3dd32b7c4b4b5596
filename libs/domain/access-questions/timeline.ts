import type { DriveState } from '../foundation/state.js';
import { Access } from '../access/access.js';
import { byAge } from '../access/principals.js';
import type { TouchedKey } from '../kernel/undo-log.js';
import {
  becauseOf,
  MOST_SOURCES,
  type ShowPath,
  type Source,
  sourceOf,
  sourceView,
} from './because.js';
import { PERMISSION_TYPES, type PermissionType, typesFor } from './held.js';
import { ALL, HeldGrants } from './held-grants.js';
import type { Identities } from './identity.js';
import { integer, listOf, oneOf, type Shown, view } from '../kernel/view.js';

/**
 * A period in which a type was held without interruption: from just after `from_revision` at `from_ms` to just before
 * `to_revision` at `to_ms`. The end of a window has the revision current at that time.
 */
export const heldIntervalView = view('HeldInterval', {
  permission_type: oneOf(PERMISSION_TYPES),
  from_ms: integer(),
  to_ms: integer('-1 if it is still held'),
  from_revision: integer('Revision when the interval began'),
  to_revision: integer('Revision when the interval ended; -1 if it is still held'),
  because: listOf(sourceView, 'All sources during the interval, at most 100'),
});
export type HeldInterval = Shown<typeof heldIntervalView>;

interface OpenInterval {
  readonly from_ms: number;
  readonly from_revision: number;
  readonly because: Map<string, Source>;
}

/**
 * The permissions of one identity on one resource, followed along a fold: `before` and `after` every event, then
 * `ended`. Only grants that an event concerns are looked at again, or those whose window opened or closed in between.
 */
export class Timeline {
  private readonly closed: HeldInterval[] = [];
  private readonly open = new Map<PermissionType, OpenInterval>();
  private held: HeldGrants | null = null;

  constructor(
    private readonly grantee_id: string,
    private readonly resource_id: string,
    private readonly identities: Identities,
    private readonly show: ShowPath,
  ) {}

  /** Time of the next change without an event; Infinity if there is none. */
  get next_edge_ms(): number {
    return this.held?.next_edge_ms ?? Infinity;
  }

  /** To be called before an event of this time is applied. */
  before(state: DriveState, timestamp_ms: number): void {
    this.passEdges(state, timestamp_ms - 1);
  }

  /** To be called after an event was applied. */
  after(state: DriveState, touched: readonly TouchedKey[]): void {
    this.look(state, state.timestamp_ms, touched);
  }

  /** All intervals, by beginning and then type, at the end of the stream and time `now`. */
  ended(state: DriveState, now: number): HeldInterval[] {
    this.passEdges(state, now);
    for (const type of [...this.open.keys()]) this.close(type, -1, -1);
    const order = typesFor(this.resource_id);
    return this.closed.sort(
      (a, b) =>
        a.from_revision - b.from_revision ||
        a.from_ms - b.from_ms ||
        order.indexOf(a.permission_type) - order.indexOf(b.permission_type),
    );
  }

  private passEdges(state: DriveState, to_ms: number): void {
    for (let at_ms; (at_ms = this.next_edge_ms) <= to_ms;) this.look(state, at_ms, []);
  }

  private look(state: DriveState, at_ms: number, touched: readonly TouchedKey[]): void {
    const { held } = this;
    if (!held) return this.findAgain(state, at_ms);
    const access = new Access(state, held.grantee_id, at_ms);
    const concerned = held.concernedBy(access, touched);
    if (concerned.has(ALL)) this.findAgain(state, at_ms);
    else if (concerned.size > 0) this.update(held, concerned, access);
  }

  private findAgain(state: DriveState, at_ms: number): void {
    const { revision } = state;
    const resource_id = this.identities.resourceThen(this.resource_id, revision);
    const access = new Access(state, this.identities.userThen(this.grantee_id, revision), at_ms);
    this.held = new HeldGrants(access, resource_id);
    const { types } = this.held;
    this.hold(types, at_ms, revision);
    const because = becauseOf(access, resource_id, this.show, [...types]);
    for (const type of types) for (const source of because[type]!) this.addSource(type, source);
  }

  private update(held: HeldGrants, grant_ids: ReadonlySet<string>, access: Access): void {
    const giving = held.update(access, grant_ids);
    this.hold(held.types, access.now, access.state.revision);
    for (const grant of giving.toSorted(byAge)) {
      const given = [...this.open.keys()].filter(
        (type) => grant.permission_types.includes(type) && !this.hasMostSources(type),
      );
      if (given.length === 0) continue;
      const source = sourceOf(access, grant, held.resource_id, this.show);
      for (const type of given) this.addSource(type, source);
    }
  }

  /** Closes the intervals of types that are no longer held, and opens those of others. */
  private hold(types: ReadonlySet<PermissionType>, at_ms: number, revision: number): void {
    for (const type of [...this.open.keys()])
      if (!types.has(type)) this.close(type, at_ms, revision);
    for (const type of types)
      if (!this.open.has(type))
        this.open.set(type, { from_ms: at_ms, from_revision: revision, because: new Map() });
  }

  private addSource(type: PermissionType, source: Source): void {
    const name = `${source.permission_id} ${source.via} ${source.invite_id}`;
    if (!this.hasMostSources(type)) this.open.get(type)!.because.set(name, source);
  }

  private hasMostSources(type: PermissionType): boolean {
    return this.open.get(type)!.because.size >= MOST_SOURCES;
  }

  private close(permission_type: PermissionType, to_ms: number, to_revision: number): void {
    const { from_ms, from_revision, because } = this.open.get(permission_type)!;
    this.open.delete(permission_type);
    const ends = { from_ms, to_ms, from_revision, to_revision };
    this.closed.push({ permission_type, ...ends, because: [...because.values()] });
  }
}
