import type { DecidingRecords } from '../../domain/access-questions/deciding-records.js';
import type { HeldInterval, Timeline } from '../../domain/access-questions/timeline.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { AllRecordsNeeded } from '../../domain/kernel/partial-table.js';
import type { Drives } from '../drives/drives.js';
import { emptyState, foldOnto, streamOf } from '../fold/fold.js';
import { ChosenFolds } from './chosen-folds.js';

/** What the intervals follow from. */
export interface TimelineSource {
  readonly drives: Drives;
  readonly drive_id: string;
  /** The last revision, and the time of the answer. */
  readonly revision: number;
  readonly now: number;
  readonly newTimeline: () => Timeline;
}

/** Follows only the records that decide; null if that takes too many events. */
export async function followedIntervals(
  { drives, drive_id, revision: to, now, newTimeline }: TimelineSource,
  deciding: DecidingRecords,
): Promise<HeldInterval[] | null> {
  const folds = new ChosenFolds(drives, drive_id, await drives.indexer.upTo(drive_id, to));
  const times = new RevisionTimes(drives, drive_id, to);
  try {
    for (;;) {
      const line = newTimeline();
      /** Changes by time alone come in between, at the revision of that time; before this event. */
      const passEdges = async (state: DriveState, to_ms: number, before: number) => {
        for (let at_ms; (at_ms = line.next_edge_ms) <= to_ms;) {
          const revision = await times.revisionAt(at_ms);
          if (revision >= before) return;
          state.undo_log.revision = revision;
          line.before(state, at_ms + 1);
        }
      };
      const state = await folds.fold(deciding, {
        coming: (event, at) => passEdges(at, event.timestamp_ms, event.revision),
        applied: (at, touched) => line.after(at, touched),
      });
      if (!state) continue;
      await passEdges(state, now, Infinity);
      return line.ended(state, now);
    }
  } catch (error) {
    if (!(error instanceof AllRecordsNeeded)) throw error;
    return null;
  }
}

/** Folds the whole stream once, into a separate state. */
export async function foldedIntervals({
  drives,
  drive_id,
  revision,
  now,
  newTimeline,
}: TimelineSource): Promise<HeldInterval[]> {
  const line = newTimeline();
  const folded = emptyState(drive_id);
  const { state } = folded;
  await foldOnto(folded, drives.events, {
    to: revision,
    most_bytes: drives.limits.state_cache_bytes,
    coming: ({ timestamp_ms }) => line.before(state, timestamp_ms),
    touched: (keys) => line.after(state, keys),
  });
  return line.ended(state, now);
}

/** The revisions at times, each looked up once. */
class RevisionTimes {
  private readonly known = new Map<number, number>();

  constructor(
    private readonly drives: Drives,
    private readonly drive_id: string,
    private readonly last: number,
  ) {}

  /** The first event of this time, else the last one before it. */
  async revisionAt(at_ms: number): Promise<number> {
    const known = this.known.get(at_ms);
    if (known !== undefined) return known;
    const { events } = this.drives;
    const stream = streamOf(this.drive_id);
    const before = Math.min(await events.findRevisionByTime(stream, at_ms - 1), this.last);
    const [next] = before < this.last ? await events.readFoldable(stream, before + 1, 1) : [];
    const revision = next?.timestamp_ms === at_ms ? next.revision : before;
    this.known.set(at_ms, revision);
    return revision;
  }
}
