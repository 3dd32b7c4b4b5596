interface Waiting {
  readonly key: string;
  readonly start: () => void;
}

/** Slots for parallel tasks. All tasks with one key use at most a quarter of them; tasks without a slot wait in order. */
export class FairSlots {
  private readonly most_of_key: number;
  private readonly running = new Map<string, number>();
  private count = 0;
  private waiting: Waiting[] = [];

  constructor(private readonly most: number) {
    this.most_of_key = Math.ceil(most / 4);
  }

  /** @throws the reason of the signal if it is aborted before the task has a slot */
  async run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.isFree(key)) this.take(key);
    else await this.slot(key, signal);
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

  private slot(key: string, signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        this.take(key);
        resolve();
      };
      const leave = (): void => {
        this.waiting = this.waiting.filter((one) => one.start !== start);
        reject(signal.reason as Error);
      };
      this.waiting.push({ key, start });
      signal.addEventListener('abort', leave, { once: true });
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
