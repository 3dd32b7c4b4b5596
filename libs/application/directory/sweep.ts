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

export const SWEEP_EVERY_MS = 60_000;
/** Items of one event. */
const MOST_ITEMS = 500;

/**
 * Removes files and folders of the drives in memory for good once they have expired. They are absent from
 * that moment on, so nobody sees a difference. One drive that fails stops no other.
 */
export async function sweepExpired(
  drives: Drives,
  serves: (drive_id: string) => boolean,
  failed: (drive_id: string, error: unknown) => void,
): Promise<void> {
  for (const drive of [...drives.inMemory()]) {
    if (!serves(drive.drive_id)) continue;
    try {
      while (mayHoldExpired(drive) && (await sweepOnce(drives, drive)));
    } catch (error) {
      failed(drive.drive_id, error);
    }
  }
}

/** Sweeps now and then, where one process has all drives; else workers do. */
@Injectable()
export class ExpirySweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer?: NodeJS.Timeout;
  private sweeping: Promise<void> = Promise.resolve();
  private readonly logger = new Logger(ExpirySweep.name);

  constructor(@Inject(Drives) private readonly drives: Drives) {}

  onApplicationBootstrap(): void {
    if (this.drives.shared) return;
    this.timer = setInterval(() => {
      this.sweeping = this.sweep();
    }, SWEEP_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  sweep(): Promise<void> {
    const failed = (drive_id: string, error: unknown): void =>
      this.logger.error(`expired items of ${drive_id} not removed: ${String(error)}`);
    return sweepExpired(this.drives, () => true, failed);
  }
}

/** False when nothing was left. */
async function sweepOnce(drives: Drives, { drive_id }: Drive): Promise<boolean> {
  const { SweepExpired } = directoryCommands;
  const outcome = await drives.run(
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

function mayHoldExpired({ state }: Drive): boolean {
  return state.files.count('ends', 'some time') + state.folders.count('ends', 'some time') > 0;
}
