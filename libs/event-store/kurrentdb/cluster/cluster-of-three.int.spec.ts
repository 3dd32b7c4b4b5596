/** Three nodes that elect leaders: the store outlives any one of them, and a while without a majority. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { KurrentCluster } from '../../../../test/servers/kurrentdb/cluster/cluster.js';
import {
  collector,
  delivered,
  events,
  freshStream,
  idsOf,
} from '../../contract-support.contract.js';
import { NO_STREAM, type EventStore, type NewEvent } from '../../port.js';
import { openKurrentEventStore } from '../index.js';

/** Shorter than the real server's, yet long enough for a busy machine. */
const SHORT = { election_ms: [100, 400], silence_ms: [1_500, 2_500], stale_ms: 1_000 } as const;
const DEADLINE_MS = 2_000;
/** Time to find the next leader within one read, however busy the machine. */
const LONG_DEADLINE_MS = 20_000;
/** As many appends as the client takes at one time, and one. */
const MORE_THAN_IN_FLIGHT = 16;
/** Pings, which would find a connection dead, come too late. */
const UNPINGED = 'keepAliveInterval=600000';
/** By then reads and writes have to work again after an election, however busy the machine. */
const INSIST_MS = 20_000;

let folder: string;
let cluster: KurrentCluster;
let opened: EventStore[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-of-three-'));
  cluster = await KurrentCluster.start({ folder, ...SHORT, commit_timeout_ms: 500 });
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await cluster.close();
  rmSync(folder, { recursive: true });
});

async function open({
  scheme = 'kurrentdb',
  hosts = cluster.hosts,
  options = 'nodePreference=leader',
  deadline_ms = DEADLINE_MS,
} = {}): Promise<EventStore> {
  const url = `${scheme}://${hosts}?tls=false&${options}`;
  // Nodes that have just started may elect once more.
  const store = await insist(() => openKurrentEventStore({ url, deadline_ms }));
  opened.push(store);
  return store;
}

/** Does again what fails while no leader can be reached, as the engine does. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + INSIST_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { name } = error as Error;
      const may_pass = /OutcomeUnknown|Unavailable|NoAnswer|StoreUnavailable|NothingSent/.test(
        name,
      );
      if (!may_pass || performance.now() > until) throw error;
      await after(50);
    }
  }
}

const append = (store: EventStore, stream: string, expected: number, batch: readonly NewEvent[]) =>
  insist(() => store.append(stream, expected, batch));

const shown = async (store: EventStore, stream: string) =>
  idsOf(await insist(() => store.readStream(stream, 0, 'forward', 100)));

it('reads and writes go on when the leader is killed and stays away', async () => {
  const [writer, reader] = [await open(), await open()];
  const stream = freshStream();
  const [first, second] = [events(2), events(3)];
  await append(writer, stream, NO_STREAM, first);
  expect(await shown(reader, stream)).toEqual(idsOf(first));
  await (await cluster.leader()).kill();
  await append(writer, stream, 1, second);
  for (const store of [reader, writer])
    expect(await shown(store, stream)).toEqual(idsOf([...first, ...second]));
});

it('reads and writes go on when the leader is frozen, and nothing doubles when it is thawed', async () => {
  const [writer, reader] = [await open({ options: UNPINGED }), await open()];
  const stream = freshStream();
  const [first, second, third] = [events(2), events(3), events(1)];
  await append(writer, stream, NO_STREAM, first);
  expect(await shown(reader, stream)).toEqual(idsOf(first));
  const frozen = await cluster.leader();
  frozen.freeze();
  await append(writer, stream, 1, second);
  expect(await shown(writer, stream)).toEqual(idsOf([...first, ...second]));
  frozen.thaw();
  await append(writer, stream, 4, third);
  const all = idsOf([...first, ...second, ...third]);
  // A leader that was deposed shows old events for a while.
  await insist(async () => {
    if ((await shown(reader, stream)).length < all.length) throw new Stale();
  });
  expect(await shown(reader, stream)).toEqual(all);
});

it('a frozen leader is left by what writes and by what only follows, though no ping finds it silent', async () => {
  const writer = await open({ options: UNPINGED });
  const follower = await open({ options: UNPINGED });
  const streams = Array.from({ length: MORE_THAN_IN_FLIGHT }, freshStream);
  const first = streams.map(() => events(1));
  for (const [nth, stream] of streams.entries())
    await append(writer, stream, NO_STREAM, first[nth]!);
  const start = await follower.lastPosition();
  const [begun, all] = [collector(streams, 1), collector(streams, 1 + streams.length)];
  for (const { handle, failed } of [begun, all]) follower.subscribeAll(start, handle, failed);
  await append(writer, streams[0]!, 0, events(1));
  await begun.complete;
  (await cluster.leader()).freeze();
  const second = streams.map(() => events(1));
  await Promise.all(
    streams.map((stream, nth) => append(writer, stream, nth === 0 ? 1 : 0, second[nth]!)),
  );
  // Nobody reads meanwhile, so that nothing else shows that the node is silent.
  await all.complete;
  expect(await shown(follower, streams[1]!)).toEqual(idsOf([...first[1]!, ...second[1]!]));
  await delivered(follower, start, all);
});

it('a read that begins at a frozen leader is answered by the next leader, without being repeated by the caller', async () => {
  const patient = { options: UNPINGED, deadline_ms: LONG_DEADLINE_MS };
  const [writer, reader] = [await open(), await open(patient)];
  const stream = freshStream();
  const batch = events(2);
  await append(writer, stream, NO_STREAM, batch);
  expect(await shown(reader, stream)).toEqual(idsOf(batch));
  const frozen = await cluster.leader();
  frozen.freeze();
  await cluster.leader(frozen);
  expect(idsOf(await reader.readStream(stream, 0, 'forward', 100))).toEqual(idsOf(batch));
});

it('a read at a node that does not lead any more is answered by the leader, without being repeated by the caller', async () => {
  const patient = { options: UNPINGED, deadline_ms: LONG_DEADLINE_MS };
  const [writer, reader] = [await open(), await open(patient)];
  const stream = freshStream();
  const batch = events(2);
  await append(writer, stream, NO_STREAM, batch);
  expect(await shown(reader, stream)).toEqual(idsOf(batch));
  const deposed = await cluster.leader();
  deposed.freeze();
  await cluster.leader(deposed);
  deposed.thaw();
  // Until the deposed node has understood that.
  await cluster.leader();
  expect(idsOf(await reader.readStream(stream, 0, 'forward', 100))).toEqual(idsOf(batch));
});

class Stale extends Error {
  override readonly name = 'NoAnswer';
}

it('writes go on after a while without a majority, longer than a discovery lasts', async () => {
  const store = await open();
  const stream = freshStream();
  const [first, second] = [events(2), events(1)];
  await append(store, stream, NO_STREAM, first);
  const followers = await cluster.followers();
  await Promise.all(followers.map((node) => node.kill()));
  // Ten discoveries of 100 ms each, and some of them again.
  const until = performance.now() + 4_000;
  while (performance.now() < until)
    await expect(store.append(stream, 1, second)).rejects.toMatchObject({
      name: expect.stringMatching(/^(AppendOutcomeUnknown|StoreUnavailable)$/),
    });
  await Promise.all(followers.map((node) => node.start()));
  await append(store, stream, 1, second);
  expect(await shown(store, stream)).toEqual(idsOf([...first, ...second]));
});

it('a list of hosts with +discover is used as a whole: the first may be away', async () => {
  const [gone] = await cluster.followers();
  await gone!.kill();
  const others = cluster.nodes.filter((node) => node !== gone);
  const hosts = [gone!, ...others].map(({ port }) => `127.0.0.1:${port}`).join(',');
  const store = await open({ scheme: 'kurrentdb+discover', hosts });
  const stream = freshStream();
  await append(store, stream, NO_STREAM, events(2));
  expect(await shown(store, stream)).toHaveLength(2);
});
