import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type KurrentServer, startKurrentServer } from '../servers/kurrentdb/server.js';

const HERE = import.meta.dirname;
const RUN_TYPESCRIPT = [
  '--disable-warning=ExperimentalWarning',
  '--experimental-transform-types',
  `--import=${join(HERE, '../support/resolve-typescript.js')}`,
];

let server: KurrentServer;
beforeAll(async () => {
  server = await startKurrentServer();
});
afterAll(() => server.close());

it('a process ends once its store is closed, and has printed nothing about its connection', async () => {
  const url = server.url.replace('kurrentdb://', 'esdb://admin:correct-horse@');
  const script = [...RUN_TYPESCRIPT, join(HERE, 'open-and-close.ts'), url];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, script, {
    timeout: 25_000,
  });
  expect(stdout).toBe('closed\n');
  expect(stderr).toBe('');
});
