import type { FoldableEvent, StoredEvent } from '../event-store/port.js';

/** Most events read at one time: each read has its price, whatever it brings. */
export const FOLD_PAGE = 500;
/** Events of the first page. Nobody knows yet how large they are. */
export const FIRST_PAGE = 64;
/** Bytes of bodies in a page; after a larger one fewer events are read. */
const PAGE_BYTES = 1024 * 1024;

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
): AsyncGenerator<readonly E[], void> {
  let from = first;
  let limit = Math.min(FIRST_PAGE, to - from + 1);
  let coming = read(from, limit);
  try {
    for (;;) {
      const page = await coming;
      from += limit;
      const is_last = page.length < limit || from > to;
      if (!is_last) {
        limit = Math.min(sizeAfter(page), to - from + 1);
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

/** Events of the page after a full one. */
function sizeAfter(page: readonly Pick<FoldableEvent, 'data'>[]): number {
  let bytes = 0;
  for (const { data } of page) bytes += data.length;
  return bytes > PAGE_BYTES
    ? Math.max(1, Math.floor(page.length / 2))
    : Math.min(FOLD_PAGE, 2 * page.length);
}
