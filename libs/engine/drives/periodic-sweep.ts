import type { Drives } from './drives.js';

export interface SweepOptions {
  readonly drives: Drives;
  /** Called for failures; they are retried in a later round, and the other drives are swept. */
  readonly failed: (drive_id: string, error: unknown) => void;
}

/** Background work on the drives of a process, in rounds: one at a time, on demand or periodically. */
export abstract class PeriodicSweep<Options extends SweepOptions = SweepOptions> {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | null = null;
  protected is_closing = false;

  /** @param every_ms interval between two rounds once started */
  constructor(
    protected readonly options: Options,
    readonly every_ms: number,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.sweep(), this.every_ms).unref();
  }

  /** Runs one round; concurrent callers share it. Never throws. */
  sweep(): Promise<void> {
    this.round ??= this.sweepNext()
      .catch((error: unknown) => this.options.failed('', error))
      .finally(() => (this.round = null));
    return this.round;
  }

  /** Stops the current round after its current drive. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.is_closing = true;
    await this.round;
  }

  /** One round: a bounded number of drives. It ends early once `is_closing`. */
  protected abstract sweepNext(): Promise<void>;
}
