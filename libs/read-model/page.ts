import type { Page, PageRequest, Position } from './port.js';

/** Direction of the walk to a page, away from a position (from either end if undefined). */
export interface Approach {
  readonly from: Position | undefined;
  readonly ascending: boolean;
  /** The page ends where the walk begins, so it is walked against its direction. */
  readonly backward: boolean;
}

/** `after` takes precedence if both positions are given. */
export function approach({ direction, after, before }: PageRequest): Approach {
  const backward = before !== undefined && after === undefined;
  return { from: after ?? before, ascending: (direction === 'ASC') !== backward, backward };
}

/** The answer for a drive without an active generation. */
export function emptyPage<Item>(): Page<Item> {
  return { items: [], total: 0, before: null, after: null, revision: -1 };
}

export interface TakenPage<Item> {
  readonly items: Item[];
  readonly before: Position | null;
  readonly after: Position | null;
}

/**
 * Creates a page from the items of a walk, nearest first. `ahead`: more matches follow; `behind`: there are matches
 * at or before its start.
 */
export function takenPage<Item>(
  { backward }: Approach,
  walked: readonly Item[],
  more: { readonly ahead: boolean; readonly behind: boolean },
  position: (item: Item) => Position,
): TakenPage<Item> {
  const items = backward ? walked.toReversed() : [...walked];
  const first = items[0];
  const last = items.at(-1);
  const more_before = backward ? more.ahead : more.behind;
  const more_after = backward ? more.behind : more.ahead;
  return {
    items,
    before: more_before && first !== undefined ? position(first) : null,
    after: more_after && last !== undefined ? position(last) : null,
  };
}
