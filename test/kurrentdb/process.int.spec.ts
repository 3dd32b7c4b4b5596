import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { Client } from '../support/client.js';
import { buildServer, ServiceProcess } from '../support/processes.js';
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

it('a process outlives threads that end while they read', async () => {
  const script = [...RUN_TYPESCRIPT, join(HERE, 'ended-threads.ts'), server.url];
  const { stderr } = await promisify(execFile)(process.execPath, script);
  expect(stderr).toBe('');
});

it('the service says what to do if the list of organizations was deleted', async () => {
  await buildServer();
  const target = await startKurrentServer();
  const client = KurrentDBClient.connectionString(target.url);
  const env = {
    EVENT_STORE: 'kurrentdb',
    SIDE_STORE: 'sqlite',
    READ_MODEL: 'memory',
    KURRENTDB_URL: target.url,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'process-')),
  };
  try {
    const first = await ServiceProcess.start('api', env);
    const made = await new Client(first.url).post('/v1/factory/quickstart', {});
    expect(made.status).toBe(200);
    await first.kill('SIGTERM');
    await client.deleteStream('factory');
    const next = await ServiceProcess.start('api', env);
    expect(next.url).toBe('');
    expect(next.output).toContain('Stream factory was deleted softly: take $tb off its metadata');
    expect(next.output).not.toMatch(/^ +at /m);
  } finally {
    await client.dispose();
    await target.close();
    rmSync(env.DATA_DIR, { recursive: true });
  }
});
