import { afterEach, expect, it, jest } from '@jest/globals';
import {
  type AllStreamSubscription,
  KurrentDBClient,
  NO_STREAM,
  START,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';
import { once } from 'node:events';

import { client, server, stream } from './spec-server.js';
import { eventually } from '../../support/eventually.js';
import { counted, numbers } from './spec-support.js';

afterEach(() => {
  jest.restoreAllMocks();
});

function subscribe(checkpoints: bigint[] = []): AllStreamSubscription {
  const filter = streamNameFilter({
    prefixes: [stream],
    maxSearchWindow: 1_000,
    checkpointReached: (_, { commit }) => {
      checkpoints.push(commit);
    },
  });
  return client.subscribeToAll({ fromPosition: START, filter });
}

async function errorOf(work: Promise<unknown>): Promise<{ type?: string; code?: number }> {
  return work.then(
    () => ({}),
    (error: { type?: string; code?: number }) => error,
  );
}

it('stores an append, yet drops the connection: the repetition is answered with its place', async () => {
  const events = counted(1, 2);
  await client.appendToStream(stream, counted(0), { streamState: NO_STREAM });
  await server.dropAppends(1, 'stored');
  const dropped = await errorOf(client.appendToStream(stream, events, { streamState: 0n }));
  expect(dropped.code).toBe(14);
  expect(await eventually(() => numbers(client.readStream(stream)))).toEqual([0, 1, 2]);

  const repeated = await eventually(() =>
    client.appendToStream(stream, events, { streamState: 0n }),
  );
  expect(repeated.nextExpectedRevision).toBe(2n);
  expect(await numbers(client.readStream(stream))).toEqual([0, 1, 2]);
});

it('loses an append with the connection: the repetition stores it', async () => {
  await server.dropAppends(1, 'lost');
  const dropped = await errorOf(client.appendToStream(stream, counted(1)));
  expect(dropped.code).toBe(14);
  // The connection that reads was dropped as well.
  await eventually(async () =>
    expect(await errorOf(numbers(client.readStream(stream)))).toMatchObject({
      type: 'stream-not-found',
    }),
  );
  await eventually(() => client.appendToStream(stream, counted(1)));
  expect(await numbers(client.readStream(stream))).toEqual([1]);
});

it('refuses an append as a follower does, naming the leader', async () => {
  await server.refuseAppends(1);
  const refused = client.appendToStream(stream, counted(1));
  await expect(refused).rejects.toMatchObject({
    type: 'not-leader',
    leader: { address: '127.0.0.1', port: server.port },
  });
  await eventually(() => client.appendToStream(stream, counted(1)));
  expect(await numbers(client.readStream(stream))).toEqual([1]);
});

it('freezes: nothing is answered until it thaws', async () => {
  await client.appendToStream(stream, counted(1));
  await server.freeze();
  let answered = false;
  const append = client.appendToStream(stream, counted(2)).then(() => (answered = true));
  const read = numbers(client.readStream(stream)).then(() => (answered = true));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(answered).toBe(false);

  await server.thaw();
  await Promise.all([append, read]);
  expect(await numbers(client.readStream(stream))).toEqual([1, 2]);
});

it('answers no keepalive while frozen', async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const keepalive = '&keepAliveInterval=500&keepAliveTimeout=500';
  const impatient = KurrentDBClient.connectionString(server.url + keepalive);
  await impatient.appendToStream(stream, counted(1));
  await server.freeze();
  const failed = await errorOf(impatient.appendToStream(stream, counted(2)));
  await server.thaw();
  expect(failed.code).toBe(14);
  await impatient.dispose();
});

it('delays its answers, though the work is done', async () => {
  await client.appendToStream(stream, counted(1));
  await server.delayAnswers(60_000);
  const { appends } = await server.statistics();
  let answered = false;
  void client.appendToStream(stream, counted(2)).then(
    () => (answered = true),
    () => undefined,
  );
  await eventually(async () => expect((await server.statistics()).appends).toBe(appends + 1));
  await server.delayAnswers(0);
  expect(await numbers(client.readStream(stream))).toEqual([1, 2]);
  expect(answered).toBe(false);
});

it('sends checkpoints ahead of the events below them', async () => {
  const { position } = await client.appendToStream(stream, counted(1, 2, 3));
  await server.sendCheckpointsAhead(true);
  const checkpoints: bigint[] = [];
  const subscription = subscribe(checkpoints);
  const [first] = await once(subscription, 'data');
  expect(first.event.revision).toBe(0n);
  expect(checkpoints).toEqual([position!.commit]);
  await server.sendCheckpointsAhead(false);
  await subscription.unsubscribe();
});

it('fails a subscription in its middle; the next one works', async () => {
  await client.appendToStream(stream, counted(1, 2, 3));
  await server.failSubscriptions(2);
  const seen: number[] = [];
  const failing = subscribe().on('data', ({ event }) => seen.push(Number(event!.revision)));
  const [error] = await once(failing, 'error');
  expect(error).toMatchObject({ type: 'unavailable' });
  expect(seen).toEqual([0, 1]);

  const next = subscribe();
  const [again] = await once(next, 'data');
  expect(again.event.revision).toBe(0n);
  await next.unsubscribe();
});

it('fails all running subscriptions at once', async () => {
  const subscriptions = [subscribe(), subscribe()];
  await Promise.all(subscriptions.map((subscription) => once(subscription, 'caughtUp')));
  const failures = subscriptions.map((subscription) => errorOf(once(subscription, 'data')));
  await server.failSubscriptions();
  for (const failure of failures) expect(await failure).toMatchObject({ type: 'unavailable' });
});

it('stops and starts again with all it had; subscriptions have to be opened anew', async () => {
  await client.appendToStream(stream, counted(1));
  const subscription = subscribe();
  await once(subscription, 'data');
  const ended = errorOf(once(subscription, 'data'));
  await server.stop();
  expect(await ended).toMatchObject({ type: 'unavailable' });
  expect(await server.statistics()).toMatchObject({ open_subscriptions: 0, open_connections: 0 });
  expect((await errorOf(client.appendToStream(stream, counted(2)))).code).toBe(14);

  await server.start();
  await eventually(() => client.appendToStream(stream, counted(2), { streamState: 0n }));
  expect(await eventually(() => numbers(client.readStream(stream)))).toEqual([1, 2]);
});

it('shows a truncated stream from its first kept event on, and all of it in $all', async () => {
  await client.appendToStream(stream, counted(1, 2, 3));
  await server.truncate(stream, 2);
  expect(await numbers(client.readStream(stream))).toEqual([3]);
  const filter = streamNameFilter({ prefixes: [stream] });
  expect(await numbers(client.readAll({ filter }))).toEqual([1, 2, 3]);
});

it('drops the second of two equal appends at one time, and answers a third', async () => {
  const events = counted(1, 2);
  const append = () => client.appendToStream(stream, events, { streamState: NO_STREAM });
  await server.delayIndex(100);
  try {
    const began = performance.now();
    const [first, second] = await Promise.allSettled([append(), append()]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { nextExpectedRevision: 1n } });
    expect(second).toMatchObject({ reason: { type: 'deadline-exceeded' } });
    // The commit time-out of the real server.
    expect(performance.now() - began).toBeGreaterThan(1_900);
    expect(await append()).toEqual((first as { value: unknown }).value);
    expect(await numbers(client.readStream(stream))).toEqual([1, 2]);
  } finally {
    await server.delayIndex(0);
  }
});
