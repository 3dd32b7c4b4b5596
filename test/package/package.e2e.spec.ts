import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { buildServer } from '../support/processes.js';
import { describeWith } from '../support/needs.js';

const ROOT = join(import.meta.dirname, '..', '..');
const execute = promisify(execFile);

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

describeWith('registry')('the package', () => {
  let folder: string;
  let packed: Packed;
  /** Without what npm and this repository set for its own programs. */
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$/i.test(name)),
  );
  const running = new Set<ChildProcess>();

  /** Starts the installed command in the empty folder. */
  function start(args: readonly string[], more: Record<string, string> = {}): ChildProcess {
    // Not by npx, which passes no signals on.
    const child = spawn(join(folder, 'node_modules/.bin/drive-workspace'), args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...env, PORT: '0', HOST: '127.0.0.1', ...more },
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  }

  /** The first line with a URL of the pattern. */
  async function lineOf(child: ChildProcess, pattern: RegExp): Promise<string> {
    for await (const line of createInterface({ input: child.stdout! })) {
      const found = pattern.exec(line)?.[1];
      if (found) return found;
    }
    throw new Error('the program ended');
  }

  beforeAll(async () => {
    await buildServer();
    folder = await mkdtemp(join(tmpdir(), 'package-'));
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const { stdout } = await execute('npm', pack, { cwd: ROOT, env });
    [packed] = JSON.parse(stdout) as [Packed];
    await writeFile(join(folder, 'package.json'), '{}');
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline'];
    await execute('npm', ['install', ...quiet, `./${packed.filename}`], { cwd: folder, env });
  });

  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('has programs, console and documents, and neither sources nor tests', () => {
    const paths = packed.files.map(({ path }) => path);
    for (const path of ['README.md', 'LICENSE', 'CHANGELOG.md', 'docs/operations.md'])
      expect(paths).toContain(path);
    for (const program of ['api', 'worker', 'ops', 'demo', 'cli'])
      expect(paths).toContain(`dist/apps/${program}/main.js`);
    expect(paths).toContain('dist/console/index.html');
    expect(paths.filter((path) => /\.(ts|tsx|map)$|\.spec\.|^test\/|\.env/.test(path))).toEqual([]);
    process.stdout.write(`package: ${packed.size} bytes, ${packed.unpackedSize} unpacked\n`);
  });

  it('serves on an empty folder, with the Node.js that came with it, until SIGTERM', async () => {
    const child = start(['serve'], { LOG_LEVEL: 'info' });
    const url = await lineOf(child, /listening on (http:\/\/[^"\s]+)/);
    const answer = await fetch(`${url}/v1/factory/quickstart`, { method: 'POST' });
    expect(answer.status).toBe(200);
    expect((await fetch(`${url}/console`)).status).toBe(200);
    expect(await readdir(join(folder, 'data'))).toContain('events.db');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('runs commands of operators on that folder', async () => {
    const args = ['--no', '--', 'drive-workspace', 'ops', 'orgs'];
    const { stdout } = await execute('npx', args, { cwd: folder, env });
    expect(stdout).toContain('Anonymous Org');
  });

  it('names its commands', async () => {
    const args = ['--no', '--', 'drive-workspace'];
    const { stdout } = await execute('npx', [...args, '--help'], { cwd: folder, env });
    for (const name of ['serve', 'worker', 'ops', 'demo'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    await expect(execute('npx', [...args, 'server'], { cwd: folder, env })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage: drive-workspace'),
    });
  });
});
