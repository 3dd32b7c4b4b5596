import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildServer } from '../support/processes.js';

const ROOT = join(import.meta.dirname, '..', '..');

describe('npm start', () => {
  let folder: string;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    await buildServer();
    folder = mkdtempSync(join(tmpdir(), 'npm-start-'));
  });
  // Also where a test has failed before it told npm to end.
  afterEach(() => running.splice(0).forEach((npm) => npm.kill()));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with its service at %s to npm', async (signal) => {
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: folder },
    });
    running.push(npm);
    // Not before all processes have ended that write there.
    const all_ended = once(npm, 'close');
    let url = '';
    for await (const line of createInterface({ input: npm.stdout })) {
      url = /listening on (http:\/\/[^"\s]+)/.exec(line)?.[1] ?? '';
      if (url) break;
    }
    expect((await fetch(`${url}/health`)).status).toBe(200);
    npm.stdout.resume();
    npm.kill(signal);
    expect(await all_ended).toEqual([0, null]);
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  });

  it('runs nothing between npm and the program that a signal could end at', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const { start, ops } = scripts;
    for (const script of [start, ops]) expect(script).toMatch(/^exec node [^;&|]+$/);
  });
});
