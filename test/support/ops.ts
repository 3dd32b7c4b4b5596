import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { runOps } from '../../apps/ops/program.js';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'dist', 'apps', 'ops', 'main.js');

export interface OpsRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command of the command line in this process, where nobody watches. */
export async function ops(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  interruptible?: () => AbortSignal,
): Promise<OpsRun> {
  const written = { out: '', err: '' };
  const code = await runOps(args, {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    is_watched: false,
    env,
    ...(interruptible && { interruptible }),
  });
  return { code, ...written };
}

/** The built command line as a process of its own. */
export class OpsProcess {
  out = '';
  err = '';
  /** Resolves once the process has ended and everything that it wrote was received. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  private readonly child: ChildProcess;

  /** @param output file that takes the output instead of `out` */
  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    output: number | 'pipe' = 'pipe',
  ) {
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
      cwd: ROOT,
      stdio: ['ignore', output, 'pipe'],
      env: { PATH: process.env.PATH, ...env },
    });
    this.child.stdout?.on('data', (bytes: Buffer) => (this.out += bytes.toString()));
    this.child.stderr!.on('data', (bytes: Buffer) => (this.err += bytes.toString()));
    this.ended = new Promise((resolve) =>
      this.child.once('close', (code, signal) => resolve({ code, signal })),
    );
  }

  /** Closes the end of its output. */
  stopReading(): void {
    this.child.stdout!.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}
