import type { EventFilter, RevisionRange } from '../../event-store/event-index.js';
import {
  type FilteredEvent,
  matchingOfTypes,
  matchingRevisions,
} from '../../event-store/matching-events.js';
import type { EventIndex } from '../../event-store/stores.js';
import { Unavailable } from '../writer/call.js';

/** Recent events of a drive, which its index need not contain yet. */
export interface Recent {
  /** Without a gap, the last ones of the drive. */
  readonly events: readonly FilteredEvent[];
  /** The index contains the drive's events up to this revision; `events` those after it. */
  readonly stored_to: number;
}

/** The events of a drive up to a revision, to be found: those in the index, and recent ones that are not there yet. */
export class IndexedEvents {
  private readonly events: readonly FilteredEvent[];
  private readonly stored_to: number;

  /**
   * @param losses of the index, before it was known to contain the events
   * @param to last revision of the drive
   * @param recent absent if the index contains all of them
   */
  constructor(
    private readonly drive_id: string,
    private readonly index: EventIndex,
    private readonly losses: number | undefined,
    readonly to: number,
    { events, stored_to }: Recent = { events: [], stored_to: Infinity },
  ) {
    this.events = events.filter(({ revision }) => revision > stored_to);
    this.stored_to = stored_to;
  }

  /** As `EventIndex.find`. */
  async find(
    filter: EventFilter,
    range: RevisionRange,
    direction: 'ASC' | 'DESC',
    limit: number,
  ): Promise<readonly number[]> {
    const recent = matchingRevisions(this.events, filter, range);
    const first = direction === 'DESC' ? recent.toReversed().slice(0, limit) : [];
    const left = limit - first.length;
    if (left === 0) return first;
    const stored = this.stored(range);
    const found = await this.unlessLost(
      this.index.find(this.drive_id, filter, stored, direction, left),
    );
    if (direction === 'DESC') return [...first, ...found];
    return [...found, ...recent].slice(0, limit);
  }

  /** As `EventIndex.count`. */
  async count(filter: EventFilter, range: RevisionRange): Promise<number> {
    const stored = await this.unlessLost(
      this.index.count(this.drive_id, filter, this.stored(range)),
    );
    return stored + matchingRevisions(this.events, filter, range).length;
  }

  /** As `EventIndex.countTypes`. */
  async countTypes(
    filter: Omit<EventFilter, 'types'>,
    types: readonly string[],
    range: RevisionRange,
  ): Promise<readonly number[]> {
    const stored = await this.unlessLost(
      this.index.countTypes(this.drive_id, filter, types, this.stored(range)),
    );
    const recent = matchingOfTypes(this.events, filter, types, range);
    return stored.map((count, nth) => count + recent[nth]!);
  }

  /** An index that was lost meanwhile has answered without its events. */
  private async unlessLost<Found>(finding: Promise<Found>): Promise<Found> {
    const found = await finding;
    if (this.index.losses !== this.losses) throw new Unavailable('store-failed');
    return found;
  }

  private stored({ from, to }: RevisionRange): RevisionRange {
    return { from, to: Math.min(to, this.stored_to) };
  }
}
