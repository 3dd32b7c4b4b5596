import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Contents } from '../../engine/contents/contents.js';
import { ContentSweep } from '../../engine/contents/sweep.js';
import { Drives } from '../../engine/drives/drives.js';

/** Interval between two rounds, ms. */
export const SWEEP_CONTENT_EVERY_MS = 600_000;

/** Sweeps content periodically if one process has all drives; otherwise workers sweep. */
@Injectable()
export class ContentSweeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer?: NodeJS.Timeout;
  private readonly content: ContentSweep;
  private readonly logger = new Logger(ContentSweeping.name);

  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Contents) contents: Contents,
  ) {
    const failed = (drive_id: string, error: unknown): void =>
      this.logger.error(`content of ${drive_id || 'drives'} not swept: ${String(error)}`);
    this.content = new ContentSweep({ drives, contents, failed });
  }

  onApplicationBootstrap(): void {
    if (!this.drives.role.sole) return;
    this.timer = setInterval(() => void this.sweep(), SWEEP_CONTENT_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.content.close();
  }

  sweep(): Promise<void> {
    return this.content.sweep();
  }
}
