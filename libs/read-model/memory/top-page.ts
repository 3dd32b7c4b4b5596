import { compareIds, compareKeys } from '../order.js';
import type { PageRequest } from '../port.js';
import type { Entry } from './entry.js';
import { type Approach, type TakenPage, approach, takenPage } from '../page.js';

type Key = string | number;

export interface Ranked {
  readonly key: Key;
  readonly entry: Entry;
  readonly family: string;
}

/**
 * Selects one page from matches in any order, in one pass and without sorting all of them: a heap of the nearest,
 * with the farthest on top.
 */
export class TopPage {
  /** Matches offered. */
  total = 0;
  private behind = 0;
  private readonly heap: Ranked[] = [];
  private readonly approach: Approach;
  private readonly sign: 1 | -1;
  private readonly limit: number;

  /** `tie` decides between equal keys. */
  constructor(
    request: PageRequest,
    private readonly tie: (entry: Entry) => string,
  ) {
    this.approach = approach(request);
    this.sign = this.approach.ascending ? 1 : -1;
    this.limit = request.page_size;
  }

  /** Whether matches are best offered in descending order, so that most are rejected at once. */
  get descending(): boolean {
    return !this.approach.ascending;
  }

  offer(key: Key, entry: Entry, family: string): void {
    this.total += 1;
    const { heap } = this;
    const { from } = this.approach;
    if (from !== undefined) {
      const order = compareKeys(key, from.key) || compareIds(this.tie(entry), from.id);
      if (this.sign * order <= 0) {
        this.behind += 1;
        return;
      }
    }
    if (heap.length < this.limit) {
      heap.push({ key, entry, family });
      this.rise();
    } else if (this.isNearer(key, entry, heap[0]!)) {
      heap[0] = { key, entry, family };
      this.sink();
    }
  }

  page(): TakenPage<Ranked> {
    const nearest = this.heap.toSorted((left, right) =>
      this.isNearer(left.key, left.entry, right) ? -1 : 1,
    );
    const ahead = this.total - this.behind > this.limit;
    return takenPage(this.approach, nearest, { ahead, behind: this.behind > 0 }, (ranked) => ({
      key: ranked.key,
      id: this.tie(ranked.entry),
    }));
  }

  private isNearer(key: Key, entry: Entry, than: Ranked): boolean {
    const order = compareKeys(key, than.key) || compareIds(this.tie(entry), this.tie(than.entry));
    return this.sign * order < 0;
  }

  private rise(): void {
    let at = this.heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.swapIfFarther(at, parent)) return;
      at = parent;
    }
  }

  private sink(): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= heap.length) return;
      const one = heap[left]!;
      const other = heap[right];
      const child = other !== undefined && this.isNearer(one.key, one.entry, other) ? right : left;
      if (!this.swapIfFarther(child, at)) return;
      at = child;
    }
  }

  private swapIfFarther(child: number, parent: number): boolean {
    const { heap } = this;
    const upper = heap[parent]!;
    const lower = heap[child]!;
    if (!this.isNearer(upper.key, upper.entry, lower)) return false;
    heap[parent] = lower;
    heap[child] = upper;
    return true;
  }
}
