import { expect, it } from '@jest/globals';
import {
  ANY,
  jsonEvent,
  NO_STREAM,
  STREAM_EXISTS,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';
import { randomUUID } from 'node:crypto';

import { client, stream } from './spec-server.js';
import { counted, numbers } from './spec-support.js';

/** Credentials of its own make the client use the call for a single append. */
const UNARY = { credentials: { username: 'admin', password: 'changeit' } };

const calls = [
  { call: 'many appends per call', options: {} },
  { call: 'one append per call', options: UNARY },
];

for (const { call, options } of calls) {
  it(`answers a repeated append with the first one's place (${call})`, async () => {
    const events = counted(1, 2, 3);
    const first = await client.appendToStream(stream, events, {
      streamState: NO_STREAM,
      ...options,
    });
    await client.appendToStream(stream, counted(4), { streamState: 2n, ...options });
    for (const streamState of [NO_STREAM, ANY] as const)
      expect(await client.appendToStream(stream, events, { streamState, ...options })).toEqual(
        first,
      );
    const prefix = await client.appendToStream(stream, events.slice(0, 2), {
      streamState: NO_STREAM,
      ...options,
    });
    expect(prefix.nextExpectedRevision).toBe(1n);
    expect(await numbers(client.readStream(stream))).toEqual([1, 2, 3, 4]);
  });

  it(`refuses a repeated append that has grown or changed (${call})`, async () => {
    const events = counted(1, 2);
    await client.appendToStream(stream, events, { streamState: NO_STREAM, ...options });
    const wrong = { type: 'wrong-expected-version', expectedState: 'no_stream', actualState: 1n };
    for (const changed of [
      [...events, ...counted(3)],
      [events[0]!, ...counted(3)],
      [...counted(3), events[1]!],
    ])
      await expect(
        client.appendToStream(stream, changed, { streamState: NO_STREAM, ...options }),
      ).rejects.toMatchObject(wrong);
    await expect(
      client.appendToStream(stream, counted(9), { streamState: 5n, ...options }),
    ).rejects.toMatchObject({ ...wrong, expectedState: 5n });
    await expect(
      client.appendToStream(randomUUID(), counted(1), { streamState: STREAM_EXISTS, ...options }),
    ).rejects.toMatchObject({ expectedState: 'stream_exists', actualState: 'no_stream' });
  });

  it(`stores 1 MiB at once and not a byte more (${call})`, async () => {
    const filled = (bytes: number) =>
      jsonEvent({ type: 't', data: 'x'.repeat(bytes - '""'.length - 2 * 't'.length) });
    const half = filled(524_288);
    await client.appendToStream(stream, [half, filled(524_288)], options);
    const larger = client.appendToStream(stream, [half, filled(524_289)], options);
    await expect(larger).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1_048_576,
    });
  });
}

it('stores nothing for an append of nothing', async () => {
  const nothing = await client.appendToStream(stream, []);
  expect(nothing).toMatchObject({ success: true });
  await expect(numbers(client.readStream(stream))).rejects.toMatchObject({
    type: 'stream-not-found',
    streamName: stream,
  });
});

it('deletes softly: not found, yet NO_STREAM succeeds again and revisions count on', async () => {
  await client.appendToStream(stream, counted(1, 2));
  await expect(client.deleteStream(stream, { expectedRevision: 0n })).rejects.toMatchObject({
    type: 'wrong-expected-version',
    expectedState: 0n,
    actualState: 1n,
  });
  await client.deleteStream(stream, { expectedRevision: 1n });
  await expect(numbers(client.readStream(stream))).rejects.toMatchObject({
    type: 'stream-not-found',
  });

  const again = await client.appendToStream(stream, counted(3), { streamState: NO_STREAM });
  expect(again.nextExpectedRevision).toBe(2n);
  expect(await numbers(client.readStream(stream))).toEqual([3]);
  const filter = streamNameFilter({ prefixes: [stream] });
  expect(await numbers(client.readAll({ filter }))).toEqual([1, 2, 3]);
});

it('ends a stream for ever with a tombstone', async () => {
  await client.appendToStream(stream, counted(1));
  await client.tombstoneStream(stream);
  const deleted = { type: 'stream-deleted', streamName: stream };
  await expect(client.appendToStream(stream, counted(2))).rejects.toMatchObject(deleted);
  await expect(numbers(client.readStream(stream))).rejects.toMatchObject(deleted);
});
