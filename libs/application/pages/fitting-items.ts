import type { Page, Position } from '../../read-model/port.js';
import type { PageInput } from './cursor.js';

/** Length of the items of an answer above which its pages end early, characters of JSON: all are written in one turn of the event loop. */
const MOST_CHARS = 4 * 1024 * 1024;

/** The length that is left for the items of an answer. */
export class Room {
  chars = MOST_CHARS;
}

interface Fit<Shown> {
  /** Length of a presented item; default: that of its JSON. */
  readonly charsOf?: (shown: Shown) => number;
  /** For answers of several pages. */
  readonly room?: Room;
}

/**
 * Presents the items of a page, of which there are fewer if they become too long together; at least one. Those that
 * are left out are farthest from the cursor: the page is then that of a smaller `page_size`.
 * @param items in the order of the list
 */
export function fittingItems<Item, Shown>(
  input: PageInput,
  items: readonly Item[],
  present: (item: Item) => Shown,
  { charsOf = (one) => JSON.stringify(one).length, room = new Room() }: Fit<Shown> = {},
): Shown[] {
  const is_from_end = isFromEnd(input);
  const shown: Shown[] = [];
  for (const item of is_from_end ? items.toReversed() : items) {
    const one = present(item);
    room.chars -= charsOf(one);
    if (room.chars < 0 && shown.length > 0) break;
    shown.push(one);
  }
  return is_from_end ? shown.toReversed() : shown;
}

/** A found page that ends after so many of its items. @param position that of an item in the order of the list */
export function endedAfter<Item>(
  input: PageInput,
  page: Page<Item>,
  count: number,
  position: (item: Item) => Position,
): Page<Item> {
  const { items } = page;
  if (count === items.length) return page;
  return isFromEnd(input)
    ? { ...page, items: items.slice(-count), before: position(items.at(-count)!) }
    : { ...page, items: items.slice(0, count), after: position(items[count - 1]!) };
}

/** True for a page before a cursor, whose last item is nearest to it. */
export function isFromEnd({ cursor, cursor_down, cursor_up }: PageInput): boolean {
  return !cursor && !cursor_down && Boolean(cursor_up);
}
