import { setTimeout as after } from 'node:timers/promises';
import type { ReadModel } from '../../read-model/port.js';

/** How much later a batch is decided while the read model is too far behind. */
const PAUSE_MS = 100;

/** What is done with waiting commands: they are decided, wait on, or have waited too long. */
export type Turn = 'decide' | 'wait' | 'refuse';

export interface BackPressureLimits {
  /** Events that the read model may lack. */
  readonly most_events: number;
  /** How long commands wait for it, ms; at least one pause. */
  readonly wait_ms: number;
}

/**
 * Slows the commands of a drive down to what those who bring its read model up can follow. Only where others do:
 * a process that projects what it appends waits for that anyway.
 */
export class BackPressure {
  /** Revision to which the read model was when it was asked last. */
  private known = -1;
  /** Since a batch was decided. */
  private pauses = 0;

  constructor(
    private readonly drive_id: string,
    private readonly read_model: ReadModel,
    private readonly limits: BackPressureLimits,
    private readonly pause: () => Promise<unknown> = () =>
      after(PAUSE_MS, undefined, { ref: false }),
  ) {}

  /**
   * To be asked before something is appended after a revision. Waits, if at all, no longer than one pause, so that others
   * who need the drive have their turn between two. Never fails: nobody is refused because it cannot be told how
   * far the read model is, or because it is being made.
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

  /** True if the read model told where it is. */
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
