/** What stands in the server, seen by the client as other tools see it, and what comes back of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';

import { type KurrentTarget, kurrentTarget } from '../../../test/servers/kurrentdb/target.js';
import { event, freshStream, revisionsOf } from '../contract-support.contract.js';
import { ForeignEvent, NO_STREAM } from '../port.js';
import { KurrentEventStore } from './event-store.js';
import { positionOf, toKurrent } from './stored-form.js';

let target: KurrentTarget;
let client: KurrentDBClient;
let store: KurrentEventStore;
beforeAll(async () => {
  target = await kurrentTarget();
  client = KurrentDBClient.connectionString(target.url);
  store = new KurrentEventStore(client);
});
afterAll(async () => {
  await store.close();
  await target.close();
});

describe('a stream in the server', () => {
  it('tells by what it would lose events', async () => {
    const stream = freshStream();
    await store.append(stream, NO_STREAM, [event({}), event({})]);
    expect(await store.retention(stream)).toBeNull();
    expect(await store.retention('drive-DriveID_nobody')).toBeNull();
    await client.setStreamMetadata(stream, { maxAge: 3600, maxCount: 5 });
    const set = { max_age_s: 3600, max_count: 5, truncate_before: null };
    expect(await store.retention(stream)).toEqual(set);
    await client.setStreamMetadata(stream, { truncateBefore: 1 });
    const cut = { max_age_s: null, max_count: null, truncate_before: 1 };
    expect(await store.retention(stream)).toEqual(cut);
    await client.setStreamMetadata(stream, { owner: 'somebody' });
    expect(await store.retention(stream)).toBeNull();
  });
});

describe('a page for folding', () => {
  it('holds fewer events than asked for where they are large, and the next one goes on behind them', async () => {
    const stream = freshStream();
    const data = JSON.stringify({ text: 'x'.repeat(500_000) });
    const COUNT = 20;
    for (let at = 0; at < COUNT; at++) await store.append(stream, at - 1, [event({ data })]);
    // Ten megabytes may take their time on a machine at work.
    const patient = new KurrentEventStore(client, { deadline_ms: 60_000 });
    const first = await patient.readFoldable(stream, 0, 1_000);
    expect(first.length).toBeLessThan(COUNT);
    const next = await patient.readFoldable(stream, first.length, 1_000);
    expect(revisionsOf([...first, ...next])).toEqual(Array.from({ length: COUNT }, (_, at) => at));
    expect(await patient.readFoldable(stream, COUNT, 1_000)).toEqual([]);
  });
});

describe('an event in the server', () => {
  it('has its data and, beside the rest, its metadata as JSON', async () => {
    const stream = freshStream();
    const hash = new Uint8Array(32).fill(0xab);
    const data = '{"b":[1,"ü"],"name":"everyone"}';
    const written = event({ data, metadata: '{"actor":{"user_id":"U"}}', hash, version: 3 });
    await store.append(stream, NO_STREAM, [written]);
    for await (const { event: seen } of client.readStream(stream))
      expect(seen).toMatchObject({
        streamId: stream,
        id: written.event_id,
        type: 'GroupCreated',
        isJson: true,
        data: { name: 'everyone', b: [1, 'ü'] },
        metadata: {
          hash: 'ab'.repeat(32),
          metadata: { actor: { user_id: 'U' } },
          timestamp_ms: written.timestamp_ms,
          version: 3,
        },
      });
  });

  it.each([
    ['names that are whole numbers, which the client would put first', '{"10":1,"9":2,"a":{}}'],
    ['numbers written in another way', '{"a":1.0,"b":1e3}'],
    ['a text that is no JSON', 'not {json'],
    ['nothing', ''],
  ])('comes back as it was, also with %s', async (_, data) => {
    const stream = freshStream();
    await store.append(stream, NO_STREAM, [event({ data, metadata: data })]);
    const [stored] = await store.readStream(stream, 0, 'forward', 1);
    expect([stored!.data, stored!.metadata]).toEqual([data, data]);
  });

  const text = fc.string({ unit: 'binary', size: 'medium' });
  const names = fc.oneof(text, fc.string(), fc.nat().map(String), fc.constant('__proto__'));
  const { body } = fc.letrec<{ value: unknown; body: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(text, fc.boolean(), fc.constant(null), fc.integer(), fc.maxSafeInteger()),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(tie('value'), { maxLength: 5 }),
      tie('body'),
    ),
    body: fc.dictionary(names, tie('value'), { maxKeys: 6 }),
  }));

  it('comes back byte for byte, whatever its canonical JSON holds', async () => {
    const seen = { json: 0, binary: 0 };
    const bodies = fc.array(fc.tuple(body, body), { minLength: 20, maxLength: 20, size: 'max' });
    await fc.assert(
      fc.asyncProperty(bodies, async (pairs) => {
        const stream = freshStream();
        const written = pairs.map(([data, metadata]) =>
          event({ data: canonicalize(data)!, metadata: canonicalize(metadata)! }),
        );
        await store.append(stream, NO_STREAM, written);
        const read = await store.readStream(stream, 0, 'forward', 100);
        for (const [i, one] of written.entries()) {
          expect(read[i]).toMatchObject({ data: one.data, metadata: one.metadata });
          const is_json = toKurrent(one).contentType === 'application/json';
          expect(is_json || /"\d+":/.test(one.data)).toBe(true);
          seen[is_json ? 'json' : 'binary'] += 1;
        }
      }),
      { numRuns: 10 },
    );
    expect(Math.min(seen.json, seen.binary)).toBeGreaterThan(0);
  });
});

describe('a place', () => {
  const at = (commit?: bigint) => ({
    ...{ streamId: 'drive-a', id: '', type: '', revision: 0n },
    ...{ data: new Uint8Array(), metadata: new Uint8Array() },
    ...(commit === undefined ? {} : { position: { commit } }),
  });

  it('is a number as long as numbers are exact', () => {
    expect(positionOf(at(2n ** 53n - 1n))).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => positionOf(at(2n ** 53n))).toThrow(RangeError);
  });

  it.each([undefined, 2n ** 64n - 1n])('is missing on servers too old (%s)', (commit) => {
    expect(() => positionOf(at(commit))).toThrow(/22\.6 or later/);
  });
});

describe('events of others', () => {
  it('are left out of what all streams show, and nowhere else passed over', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const start = await store.lastPosition();
    const [own, shared] = [freshStream(), freshStream()];
    const foreign = { id: randomUUID(), contentType: 'application/json', type: 'X' } as const;
    const send = (stream: string) =>
      client.appendToStream(stream, [
        { ...foreign, id: randomUUID(), data: { a: 1 }, metadata: undefined },
      ]);
    await send('factory-of-others');
    await store.append(own, NO_STREAM, [event()]);
    await send(shared);
    await send('factory-of-others');
    const { last_position } = await store.append(own, 0, [event()]);

    const read = await store.readAll(start, 2);
    expect(read.map(({ stream, revision }) => [stream, revision])).toEqual([
      [own, 0],
      [own, 1],
    ]);
    expect(await store.readAll(read[0]!.position, 1)).toEqual([read[1]]);
    expect(await store.readAll(last_position, 1)).toEqual([]);
    // Told once, however often it is read.
    expect(warned.mock.calls.filter(([text]) => String(text).includes(shared))).toHaveLength(1);
    warned.mockRestore();
    await expect(store.readStream(shared, 0, 'forward', 1)).rejects.toThrow(ForeignEvent);
  });
});
