import { refuse, refuseField, type Refusal } from '../domain/kernel/refusal.js';
import type { EventStore } from '../event-store/port.js';
import { streamOf } from './fold.js';

/** A moment of a drive's past as asked for; at most one member, none = now. */
export interface PointRequest {
  /** Just after the last event at or before this time, ms. */
  readonly at_ms?: number;
  /** Just after this event. */
  readonly revision?: number;
}

/** A moment of a drive's past: the state after `revision`, with windows evaluated at `at_ms`. */
export interface Point {
  readonly revision: number;
  readonly at_ms: number;
}

/** Where now is, for resolving points. */
export interface Present {
  readonly revision: number;
  readonly now: number;
}

/**
 * Finds the point. Refused: both members, a time in the future (400), a time before the first event
 * or a revision past the last (404, naming the valid range).
 */
export async function resolvePoint(
  events: EventStore,
  drive_id: string,
  request: PointRequest,
  present: Present,
): Promise<Point | Refusal> {
  const { at_ms, revision } = request;
  const stream = streamOf(drive_id);
  if (at_ms !== undefined && revision !== undefined)
    return refuseField('/revision', 'give a revision or a time, not both');
  if (revision !== undefined) {
    if (revision < 0 || revision > present.revision)
      return outOfRange('/revision', `must be from 0 to ${present.revision}`);
    return { revision, at_ms: await timeOf(events, stream, revision) };
  }
  if (at_ms === undefined) return { revision: present.revision, at_ms: present.now };
  if (at_ms > present.now) return refuseField('/at_ms', 'must not be in the future');
  const found = await events.findRevisionByTime(stream, at_ms);
  if (found >= 0) return { revision: Math.min(found, present.revision), at_ms };
  const first_ms = await timeOf(events, stream, 0);
  return outOfRange('/at_ms', `must be from ${first_ms} to ${present.now}`);
}

function outOfRange(pointer: string, reason: string): Refusal {
  return refuse('point-out-of-range', { pointer, reason });
}

async function timeOf(events: EventStore, stream: string, revision: number): Promise<number> {
  const [event] = await events.readStream(stream, revision, 'forward', 1);
  if (!event) throw new Error(`stream ${stream} has no revision ${revision}`);
  return event.timestamp_ms;
}
