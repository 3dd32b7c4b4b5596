import { compareIds, compareTextKeys, searchScore } from '../order.js';
import type { Position, SearchOrder } from '../port.js';
import { type Entry, digestOf } from './entry.js';

/** An order over entries that is not kept, but taken when asked for. */
export interface Ranking {
  key(entry: Entry): string | number;
  /** Decides between equal keys. */
  tie(entry: Entry): string;
  compareKeys(left: string | number, right: string | number): number;
}

export interface Ranked {
  readonly entry: Entry;
  readonly key: string | number;
}

const byNumber = (left: string | number, right: string | number): number =>
  Number(left) - Number(right);
const byText = (left: string | number, right: string | number): number =>
  compareTextKeys(String(left), String(right));
const id = (entry: Entry): string => entry.id;

/** The order of lists. */
export const LIST_RANKING: Ranking = {
  key: (entry) => entry.created_at,
  tie: id,
  compareKeys: byNumber,
};

/** `text`: what is searched for, case-folded. Entries must be ones that search covers. */
export function searchRanking(order: SearchOrder, text: string): Ranking {
  switch (order) {
    case 'CREATED_AT':
      return LIST_RANKING;
    case 'UPDATED_AT':
      return { key: (entry) => entry.search!.updated_at, tie: id, compareKeys: byNumber };
    case 'SCORE':
      return {
        key: (entry) => searchScore(entry.search!.title, text),
        tie: id,
        compareKeys: byNumber,
      };
    case 'ALPHABETICAL':
      return { key: (entry) => entry.search!.title_key, tie: digestOf, compareKeys: byText };
  }
}

/** The first `limit` entries beyond `from`, in the order walked, without sorting all of them. */
export function nearest(
  entries: readonly Entry[],
  ranking: Ranking,
  from: Position | undefined,
  ascending: boolean,
  limit: number,
): Ranked[] {
  const sign = ascending ? 1 : -1;
  const compare = (left: Ranked, right: Ranked): number =>
    sign * compareRanked(ranking, left, right);
  const best = new BestOf(limit, compare);
  for (let step = 0; step < entries.length; step += 1) {
    // Entries often come nearly ascending; taken from the wanted end, most are turned away at once.
    const entry = entries[ascending ? step : entries.length - 1 - step]!;
    const ranked = { entry, key: ranking.key(entry) };
    if (from === undefined || sign * compareToPosition(ranking, ranked, from) > 0) best.add(ranked);
  }
  return best.sorted();
}

export function compareRanked(ranking: Ranking, left: Ranked, right: Ranked): number {
  return (
    ranking.compareKeys(left.key, right.key) ||
    compareIds(ranking.tie(left.entry), ranking.tie(right.entry))
  );
}

function compareToPosition(ranking: Ranking, ranked: Ranked, position: Position): number {
  return (
    ranking.compareKeys(ranked.key, position.key) ||
    compareIds(ranking.tie(ranked.entry), position.id)
  );
}

/** Keeps the `limit` smallest of what is added: a heap with the largest kept one on top. */
class BestOf<Item> {
  private readonly heap: Item[] = [];

  constructor(
    private readonly limit: number,
    private readonly compare: (left: Item, right: Item) => number,
  ) {}

  add(item: Item): void {
    const { heap } = this;
    if (heap.length < this.limit) {
      heap.push(item);
      this.rise(heap.length - 1);
    } else if (this.compare(item, heap[0]!) < 0) {
      heap[0] = item;
      this.sink();
    }
  }

  sorted(): Item[] {
    return this.heap.toSorted(this.compare);
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.swapIfLarger(at, parent)) return;
      at = parent;
    }
  }

  private sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= this.heap.length) return;
      const child =
        right < this.heap.length && this.compare(this.heap[right]!, this.heap[left]!) > 0
          ? right
          : left;
      if (!this.swapIfLarger(child, at)) return;
      at = child;
    }
  }

  private swapIfLarger(child: number, parent: number): boolean {
    const { heap } = this;
    if (this.compare(heap[child]!, heap[parent]!) <= 0) return false;
    [heap[child], heap[parent]] = [heap[parent]!, heap[child]!];
    return true;
  }
}
