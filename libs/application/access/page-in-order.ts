import type { IdGroup } from '../../domain/kernel/indexes/id-groups.js';
import { approach, takenPage } from '../../read-model/page.js';
import type { PageRequest } from '../../read-model/port.js';
import type { FoundPage } from '../pages/page-of.js';
import { digestOf, keyOf } from './in-order.js';

/** An item of a list in the order of a text. */
export interface TextItem {
  readonly text: string;
  /** Unique in the list. */
  readonly id: string;
}

/** Items whose text is the prefix and their id. */
interface ItemsWithPrefix {
  readonly prefix: string;
  readonly size: number;
  readonly groups: () => readonly IdGroup[];
}

/** Characters of an id up to which its key is not shortened, with any prefix. */
const SHORT_ID = 100;

/**
 * A page of items in no order. Only the items of the page are sorted; items with a common prefix that are not on the
 * page are counted, not visited, and nor are groups of ids that are not on it.
 */
export function pageInOrder(
  request: PageRequest,
  items: Iterable<TextItem>,
  prefixed: readonly ItemsWithPrefix[],
): FoundPage<string> {
  const { page_size } = request;
  const way = approach(request);
  const sign = way.ascending ? 1 : -1;
  const cursor = way.from && { ...way.from, key: String(way.from.key) };
  const nearest = new Nearest(page_size + 1, sign, cursor);
  let total = 0;
  for (const { text, id } of items) {
    total++;
    nearest.offer(keyOf(text), id);
  }
  const inReadingOrder = prefixed.toSorted((a, b) => sign * compare(a.prefix, b.prefix));
  for (const one of inReadingOrder) {
    total += one.size;
    nearest.offerAll(one);
  }
  const walked = nearest.chosen.slice(0, page_size);
  const more = { ahead: nearest.beyond > walked.length, behind: nearest.beyond < total };
  const taken = takenPage(way, walked, more, ({ key, digest }) => ({ key, id: digest }));
  return { ...taken, items: taken.items.map(({ id }) => id), total };
}

interface Cursor {
  readonly key: string;
  /** Digest of the item's id. */
  readonly id: string;
}

/** An item that may be on the page. Its digest is only computed for an equal key, and once. */
class Candidate {
  private known_digest?: string;

  constructor(
    readonly key: string,
    readonly id: string,
  ) {}

  get digest(): string {
    return (this.known_digest ??= digestOf(this.id));
  }
}

/** The items next to a cursor in one direction. */
class Nearest {
  /** In reading order. */
  readonly chosen: Candidate[] = [];
  /** Number of all items after the cursor. */
  beyond = 0;

  /**
   * @param most maximum chosen items
   * @param sign 1 for ascending order, -1 for descending
   */
  constructor(
    private readonly most: number,
    private readonly sign: 1 | -1,
    private readonly cursor: Cursor | undefined,
  ) {}

  offer(key: string, id: string): void {
    const { sign, cursor, chosen, most } = this;
    const offered = new Candidate(key, id);
    if (cursor) {
      const order = compare(key, cursor.key) || compare(offered.digest, cursor.id);
      if (sign * order <= 0) return;
    }
    this.beyond++;
    const isBefore = (one: Candidate): boolean =>
      sign * (compare(key, one.key) || compare(offered.digest, one.digest)) < 0;
    const last = chosen.at(-1);
    if (last && chosen.length === most && !isBefore(last)) return;
    let [at, end] = [0, chosen.length];
    while (at < end) {
      const middle = (at + end) >> 1;
      if (isBefore(chosen[middle]!)) end = middle;
      else at = middle + 1;
    }
    chosen.splice(at, 0, offered);
    if (chosen.length > most) chosen.pop();
  }

  offerAll({ prefix, size, groups }: ItemsWithPrefix): void {
    const { sign } = this;
    if (this.isBeforeCursor(prefix)) return;
    if (this.isBeyondChosen(prefix)) {
      this.beyond += size;
      return;
    }
    let is_beyond = false;
    for (const { start, ids, size: group_size } of sign === 1 ? groups() : groups().toReversed()) {
      // With one group, all that follow are beyond the chosen items.
      is_beyond ||= this.isBeyondChosen(prefix + start);
      if (is_beyond) this.beyond += group_size;
      else if (!this.isBeforeCursor(prefix + start))
        for (const id of ids)
          this.offer(id.length <= SHORT_ID ? prefix + id : keyOf(prefix + id), id);
    }
  }

  /** True if all texts with the prefix are before the cursor. */
  private isBeforeCursor(prefix: string): boolean {
    const { cursor, sign } = this;
    return cursor !== undefined && sign * sideOf(prefix, cursor.key) < 0;
  }

  /** True if all texts with the prefix are after the cursor and the last chosen item, and no more are chosen. */
  private isBeyondChosen(prefix: string): boolean {
    const { chosen, most, cursor, sign } = this;
    const last = chosen.length === most ? chosen.at(-1) : undefined;
    if (!last || sign * sideOf(prefix, last.key) <= 0) return false;
    return !cursor || sideOf(prefix, cursor.key) !== 0;
  }
}

/** 1 if all texts with the prefix are after the key, -1 if they are before it, 0 if it is one of them. */
function sideOf(prefix: string, key: string): number {
  return key.startsWith(prefix) ? 0 : compare(prefix, key);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
