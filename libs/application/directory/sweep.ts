import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { directoryCommands } from '../../domain/directory/definitions.js';
import type { Drive } from '../../engine/drive.js';
import { isRefused } from '../../engine/call.js';
import { Drives } from '../../engine/drives.js';

const SWEEP_EVERY_MS = 60_000;
/** Items of one event. */
const MOST_ITEMS = 500;

/**
 * Removes files and folders for good once they have expired. They are absent from that moment on, so
 * nobody sees a difference; organizations not in memory are swept when they come to be in use.
 */
@Injectable()
export class ExpirySweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer?: NodeJS.Timeout;
  private sweeping: Promise<void> = Promise.resolve();
  private readonly logger = new Logger(ExpirySweep.name);

  constructor(@Inject(Drives) private readonly drives: Drives) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping = this.sweep();
    }, SWEEP_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Sweeps every drive in memory; one that fails stops no other. */
  async sweep(): Promise<void> {
    for (const drive of [...this.drives.inMemory()]) {
      try {
        while (mayHoldExpired(drive) && (await this.sweepOnce(drive)));
      } catch (error) {
        this.logger.error(`expired items of ${drive.drive_id} not removed: ${String(error)}`);
      }
    }
  }

  /** False when nothing was left. */
  private async sweepOnce({ drive_id }: Drive): Promise<boolean> {
    const { SweepExpired } = directoryCommands;
    const outcome = await this.drives.run(
      drive_id,
      SweepExpired,
      { most: MOST_ITEMS },
      {
        credential: { kind: 'system' },
        correlation_id: `sweep-${randomUUID()}`,
        reason: null,
        idempotency: null,
      },
    );
    return !isRefused(outcome) && outcome.data.swept;
  }
}

function mayHoldExpired({ state }: Drive): boolean {
  return state.files.count('ends', 'some time') + state.folders.count('ends', 'some time') > 0;
}
