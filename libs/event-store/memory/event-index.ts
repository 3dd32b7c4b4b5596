import type { EventFilter, EventIndex, IndexPosition, RevisionRange } from '../event-index.js';
import {
  type FilteredEvent,
  filteredEvents,
  firstDifferent,
  matchingOfTypes,
  matchingRevisions,
} from '../matching-events.js';

interface Indexed {
  readonly entries: FilteredEvent[];
  position: IndexPosition;
}

/** The event index in memory: for tests, and for reading a read-only folder. */
export class MemoryEventIndex implements EventIndex {
  readonly append_events = 1024;
  private readonly drives = new Map<string, Indexed>();

  async position(drive_id: string): Promise<IndexPosition | null> {
    return this.drives.get(drive_id)?.position ?? null;
  }

  async append(
    drive_id: string,
    text: Uint8Array,
    { revision, event_hash }: IndexPosition,
  ): Promise<void> {
    const indexed = this.drives.get(drive_id);
    const entries = indexed?.entries ?? [];
    const last = entries.at(-1)?.revision ?? -1;
    for (const entry of filteredEvents(text)) if (entry.revision > last) entries.push(entry);
    const is_behind = indexed && indexed.position.revision > revision;
    const position = is_behind ? indexed.position : { revision, event_hash: event_hash.slice() };
    this.drives.set(drive_id, { entries, position });
  }

  async find(
    drive_id: string,
    filter: EventFilter,
    range: RevisionRange,
    direction: 'ASC' | 'DESC',
    limit: number,
  ): Promise<readonly number[]> {
    const found = this.matching(drive_id, filter, range);
    return (direction === 'ASC' ? found : found.toReversed()).slice(0, limit);
  }

  async count(drive_id: string, filter: EventFilter, range: RevisionRange): Promise<number> {
    return this.matching(drive_id, filter, range).length;
  }

  async countTypes(
    drive_id: string,
    filter: Omit<EventFilter, 'types'>,
    types: readonly string[],
    range: RevisionRange,
  ): Promise<readonly number[]> {
    return matchingOfTypes(this.drives.get(drive_id)?.entries ?? [], filter, types, range);
  }

  async firstDifference(drive_id: string, text: Uint8Array): Promise<number | null> {
    const indexed = this.drives.get(drive_id);
    if (!indexed) return null;
    const { entries, position } = indexed;
    const events = filteredEvents(text).filter(({ revision }) => revision <= position.revision);
    return firstDifferent(events, entries);
  }

  async replace(drive_id: string, by_drive_id: string): Promise<void> {
    const by = this.drives.get(by_drive_id);
    this.drives.delete(by_drive_id);
    if (by) this.drives.set(drive_id, by);
    else this.drives.delete(drive_id);
  }

  async drop(drive_id: string): Promise<void> {
    this.drives.delete(drive_id);
  }

  private matching(drive_id: string, filter: EventFilter, range: RevisionRange): number[] {
    return matchingRevisions(this.drives.get(drive_id)?.entries ?? [], filter, range);
  }
}
