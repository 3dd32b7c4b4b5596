import { setTimeout as after } from 'node:timers/promises';
import type { StoredEvent } from '../event-store/port.js';
import type { Drive } from './drive.js';
import { driveOf } from './fold.js';
import { Semaphore } from './semaphore.js';

/** Drives that read on at one time. */
const MOST_AT_ONCE = 16;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

export interface KeepUpOptions {
  /** The drive if it is in memory, once it is there if it is on its way; undefined if it is not. */
  readonly resident: (drive_id: string) => Promise<Drive | undefined> | undefined;
  readonly report: (what: string, drive_id: string, error: unknown) => void;
}

/**
 * Brings the drives in memory up to what other processes appended. However many events come, a drive reads
 * on once at a time; one that cannot is tried again and holds up no other.
 */
export class KeepUp {
  /** Of drives that are behind: the revision they must come to. */
  private readonly wanted = new Map<string, Wanted>();
  private readonly running = new Set<Promise<void>>();
  private readonly turns = new Semaphore(MOST_AT_ONCE);
  private readonly stopping = new AbortController();

  constructor(private readonly options: KeepUpOptions) {}

  /** Sees to it that every drive in memory comes to these events. */
  note(events: readonly StoredEvent[]): void {
    for (const { stream, revision } of events) {
      const drive_id = driveOf(stream);
      if (drive_id === null) continue;
      const wanted = this.wanted.get(drive_id);
      if (wanted) wanted.revision = Math.max(wanted.revision, revision);
      else if (this.options.resident(drive_id)) this.start(drive_id, { revision });
    }
  }

  /** Resolves when every drive has come to what was noted. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.idle();
  }

  private start(drive_id: string, wanted: Wanted): void {
    this.wanted.set(drive_id, wanted);
    const running = this.bringUp(drive_id, wanted).finally(() => this.running.delete(running));
    this.running.add(running);
  }

  private async bringUp(drive_id: string, wanted: Wanted): Promise<void> {
    const { signal } = this.stopping;
    let is_reported = false;
    for (let wait_ms = FIRST_RETRY_MS; !signal.aborted;) {
      try {
        const drive = await this.options.resident(drive_id);
        if (!drive || drive.is_evicted) break;
        // Most events are this process's own, on the way to their answers.
        if (!drive.is_settled) await drive.settled();
        if (drive.hasReached(wanted.revision)) break;
        await this.turns.run(() => drive.follow());
        wait_ms = FIRST_RETRY_MS;
      } catch (error) {
        if (!is_reported) this.options.report('drive does not keep up', drive_id, error);
        is_reported = true;
        await after(wait_ms, undefined, { ref: false, signal }).catch(() => {});
        wait_ms = Math.min(2 * wait_ms, LONGEST_RETRY_MS);
      }
    }
    // At once: what is noted from now on begins anew.
    this.wanted.delete(drive_id);
  }
}

/** The revision that a drive must come to; it may grow on the way. */
interface Wanted {
  revision: number;
}
