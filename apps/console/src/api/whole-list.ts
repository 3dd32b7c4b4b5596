import type { Page } from './answers.js';

/** Maximum records of a list that are read at once. */
export const MOST_RECORDS = 1_000;

/**
 * The records of a list on one page, up to the maximum. The server ends pages early where records are long: the
 * following ones are read, too.
 */
export async function readWhole<P extends Page<unknown>>(
  read: (page: { readonly page_size: number; readonly cursor_down: string | null }) => Promise<P>,
): Promise<P> {
  let page = await read({ page_size: MOST_RECORDS, cursor_down: null });
  const items = [...page.items];
  while (page.cursor_down !== null && items.length < MOST_RECORDS) {
    const { cursor_down } = page;
    page = await read({ page_size: MOST_RECORDS - items.length, cursor_down });
    items.push(...page.items);
  }
  return { ...page, items, cursor_up: null };
}

/** True if a page has all records of its list. */
export function isWhole({ cursor_down, cursor_up }: Omit<Page<unknown>, 'items'>): boolean {
  return cursor_down === null && cursor_up === null;
}
