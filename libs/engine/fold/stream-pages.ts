import type { FoldableEvent, StoredEvent } from '../../event-store/port.js';

/** Maximum events per read, unless the store says otherwise: each read has a fixed cost. */
export const FOLD_PAGE = 500;
/** Events of the first page, when their size is not known yet. */
export const FIRST_PAGE = 64;
/** Target size of an event's body on the largest page; after a larger page fewer events are read. */
const BYTES_PER_EVENT = 2 * 1024;

/** True for an event that a store has read completely, although folding does not need that. */
export function isWhole(event: FoldableEvent): event is StoredEvent {
  return 'metadata' in event;
}

/** Reads up to `limit` events of a stream from a revision on. */
export type ReadPage<E> = (from: number, limit: number) => Promise<readonly E[]>;

/**
 * Pages of a stream from one revision to another (both inclusive), in order. One page is prefetched while the caller
 * processes another. A failed read is reported when its page is due; no read is in progress any more once the loop
 * over the pages has ended.
 */
export async function* pagesOf<E extends Pick<FoldableEvent, 'data'>>(
  read: ReadPage<E>,
  first: number,
  to: number,
  most_events = FOLD_PAGE,
): AsyncGenerator<readonly E[], void> {
  let from = first;
  let limit = Math.min(FIRST_PAGE, to - from + 1);
  let coming = read(from, limit);
  try {
    for (;;) {
      const page = await coming;
      if (page.length === 0) return;
      // A store may return fewer events than requested before the end.
      from += page.length;
      const is_last = from > to;
      if (!is_last) {
        limit = Math.min(sizeAfter(page, limit, most_events), to - from + 1);
        coming = read(from, limit);
        coming.catch(() => {});
      }
      yield page;
      if (is_last) return;
    }
  } finally {
    await coming.catch(() => {});
  }
}

/** Number of events to read after a page for which so many were requested. */
function sizeAfter(
  page: readonly Pick<FoldableEvent, 'data'>[],
  asked: number,
  most_events: number,
): number {
  let bytes = 0;
  for (const { data } of page) bytes += data.length;
  const is_large = bytes > most_events * BYTES_PER_EVENT || page.length < asked;
  return is_large
    ? Math.max(1, Math.floor(page.length / 2))
    : Math.min(most_events, 2 * page.length);
}
