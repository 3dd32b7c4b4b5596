import { tieDigest } from '../sha1.js';
import { OrderedBlocks, type OrderedList } from './ordered-blocks.js';
import { sortSteps } from './sort-steps.js';
import { compareTexts, textKey } from './text-key.js';

/** The position of a record in the order of its group. */
export interface OrderedId {
  readonly key: string;
  readonly id: string;
  /** Computed when a tie first needs it. */
  digest?: string;
}

/** The positions of a group's records, in order. */
export type OrderedIds = OrderedList<OrderedId>;

/** Positions per step. */
const PUT_AT_ONCE = 100;

/** Compares by key, then by a digest of the id; unlike the id, the digest always fits into a cursor. */
export function compareOrdered(left: OrderedId, right: OrderedId): number {
  const order = compareTexts(left.key, right.key);
  if (order !== 0) return order;
  const [one, other] = [digestOf(left), digestOf(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}

export function digestOf(place: OrderedId): string {
  return (place.digest ??= tieDigest(place.id));
}

/**
 * Keeps the records of each group in the order of a text. A group is sorted at its first request and updated from then
 * on. Each record takes one position; groups that are never requested take no memory.
 */
export class OrderedIndex {
  private readonly groups = new Map<string, OrderedBlocks<OrderedId>>();

  /**
   * The sorted group. `members` supplies its records with their texts, and is only called if the group is not sorted.
   */
  of(group: string, members: () => Iterable<readonly [id: string, text: string]>): OrderedIds {
    let ordered = this.groups.get(group);
    if (!ordered) {
      const places: OrderedId[] = Array.from(members(), ([id, text]) => ({
        id,
        key: textKey(text),
      }));
      ordered = new OrderedBlocks(places.sort(compareOrdered));
      this.groups.set(group, ordered);
    }
    return ordered;
  }

  /** Sorts a group in advance, in small steps. Records must not change meanwhile. */
  *prepare(group: string, members: Iterable<readonly [id: string, text: string]>): Generator<void> {
    if (this.groups.has(group)) return;
    const places: OrderedId[] = [];
    for (const [id, text] of members) {
      places.push({ id, key: textKey(text) });
      if (places.length % PUT_AT_ONCE === 0) yield;
    }
    yield* sortSteps(places, compareOrdered);
    this.groups.set(group, new OrderedBlocks(places));
  }

  add(group: string, id: string, text: string): void {
    const ordered = this.groups.get(group);
    if (!ordered) return;
    const place = { id, key: textKey(text) };
    ordered.insert(place, isBefore(place));
  }

  delete(group: string, id: string, text: string): void {
    const ordered = this.groups.get(group);
    if (!ordered) return;
    ordered.delete(isBefore({ id, key: textKey(text) }));
    if (ordered.length === 0) this.groups.delete(group);
  }
}

function isBefore(place: OrderedId): (other: OrderedId) => boolean {
  // Comparing ids first avoids computing digests.
  return (other) => other.id !== place.id && compareOrdered(other, place) < 0;
}
