import { Unavailable } from './call.js';

/** The batch of a drive in flight, and the shared wait of readers for its end. */
export class InFlight {
  private batch: Promise<void> | null = null;
  private awaited: Promise<void> | null = null;

  /** @param wait_ms maximum wait of a reader */
  constructor(private readonly wait_ms: number) {}

  /** True while no batch is in flight. */
  get is_idle(): boolean {
    return this.batch === null;
  }

  /** Tracks a batch, which must not reject, until it ends. */
  async during(batch: Promise<void>): Promise<void> {
    this.batch = batch.finally(() => (this.batch = null));
    await this.batch;
  }

  /** Resolves when no batch is in flight; after `wait_ms` it throws `busy`. */
  async idle(): Promise<void> {
    // All readers of one batch share one timer.
    while (this.batch) await (this.awaited ??= this.idleInTime(this.batch));
  }

  private async idleInTime(batch: Promise<void>): Promise<void> {
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
