import type { PageRequest, Position } from '../port.js';

/** The matches of a query as an order that can be entered at any position. */
export interface Sequence<Item> {
  /** The first `limit` items beyond `from` (from either end if undefined), in the order walked. */
  near(from: Position | undefined, ascending: boolean, limit: number): Item[];
  position(item: Item): Position;
}

export interface TakenPage<Item> {
  readonly items: Item[];
  readonly before: Position | null;
  readonly after: Position | null;
}

/** Takes the page that the request names; `after` counts if both positions are given. */
export function takePage<Item>(request: PageRequest, matches: Sequence<Item>): TakenPage<Item> {
  const ascending = request.direction === 'ASC';
  const backward = request.before !== undefined && request.after === undefined;
  const from = backward ? request.before : request.after;
  const walk_ascending = ascending !== backward;

  const walked = matches.near(from, walk_ascending, request.page_size + 1);
  const more_ahead = walked.length > request.page_size;
  const items = walked.slice(0, request.page_size);
  const [nearest] = items;
  const more_behind =
    from !== undefined &&
    nearest !== undefined &&
    matches.near(matches.position(nearest), !walk_ascending, 1).length > 0;

  if (backward) items.reverse();
  const first = items[0];
  const last = items.at(-1);
  const more_before = backward ? more_ahead : more_behind;
  const more_after = backward ? more_behind : more_ahead;
  return {
    items,
    before: more_before && first !== undefined ? matches.position(first) : null,
    after: more_after && last !== undefined ? matches.position(last) : null,
  };
}
