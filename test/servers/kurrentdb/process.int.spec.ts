import { afterEach, expect, it } from '@jest/globals';
import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { mkdtempSync, rmSync, truncateSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KurrentServerProcess } from './process.js';
import { remoteControl } from './remote-control.js';
import { startKurrentServer } from './server.js';
import { counted, eventually, numbers } from './spec-support.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kurrentdb-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  return join(folder, 'log.jsonl');
}

function connect(url: string): KurrentDBClient {
  const client = KurrentDBClient.connectionString(url);
  ends.push(() => client.dispose());
  return client;
}

it('as a process of its own it outlives kill -9 with every acknowledged append', async () => {
  const file = temporaryFile();
  const first = await KurrentServerProcess.start({ file });
  ends.push(() => first.kill());
  const client = connect(first.url);
  let acknowledged = 0;
  const writing = (async () => {
    for (;;) {
      await client.appendToStream('a', counted(acknowledged));
      acknowledged += 1;
    }
  })().catch(() => undefined);
  await eventually(async () => expect(acknowledged).toBeGreaterThan(50));
  await first.kill();
  await writing;

  const second = await KurrentServerProcess.start({ file, port: first.port });
  ends.push(() => second.kill());
  const stored = await eventually(() => numbers(client.readStream('a')));
  // The append under way at the kill may have been stored without an answer.
  expect(stored).toEqual(Array.from({ length: stored.length }, (_, n) => n));
  expect([acknowledged, acknowledged + 1]).toContain(stored.length);
  await eventually(() => client.appendToStream('a', counted(0)));
});

it('takes its controls from any process', async () => {
  const server = await KurrentServerProcess.start();
  ends.push(() => server.kill());
  const client = connect(server.url);
  const control = remoteControl(server.control_address);
  await client.appendToStream('a', counted(1));
  await control.refuseAppends(1);
  await expect(client.appendToStream('a', counted(2))).rejects.toMatchObject({
    type: 'not-leader',
    leader: { port: server.port },
  });
  expect(await control.statistics()).toMatchObject({ appends: 2, open_subscriptions: 0 });
});

it('cuts away what a kill has left of a half-written append', async () => {
  const file = temporaryFile();
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
