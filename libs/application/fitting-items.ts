import type { PageInput } from './cursor.js';

/** Length of the items of a page above which it ends early, characters of JSON: all are written in one turn of the event loop. */
const MOST_CHARS = 4 * 1024 * 1024;

/**
 * Presents the items of a page, of which there are fewer if they become too long together; at least one. Those that
 * are left out are farthest from the cursor: the page is then that of a smaller `page_size`.
 * @param items in the order of the list
 */
export function fittingItems<Item, Shown extends object>(
  { cursor, cursor_down, cursor_up }: PageInput,
  items: readonly Item[],
  present: (item: Item) => Shown,
): Shown[] {
  const is_from_end = !cursor && !cursor_down && Boolean(cursor_up);
  const shown: Shown[] = [];
  let chars = 0;
  for (const item of is_from_end ? items.toReversed() : items) {
    const one = present(item);
    chars += JSON.stringify(one).length;
    if (chars > MOST_CHARS && shown.length > 0) break;
    shown.push(one);
  }
  return is_from_end ? shown.toReversed() : shown;
}
