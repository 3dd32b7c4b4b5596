import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import type { Position } from '../../read-model/port.js';
import { pageFrame, pageRequest, type PageInput } from './cursor.js';
import { fittingItems } from './fitting-items.js';
import type { ListPage } from '../list-records.js';

/**
 * A page of an in-memory list. Items must be in ascending order of their positions, by key and then by id, and positions
 * must be unique.
 */
export function pageOf<Item>(
  list: string,
  input: PageInput,
  items: readonly Item[],
  position: (item: Item) => Position,
): ListPage<Item> | Refusal {
  const kind = items.length > 0 ? typeof position(items[0]!).key : undefined;
  const request = pageRequest(list, input, kind as 'number' | 'string' | undefined);
  if (isRefusal(request)) return request;
  const { page_size, direction, after, before } = request;
  const ordered = direction === 'ASC' ? items : items.toReversed();
  const isPast = (item: Item, than: Position): boolean => {
    const order = compare(position(item), than);
    return direction === 'ASC' ? order > 0 : order < 0;
  };
  const firstPast = (than: Position): number => {
    const found = ordered.findIndex((item) => isPast(item, than));
    return found < 0 ? ordered.length : found;
  };
  const isAt = (at: number, than: Position): boolean =>
    ordered[at] !== undefined && compare(position(ordered[at]), than) === 0;
  let start = 0;
  let end = page_size;
  if (after) {
    start = firstPast(after);
    end = start + page_size;
  } else if (before) {
    const past = firstPast(before);
    end = isAt(past - 1, before) ? past - 1 : past;
    start = Math.max(0, end - page_size);
  }
  const shown = ordered.slice(start, end);
  const at = (item: Item | undefined, more: boolean): Position | null =>
    item !== undefined && more ? position(item) : null;
  const ends = {
    items: shown,
    total: items.length,
    before: at(shown[0], start > 0),
    after: at(shown.at(-1), start + shown.length < ordered.length),
  };
  return { items: shown, ...pageFrame(list, request, ends) };
}

function compare(a: Position, b: Position): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** A page with its items presented; it ends early where they are long. @param pageOfSize the page of so many items */
export function fittingPage<Item, Shown extends object>(
  input: PageInput,
  pageOfSize: (page_size: number) => ListPage<Item> | Refusal,
  present: (item: Item) => Shown,
): ListPage<Shown> | Refusal {
  const { page_size } = input;
  const whole = pageOfSize(page_size);
  if (isRefusal(whole)) return whole;
  const items = fittingItems(input, whole.items, present);
  const page = items.length < whole.items.length ? pageOfSize(items.length) : whole;
  return isRefusal(page) ? page : { ...page, page_size, items };
}
