/** Streams whose metadata somebody changes while they are written to, as the real server answers. */
import { expect, it } from '@jest/globals';
import { KurrentDBClient, NO_STREAM, START, streamNameFilter } from '@kurrent/kurrentdb-client';
import { once } from 'node:events';
import { freePort } from '../../support/processes.js';

import { client, server, stream } from './spec-server.js';
import { counted, numbers } from './spec-support.js';

const revisions = async (): Promise<number[]> => {
  const found: number[] = [];
  for await (const { event } of client.readStream(stream)) found.push(Number(event!.revision));
  return found;
};

const damages: readonly [string, () => Promise<unknown>, readonly number[]][] = [
  ['given $maxCount', () => client.setStreamMetadata(stream, { maxCount: 2 }), [2, 3]],
  ['truncated', () => client.setStreamMetadata(stream, { truncateBefore: 2 }), [2, 3]],
  ['deleted softly', () => client.deleteStream(stream), [3]],
];

it.each(damages)(
  'a stream that is %s goes on taking appends; only its metadata stream says so',
  async (_, damage, shown) => {
    const told = client.subscribeToAll({
      fromPosition: START,
      filter: streamNameFilter({ prefixes: [`$$${stream}`] }),
    });
    await client.appendToStream(stream, counted(1, 2, 3), { streamState: NO_STREAM });
    const telling = once(told, 'data');
    await damage();
    const [{ event }] = await telling;
    expect(event).toMatchObject({ streamId: `$$${stream}`, type: '$metadata' });
    const next = await client.appendToStream(stream, counted(4), { streamState: 2n });
    expect(next.nextExpectedRevision).toBe(3n);
    expect(await revisions()).toEqual(shown);
    const filter = streamNameFilter({ prefixes: [stream] });
    expect(await numbers(client.readAll({ filter }))).toEqual([1, 2, 3, 4]);
    await told.unsubscribe();
  },
);

it('shows all events again once $maxCount is lifted', async () => {
  await client.appendToStream(stream, counted(1, 2, 3));
  await client.setStreamMetadata(stream, { maxCount: 1 });
  expect(await revisions()).toEqual([2]);
  await client.setStreamMetadata(stream, {});
  expect(await revisions()).toEqual([0, 1, 2]);
});

it('tells a log position as the revision of metadata', async () => {
  await client.appendToStream(stream, counted(1));
  const { position } = await client.setStreamMetadata(stream, { maxCount: 5 });
  const { metastreamRevision } = await client.getStreamMetadata(stream);
  expect(metastreamRevision).toBe(position!.commit);
});

it('tells when an event was created in whole seconds', async () => {
  await client.appendToStream(stream, counted(1));
  for await (const { event } of client.readStream(stream))
    expect(event!.created.getMilliseconds()).toBe(0);
});

it.each([
  ['a closed port', async () => `127.0.0.1:${await freePort()}`, 'tls=false'],
  ['TLS asked of a server without it', async () => `127.0.0.1:${server.port}`, 'tls=true'],
  ['a host that does not exist', async () => 'no-such-host.invalid:2113', 'tls=false'],
])('looks the same to reads, with no more than the error’s name: %s', async (_, host, tls) => {
  const elsewhere = KurrentDBClient.connectionString(`kurrentdb://${await host()}?${tls}`);
  const read = numbers(elsewhere.readStream(stream));
  const error = await read.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ type: 'unavailable', message: 'UnavailableError' });
  await elsewhere.dispose();
});
