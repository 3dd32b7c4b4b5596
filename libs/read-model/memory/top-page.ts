import { compareIds, compareKeys } from '../order.js';
import type { PageRequest, Position } from '../port.js';
import type { Entry } from './entry.js';
import { type Approach, type TakenPage, approach, takenPage } from '../page.js';

type Key = string | number;

export interface Ranked {
  readonly key: Key;
  readonly entry: Entry;
  readonly family: string;
}

/**
 * Selects one page from matches in any order, in one pass and without sorting all of them: up to two pages are kept,
 * and then only the nearest page of them.
 */
export class TopPage {
  /** Matches offered. */
  total = 0;
  private behind = 0;
  private readonly kept: Ranked[] = [];
  /** The last match of a full page: only nearer ones are kept. */
  private farthest: Ranked | null = null;
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
    const { from } = this.approach;
    if (from !== undefined) {
      const order = compareKeys(key, from.key) || compareIds(this.tie(entry), from.id);
      if (this.sign * order <= 0) {
        this.behind += 1;
        return;
      }
    }
    if (this.farthest !== null && this.compare(key, entry, this.farthest) >= 0) return;
    this.kept.push({ key, entry, family });
    if (this.kept.length >= 2 * this.limit) this.trim();
  }

  /**
   * Counts matches with numbers from `low` to `high` as keys without looking at them, if none of them is on the page.
   * False: offer them.
   */
  skip(matches: number, low: number, high: number): boolean {
    const { from } = this.approach;
    const { farthest, sign } = this;
    const [nearest, last] = sign > 0 ? [low, high] : [high, low];
    const is_behind = from !== undefined && sign * (last - Number(from.key)) < 0;
    const is_beyond = farthest !== null && sign * (nearest - Number(farthest.key)) > 0;
    if (!is_behind && !is_beyond) return false;
    this.total += matches;
    if (is_behind) this.behind += matches;
    return true;
  }

  page(): TakenPage<Ranked> {
    this.trim();
    const more = { ahead: this.total - this.behind > this.limit, behind: this.behind > 0 };
    return takenPage(this.approach, this.kept, more, (ranked) => this.positionOf(ranked));
  }

  positionOf({ key, entry }: Ranked): Position {
    return { key, id: this.tie(entry) };
  }

  /** Negative if a match is nearer than another one. */
  private compare(key: Key, entry: Entry, other: Ranked): number {
    const order = compareKeys(key, other.key) || compareIds(this.tie(entry), this.tie(other.entry));
    return this.sign * order;
  }

  /** Keeps the nearest page, in order. */
  private trim(): void {
    const { kept, limit } = this;
    kept.sort((one, other) => this.compare(one.key, one.entry, other));
    if (kept.length < limit) return;
    kept.length = limit;
    this.farthest = kept[limit - 1]!;
  }
}
