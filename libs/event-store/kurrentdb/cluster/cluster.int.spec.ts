/** Several nodes, of which some do not answer: reads and writes go to those that do. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as after } from 'node:timers/promises';

import {
  type KurrentServer,
  startKurrentServer,
} from '../../../../test/servers/kurrentdb/server.js';
import { events, freshStream, idsOf } from '../../contract-support.contract.js';
import { AppendOutcomeUnknown, NO_STREAM, StoreUnavailable, type EventStore } from '../../port.js';
import { openKurrentEventStore } from '../index.js';

const DEADLINE_MS = 1_000;

/** Two nodes that each hold themselves the leader. Their logs have nothing in common. */
let nodes: KurrentServer[];
let store: EventStore;

beforeEach(async () => {
  nodes = [await startKurrentServer(), await startKurrentServer()];
});
afterEach(async () => {
  await store.close();
  await Promise.all(nodes.map((node) => node.close()));
});

const hostsOf = (): string => nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');

async function open(url = `kurrentdb://${hostsOf()}?tls=false`): Promise<void> {
  store = await openKurrentEventStore({ url, deadline_ms: DEADLINE_MS });
}

/** The node that answers reads now. */
async function readFrom(): Promise<KurrentServer> {
  const before = await Promise.all(nodes.map((node) => node.statistics()));
  await store.lastPosition();
  for (const [at, node] of nodes.entries())
    if ((await node.statistics()).reads > before[at]!.reads) return node;
  throw new Error('no node was read from');
}

/** The outcome once stores can be reached, after at most so many tries. */
async function insist<T>(ask: () => Promise<T>, tries = 100): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (
      tries === 0 ||
      !(error instanceof StoreUnavailable || error instanceof AppendOutcomeUnknown)
    )
      throw error;
    await after(50);
    return insist(ask, tries - 1);
  }
}

describe('reads', () => {
  it('leave a node that is gone', async () => {
    await open();
    const first = await readFrom();
    await first.stop();
    await insist(() => store.lastPosition());
    expect(await readFrom()).not.toBe(first);
  });

  it('leave a node that does not answer', async () => {
    await open();
    const first = await readFrom();
    await first.freeze();
    await insist(() => store.lastPosition());
    expect(await readFrom()).not.toBe(first);
  });

  it('go on when the node that they chose comes back', async () => {
    await open(`kurrentdb://127.0.0.1:${nodes[0]!.port}?tls=false`);
    await nodes[0]!.stop();
    await expect(store.lastPosition()).rejects.toThrow(StoreUnavailable);
    await nodes[0]!.start();
    await insist(() => store.lastPosition());
  });
});

describe('writes', () => {
  it.each(['', '&maxDiscoverAttempts=2'])(
    'go on after no node has led for longer than one discovery lasts (%j)',
    async (option) => {
      await open(`kurrentdb://${hostsOf()}?tls=false&discoveryInterval=20${option}`);
      const stream = freshStream();
      const [first, second] = [events(1), events(2)];
      await store.append(freshStream(), NO_STREAM, first);
      await Promise.all(nodes.map((node) => node.stop()));
      // Each finds the channel broken, or looks for a leader in vain.
      for (let tries = 0; tries < 3; tries += 1)
        await expect(store.append(stream, 7, second)).rejects.toThrow(/no (?:answer|server)/);
      await Promise.all(nodes.map((node) => node.start()));
      await insist(() => store.append(stream, NO_STREAM, second));
      expect(idsOf(await insist(() => readWritten(stream)))).toEqual(idsOf(second));
    },
  );

  /** Writes and reads may be at different nodes here, as they are not in a real cluster. */
  async function readWritten(stream: string) {
    for (const { url } of nodes) {
      const one = await openKurrentEventStore({ url });
      const found = await one.readStream(stream, 0, 'forward', 10);
      await one.close();
      if (found.length > 0) return found;
    }
    return [];
  }
});

describe('+discover with a list of hosts', () => {
  it('uses all of them', async () => {
    await nodes[0]!.stop();
    await open(`kurrentdb+discover://${hostsOf()}?tls=false`);
    await insist(() => store.append(freshStream(), NO_STREAM, events(1)));
    expect(await readFrom()).toBe(nodes[1]);
  });
});
