import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Drives } from '../../engine/drives/drives.js';
import { ExpiredItems } from '../../engine/drives/expired-items.js';

/** Interval between two sweeps, ms. */
export const SWEEP_EVERY_MS = 60_000;

/** Sweeps periodically if one process has all drives; otherwise workers sweep. */
@Injectable()
export class ExpirySweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer?: NodeJS.Timeout;
  private readonly items: ExpiredItems;
  private readonly logger = new Logger(ExpirySweep.name);

  constructor(@Inject(Drives) private readonly drives: Drives) {
    const failed = (drive_id: string, error: unknown): void =>
      this.logger.error(`expired items of ${drive_id || 'drives'} not removed: ${String(error)}`);
    this.items = new ExpiredItems({ drives, failed });
  }

  onApplicationBootstrap(): void {
    if (!this.drives.role.sole) return;
    this.timer = setInterval(() => void this.sweep(), SWEEP_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.items.close();
  }

  sweep(): Promise<void> {
    return this.items.sweep();
  }
}
