import { expect, it } from '@jest/globals';
import {
  type AllStreamSubscription,
  BACKWARDS,
  END,
  KurrentDBClient,
  NO_STREAM,
  START,
  streamNameFilter,
  type StreamSubscription,
} from '@kurrent/kurrentdb-client';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { client, server } from './spec-server.js';
import { counted, numbers } from './spec-support.js';

/** The next `count` numbers of a running subscription. */
async function take(
  subscription: AllStreamSubscription | StreamSubscription,
  count: number,
): Promise<number[]> {
  const found: number[] = [];
  for await (const { event } of subscription) {
    found.push((event!.data as { n: number }).n);
    if (found.length === count) break;
  }
  return found;
}

it('stores appends and reads them in both directions', async () => {
  const stream = randomUUID();
  const appended = await client.appendToStream(stream, counted(1, 2, 3), {
    streamState: NO_STREAM,
  });
  await client.appendToStream(stream, counted(4), { streamState: 2n });

  expect(appended.nextExpectedRevision).toBe(2n);
  expect(await numbers(client.readStream(stream))).toEqual([1, 2, 3, 4]);
  expect(await numbers(client.readStream(stream, { fromRevision: 1n, maxCount: 2 }))).toEqual([
    2, 3,
  ]);
  const backward = { direction: BACKWARDS, fromRevision: END, maxCount: 3 } as const;
  expect(await numbers(client.readStream(stream, backward))).toEqual([4, 3, 2]);
});

it('tells every part of an event', async () => {
  const stream = randomUUID();
  const [event] = counted(1);
  const { position } = await client.appendToStream(stream, event!);
  for await (const { event: read } of client.readStream(stream))
    expect(read).toEqual({
      streamId: stream,
      id: event!.id,
      revision: 0n,
      type: 'counted',
      data: { n: 1 },
      metadata: { about: 'test' },
      isJson: true,
      created: expect.any(Date),
      position,
    });
});

it('refuses what another writer has overtaken', async () => {
  const stream = randomUUID();
  await client.appendToStream(stream, counted(1, 2), { streamState: NO_STREAM });

  const late = client.appendToStream(stream, counted(3), { streamState: NO_STREAM });
  await expect(late).rejects.toMatchObject({
    type: 'wrong-expected-version',
    streamName: stream,
    expectedState: 'no_stream',
    actualState: 1n,
  });
  const absent = client.appendToStream(randomUUID(), counted(3), { streamState: 7n });
  await expect(absent).rejects.toMatchObject({ expectedState: 7n, actualState: 'no_stream' });
});

it('reads all streams from a position on, and filtered', async () => {
  const prefix = randomUUID();
  const { position } = await client.appendToStream(`${prefix}-a`, counted(1));
  await client.appendToStream(`${prefix}-b`, counted(2, 3));
  await client.appendToStream(randomUUID(), counted(4));

  expect(await numbers(client.readAll({ fromPosition: position! }))).toEqual([1, 2, 3, 4]);
  expect(await numbers(client.readAll({ fromPosition: position!, maxCount: 2 }))).toEqual([1, 2]);
  const filter = streamNameFilter({ prefixes: [prefix] });
  expect(await numbers(client.readAll({ fromPosition: START, filter }))).toEqual([1, 2, 3]);
  for await (const { event } of client.readAll({ maxCount: 1 }))
    expect(event).toMatchObject({ streamId: '$$$stats', type: '$metadata' });
  const backward = { direction: BACKWARDS, fromPosition: END, maxCount: 2 } as const;
  expect(await numbers(client.readAll(backward))).toEqual([4, 3]);
});

it('keeps a filtered subscription to all streams fed, with checkpoints', async () => {
  const prefix = randomUUID();
  const { position } = await client.appendToStream(`${prefix}-a`, counted(1, 2));
  const checkpoints: bigint[] = [];
  const filter = streamNameFilter({
    prefixes: [prefix],
    maxSearchWindow: 2,
    checkpointInterval: 2,
    checkpointReached: (_, { commit }) => {
      checkpoints.push(commit);
    },
  });
  const subscription = client.subscribeToAll({ fromPosition: position!, filter });
  const caught_up = new Promise((resolve) => subscription.once('caughtUp', resolve));
  const taken = take(subscription, 3);
  await caught_up;
  await client.appendToStream(`${prefix}-b`, counted(3));
  await client.appendToStream(randomUUID(), counted(0, 0));
  const fourth = await client.appendToStream(`${prefix}-a`, counted(4));
  await client.appendToStream(`${prefix}-a`, counted(5));

  expect(await taken).toEqual([3, 4, 5]);
  await subscription.unsubscribe();
  // Two windows of two: after the fourth event looked at.
  expect(checkpoints).toEqual([fourth.position!.commit]);
});

it('keeps a subscription to one stream fed', async () => {
  const stream = randomUUID();
  const subscription = client.subscribeToStream(stream, { fromRevision: 0n });
  const taken = take(subscription, 3);
  await client.appendToStream(stream, counted(1, 2));
  await client.appendToStream(randomUUID(), counted(0));
  await client.appendToStream(stream, counted(3, 4));
  expect(await taken).toEqual([2, 3, 4]);
  await subscription.unsubscribe();
});

it('feeds a subscriber that reads slowly without losing its place', async () => {
  const stream = randomUUID();
  const values = Array.from({ length: 700 }, (_, n) => n);
  await client.appendToStream(stream, counted(...values));
  const subscription = client.subscribeToStream(stream);
  // Nobody reads yet, so that the server soon finds no room to write.
  await once(subscription, 'confirmation');
  expect(await take(subscription, 700)).toEqual(values);
  await subscription.unsubscribe();
});

it('is found by discovery', async () => {
  const discovering = KurrentDBClient.connectionString(
    server.url.replace('kurrentdb:', 'kurrentdb+discover:'),
  );
  const stream = randomUUID();
  await discovering.appendToStream(stream, counted(1));
  expect(await numbers(discovering.readStream(stream))).toEqual([1]);
  await discovering.dispose();
});
