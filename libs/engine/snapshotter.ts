import type { SideStores } from '../event-store/stores.js';
import type { Drive } from './drive.js';
import type { EngineLimits } from './limits.js';
import { SNAPSHOT_VERSION, writeSnapshot } from './snapshot.js';

/** Writes snapshots in the background, one at a time for each drive, and thins old ones. */
export class Snapshotter {
  /** Revision of each drive's last snapshot, -1 without one; it goes with the drive. */
  private readonly last = new WeakMap<Drive, number>();
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly side: SideStores,
    private readonly limits: EngineLimits,
    private readonly failed: (drive_id: string, error: unknown) => void,
  ) {}

  /** Notes that a drive came from a snapshot at this revision (-1: from none). */
  loaded(drive: Drive, revision: number): void {
    this.last.set(drive, revision);
  }

  /** Starts a snapshot if the drive has moved far enough since its last one. */
  consider(drive: Drive): void {
    const { drive_id } = drive;
    if (drive.state.unknown_events.size > 0) return;
    const since = drive.head.revision - (this.last.get(drive) ?? -1);
    if (since < this.limits.snapshot_every_events || this.running.has(drive_id)) return;
    this.last.set(drive, drive.head.revision);
    const writing = this.write(drive)
      .catch((error: unknown) => this.failed(drive_id, error))
      .finally(() => this.running.delete(drive_id));
    this.running.set(drive_id, writing);
  }

  /** Resolves when no snapshot is being written. */
  async idle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private async write(drive: Drive): Promise<void> {
    // Buckets are hashed as well while nobody waits: a state read back then needs nothing hashed.
    await drive.folded.hash.settleInTurns(() => drive.waiting === 0);
    await drive.settled();
    // Nothing is in flight, and the state is copied before the first turn: both belong together.
    const { revision, last_hash } = drive.head;
    const body = await writeSnapshot(drive.folded);
    const { drive_id } = drive;
    await this.side.snapshots.put({
      drive_id,
      revision,
      event_hash: last_hash,
      state_version: SNAPSHOT_VERSION,
      body,
    });
    await this.thin(drive_id);
  }

  /** Keeps the newest snapshots whole and ever fewer of the older ones, within the disk budget. */
  private async thin(drive_id: string): Promise<void> {
    const kept = [...(await this.side.snapshots.list(drive_id))];
    let bytes = kept.reduce((sum, snapshot) => sum + snapshot.bytes, 0);
    const dropped: number[] = [];
    while (bytes > this.limits.snapshot_disk_bytes && kept.length > 2) {
      // The one whose neighbours lie closest together, relative to its age, is missed least.
      const newest = kept.at(-1)!.revision;
      let candidate = 1;
      let least = Infinity;
      for (let at = 1; at < kept.length - 1; at++) {
        const gap = kept[at + 1]!.revision - kept[at - 1]!.revision;
        const worth = gap / (newest - kept[at]!.revision + 1);
        if (worth < least) [least, candidate] = [worth, at];
      }
      const [gone] = kept.splice(candidate, 1);
      dropped.push(gone!.revision);
      bytes -= gone!.bytes;
    }
    if (dropped.length > 0) await this.side.snapshots.drop(drive_id, dropped);
  }
}
