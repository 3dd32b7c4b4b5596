import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { transformFileSync } from '@swc/core';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { openSqliteStores } from './index.js';
import { MASTER_KEY, removeFolder, temporaryFolder } from './temporary-folder.contract.js';

/** Appends to five drives at once for ever and prints each acknowledged place. */
const CHILD = `
import { openSqliteStores } from './event-store/sqlite/index.js';
const { events } = openSqliteStores({ data_dir: process.argv[2], master_key: new Uint8Array(32).fill(1) });
const event = () => ({
  event_id: crypto.randomUUID(), type: 'T', version: 1, timestamp_ms: 1,
  metadata: '{}', data: '{"x":"' + 'y'.repeat(300) + '"}', hash: new Uint8Array(32),
});
async function write(stream) {
  for (let revision = -1; ; ) {
    const { last_revision } = await events.append(stream, revision, [event(), event(), event()]);
    revision = last_revision;
    process.stdout.write(stream + ' ' + revision + '\\n');
  }
}
for (let i = 0; i < 5; i += 1) void write('drive-' + i);
`;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const LIBRARIES = join(import.meta.dirname, '..', '..');

/** Plain JavaScript of this library and of what it uses, for a process without a test runner. */
function compileInto(target: string): void {
  for (const library of ['event-store', 'threads'])
    compileLibrary(join(LIBRARIES, library), join(target, library));
  writeFileSync(join(target, 'package.json'), '{"type":"module"}');
  writeFileSync(join(target, 'child.js'), CHILD);
}

function compileLibrary(sources: string, target: string): void {
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || /\.(spec|contract)\.ts$/.test(file)) continue;
    const { code } = transformFileSync(join(sources, file), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'es6' },
    });
    const path = join(target, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
}

it('kill -9 amid appends loses nothing acknowledged, leaves no half append and frees the folder', async () => {
  compileInto(join(folder, 'js'));
  const data_dir = join(folder, 'data');
  const acknowledged = new Map<string, number>();

  const child = spawn(process.execPath, [join(folder, 'js', 'child.js'), data_dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
  });
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [stream, revision] = line.split(' ') as [string, string];
    acknowledged.set(stream, Number(revision));
    lines += 1;
    if (lines === 300) child.kill('SIGKILL');
  }
  expect(await ended).toBe('SIGKILL');
  expect(acknowledged.size).toBe(5);

  const stores = openSqliteStores({ data_dir, master_key: MASTER_KEY });
  for (const [stream, revision] of acknowledged) {
    const stored = await stores.events.readStream(stream, 0, 'forward', 100_000);
    expect(stored.length).toBeGreaterThan(revision);
    expect(stored.length % 3).toBe(0);
    expect(stored.map((event) => event.revision)).toEqual([...stored.keys()]);
  }
  await stores.close();
});
