import { Unavailable } from './call.js';

/** The batch of a drive that is under way, and the wait for its end that readers share. */
export class InFlight {
  private batch: Promise<void> | null = null;
  private awaited: Promise<void> | null = null;

  /** @param wait_ms the longest that anybody waits */
  constructor(private readonly wait_ms: number) {}

  /** True while nothing is under way. */
  get is_over(): boolean {
    return this.batch === null;
  }

  /** Notes a batch, which must not fail, for as long as it runs. */
  async during(batch: Promise<void>): Promise<void> {
    this.batch = batch.finally(() => (this.batch = null));
    await this.batch;
  }

  /** Resolves when nothing is under way; at most `wait_ms`, then throws `busy`. */
  async over(): Promise<void> {
    // Everybody who waits for one batch shares one timer.
    while (this.batch) await (this.awaited ??= this.overInTime(this.batch));
  }

  private async overInTime(batch: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const too_late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unavailable('busy')), this.wait_ms);
      timer.unref();
    });
    try {
      await Promise.race([batch, too_late]);
    } finally {
      clearTimeout(timer);
      this.awaited = null;
    }
  }
}
