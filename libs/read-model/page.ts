import type { PageRequest, Position } from './port.js';

/** How a page is reached: walking away from a position (from either end if undefined). */
export interface Approach {
  readonly from: Position | undefined;
  readonly ascending: boolean;
  /** The page ends where the walk begins, so it is walked against its direction. */
  readonly backward: boolean;
}

/** `after` counts if both positions are given. */
export function approach({ direction, after, before }: PageRequest): Approach {
  const backward = before !== undefined && after === undefined;
  return { from: after ?? before, ascending: (direction === 'ASC') !== backward, backward };
}

export interface TakenPage<Item> {
  readonly items: Item[];
  readonly before: Position | null;
  readonly after: Position | null;
}

/**
 * Makes a page of the items met on the way, nearest first. `ahead`: more matches follow on the way;
 * `behind`: matches stand on the other side of where it began, or there.
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
