/**
 * Binary search for the last event at or before `at_ms`: its revision, or -1 if there is none. Times never decrease
 * along a stream, so about log2(head) reads suffice and no store needs an index by time.
 * @param head revision of the last event, -1 for none
 * @param timeOf `timestamp_ms` of the event at a revision
 */
export async function lastAtOrBefore(
  at_ms: number,
  head: number,
  timeOf: (revision: number) => number | Promise<number>,
): Promise<number> {
  let low = 0;
  let high = head + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await timeOf(middle)) <= at_ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
