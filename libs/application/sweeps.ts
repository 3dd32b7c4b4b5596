import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Contents } from '../engine/contents/contents.js';
import { ContentSweep } from '../engine/contents/sweep.js';
import { Drives } from '../engine/drives/drives.js';
import { ExpiredItems } from '../engine/drives/expired-items.js';

/** Sweeps periodically if one process has all drives; otherwise workers sweep. */
@Injectable()
export class Sweeps implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly expired_items: ExpiredItems;
  readonly content: ContentSweep;
  private readonly logger = new Logger(Sweeps.name);

  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Contents) contents: Contents,
  ) {
    const failed = (what: string, done: string) => (drive_id: string, error: unknown) =>
      this.logger.error(`${what} of ${drive_id || 'drives'} not ${done}: ${String(error)}`);
    this.expired_items = new ExpiredItems({ drives, failed: failed('expired items', 'removed') });
    this.content = new ContentSweep({ drives, contents, failed: failed('content', 'swept') });
  }

  onApplicationBootstrap(): void {
    if (!this.drives.role.sole) return;
    this.expired_items.start();
    this.content.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.expired_items.close(), this.content.close()]);
  }
}
