import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'dist', 'apps', 'api', 'main.js');
const BUILD_INFO = join(ROOT, 'dist', '.tsbuildinfo');

/** Builds the server unless what is built is newer than every source. */
export function buildServer(): void {
  const built_ms = statSync(BUILD_INFO, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const exists = statSync(MAIN, { throwIfNoEntry: false }) !== undefined;
  if (exists && newestSource() < built_ms) return;
  execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'pipe' });
}

function newestSource(): number {
  let newest = 0;
  for (const folder of ['apps', 'libs'])
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
      newest = Math.max(newest, statSync(join(ROOT, folder, file)).mtimeMs);
    }
  return newest;
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built service as a process of its own. */
export class ServerProcess {
  url = '';
  readonly ended: Promise<Ended>;
  /** Everything it wrote to its standard output and error. */
  output = '';

  private constructor(private readonly child: ChildProcess) {
    this.ended = new Promise((resolve) =>
      child.once('exit', (code, signal) => resolve({ code, signal })),
    );
    child.stderr!.on('data', (bytes: Buffer) => (this.output += bytes.toString()));
  }

  /** Starts it on a folder; resolves once it listens, or once it has ended without. */
  static async start(data_dir: string, env: Record<string, string> = {}): Promise<ServerProcess> {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        DATA_DIR: data_dir,
        PORT: '0',
        HOST: '127.0.0.1',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'info',
        ...env,
      },
    });
    const server = new ServerProcess(child);
    const listening = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout! }).on('line', (line) => {
        server.output += `${line}\n`;
        const found = /listening on (http:\/\/[^"\s]+)/.exec(line);
        if (!found) return;
        server.url = found[1]!;
        resolve();
      });
    });
    await Promise.race([listening, server.ended]);
    return server;
  }

  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}
