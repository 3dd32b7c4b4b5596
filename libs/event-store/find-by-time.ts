/**
 * Binary search for the last event at or before `at_ms`: yields revisions, expects the `timestamp_ms` of each, and
 * returns the revision found, or -1. Times never decrease along a stream, so about log2(head) reads suffice and no
 * store needs an index by time.
 * @param head revision of the last event, -1 for none
 */
function* search(at_ms: number, head: number): Generator<number, number, number> {
  let low = 0;
  let high = head + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((yield middle) <= at_ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Revision of the last event at or before `at_ms`, or -1 if there is none.
 * @param head revision of the last event, -1 for none
 * @param timeOf `timestamp_ms` of the event at a revision
 */
export function lastAtOrBefore(
  at_ms: number,
  head: number,
  timeOf: (revision: number) => number,
): number {
  const looks = search(at_ms, head);
  let look = looks.next();
  while (!look.done) look = looks.next(timeOf(look.value));
  return look.value;
}

/** {@link lastAtOrBefore} for a store on a server. */
export async function lastAtOrBeforeAsked(
  at_ms: number,
  head: number,
  timeOf: (revision: number) => Promise<number>,
): Promise<number> {
  const looks = search(at_ms, head);
  let look = looks.next();
  while (!look.done) look = looks.next(await timeOf(look.value));
  return look.value;
}
