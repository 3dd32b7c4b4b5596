import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from '../../tools/build.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** Builds the service unless what is built is of the same sources. */
export async function buildServer(): Promise<void> {
  await build(ROOT);
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A built program of the service as a process of its own. */
export class ServiceProcess {
  url = '';
  /** Resolves once the process has ended and everything that it wrote was received. */
  readonly ended: Promise<Ended>;
  /** Everything it wrote to its standard output and error. */
  output = '';

  private constructor(private readonly child: ChildProcess) {
    this.ended = new Promise((resolve) =>
      child.once('close', (code, signal) => resolve({ code, signal })),
    );
    child.stderr!.on('data', (bytes: Buffer) => (this.output += bytes.toString()));
  }

  /**
   * Starts it on any free port, without rate limits; resolves once it listens, or once it has ended without.
   * @param root where it was built
   */
  static async start(
    program: 'api' | 'worker',
    env: Readonly<Record<string, string>>,
    root = ROOT,
  ): Promise<ServiceProcess> {
    const main = join(root, 'dist', 'apps', program, 'main.js');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        HOST: '127.0.0.1',
        RATE_LIMITS: 'off',
        DEFAULT_DISK: '',
        LOG_LEVEL: 'info',
        ...env,
      },
    });
    const started = new ServiceProcess(child);
    const listening = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout! }).on('line', (line) => {
        started.output += `${line}\n`;
        const found = /listening on (http:\/\/[^"\s]+)/.exec(line);
        if (!found) return;
        started.url = found[1]!;
        resolve();
      });
    });
    await Promise.race([listening, started.ended]);
    return started;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Sends a signal that does not end it. */
  signal(signal: 'SIGUSR2'): void {
    this.child.kill(signal);
  }

  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Ports that no system gives to whoever asks for any, so that none is taken before it is used. */
const PORTS = { from: 15_000, until: 32_000 } as const;

let next_port = randomInt(PORTS.from, PORTS.until);

/** A port that nothing listens on, and that this process has not given out. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next_port;
    next_port = port + 1 < PORTS.until ? port + 1 : PORTS.from;
    const server = createServer().listen(port, '127.0.0.1');
    const is_free = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!is_free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
