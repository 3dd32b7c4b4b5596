/** The suite tested: a store that does nothing fails every case, and each usual mistake fails at least one. */
import { describe, expect, it } from '@jest/globals';

import { eventStoreCases } from './event-store.contract.js';
import { MemoryEventStore } from './sqlite/memory-event-store.js';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  NO_STREAM,
  WrongExpectedRevision,
  type EventStore,
  type StoredEvent,
} from './port.js';

const nothing: EventStore = {
  append: async () => ({ last_revision: 0, last_position: 0 }),
  readStream: async () => [],
  readFoldable: async () => [],
  readAll: async () => [],
  lastPosition: async () => NO_STREAM,
  subscribeAll: () => ({ stop: async () => {} }),
  findRevisionByTime: async () => NO_STREAM,
  head: async () => null,
  close: async () => {},
};

const refuses = async (): Promise<never> => {
  throw new Error('not today');
};

/** Whatever is thrown counts; errors of another realm than the test's are no instances of its Error. */
const fails = (run: Promise<void>): Promise<boolean> =>
  run.then(
    () => false,
    () => true,
  );

describe('the contract of event stores', () => {
  it.each(eventStoreCases)('fails a store that does nothing: $name', async ({ run }) => {
    expect(await fails(run(nothing))).toBe(true);
  });

  it.each(eventStoreCases)('fails a store that always refuses: $name', async ({ run }) => {
    expect(await fails(run({ ...nothing, append: refuses }))).toBe(true);
  });
});

/** Changes some methods of a working store. */
function flawed(change: (store: MemoryEventStore) => Partial<EventStore>): EventStore {
  const store = new MemoryEventStore({ max_append_bytes: 512 * 1024 });
  const whole: EventStore = {
    append: (...args) => store.append(...args),
    readStream: (...args) => store.readStream(...args),
    readFoldable: (...args) => store.readFoldable(...args),
    readAll: (...args) => store.readAll(...args),
    lastPosition: () => store.lastPosition(),
    subscribeAll: (...args) => store.subscribeAll(...args),
    findRevisionByTime: (...args) => store.findRevisionByTime(...args),
    head: (...args) => store.head(...args),
    close: () => store.close(),
  };
  return { ...whole, ...change(store) };
}

const TWICE =
  'the same batch twice at one time is stored once; each answer is the same or outcome unknown';

/** Each flaw with the case that must find it. */
const flaws: readonly {
  readonly flaw: string;
  readonly found_by: string;
  readonly change: (store: MemoryEventStore) => Partial<EventStore>;
}[] = [
  {
    flaw: 'appends at the end whatever was expected',
    found_by: 'a wrong expected revision is refused, says what was found and stores nothing',
    change: (store) => ({
      append: async (stream, _, events) =>
        store.append(stream, (await store.head(stream))?.revision ?? NO_STREAM, events),
    }),
  },
  {
    flaw: 'refuses a repeated batch',
    found_by: 'the same batch again is answered like the first time and stored once',
    change: (store) => ({
      append: async (stream, expected, events) => {
        const actual = (await store.head(stream))?.revision ?? NO_STREAM;
        if (actual > expected) throw new WrongExpectedRevision(stream, expected, actual);
        return store.append(stream, expected, events);
      },
    }),
  },
  {
    flaw: 'refuses the second of two equal batches at one time',
    found_by: TWICE,
    change: (store) => {
      const under_way = new Set<string>();
      return {
        append: async (stream, expected, events) => {
          const id = events[0]?.event_id ?? '';
          if (under_way.has(id)) throw new WrongExpectedRevision(stream, expected, expected);
          under_way.add(id);
          // As slow as a server.
          await new Promise(setImmediate);
          return store.append(stream, expected, events).finally(() => under_way.delete(id));
        },
      };
    },
  },
  {
    flaw: 'does not know the outcome of a batch that it has stored, however often it is asked',
    found_by: TWICE,
    change: (store) => ({
      append: async (stream, expected, events) => {
        const actual = (await store.head(stream))?.revision ?? NO_STREAM;
        if (actual > expected) throw new AppendOutcomeUnknown(`stream ${stream}: no answer`);
        return store.append(stream, expected, events);
      },
    }),
  },
  {
    flaw: 'stores an append event by event',
    found_by: 'an append that cannot be stored leaves appends at the same time in place',
    change: (store) => ({
      append: async (stream, expected, events) => {
        let last = { last_revision: expected, last_position: -1 };
        for (const one of events) last = await store.append(stream, last.last_revision, [one]);
        return last;
      },
    }),
  },
  {
    flaw: 'takes appends of any size',
    found_by: 'an append above the size bound is refused, one at the bound is stored',
    change: (store) => ({
      append: async (stream, expected, events) =>
        store.append(stream, expected, events).catch((error: unknown) => {
          if (!(error instanceof AppendTooLarge)) throw error;
          return { last_revision: expected + events.length, last_position: 0 };
        }),
    }),
  },
  {
    flaw: 'normalises text',
    found_by: 'an append to a new stream starts at revision 0 and reads back byte for byte',
    change: (store) => ({
      append: (stream, expected, events) =>
        store.append(
          stream,
          expected,
          events.map((one) => ({ ...one, data: one.data.normalize('NFD') })),
        ),
    }),
  },
  {
    flaw: 'reads past its page',
    found_by: 'all streams read in pages from any position, from -1 at their beginning',
    change: (store) => ({
      readAll: (after, limit) => store.readAll(after, limit + 1),
    }),
  },
  {
    flaw: 'finds the first of equal times',
    found_by: 'a revision is found by time: the last event at or before it, also among equal times',
    change: (store) => ({
      findRevisionByTime: async (stream, at_ms) => {
        const found = await store.findRevisionByTime(stream, at_ms);
        const [last] = await store.readStream(stream, found, 'backward', 1);
        return last ? (await store.findRevisionByTime(stream, last.timestamp_ms - 1)) + 1 : found;
      },
    }),
  },
  {
    flaw: 'shows live events twice',
    found_by: 'a subscription catches up and goes on live, without gap or duplicate under appends',
    change: (store) => ({
      subscribeAll: (after, handle, failed) =>
        store.subscribeAll(after, (batch) => handle([...batch, ...batch]), failed),
    }),
  },
  {
    flaw: 'does not wait for the handler',
    found_by: 'a subscription hands over one batch at a time and waits for the handler',
    change: (store) => ({
      subscribeAll: (after, handle, failed) => {
        const slip = (batch: readonly StoredEvent[]) => {
          for (const one of batch) void Promise.resolve(handle([one])).catch(failed);
        };
        return store.subscribeAll(after, slip, failed);
      },
    }),
  },
  {
    flaw: 'subscribes at the given position, not behind it',
    found_by: 'a subscription starts behind the given position',
    change: (store) => ({
      subscribeAll: (after, handle, failed) => store.subscribeAll(after - 1, handle, failed),
    }),
  },
  {
    flaw: 'keeps the caller’s bytes',
    found_by: 'what was handed over may change afterwards without changing what is stored',
    change: (store) => {
      const hashes = new Map<string, Uint8Array>();
      return {
        append: (stream, expected, events) => {
          for (const one of events) hashes.set(one.event_id, one.hash);
          return store.append(stream, expected, events);
        },
        readStream: async (...args) =>
          (await store.readStream(...args)).map((one) => ({
            ...one,
            hash: hashes.get(one.event_id)!,
          })),
      };
    },
  },
];

describe('the contract of event stores finds a store that', () => {
  it.each(flaws)('$flaw', async ({ found_by, change }) => {
    const { run } = eventStoreCases.find(({ name }) => name === found_by)!;
    expect(await fails(run(new MemoryEventStore()))).toBe(false);
    expect(await fails(run(flawed(change)))).toBe(true);
  });
});
