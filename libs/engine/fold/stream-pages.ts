import type { FoldableEvent, StoredEvent } from '../../event-store/port.js';

/** Most events read at one time, unless the store says otherwise: each read has its price, whatever it brings. */
export const FOLD_PAGE = 500;
/** Events of the first page. Nobody knows yet how large they are. */
export const FIRST_PAGE = 64;
/** Bytes of bodies for each event of the largest page; after a larger page fewer events are read. */
const BYTES_PER_EVENT = 2 * 1024;

/** True for an event that a store read whole though folding does not need it so. */
export function isWhole(event: FoldableEvent): event is StoredEvent {
  return 'metadata' in event;
}

/** Reads at most so many events of a stream from a revision on. */
export type ReadPage<E> = (from: number, limit: number) => Promise<readonly E[]>;

/**
 * Pages of a stream from one revision to another (both inclusive), in order. The next page is read while the caller is
 * at work on one: at most one page ahead. A read that fails is reported when its page is due; none is under way any more
 * once the loop over the pages has ended, however it ends.
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
      // A store may bring fewer than asked for before the end.
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

/** Events of the page after one for which so many were asked. */
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
