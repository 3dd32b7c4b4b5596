import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventStore, StoredEvent } from '../../event-store/port.js';
import type { Drive } from '../writer/drive.js';
import { streamOf } from '../fold/fold.js';
import type { StateLoader } from '../fold/loader.js';
import type { KeptState, PastStates } from './past-states.js';
import type { Point, PointRequest } from './points.js';
import type { FoldedState } from '../snapshots/snapshot.js';

/** Source and cache of past states. */
export interface PastSource {
  readonly events: EventStore;
  readonly loader: StateLoader;
  readonly past_states: PastStates;
}

/** A drive's state at a point, and how it was loaded. */
export interface PastState {
  readonly folded: FoldedState;
  readonly point: Point;
  readonly last_event: StoredEvent;
  /** Records whose own fields the last event changed. */
  readonly last_touched: readonly TouchedKey[];
  readonly events_folded: number;
  /** Revision of the state the fold started from; null for event 0. */
  readonly snapshot_revision: number | null;
  /** True if this is the current state: use it before awaiting anything. */
  readonly is_live: boolean;
}

/**
 * The state of a drive at a point: the current one if the point is its head, else folded from the nearest cached
 * state or snapshot, or (verify) from event 0 with every hash checked.
 * @throws BrokenStream
 */
export async function pastState(
  drives: PastSource,
  drive: Drive,
  point: Point,
  verify: boolean,
): Promise<PastState> {
  if (verify) {
    const loaded = await drives.loader.load(drive.drive_id, { to: point.revision, verify });
    return { ...loaded, last_event: loaded.last_event!, point, is_live: false };
  }
  const stream = streamOf(drive.drive_id);
  const [last_event] = await drives.events.readStream(stream, point.revision, 'forward', 1);
  await drive.durable();
  if (!last_event || drive.head.revision !== point.revision) return keptPast(drives, drive, point);
  return {
    folded: drive.folded,
    point,
    last_event,
    last_touched: drive.head.last_touched,
    events_folded: 0,
    snapshot_revision: null,
    is_live: true,
  };
}

/** The cached state of exactly this revision, if there is one: then no store is needed. */
export function keptAt(
  { past_states }: PastSource,
  drive_id: string,
  { revision, at_ms, at }: PointRequest,
): PastState | undefined {
  if (revision === undefined || at_ms !== undefined || at !== undefined) return undefined;
  const found = past_states.at(drive_id, revision);
  return found && asKept(found, { revision, at_ms: found.last_event.timestamp_ms });
}

function asKept(kept: KeptState, point: Point): PastState {
  const { folded, last_event, last_touched } = kept;
  return {
    folded,
    point,
    last_event,
    last_touched,
    events_folded: 0,
    snapshot_revision: point.revision,
    is_live: false,
  };
}

/** Like `pastState`, but never the current state: the result is immutable and cached. */
export async function keptPast(
  drives: PastSource,
  { drive_id }: Drive,
  point: Point,
): Promise<PastState> {
  const { past_states } = drives;
  const { revision } = point;
  const found = past_states.at(drive_id, revision);
  if (found) return asKept(found, point);
  const loaded = await past_states.loading(drive_id, revision, async () => {
    const near = past_states.before(drive_id, revision)?.folded;
    const made = await drives.loader.load(drive_id, { to: revision, near });
    const { folded, last_event, last_touched } = made;
    past_states.keep({ folded, last_event: last_event!, last_touched });
    return made;
  });
  return { ...loaded, last_event: loaded.last_event!, point, is_live: false };
}
