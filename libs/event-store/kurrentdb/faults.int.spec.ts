/** A server that fails, and a store on it that neither doubles nor loses nor misses an event. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { setTimeout as after } from 'node:timers/promises';
import { inspect } from 'node:util';

import { type KurrentServer, startKurrentServer } from '../../../test/servers/kurrentdb/server.js';
import {
  collector,
  delivered,
  event,
  events,
  freshStream,
  idsOf,
  revisionsOf,
} from '../contract-support.contract.js';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  NO_STREAM,
  StoreUnavailable,
  StoreUnreachable,
  StreamDeleted,
  WrongExpectedRevision,
  type EventStore,
  type NewEvent,
  type StoredEvent,
} from '../port.js';
import { KurrentEventStore } from './event-store.js';
import { openKurrentEventStore } from './index.js';

const DEADLINE_MS = 1_000;

let server: KurrentServer;
let client: KurrentDBClient;
let store: EventStore;
let stream: string;
beforeAll(async () => {
  server = await startKurrentServer();
  client = KurrentDBClient.connectionString(server.url);
});
afterAll(() => server.close());
beforeEach(async () => {
  store = new KurrentEventStore(client, { deadline_ms: DEADLINE_MS });
  await insist(() => store.lastPosition());
  stream = freshStream();
});
afterEach(async () => {
  await server.thaw();
  await store.close();
});

/** Does again what fails for want of an answer, as the engine does. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const { name } = error as Error;
      if (tries === 50 || !/OutcomeUnknown|Unavailable|NoAnswer|StoreUnavailable/.test(name))
        throw error;
    }
  }
}

async function write(expected_revision: number, batch: readonly NewEvent[]): Promise<number> {
  const { last_revision } = await insist(() => store.append(stream, expected_revision, batch));
  return last_revision;
}

/** The server hears of what a client does a little later. */
async function expectOpenSubscriptions(count: number): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    const { open_subscriptions } = await server.statistics();
    if (open_subscriptions === count) return;
    if (looks === 500) throw new Error(`${open_subscriptions} subscriptions are open`);
    await after(10);
  }
}

const stored = async () => idsOf(await insist(() => store.readStream(stream, 0, 'forward', 1_000)));

describe('an append', () => {
  it.each(['stored', 'lost'] as const)(
    'whose answer never came, its events %s, is settled by its repetition',
    async (fate) => {
      const [first, second] = [events(2), events(3)];
      await write(NO_STREAM, first);
      await server.dropAppends(1, fate);
      const append = store.append(stream, 1, second);
      await expect(append).rejects.toThrow(AppendOutcomeUnknown);
      expect(await write(1, second)).toBe(4);
      expect(await stored()).toEqual(idsOf([...first, ...second]));
    },
  );

  it('that began a stream and was not answered is settled, too', async () => {
    const batch = events(2);
    await server.dropAppends(1, 'stored');
    await expect(store.append(stream, NO_STREAM, batch)).rejects.toThrow(AppendOutcomeUnknown);
    expect(await write(NO_STREAM, batch)).toBe(1);
    expect(await stored()).toEqual(idsOf(batch));
  });

  it('whose answer never came is refused when another writer stands in its place', async () => {
    await write(NO_STREAM, events(1));
    await server.dropAppends(1, 'lost');
    const late = events(2);
    await expect(store.append(stream, 0, late)).rejects.toThrow(AppendOutcomeUnknown);
    await write(0, events(1));
    await expect(write(0, late)).rejects.toThrow(WrongExpectedRevision);
    expect(await stored()).toHaveLength(2);
  });

  it('is not sent while the server is down, which is said at once, and arrives when it is back', async () => {
    const [first, second] = [events(1), events(2)];
    await write(NO_STREAM, first);
    const patient = new KurrentEventStore(client, { deadline_ms: 1_000_000 });
    await server.stop();
    // The client hears a little later that the connection has ended.
    await Promise.allSettled([store.append(stream, 0, second)]);
    for (let tries = 0; tries < 3; tries += 1)
      await expect(patient.append(stream, 0, second)).rejects.toThrow(StoreUnreachable);
    await server.start();
    expect(await write(0, second)).toBe(2);
    expect(await stored()).toEqual(idsOf([...first, ...second]));
  });

  it('to a frozen server is given up at the deadline, and settled after', async () => {
    const [first, second] = [events(1), events(2)];
    await write(NO_STREAM, first);
    await server.freeze();
    const [begun, ...answers] = await Promise.allSettled([
      // Looks first whether the stream was deleted, so that nothing is sent.
      store.append(freshStream(), NO_STREAM, events(1)),
      store.append(stream, 0, second),
      // More than may be sent at one time.
      ...Array.from({ length: 40 }, () => store.append(freshStream(), 7, events(1))),
    ]);
    expect(begun).toMatchObject({ reason: expect.any(StoreUnreachable) });
    for (const answer of answers)
      expect(answer).toMatchObject({ reason: expect.any(AppendOutcomeUnknown) });
    await server.thaw();
    expect(await write(0, second)).toBe(2);
    expect(await stored()).toEqual(idsOf([...first, ...second]));
  });

  it('that breaks off with many others waiting harms nothing but itself', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): number => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      await write(NO_STREAM, events(1));
      await server.freeze();
      const data = JSON.stringify('x'.repeat(200_000));
      const waiting = Array.from({ length: 60 }, () =>
        store.append(freshStream(), 7, [event({ data })]),
      );
      const answers = Promise.allSettled(waiting);
      await server.dropConnections();
      await server.thaw();
      for (const answer of await answers)
        expect(answer).toMatchObject({ reason: expect.any(Error) });
      await new Promise(setImmediate);
      expect(unhandled).toEqual([]);
      expect(await write(0, events(1))).toBe(1);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('to a server that does not lead is of unknown outcome, and its repetition arrives', async () => {
    const batch = events(2);
    await server.refuseAppends(1);
    await expect(store.append(stream, NO_STREAM, batch)).rejects.toThrow(AppendOutcomeUnknown);
    expect(await write(NO_STREAM, batch)).toBe(1);
    expect(await stored()).toEqual(idsOf(batch));
  });

  it('that the server finds too large is refused as one', async () => {
    const roomy = new KurrentEventStore(client, { max_append_bytes: 4 << 20 });
    const large = event({ data: JSON.stringify('x'.repeat(2 << 20)) });
    const append = insist(() => roomy.append(stream, NO_STREAM, [large]));
    await expect(append).rejects.toThrow(AppendTooLarge);
    expect(await roomy.head(stream)).toBeNull();
    await roomy.close();
  });

  it('of which the server takes the stored part for the whole is refused', async () => {
    const place = { commit: 1n, prepare: 1n };
    const lenient = new KurrentEventStore({
      rustClient: client.rustClient,
      appendToStream: async () => ({ success: true, nextExpectedRevision: 1n, position: place }),
      dispose: () => client.dispose(),
    } as unknown as KurrentDBClient);
    const batch = events(2);
    await write(NO_STREAM, batch);
    const longer = lenient.append(stream, NO_STREAM, [...batch, event()]);
    await expect(longer).rejects.toMatchObject({
      name: 'WrongExpectedRevision',
      actual_revision: 1,
    });
    // Nor is a part of it elsewhere a success: nobody knows what became of it.
    const elsewhere = lenient.append(freshStream(), NO_STREAM, events(1));
    await expect(elsewhere).rejects.toThrow(AppendOutcomeUnknown);
    await lenient.close();
  });
});

describe('a read', () => {
  it('says that the server is away, and works again once it is back', async () => {
    await write(NO_STREAM, [event()]);
    await server.stop();
    const read = () => store.readStream(stream, 0, 'forward', 10);
    await expect(read()).rejects.toThrow(StoreUnavailable);
    await expect(store.readAll(-1, 10)).rejects.toThrow(StoreUnavailable);
    await server.start();
    expect(await insist(read)).toHaveLength(1);
  });

  it('fails at the deadline when the server is frozen, and works again after', async () => {
    await write(NO_STREAM, events(3));
    await server.freeze();
    await expect(store.readStream(stream, 0, 'forward', 10)).rejects.toThrow(/did not answer/);
    await expect(store.readAll(-1, 10)).rejects.toThrow(/did not answer/);
    await server.thaw();
    expect(await stored()).toHaveLength(3);
  });

  it('works again after the server was away', async () => {
    await write(NO_STREAM, events(3));
    await server.stop();
    await expect(store.head(stream)).rejects.toThrow(/Unavailable/);
    await server.start();
    expect(await stored()).toHaveLength(3);
  });
});

describe('a stream that others have cut', () => {
  it('shows that its beginning is missing', async () => {
    await write(NO_STREAM, events(5));
    await server.truncate(stream, 3);
    expect(revisionsOf(await store.readStream(stream, 0, 'forward', 10))).toEqual([3, 4]);
    await expect(store.findRevisionByTime(stream, 0)).rejects.toThrow(/is missing/);
    const again = store.append(stream, NO_STREAM, events(1));
    await expect(again).rejects.toThrow(WrongExpectedRevision);
  });

  it.each(['deleted', 'cut off whole'])(
    'is refused, not taken for a new one, once it is %s',
    async (how) => {
      const start = await store.lastPosition();
      await write(NO_STREAM, events(2));
      await (how === 'deleted' ? server.softDelete(stream) : server.truncate(stream, 2));
      const asked = [
        () => store.append(stream, NO_STREAM, events(1)),
        () => store.readStream(stream, 0, 'forward', 10),
        () => store.readFoldable(stream, 0, 10),
        () => store.head(stream),
        () => store.findRevisionByTime(stream, 0),
      ];
      for (const ask of asked) await expect(ask()).rejects.toThrow(StreamDeleted);
      // Nothing was stored behind its end.
      const left = await store.readAll(start, 10);
      expect(revisionsOf(left.filter((one) => one.stream === stream))).toEqual([0, 1]);
    },
  );
});

describe('a subscription', () => {
  it('goes on without gap or duplicate over failures, restarts and checkpoints ahead', async () => {
    await server.sendCheckpointsAhead(true);
    const start = await store.lastPosition();
    const seen = collector([stream], 200);
    // Of another process: it learns of the events from the server alone.
    const other = new KurrentEventStore(client, { deadline_ms: DEADLINE_MS });
    const subscription = other.subscribeAll(start, seen.handle, seen.failed);
    let revision = NO_STREAM;
    const writeMore = async (count: number): Promise<void> => {
      for (let left = count; left > 0; left -= 10) revision = await write(revision, events(10));
    };
    await writeMore(50);
    await server.failSubscriptions();
    await writeMore(50);
    await server.failSubscriptions(3);
    await writeMore(50);
    await server.stop();
    await server.start();
    await writeMore(20);
    await server.dropConnections();
    await writeMore(30);
    await insist(() => delivered(store, start, seen));
    await subscription.stop();
    await other.close();
    expect(seen.events).toHaveLength(200);
  });

  it('is told of what another process appends, also after the server was away', async () => {
    const other = await openKurrentEventStore({ url: server.url });
    const [early, late] = [collector([stream], 1), collector([stream], 2)];
    const start = await store.lastPosition();
    const subscriptions = [early, late].map(({ handle, failed }) =>
      store.subscribeAll(start, handle, failed),
    );
    await other.append(stream, NO_STREAM, events(1));
    await early.complete;
    await server.stop();
    await server.start();
    await insist(() => other.head(stream));
    const second = events(1);
    await insist(() => other.append(stream, 0, second));
    await late.complete;
    await Promise.all(subscriptions.map((subscription) => subscription.stop()));
    await other.close();
    expect(revisionsOf(late.events)).toEqual([0, 1]);
  });

  it('waits for an event that it was told of and the server does not show yet', async () => {
    const hides = { reads: 0 };
    const confirmed = Promise.withResolvers<void>();
    const nothing = async function* (): AsyncGenerator<never[]> {};
    const slow = new KurrentEventStore({
      rustClient: {
        readAll: (options: object) =>
          hides.reads-- > 0 ? nothing() : client.rustClient.readAll(options as never),
      },
      subscribeToAll: (options: object) =>
        client.subscribeToAll(options).on('confirmation', () => confirmed.resolve()),
      dispose: async () => {},
    } as unknown as KurrentDBClient);
    const start = await store.lastPosition();
    const [first, all] = [collector([stream], 1), collector([stream], 2)];
    const handle = (batch: readonly StoredEvent[]): void => {
      first.handle(batch);
      all.handle(batch);
    };
    slow.subscribeAll(start, handle, all.failed);
    await confirmed.promise;
    await write(NO_STREAM, events(1));
    await first.complete;
    hides.reads = 2;
    await write(0, events(1));
    await all.complete;
    await slow.close();
    expect(revisionsOf(all.events)).toEqual([0, 1]);
    expect(hides.reads).toBeLessThanOrEqual(0);
  });

  it('shares the one of the process, which ends with the store', async () => {
    const start = await store.lastPosition();
    const seen = Array.from({ length: 120 }, () => collector([stream], 2));
    for (const { handle, failed } of seen) store.subscribeAll(start, handle, failed);
    await write(NO_STREAM, events(2));
    await Promise.all(seen.map(({ complete }) => complete));
    await expectOpenSubscriptions(1);
    await store.close();
    await expectOpenSubscriptions(0);
  });

  it('ends when told to, also while the server is away', async () => {
    const seen = collector([stream], 1);
    const subscription = store.subscribeAll(await store.lastPosition(), seen.handle, seen.failed);
    await write(NO_STREAM, events(1));
    await seen.complete;
    await server.stop();
    await subscription.stop();
    expect(seen.events).toHaveLength(1);
    await server.start();
  });
});

describe('opening', () => {
  it('fails where no server answers, naming the place and no password', async () => {
    await server.stop();
    const url = server.url.replace('://', '://admin:correct-horse@');
    const error = await openKurrentEventStore({ url, deadline_ms: DEADLINE_MS }).then(
      () => null,
      (reason: unknown) => reason,
    );
    await server.start();
    expect(String(error)).toContain(`127.0.0.1:${server.port}`);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('correct-horse');
  });
});
