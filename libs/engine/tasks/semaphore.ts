import { Abandoned, admitQuery, currentQuery } from './long-query.js';

interface Waiting {
  readonly key: string;
  readonly start: () => void;
}

/** Runs at most a fixed number of tasks in parallel, of them a limited number with one key; the others wait in order. */
export class Semaphore {
  private readonly running = new Map<string, number>();
  private count = 0;
  private waiting: Waiting[] = [];

  /** @param most_of_key maximum parallel tasks with one key, such as those of one drive */
  constructor(
    private readonly most: number,
    private readonly most_of_key = most,
  ) {}

  /**
   * @param signal ends the wait; absent: that of the current query
   * @throws the reason of the signal, or Abandoned if the client of the current query disconnects, while the task
   *   waits; it is not started then
   */
  async run<T>(task: () => Promise<T>, key = '', signal?: AbortSignal): Promise<T> {
    if (signal) signal.throwIfAborted();
    else admitQuery();
    if (this.isFree(key)) this.take(key);
    else if (signal) await this.place(key, signal, () => signal.reason as Error);
    else await this.place(key, currentQuery()?.signal, () => new Abandoned());
    try {
      return await task();
    } finally {
      this.release(key);
    }
  }

  private isFree(key: string): boolean {
    return this.count < this.most && (this.running.get(key) ?? 0) < this.most_of_key;
  }

  private take(key: string): void {
    this.count++;
    this.running.set(key, (this.running.get(key) ?? 0) + 1);
  }

  /** Resolves once the task may run. */
  private place(key: string, signal: AbortSignal | undefined, reason: () => Error): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        this.take(key);
        resolve();
      };
      const leave = (): void => {
        this.waiting = this.waiting.filter((one) => one.start !== start);
        reject(reason());
      };
      this.waiting.push({ key, start });
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private release(key: string): void {
    this.count--;
    const left = this.running.get(key)! - 1;
    if (left === 0) this.running.delete(key);
    else this.running.set(key, left);
    const at = this.waiting.findIndex((one) => this.isFree(one.key));
    if (at >= 0) this.waiting.splice(at, 1)[0]!.start();
  }
}
