import type { DriveState } from '../../domain/foundation/state.js';
import type { Point } from '../../domain/bookmarks/record.js';
import { refuse, refuseField, type Refusal } from '../../domain/kernel/refusal.js';
import { timeOfEvent } from '../../event-store/existing-events.js';
import type { EventStore } from '../../event-store/port.js';
import type { Drive } from '../writer/drive.js';
import { streamOf } from '../fold/fold.js';

export type { Point };

/** A requested point in time; at most one member, none = now. */
export interface PointRequest {
  /** Just after the last event at or before this time, ms. */
  readonly at_ms?: number;
  /** Just after this event. */
  readonly revision?: number;
  /** `@` and the name of a bookmark. */
  readonly at?: string;
}

/** The current revision and time, for resolving points. Bookmarks are looked up here, whatever the point is for. */
interface Present {
  readonly revision: number;
  readonly now: number;
  readonly state: Pick<DriveState, 'bookmarks'>;
}

/** The current state of an idle drive. */
export function presentOf(drive: Drive, now = drive.now()): Present {
  return { revision: drive.head.revision, now, state: drive.state };
}

/**
 * Finds the point. Refused: more than one member, a time in the future (400), a time before the
 * first event or a revision past the last (404, naming the valid range), an unknown name (404).
 * `within` is the JSON pointer of the request, '' where it is the whole body.
 */
export async function resolvePoint(
  events: EventStore,
  drive_id: string,
  request: PointRequest,
  present: Present,
  within = '',
): Promise<Point | Refusal> {
  const { at_ms, revision, at } = request;
  const stream = streamOf(drive_id);
  const extra = extraMember(request);
  if (extra) return refuseField(`${within}/${extra}`, 'must be the only point: give one');
  if (at !== undefined) {
    const bookmark = present.state.bookmarks.get(at.slice(1));
    if (bookmark) return bookmark.point;
    return refuseBookmark(within);
  }
  if (revision !== undefined) {
    if (revision < 0 || revision > present.revision)
      return outOfRange(`${within}/revision`, 0, present.revision);
    return { revision, at_ms: await timeOfEvent(events, stream, revision) };
  }
  if (at_ms === undefined) return { revision: present.revision, at_ms: present.now };
  if (at_ms > present.now) return refuseField(`${within}/at_ms`, 'must not be in the future');
  const found = await events.findRevisionByTime(stream, at_ms);
  if (found >= 0) return { revision: Math.min(found, present.revision), at_ms };
  const first_ms = await timeOfEvent(events, stream, 0);
  return outOfRange(`${within}/at_ms`, first_ms, present.now);
}

/** @param within pointer of the member that holds the point */
export function refuseBookmark(within: string): Refusal {
  return refuse('bookmark-not-found', { pointer: `${within}/at`, reason: 'names no bookmark' });
}

/** The superfluous member, undefined if there is none. */
function extraMember({ at_ms, revision, at }: PointRequest): keyof PointRequest | undefined {
  const members = { at_ms, revision, at };
  const given = (Object.keys(members) as (keyof PointRequest)[]).filter(
    (name) => members[name] !== undefined,
  );
  return given[1];
}

/** Refuses a point, revision or size outside of its range. */
export function outOfRange(pointer: string, first: number, last: number): Refusal {
  return refuse('point-out-of-range', { pointer, reason: `must be from ${first} to ${last}` });
}
