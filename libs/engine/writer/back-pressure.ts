import { setTimeout as after } from 'node:timers/promises';
import type { ReadModel } from '../../read-model/port.js';

/** Delay of a batch while the read model lags too far. */
const PAUSE_MS = 100;

/** What happens to queued commands: they are decided, wait, or are refused after waiting too long. */
type Turn = 'decide' | 'wait' | 'refuse';

interface BackPressureLimits {
  /** Maximum lag of the read model in events. */
  readonly most_events: number;
  /** Maximum wait of commands, ms; at least one pause. */
  readonly wait_ms: number;
}

/**
 * Slows a drive's commands down to the speed of the workers that update its read model. Not used if the process
 * itself projects its appends: it waits for that anyway.
 */
export class BackPressure {
  /** Revision of the read model at the last check. */
  private known = -1;
  /** Pauses since the last decided batch. */
  private pauses = 0;

  constructor(
    private readonly drive_id: string,
    private readonly read_model: ReadModel,
    private readonly limits: BackPressureLimits,
    private readonly pause: () => Promise<unknown> = () =>
      after(PAUSE_MS, undefined, { ref: false }),
  ) {}

  /**
   * To be called before an append after a revision. It waits at most one pause, so that other users of the drive run
   * in between. Never fails: no command is refused because the revision of the read model is unknown, or because it
   * is being built.
   */
  async turn(revision: number): Promise<Turn> {
    if (this.isNear(revision)) return this.decide();
    const pause = this.pause();
    const is_told = await Promise.race([this.look(), pause.then(() => false)]);
    if (this.isNear(revision)) return this.decide();
    await pause;
    if (!is_told) return this.decide();
    this.pauses += 1;
    if (this.pauses * PAUSE_MS < this.limits.wait_ms) return 'wait';
    this.pauses = 0;
    return 'refuse';
  }

  private isNear(revision: number): boolean {
    return revision - this.known <= this.limits.most_events;
  }

  private decide(): Turn {
    this.pauses = 0;
    return 'decide';
  }

  /** True if the read model's revision is known. */
  private async look(): Promise<boolean> {
    try {
      const at = await this.read_model.checkpoint(this.drive_id);
      this.known = Math.max(this.known, at?.revision ?? -1);
      return at !== null;
    } catch {
      return false;
    }
  }
}
