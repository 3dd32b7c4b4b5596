import { readFileSync } from 'node:fs';
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a child under test is told, and what it says. */
export type ToChild =
  | { readonly ask: 'usage' | 'times' | 'stretch' | 'stop' }
  | { readonly ask: 'answer-with'; readonly text: string };

export type FromChild =
  | { readonly says: 'ready'; readonly port: number }
  | { readonly says: 'usage'; readonly cpu_us: number; readonly busy_ms: number }
  | { readonly says: 'times'; readonly taken_ms: readonly number[] }
  | { readonly says: 'stretch'; readonly longest_ms: number; readonly longest_cpu_ms: number }
  | { readonly says: 'done' }
  | { readonly says: 'progress'; readonly text: string }
  | { readonly says: 'result'; readonly result: unknown };

/** What a process has used since it began. */
export interface Usage {
  /** Processor time of all its threads, µs. */
  readonly cpu_us: number;
  /** Time in which its event loop had work, ms. */
  readonly busy_ms: number;
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Folder for a profile of the child, if one is wanted. */
  readonly profile?: string | undefined;
  readonly progress?: (text: string) => void;
}

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;
/** A process that uses less than a tenth of a processor is idle. */
const IDLE_LOOK_MS = 500;
const IDLE_CPU_US = 50_000;
/** Servers close connections that are idle for longer. */
const MOST_LOOKS = 100;
/** As `npm start` runs the service. */
const NODE_OPTIONS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=64',
  '--v8-pool-size=0',
];

/** A program of `test/bench/children` in a process of its own. */
export class Child {
  port = 0;
  private constructor(private readonly process: ChildProcess) {}

  /** Starts a server and resolves once it listens. */
  static async server(
    program: 'service' | 'bare' | 'bare-content',
    options: ChildOptions = {},
  ): Promise<Child> {
    const child = new Child(launch(program, options));
    const ready = await child.next('ready', START_TIMEOUT_MS);
    child.port = ready.port;
    return child;
  }

  /** Runs the exported `inside` of a module, such as `rows/fold`, in a process of its own. */
  static async inside<Result>(
    module: string,
    input: unknown,
    options: ChildOptions = {},
    timeout_ms = 900_000,
  ): Promise<Result> {
    const child = new Child(
      launch('inside', { ...options, args: [module, JSON.stringify(input)] }, ['--expose-gc']),
    );
    const { result } = await child.next('result', timeout_ms);
    await child.stop();
    return result as Result;
  }

  /** Resident memory of the process, bytes. */
  memory(): number {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
  }

  async usage(): Promise<Usage> {
    const answer = this.next('usage', STOP_TIMEOUT_MS);
    this.tell({ ask: 'usage' });
    return answer;
  }

  /** Resolves when the process has done little for a second, such as after the work behind a write, or after `MOST_LOOKS`. */
  async idle(): Promise<void> {
    let quiet = 0;
    for (let look = 0; look < MOST_LOOKS && quiet < 2; look++) {
      const before = await this.usage();
      await new Promise((resolve) => setTimeout(resolve, IDLE_LOOK_MS));
      const { cpu_us } = await this.usage();
      quiet = cpu_us - before.cpu_us > IDLE_CPU_US ? 0 : quiet + 1;
    }
  }

  /**
   * How long a server took for each request since it was last asked, ms: from the request's head to the
   * end of the answer. It takes times from the first call on.
   */
  async times(): Promise<readonly number[]> {
    const answer = this.next('times', STOP_TIMEOUT_MS);
    this.tell({ ask: 'times' });
    return (await answer).taken_ms;
  }

  /**
   * The longest stretch since this was last asked in which the event loop had no turn, ms: by the clock, and by
   * what the thread worked meanwhile, which leaves out where the system ran others. It looks from the first call on.
   */
  async stretch(): Promise<{ longest_ms: number; longest_cpu_ms: number }> {
    const answer = this.next('stretch', STOP_TIMEOUT_MS);
    this.tell({ ask: 'stretch' });
    return answer;
  }

  /** Makes a bare server answer GETs with this JSON text from now on. */
  async answerWith(text: string): Promise<void> {
    const done = this.next('done', STOP_TIMEOUT_MS);
    this.tell({ ask: 'answer-with', text });
    await done;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const exited = new Promise<void>((resolve) => this.process.once('exit', () => resolve()));
    if (this.process.connected) this.tell({ ask: 'stop' });
    const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }

  private tell(message: ToChild): void {
    this.process.send(message);
  }

  private next<Says extends FromChild['says']>(
    says: Says,
    timeout_ms: number,
  ): Promise<Extract<FromChild, { says: Says }>> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timer);
        this.process.off('message', hear).off('exit', exited);
        then();
      };
      const hear = (message: FromChild): void => {
        if (message.says === says)
          settle(() => resolve(message as Extract<FromChild, { says: Says }>));
      };
      const exited = (code: number | null): void =>
        settle(() => reject(new Error(`a child ended with ${code} before it was ${says}`)));
      const timer = setTimeout(
        () =>
          settle(() => {
            this.process.kill('SIGKILL');
            reject(new Error(`a child was not ${says} within ${timeout_ms} ms`));
          }),
        timeout_ms,
      );
      this.process.on('message', hear).on('exit', exited);
    });
  }
}

function launch(
  program: string,
  { env, args = [], profile, progress }: ChildOptions,
  node_options: readonly string[] = [],
): ChildProcess {
  const path = fileURLToPath(new URL(`../children/${program}.js`, import.meta.url));
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const child = fork(path, args, {
    execArgv: [...NODE_OPTIONS, ...node_options, ...profiling],
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', (message: FromChild) => {
    if (message.says === 'progress') progress?.(message.text);
  });
  return child;
}
