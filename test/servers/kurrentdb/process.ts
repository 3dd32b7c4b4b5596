import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { KurrentControl } from './control.js';
import { remoteControl } from './remote-control.js';
import type { KurrentServerOptions } from './server.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The server as a child process, which can be killed. */
export class KurrentServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** Connection string for the client. */
    readonly url: string,
    readonly port: number,
    /** Where `remoteControl` of any process reaches the controls. */
    readonly control_address: string,
    readonly control: KurrentControl,
  ) {}

  /** Resolves once it listens; rejects if it ends instead. */
  static async start(options: KurrentServerOptions = {}): Promise<KurrentServerProcess> {
    const args = [
      '--disable-warning=ExperimentalWarning',
      '--experimental-transform-types',
      '--import',
      join(ROOT, 'test', 'support', 'resolve-typescript.js'),
      join(import.meta.dirname, 'child.ts'),
      `--options=${JSON.stringify(options)}`,
    ];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env.PATH },
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error('the server ended before it listened');
    });
    const [started] = await Promise.race([once(child, 'message'), ended]);
    const { url, port: bound, control } = started;
    return new KurrentServerProcess(child, url, bound, control, remoteControl(control));
  }

  /** Stops it as a whole, or lets it go on: not even its connections know. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signal);
  }

  /** Calls `ended` once it has ended. */
  whenEnded(ended: (code: number | null) => void): void {
    this.child.once('exit', ended);
  }

  /** Resolves once it has ended, also if it had before. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}
