import { checkAppend, DEFAULT_MAX_APPEND_BYTES, repeatedAppend } from '../append-rules.js';
import {
  type Appended,
  type Direction,
  type EventStore,
  type FoldableEvent,
  type NewEvent,
  type StoredEvent,
  type StreamHead,
  type Subscription,
} from '../port.js';
import { lastAtOrBefore } from '../find-by-time.js';
import { Subscriptions } from '../subscription.js';

export class MemoryEventStore implements EventStore {
  private readonly log: StoredEvent[] = [];
  private readonly streams = new Map<string, StoredEvent[]>();
  private readonly subscriptions = new Subscriptions();
  private readonly max_append_bytes: number;
  private closed = false;

  constructor(options: { max_append_bytes?: number } = {}) {
    this.max_append_bytes = options.max_append_bytes ?? DEFAULT_MAX_APPEND_BYTES;
  }

  async append(
    stream: string,
    expected_revision: number,
    events: readonly NewEvent[],
  ): Promise<Appended> {
    if (this.closed) throw new Error('the event store is closed');
    checkAppend(stream, expected_revision, events, this.max_append_bytes);
    const stored = this.streams.get(stream) ?? [];
    const first = expected_revision + 1;
    if (stored.length !== first) {
      const there = stored
        .slice(first, first + events.length)
        .map((event) => [event.event_id, event.position] as const);
      const last_position = repeatedAppend(
        stream,
        expected_revision,
        stored.length - 1,
        events,
        there,
      );
      return { last_revision: expected_revision + events.length, last_position };
    }
    for (const event of events) {
      const placed: StoredEvent = Object.freeze({
        ...event,
        hash: event.hash.slice(),
        stream,
        revision: stored.length,
        position: this.log.length,
      });
      stored.push(placed);
      this.log.push(placed);
    }
    this.streams.set(stream, stored);
    this.subscriptions.committed.raise();
    return { last_revision: stored.length - 1, last_position: this.log.length - 1 };
  }

  async readStream(
    stream: string,
    from: number,
    direction: Direction,
    limit: number,
  ): Promise<readonly StoredEvent[]> {
    const stored = this.streams.get(stream) ?? [];
    if (direction === 'forward') return page(stored, from, limit);
    const last = Math.min(from, stored.length - 1);
    if (last < 0) return [];
    const first = Math.max(0, last + 1 - limit);
    return stored.slice(first, last + 1).toReversed();
  }

  readFoldable(stream: string, from: number, limit: number): Promise<readonly FoldableEvent[]> {
    return this.readStream(stream, from, 'forward', limit);
  }

  async readAll(after: number, limit: number): Promise<readonly StoredEvent[]> {
    return page(this.log, after + 1, limit);
  }

  async lastPosition(): Promise<number> {
    return this.log.length - 1;
  }

  subscribeAll(
    after: number,
    handle: (events: readonly StoredEvent[]) => void | Promise<void>,
    failed?: (error: unknown) => void,
  ): Subscription {
    if (this.closed) throw new Error('the event store is closed');
    return this.subscriptions.start(
      (seen, limit) => this.readAll(seen, limit),
      after,
      handle,
      failed,
    );
  }

  async findRevisionByTime(stream: string, at_ms: number): Promise<number> {
    const stored = this.streams.get(stream) ?? [];
    return lastAtOrBefore(at_ms, stored.length - 1, (revision) => stored[revision]!.timestamp_ms);
  }

  async head(stream: string): Promise<StreamHead | null> {
    return this.streams.get(stream)?.at(-1) ?? null;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.subscriptions.stopAll();
  }
}

function page(events: readonly StoredEvent[], from: number, limit: number): StoredEvent[] {
  const first = Math.max(0, from);
  return events.slice(first, first + Math.max(0, limit));
}
