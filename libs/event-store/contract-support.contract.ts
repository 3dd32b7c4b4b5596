/** What the cases of the event store's suite share: events, streams and listening. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';

import { NO_STREAM, type EventStore, type NewEvent, type StoredEvent } from './port.js';

export interface EventStoreCase {
  readonly name: string;
  run(store: EventStore): Promise<void>;
}

export const freshStream = (): string => `drive-${randomUUID()}`;

export function event(fields: Partial<NewEvent> = {}): NewEvent {
  return {
    event_id: randomUUID(),
    type: 'GroupCreated',
    version: 1,
    timestamp_ms: 1_700_000_000_000,
    metadata: '{"actor":"USER_1"}',
    data: '{"name":"everyone"}',
    hash: new Uint8Array(randomBytes(32)),
    ...fields,
  };
}

export const events = (count: number): NewEvent[] => Array.from({ length: count }, () => event());

export const idsOf = (list: readonly NewEvent[]): string[] => list.map((one) => one.event_id);

export const revisionsOf = (list: readonly { readonly revision: number }[]): number[] =>
  list.map((one) => one.revision);

/** The position of an event of its own: what a case appends comes after it. */
export async function mark(store: EventStore): Promise<number> {
  const { last_position } = await store.append(freshStream(), NO_STREAM, [event()]);
  return last_position;
}

/** All events of some streams after a position, read in small pages until `count` have come. */
export async function readAllAfter(
  store: EventStore,
  after: number,
  streams: readonly string[],
  count: number,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (let seen = after; found.length < count;) {
    const page = await store.readAll(seen, 2);
    assert.ok(page.length > 0 && page.length <= 2, `a page of ${page.length} events`);
    found.push(...page.filter(({ stream }) => streams.includes(stream)));
    seen = page.at(-1)!.position;
  }
  return found;
}

interface Collector {
  readonly events: StoredEvent[];
  readonly handle: (batch: readonly StoredEvent[]) => void;
  readonly failed: (error: unknown) => void;
  /** Resolves with the last expected event; rejects when the subscription fails. */
  readonly complete: Promise<void>;
  readonly streams: readonly string[];
  readonly expected: number;
}

/** Keeps the events of some streams until `expected` have come. */
export function collector(streams: readonly string[], expected: number): Collector {
  const kept: StoredEvent[] = [];
  let succeed!: () => void;
  let fail!: (error: unknown) => void;
  const complete = new Promise<void>((resolve, reject) => {
    succeed = resolve;
    fail = reject;
  });
  // A failure before anyone waits is not unhandled: the one who waits later gets it.
  complete.catch(() => {});
  const handle = (batch: readonly StoredEvent[]): void => {
    kept.push(...batch.filter(({ stream }) => streams.includes(stream)));
    if (kept.length >= expected) succeed();
  };
  return { events: kept, handle, failed: fail, complete, streams, expected };
}

/** Waits until a collector has what it expects, and holds it against what the store reads. */
export async function delivered(store: EventStore, start: number, seen: Collector): Promise<void> {
  // First what is stored: a store that stores nothing must fail here, not wait for ever.
  const stored = await readAllAfter(store, start, seen.streams, seen.expected);
  await seen.complete;
  // Compared one by one: the difference of long lists costs a test runner minutes to print.
  for (const [i, one] of stored.entries()) assert.deepEqual(seen.events[i], one, `event ${i}`);
  assert.equal(seen.events.length, stored.length);
}
