import type { DriveState } from '../../domain/foundation/state.js';

/** Estimated bytes of one record in memory, with its indexes. */
const BYTES_PER_RECORD = 800;

/** A drive's state exceeds its memory limit. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  constructor(
    readonly drive_id: string,
    /** For the records counted so far: there may be more. */
    readonly bytes: number,
  ) {
    super(`${drive_id} takes at least ${bytes} bytes of memory, more than STATE_CACHE_BYTES`);
  }
}

/** Estimated memory of a number of records, bytes. */
export function bytesOfRecords(records: number): number {
  return records * BYTES_PER_RECORD;
}

/** Number of records that fit into so much memory. */
export function recordsWithin(bytes: number): number {
  return Math.floor(bytes / BYTES_PER_RECORD);
}

/** Estimated memory of a state, bytes. */
export function estimatedBytes(state: DriveState): number {
  return bytesOfRecords(state.record_count);
}

/** @throws TooLarge if a state exceeds the limit */
export function checkBytes(state: DriveState, most_bytes = Infinity): void {
  const bytes = estimatedBytes(state);
  if (bytes > most_bytes) throw new TooLarge(state.drive_id, bytes);
}
