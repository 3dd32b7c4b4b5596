/** What a cluster of the real server does when its nodes fail, shown by the test server's. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { KurrentDBClient, NO_STREAM } from '@kurrent/kurrentdb-client';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '../../../support/eventually.js';
import { counted, numbers } from '../spec-support.js';
import { KurrentCluster, type SupervisedNode } from './cluster.js';

/** Shorter than the real server's, yet long enough for a busy machine. */
const SHORT = { election_ms: [100, 400], silence_ms: [1_500, 2_500], stale_ms: 1_500 } as const;

let folder: string;
let cluster: KurrentCluster;
let clients: Map<string, KurrentDBClient>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  cluster = await KurrentCluster.start({ folder, ...SHORT, commit_timeout_ms: 500 });
  clients = new Map();
});
afterEach(async () => {
  await Promise.all([...clients.values()].map((client) => client.dispose()));
  await cluster.close();
  rmSync(folder, { recursive: true });
});

/** A client of that node alone. */
function at({ port }: SupervisedNode): KurrentDBClient {
  const url = `kurrentdb://127.0.0.1:${port}?tls=false`;
  let client = clients.get(url);
  if (!client) clients.set(url, (client = KurrentDBClient.connectionString(url)));
  return client;
}

/** A node's events of a stream, be they all or not. The client is a new one: one that has met a dead node stays there. */
async function held({ port }: SupervisedNode, stream: string): Promise<number[]> {
  const url = `kurrentdb://127.0.0.1:${port}?tls=false&nodePreference=follower`;
  const client = KurrentDBClient.connectionString(url);
  const found = await numbers(client.readStream(stream)).catch(() => []);
  await client.dispose();
  return found;
}

const led = (client: KurrentDBClient, stream: string) =>
  numbers(client.readStream(stream, { requiresLeader: true }));

/** Writes what was counted on until a leader has acknowledged it. */
async function write(stream: string, from: number, until: number): Promise<void> {
  for (let n = from; n < until; n += 1) {
    const events = counted(n);
    const streamState = n === 0 ? NO_STREAM : BigInt(n - 1);
    await eventually(async () => {
      const client = at(await cluster.leader());
      await client.appendToStream(stream, events, { streamState, requiresLeader: true });
    });
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

it('stores what is appended at all nodes; only the leader takes it', async () => {
  const stream = randomUUID();
  await write(stream, 0, 3);
  const leader = await cluster.leader();
  const address = { address: '127.0.0.1', port: leader.port };
  for (const follower of await cluster.followers()) {
    await eventually(async () => expect(await held(follower, stream)).toEqual([0, 1, 2]));
    const refused = { type: 'not-leader', leader: address };
    const append = at(follower).appendToStream(stream, counted(9), { requiresLeader: true });
    await expect(append).rejects.toMatchObject(refused);
    await expect(led(at(follower), stream)).rejects.toMatchObject(refused);
  }
  const discovering = KurrentDBClient.connectionString(cluster.url);
  clients.set(cluster.url, discovering);
  await discovering.appendToStream(stream, counted(3), { requiresLeader: true });
  expect(await led(discovering, stream)).toEqual([0, 1, 2, 3]);
});

it('elects another leader when one is killed and stays away, and loses nothing', async () => {
  const stream = randomUUID();
  await write(stream, 0, 10);
  const first = await cluster.leader();
  await first.kill();
  const second = await cluster.leader();
  expect(second).not.toBe(first);
  await write(stream, 10, 20);
  await first.start();
  await eventually(async () => expect(await held(first, stream)).toEqual(upTo(20)));
  // The third alone is left of those that were there all the time.
  await (await cluster.leader()).kill();
  await write(stream, 20, 25);
  expect(await led(at(await cluster.leader()), stream)).toEqual(upTo(25));
});

it('has no leader without a majority, says that it is not ready, and goes on after', async () => {
  const stream = randomUUID();
  await write(stream, 0, 5);
  const last = await cluster.leader();
  const followers = await cluster.followers();
  await Promise.all(followers.map((node) => node.kill()));
  const append = () => at(last).appendToStream(randomUUID(), counted(9), { requiresLeader: true });
  await eventually(() => expect(append()).rejects.toMatchObject({ type: 'unavailable' }));
  await expect(led(at(last), stream)).rejects.toMatchObject({ type: 'unavailable' });
  await followers[0]!.start();
  await write(stream, 5, 8);
  expect(await led(at(await cluster.leader()), stream)).toEqual(upTo(8));
});

it('deposes a frozen leader, which goes on showing its old events to those who ask the leader', async () => {
  const stream = randomUUID();
  await write(stream, 0, 3);
  const frozen = await cluster.leader();
  const old = at(frozen);
  expect(await led(old, stream)).toEqual([0, 1, 2]);
  frozen.freeze();
  await cluster.leader(frozen);
  await write(stream, 3, 6);
  frozen.thaw();
  // For as long as its options say.
  expect(await led(old, stream)).toEqual([0, 1, 2]);
  await eventually(() => expect(led(old, stream)).rejects.toMatchObject({ type: 'not-leader' }));
  await eventually(async () => expect(await held(frozen, stream)).toEqual(upTo(6)));
});

it('cuts off what a deposed leader alone has stored, which ends and starts again for it', async () => {
  const stream = randomUUID();
  await write(stream, 0, 3);
  const alone = await cluster.leader();
  const client = at(alone);
  await client.appendToStream(stream, counted(3), { streamState: 2n, requiresLeader: true });
  const followers = await cluster.followers();
  for (const follower of followers) follower.freeze();
  const lost = client.appendToStream(stream, counted(99), { streamState: 3n });
  await expect(lost).rejects.toMatchObject({ type: 'deadline-exceeded' });
  alone.freeze();
  // What was sent to them while they were frozen ends with them.
  await Promise.all(followers.map((node) => node.kill()));
  await Promise.all(followers.map((node) => node.start()));
  const before = alone.process;
  await write(stream, 4, 6);
  alone.thaw();
  await eventually(async () => expect(await held(alone, stream)).toEqual(upTo(6)));
  expect(alone.process).not.toBe(before);
});
