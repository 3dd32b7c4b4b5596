import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { existingEvent } from '../../event-store/existing-events.js';
import type { EventStore, StoredEvent } from '../../event-store/port.js';
import type { Drive } from '../writer/drive.js';
import { streamOf } from '../fold/fold.js';
import type { StateLoader } from '../fold/loader.js';
import type { PastStates } from './past-states.js';
import type { Point } from './points.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { Semaphore } from '../tasks/semaphore.js';
import { inTurns } from '../tasks/turns.js';

/** Each holds a state of its own in memory; a drive has one at a time. */
const verified_at_one_time = new Semaphore(2, 1);

export interface PastSource {
  readonly events: EventStore;
  readonly loader: StateLoader;
  readonly past_states: PastStates;
}

/** A drive's state at a point, while it may be read. */
export interface PastState {
  readonly folded: Pick<FoldedState, 'state' | 'hash'>;
  readonly point: Point;
}

/** A drive's state at a point, and how it was loaded. */
export interface ReplayedState extends PastState {
  readonly last_event: StoredEvent;
  /** Records whose own fields the last event changed. */
  readonly last_touched: readonly TouchedKey[];
  readonly events_folded: number;
  /** Revision of the state the fold started from; null for event 0. */
  readonly snapshot_revision: number | null;
  /** Root of the log; null if it was not computed on the way. */
  readonly log_root: Buffer | null;
  /** Prepares reads of records by their fields; null for the current state: read that before awaiting anything. */
  readonly prepare: (() => Promise<void>) | null;
}

interface ReplayOptions {
  /** From event 0, with every hash checked. */
  readonly verify?: boolean;
  /** False: a state of its own also at the head of the drive. */
  readonly may_be_current?: boolean;
}

/**
 * The result of work on a drive's state at a point: the current one if the point is its head, else folded from the
 * nearest past state or snapshot. The work has a past state for itself.
 * @throws BrokenStream
 */
export async function replayed<T>(
  { events, loader, past_states }: PastSource,
  drive: Drive,
  point: Point,
  { verify = false, may_be_current = true }: ReplayOptions,
  work: (replayed: ReplayedState) => T | Promise<T>,
): Promise<T> {
  const { drive_id } = drive;
  const { revision } = point;
  const readLast = (): Promise<StoredEvent> => existingEvent(events, streamOf(drive_id), revision);
  if (verify)
    return verified_at_one_time.run(async () => {
      const loaded = await loader.load(drive_id, { to: revision, verify });
      const { folded } = loaded;
      const last_event = await readLast();
      const prepare = () => inTurns(folded.state.indexing(false));
      return work({ ...loaded, last_event, point, log_root: folded.frontier.root(), prepare });
    }, drive_id);
  const last_event = await readLast();
  await drive.durable();
  if (may_be_current && drive.head.revision === revision) {
    const { folded, head } = drive;
    return work({
      ...{ folded, point, last_event, last_touched: head.last_touched },
      ...{ events_folded: 0, snapshot_revision: null },
      log_root: folded.frontier.root(),
      prepare: null,
    });
  }
  return past_states.use(
    drive_id,
    revision,
    revision,
    null,
    (state, { events_folded, from_revision: snapshot_revision }) =>
      work({
        ...{ folded: state.folded, point, last_event, log_root: null },
        ...{ last_touched: state.last_touched, events_folded, snapshot_revision },
        prepare: () => state.prepare(),
      }),
  );
}

/**
 * The result of synchronous work on the state of a drive at a point, which may be the current one.
 * @throws BrokenStream
 */
export async function atPointOrNow<T>(
  drives: PastSource,
  drive: Drive,
  point: Point,
  work: (past: PastState) => T,
): Promise<T> {
  await drive.durable();
  const { folded, head } = drive;
  if (head.revision === point.revision) return work({ folded, point });
  return atPoint(drives, drive, point, work);
}

/**
 * The result of work on the state of a drive at a point, never on the current one. Others may wait for that state until
 * the result has settled.
 * @throws BrokenStream
 */
export function atPoint<T>(
  { past_states }: PastSource,
  { drive_id }: Drive,
  point: Point,
  work: (past: PastState) => T | Promise<T>,
): T | Promise<T> {
  return past_states.read(drive_id, point.revision, ({ folded }) => work({ folded, point }));
}
