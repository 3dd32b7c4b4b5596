/**
 * Revision of the last event at or before `at_ms`, or -1. Times never decrease along a stream, so about
 * log2(head) looks suffice and no store needs an index by time.
 * @param head revision of the last event, -1 for none
 * @param timeOf `timestamp_ms` of the event at a revision
 */
export function lastAtOrBefore(
  at_ms: number,
  head: number,
  timeOf: (revision: number) => number,
): number {
  let low = 0;
  let high = head + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (timeOf(middle) <= at_ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
