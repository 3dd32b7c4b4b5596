import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { mkdtempSync, rmSync, truncateSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KurrentServerProcess } from './process.js';
import { remoteControl } from './remote-control.js';
import { startKurrentServer } from './server.js';
import { eventually } from '../../support/eventually.js';
import { counted, numbers } from './spec-support.js';

let folder: string;
let child: KurrentServerProcess;
let child_file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kurrentdb-'));
  child_file = join(folder, 'child.jsonl');
  child = await KurrentServerProcess.start({ file: child_file });
});
afterAll(async () => {
  await child.kill();
  rmSync(folder, { recursive: true });
});

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function connect(url: string): KurrentDBClient {
  const client = KurrentDBClient.connectionString(url);
  ends.push(() => client.dispose());
  return client;
}

it('takes its controls from any process', async () => {
  const client = connect(child.url);
  const control = remoteControl(child.control_address);
  await client.appendToStream('a', counted(1));
  await control.refuseAppends(1);
  await expect(client.appendToStream('a', counted(2))).rejects.toMatchObject({
    type: 'not-leader',
    leader: { port: child.port },
  });
  expect(await control.statistics()).toMatchObject({ appends: 2, open_subscriptions: 0 });
});

it('as a process of its own it outlives kill -9 with every acknowledged append', async () => {
  const client = connect(child.url);
  let acknowledged = 0;
  const writing = (async () => {
    for (;;) {
      await client.appendToStream('b', counted(acknowledged));
      acknowledged += 1;
    }
  })().catch(() => undefined);
  await eventually(async () => expect(acknowledged).toBeGreaterThan(50));
  await child.kill();
  await writing;

  const second = await KurrentServerProcess.start({ file: child_file, port: child.port });
  ends.push(() => second.kill());
  const stored = await eventually(() => numbers(client.readStream('b')));
  // The append under way at the kill may have been stored without an answer.
  expect(stored).toEqual(Array.from({ length: stored.length }, (_, n) => n));
  expect([acknowledged, acknowledged + 1]).toContain(stored.length);
  await eventually(() => client.appendToStream('b', counted(0)));
});

it('cuts away what a kill has left of a half-written append', async () => {
  const file = join(folder, 'torn.jsonl');
  const before = await startKurrentServer({ file });
  const client = connect(before.url);
  await client.appendToStream('a', counted(1));
  await client.appendToStream('a', counted(2, 3));
  await before.close();
  truncateSync(file, statSync(file).size - 10);

  const after = await startKurrentServer({ file });
  ends.push(() => after.close());
  const again = connect(after.url);
  expect(await numbers(again.readStream('a'))).toEqual([1]);
  await again.appendToStream('a', counted(4), { streamState: 0n });
  expect(await numbers(again.readStream('a'))).toEqual([1, 4]);
});
