import { Abandoned, admitQuery, currentQuery } from './long-query.js';

/** Runs at most a fixed number of tasks in parallel; the others wait in order. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly most: number) {}

  /** @throws Abandoned if the client of the current query disconnects while the task waits; it is not started then */
  async run<T>(task: () => Promise<T>): Promise<T> {
    admitQuery();
    if (this.running >= this.most) await this.place();
    else this.running++;
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      // The slot passes to the next task and stays occupied.
      if (next) next();
      else this.running--;
    }
  }

  /** Resolves once a slot has been passed on. */
  private place(): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const signal = currentQuery()?.signal;
      const take = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(take), 1);
        reject(new Abandoned());
      };
      this.waiting.push(take);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
