import type { FoldableEvent, StoredEvent } from '../../event-store/port.js';

/** Maximum events per read, unless the store says otherwise: each read has a fixed cost. */
export const FOLD_PAGE = 500;
/** Events of the first page, when their size is not known yet. */
export const FIRST_PAGE = 64;
/** Size of an event's body up to which pages have the maximum of events; of larger events there are fewer on a page. */
const BYTES_PER_EVENT = 1024;

/** True for an event that a store has read completely, although folding does not need that. */
export function isWhole(event: FoldableEvent): event is StoredEvent {
  return 'position' in event;
}

/** Reads up to `limit` events of a stream from a revision on. */
type ReadPage<P> = (from: number, limit: number) => Promise<P>;

/** A read in progress, and its range. */
interface PageRead<P> {
  readonly from: number;
  readonly limit: number;
  readonly page: Promise<P>;
}

/**
 * Pages of a stream from one revision to another (both inclusive), in order. Two pages are prefetched while the caller
 * processes another: a store over the network is then never idle between two reads. A failed read is reported when its
 * page is due; no read is in progress any more once the loop over the pages has ended.
 */
export async function* pagesOf<P extends readonly Pick<FoldableEvent, 'data'>[]>(
  read: ReadPage<P>,
  first: number,
  to: number,
  most_events = FOLD_PAGE,
): AsyncGenerator<P, void> {
  let from = first;
  let limit = FIRST_PAGE;
  const reads: PageRead<P>[] = [];
  const prefetch = (pages: number): void => {
    while (reads.length < pages && from <= to) {
      const asked = Math.min(limit, to - from + 1);
      const page = read(from, asked);
      page.catch(() => {});
      reads.push({ from, limit: asked, page });
      from += asked;
    }
  };
  const settle = async (): Promise<void> => {
    await Promise.allSettled(reads.splice(0).map(({ page }) => page));
  };
  try {
    prefetch(1);
    for (let due; (due = reads.shift());) {
      const page = await due.page;
      if (page.length === 0) return;
      limit = sizeAfter(page, most_events);
      const is_full = page.length === due.limit;
      if (!is_full) {
        // A store may return fewer events than requested before the end: what was prefetched begins too late.
        await settle();
        from = due.from + page.length;
      }
      prefetch(is_full ? 2 : 1);
      yield page;
    }
  } finally {
    await settle();
  }
}

/** Number of events to request after a page: at most twice as many, of the same size on average. */
function sizeAfter(page: readonly Pick<FoldableEvent, 'data'>[], most_events: number): number {
  let bytes = 0;
  for (const { data } of page) bytes += data.length;
  const fitting = Math.floor((most_events * BYTES_PER_EVENT * page.length) / Math.max(1, bytes));
  return Math.max(1, Math.min(most_events, 2 * page.length, fitting));
}
