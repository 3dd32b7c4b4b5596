import { setTimeout as after } from 'node:timers/promises';
import type { ReadModel } from '../read-model/port.js';

/** How much later a batch is decided while the read model is too far behind. */
const PAUSE_MS = 100;

/**
 * Slows the commands of a drive down to what those who bring its read model up can follow. Only where others do:
 * a process that projects what it appends waits for that anyway.
 */
export class Pace {
  /** Revision to which the read model was when it was asked last. */
  private known = -1;

  /** @param most_events that the read model may lack */
  constructor(
    private readonly drive_id: string,
    private readonly read_model: ReadModel,
    private readonly most_events: number,
    private readonly pause: () => Promise<unknown> = () =>
      after(PAUSE_MS, undefined, { ref: false }),
  ) {}

  /** Waits, if at all, before something is appended after a revision; never longer than one pause, never fails. */
  async wait(revision: number): Promise<void> {
    if (revision - this.known <= this.most_events) return;
    const pause = this.pause();
    const asking = this.read_model.checkpoint(this.drive_id).then(
      (at) => (this.known = Math.max(this.known, at?.revision ?? -1)),
      () => {},
    );
    await Promise.race([asking, pause]);
    if (revision - this.known > this.most_events) await pause;
  }
}
