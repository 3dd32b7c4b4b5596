import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import { approach, takenPage } from '../../read-model/page.js';
import type { Page, PageRequest, Position } from '../../read-model/port.js';
import { pageFrame, type PageFrame, pageRequest, type PageInput } from './cursor.js';

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

/** A page as it was found in a list. */
export type FoundPage<Item> = Omit<Page<Item>, 'revision'>;

/**
 * Presents the items of a page, of which there are fewer if they become too long together; at least one. Those that
 * are left out are farthest from the cursor: the page is then that of a smaller `page_size`.
 * @param items in the order of the list
 */
export function fittingItems<Item, Shown>(
  request: PageRequest,
  items: readonly Item[],
  present: (item: Item) => Shown,
  { charsOf = (one) => JSON.stringify(one).length, room = new Room() }: Fit<Shown> = {},
): Shown[] {
  const { backward } = approach(request);
  const shown: Shown[] = [];
  for (const item of backward ? items.toReversed() : items) {
    const one = present(item);
    room.chars -= charsOf(one);
    if (room.chars < 0 && shown.length > 0) break;
    shown.push(one);
  }
  return backward ? shown.toReversed() : shown;
}

/** A found page with its items presented; it ends early where they are long. @param position that of an item in the order of `list` */
export function shownPage<Item, Shown>(
  list: string,
  request: PageRequest,
  found: FoundPage<Item>,
  position: (item: Item) => Position,
  present: (item: Item) => Shown,
  fit?: Fit<Shown>,
): PageFrame & { items: Shown[] } {
  const items = fittingItems(request, found.items, present, fit);
  const is_whole = items.length === found.items.length;
  const end = is_whole
    ? {}
    : approach(request).backward
      ? { before: position(found.items.at(-items.length)!) }
      : { after: position(found.items[items.length - 1]!) };
  return { items, ...pageFrame(list, request, { ...found, ...end }) };
}

/**
 * A page of an in-memory list. Items must be in ascending order of their positions, by key and then by id, and positions
 * must be unique.
 */
export function pageOf<Item, Shown>(
  list: string,
  input: PageInput,
  items: readonly Item[],
  position: (item: Item) => Position,
  present: (item: Item) => Shown,
): (PageFrame & { items: Shown[] }) | Refusal {
  const kind = items.length > 0 ? typeof position(items[0]!).key : undefined;
  const request = pageRequest(list, input, kind as 'number' | 'string' | undefined);
  if (isRefusal(request)) return request;
  const way = approach(request);
  const { from, ascending } = way;
  const ordered = ascending ? items : items.toReversed();
  const sign = ascending ? 1 : -1;
  const first = from ? ordered.findIndex((item) => sign * compare(position(item), from) > 0) : 0;
  const start = first < 0 ? ordered.length : first;
  const end = start + request.page_size;
  const more = { ahead: end < ordered.length, behind: start > 0 };
  const found = takenPage(way, ordered.slice(start, end), more, position);
  return shownPage(list, request, { ...found, total: items.length }, position, present);
}

function compare(a: Position, b: Position): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}
