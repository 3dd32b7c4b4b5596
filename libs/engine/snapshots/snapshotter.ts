import { setTimeout as pause } from 'node:timers/promises';
import type { SideStores } from '../../event-store/stores.js';
import type { Drive } from '../writer/drive.js';
import type { EngineLimits } from '../drives/limits.js';
import { type LongQuery, runForQuery } from '../tasks/long-query.js';
import type { SnapshotMaker } from './snapshot-maker.js';

export interface LastSnapshot {
  /** -1 without one. */
  readonly revision: number;
  /** Bytes of its body; 0 without one. */
  readonly bytes: number;
  /** Bytes of the bodies of all events that the drive object had folded by then; negative for a loaded one. */
  readonly folded_bytes: number;
  /** Changes of records that had made the state by then; 0 for a loaded one. */
  readonly changes: number;
}

const NO_SNAPSHOT: LastSnapshot = { revision: -1, bytes: 0, folded_bytes: 0, changes: 0 };

/** Work to load a drive beyond its last snapshot, and cost of another snapshot. */
interface SnapshotCost {
  readonly events: number;
  /** Bytes of their bodies. */
  readonly bytes: number;
  /** Records that they change, with repetitions: a copy of a folder changes many. */
  readonly changes: number;
  readonly last_bytes: number;
  /** Evaluated only if there are enough events. */
  readonly records: () => number;
}

/** Bytes of bodies that take as long to fold as one more event. */
const BYTES_PER_EVENT = 1024;
/** Factor by which a snapshot is smaller than event bodies that take as long to fold as it takes to write. */
const SHRINKS_BY = 4;
/** Changed records that count as one event: more than usual events change. */
const CHANGES_PER_EVENT = 4;
/** Records that one event may pay for: reading as many takes as long as folding one more event. */
const RECORDS_PER_EVENT = 4;
/** Maximum wait at shutdown for snapshots that are being made, ms; others are made again by the next process. */
const CLOSE_WAIT_MS = 1_000;

/**
 * True once a snapshot saves more than it costs. Folding beyond the last one may take as long as
 * `snapshot_after_events` do. For a larger state, a snapshot writes at most one record per event; of more than
 * twice as many events at most four, so that loading takes at most about twice as long as the snapshot alone. Or it
 * writes at most as many bytes as the events have. `snapshot_every_events` always suffice. Events that change many
 * records (copies) count by those.
 */
export function isSnapshotDue(cost: SnapshotCost, limits: EngineLimits): boolean {
  const { bytes, last_bytes } = cost;
  const events = Math.max(cost.events, cost.changes / CHANGES_PER_EVENT);
  const { snapshot_after_events: after, snapshot_every_events: every } = limits;
  if (events >= every) return true;
  if (bytes >= Math.max(after * BYTES_PER_EVENT, SHRINKS_BY * last_bytes)) return true;
  if (events < after) return false;
  const records = cost.records();
  return events >= records || events >= Math.max(2 * after, records / RECORDS_PER_EVENT);
}

/** Writes snapshots in the background, one at a time per drive, and deletes old ones. */
export class Snapshotter {
  /** Weak, so that an entry disappears with its drive. */
  private readonly last = new WeakMap<Drive, LastSnapshot>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  /** Ends the making of snapshots at shutdown. */
  private readonly query: LongQuery = {
    ...{ signal: this.stopping.signal, begin() {}, folded() {}, end() {} },
  };

  constructor(
    private readonly side: SideStores,
    private readonly maker: SnapshotMaker,
    private readonly limits: EngineLimits,
    private readonly failed: (drive_id: string, error: unknown) => void,
  ) {}

  /** Records the snapshot from which a drive was loaded. */
  loaded(drive: Drive, last: LastSnapshot): void {
    this.last.set(drive, last);
  }

  /** Starts a snapshot if one is due. */
  consider(drive: Drive): void {
    const { drive_id, folded_bytes, state } = drive;
    const { made: changes } = state.undo_log;
    // A load always folds the last event itself, so one of the end would not serve a restart.
    const revision = drive.head.revision - 1;
    if (revision < 0 || state.unknown_events.size > 0 || this.running.has(drive_id)) return;
    const last = this.last.get(drive) ?? NO_SNAPSHOT;
    const cost: SnapshotCost = {
      events: revision - last.revision,
      bytes: folded_bytes - last.folded_bytes,
      changes: changes - last.changes,
      last_bytes: last.bytes,
      records: () => state.record_count,
    };
    if (!isSnapshotDue(cost, this.limits)) return;
    // Until it is written, its size is assumed to be that of the last one.
    this.last.set(drive, { ...last, revision, folded_bytes, changes });
    const writing = this.write(drive, revision)
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.failed(drive_id, error);
      })
      .finally(() => this.running.delete(drive_id));
    this.running.set(drive_id, writing);
  }

  /** Resolves when no snapshot is being written. */
  async idle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** Waits for snapshots, for a limited time for those that are still being made. */
  async close(): Promise<void> {
    const waiting = new AbortController();
    const is_late = pause(CLOSE_WAIT_MS, undefined, { signal: waiting.signal }).catch(() => {});
    await Promise.race([this.idle(), is_late]);
    waiting.abort();
    this.stopping.abort();
    await this.idle();
  }

  private async write(drive: Drive, revision: number): Promise<void> {
    const { drive_id } = drive;
    const snapshot = await runForQuery(this.query, () => this.maker.make(drive_id, revision));
    this.last.set(drive, { ...this.last.get(drive)!, bytes: snapshot.body.length });
    await this.side.snapshots.put(snapshot);
    await this.thin(drive_id);
  }

  /** Deletes older snapshots within the disk budget, so that the remaining ones are denser towards the newest. */
  private async thin(drive_id: string): Promise<void> {
    const kept = [...(await this.side.snapshots.list(drive_id))];
    let bytes = kept.reduce((sum, snapshot) => sum + snapshot.bytes, 0);
    const dropped: number[] = [];
    while (bytes > this.limits.snapshot_disk_bytes && kept.length > 2) {
      // Deletes the one whose neighbours are closest together, relative to its age.
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
