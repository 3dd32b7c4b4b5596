import { randomUUID } from 'node:crypto';
import { directoryCommands } from '../../domain/directory/definitions.js';
import { nextExpiry } from '../../domain/directory/items/expiry.js';
import type { Expiry } from '../../event-store/stores.js';
import { isRefused, systemRequest } from '../writer/call.js';
import { PeriodicSweep, type SweepOptions } from './periodic-sweep.js';

/** Interval between two rounds, ms. */
const SWEEP_EVERY_MS = 60_000;
/** Maximum drives of one round, each of which may have to be loaded. */
export const MOST_DRIVES = 100;
/** Maximum events of a drive in one round. */
const MOST_EVENTS = 20;
/** Maximum items of one event. */
const MOST_ITEMS = 500;
/** Notes per read. */
const PAGE = 500;
/** Time after which an announced event is assumed never to come, ms. */
const ANNOUNCED_FOR_MS = 600_000;

/**
 * Moves expired files and folders to the trash, and removes items permanently after their time in the trash. An
 * expired item is hidden from the moment of its expiry. Drives are found by their next expiry, in memory or not. A
 * round sweeps a bounded number of drives, and the next round resumes after them.
 */
export class ExpiredItems extends PeriodicSweep {
  /** The last drive swept; undefined to begin with the first. */
  private after: Expiry | undefined;

  constructor(options: SweepOptions) {
    super(options, SWEEP_EVERY_MS);
  }

  protected override async sweepNext(): Promise<void> {
    const { drives, failed } = this.options;
    const { expiries } = drives.side;
    if (!(await expiries.isComplete(drives.settings.trash_ms))) await this.noteAll();
    for (let left = MOST_DRIVES; ;) {
      const page = await expiries.due(drives.clock(), PAGE, this.after);
      for (const due of page) {
        if (left === 0 || this.is_closing) return;
        this.after = due;
        if (!drives.isResponsibleFor(due.drive_id)) continue;
        left--;
        await this.sweepDrive(due).catch((error: unknown) => failed(due.drive_id, error));
      }
      if (page.length < PAGE) break;
    }
    this.after = undefined;
  }

  /** Schedules an immediate sweep of every drive: drives may be older than the notes, or the notes than the settings. */
  private async noteAll(): Promise<void> {
    const { drives } = this.options;
    const { expiries } = drives.side;
    const ids = await drives.all();
    for (let at = 0; at < ids.length; at += PAGE)
      await expiries.note(
        ids.slice(at, at + PAGE).map((drive_id) => {
          return { drive_id, at_ms: 0, revision: -1, noted_ms: 0 };
        }),
      );
    await expiries.complete(drives.settings.trash_ms);
  }

  private async sweepDrive(due: Expiry): Promise<void> {
    const { drives } = this.options;
    const { drive_id } = due;
    // Items that expire during the sweep are left for the next round.
    const now = drives.clock();
    const is_note_stale = now - due.noted_ms > ANNOUNCED_FOR_MS;
    if (!(await drives.isServed(drive_id))) {
      if (is_note_stale) await drives.side.expiries.advance(due, null);
      return;
    }
    for (let events = 0; await this.sweepOnce(drive_id);)
      // Remaining items stay due.
      if (++events === MOST_EVENTS) return;
    const { next, revision } = await drives.hold(drive_id, async (drive) => {
      if (drive.head.revision < due.revision) await drive.follow();
      await drive.durable();
      return {
        next: nextExpiry(drive.state, now, drives.settings.trash_ms),
        revision: drive.head.revision,
      };
    });
    if (revision >= due.revision || is_note_stale) await drives.side.expiries.advance(due, next);
  }

  /** False if nothing remained to sweep. */
  private async sweepOnce(drive_id: string): Promise<boolean> {
    const { SweepExpired } = directoryCommands;
    const outcome = await this.options.drives.commands.run(
      drive_id,
      SweepExpired,
      { most: MOST_ITEMS },
      systemRequest(`sweep-${randomUUID()}`),
    );
    return !isRefused(outcome) && outcome.data.swept;
  }
}
