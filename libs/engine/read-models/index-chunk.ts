import { eventSchema } from '../../domain/drive/events.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { IndexText } from '../../event-store/event-index.js';
import { type FilteredEvent, filteredEvents } from '../../event-store/matching-events.js';
import type { NewEvent } from '../../event-store/port.js';
import type { IndexPosition } from '../../event-store/stores.js';
import { decodeData } from '../keys/codec.js';

/** Size from which on a chunk is complete, bytes: events may name many records. */
const MOST_BYTES = 8 * 1024 * 1024;

type ChunkEvent = Pick<NewEvent, 'type' | 'data' | 'hash'> & {
  readonly revision: number;
  readonly metadata: string | Uint8Array;
};

/** Consecutive events of a drive that its index takes in one write. */
export class IndexChunk {
  private readonly text = new IndexText();
  private first_revision: number | undefined;
  private last_event: ChunkEvent | undefined;

  /** @param most_events number of events from which on a chunk is complete */
  constructor(private readonly most_events: number) {}

  /** Revision of the first event; undefined without any. */
  get first(): number | undefined {
    return this.first_revision;
  }

  /** Revision of the last event; undefined without any. */
  get last(): number | undefined {
    return this.last_event?.revision;
  }

  /** Number of events. */
  get length(): number {
    const { first, last } = this;
    return first === undefined || last === undefined ? 0 : last - first + 1;
  }

  get bytes(): number {
    return this.text.length;
  }

  get is_complete(): boolean {
    return this.length >= this.most_events || this.bytes >= MOST_BYTES;
  }

  /** Adds the next event, with the records that it changed. */
  add(event: ChunkEvent, touched: readonly TouchedKey[]): void {
    const { revision, type, metadata, data } = event;
    const ids = touched.map(({ id }) => id);
    for (const { found_by } of touched) if (found_by !== undefined) ids.push(found_by);
    const { about } = eventSchema(type) ?? {};
    const named = about && (decodeData(data) as Record<string, unknown>)[about];
    if (typeof named === 'string') ids.push(named);
    this.text.add({ revision, type, metadata, resource_ids: ids });
    this.first_revision ??= revision;
    this.last_event = event;
  }

  /** The events, in a buffer of their own, with the index's position after them; null without any. Begins again. */
  take(): { readonly text: Uint8Array; readonly position: IndexPosition } | null {
    const last = this.last_event;
    if (!last) return null;
    const position = { revision: last.revision, event_hash: last.hash };
    const text = this.text.take();
    this.first_revision = this.last_event = undefined;
    return { text, position };
  }

  /** The events, as filters see them. */
  events(): FilteredEvent[] {
    return filteredEvents(this.text.copy());
  }

  clear(): void {
    this.take();
  }
}
