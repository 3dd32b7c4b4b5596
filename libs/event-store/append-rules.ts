/** Checks that every adapter runs before an append, so that all refuse alike. */
import { AppendTooLarge, NO_STREAM, WrongExpectedRevision, type NewEvent } from './port.js';

/** Default bound of one append, in bytes of metadata and data together (UTF-8). */
export const DEFAULT_MAX_APPEND_BYTES = 512 * 1024;

/** Bytes of metadata and data of all events (UTF-8), the measure of {@link AppendTooLarge}. */
export function appendBytes(events: readonly NewEvent[]): number {
  let bytes = 0;
  for (const event of events) {
    bytes += Buffer.byteLength(event.metadata) + Buffer.byteLength(event.data);
  }
  return bytes;
}

/**
 * Refuses an invalid append.
 * @returns the append's size in bytes
 * @throws AppendTooLarge above `max_bytes`; RangeError for no events or no revision
 */
export function checkAppend(
  stream: string,
  expected_revision: number,
  events: readonly NewEvent[],
  max_bytes: number,
): number {
  if (events.length === 0) {
    throw new RangeError(`stream ${stream}: an append needs at least one event`);
  }
  if (!Number.isSafeInteger(expected_revision) || expected_revision < NO_STREAM) {
    throw new RangeError(`stream ${stream}: ${expected_revision} is not an expected revision`);
  }
  const bytes = appendBytes(events);
  if (bytes > max_bytes) {
    throw new AppendTooLarge(
      `stream ${stream}: an append of ${bytes} bytes exceeds the limit of ${max_bytes}`,
    );
  }
  return bytes;
}

/**
 * Resolves an append that does not continue its stream: a repetition is answered with the position of its last event,
 * any other is refused.
 * @param stored `[event_id, position]` of the events from `expected_revision + 1` on, at most as many as `events`
 * @throws WrongExpectedRevision unless exactly these events are stored there, by id and in order
 */
export function repeatedAppend(
  stream: string,
  expected_revision: number,
  actual_revision: number,
  events: readonly NewEvent[],
  stored: readonly (readonly [event_id: string, position: number])[],
): number {
  const same =
    stored.length === events.length &&
    stored.every(([event_id], i) => event_id === events[i]!.event_id);
  if (!same) throw new WrongExpectedRevision(stream, expected_revision, actual_revision);
  return stored.at(-1)![1];
}
