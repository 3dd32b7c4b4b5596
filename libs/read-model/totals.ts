import type { Clause, Visibility } from './port.js';

/** The parameters that determine a total. */
export interface Counted {
  /** Case-folded; empty: any. */
  readonly text: string;
  /** Alternative to the text: one of these must match. */
  readonly or: readonly Clause[];
  /** All must match. */
  readonly where: readonly Clause[];
  readonly visible: Visibility;
}

/** Sets up to this size are compared by value, larger ones by reference. */
const COMPARED_BY_VALUE = 16;

let sets_seen = 0;
const set_numbers = new WeakMap<ReadonlySet<string>, number>();

/** Cache of recent totals, least recently used evicted first. */
export class Totals {
  private readonly counted = new Map<string, number>();

  /** @param most maximum size */
  constructor(private readonly most: number) {}

  get(key: string): number | undefined {
    const total = this.counted.get(key);
    if (total === undefined) return undefined;
    this.counted.delete(key);
    this.counted.set(key, total);
    return total;
  }

  set(key: string, total: number): void {
    this.counted.delete(key);
    if (this.counted.size >= this.most) this.counted.delete(this.counted.keys().next().value!);
    this.counted.set(key, total);
  }
}

/** Cache key of a total. Equal keys mean equal totals as long as the sets of the clauses do not change. */
export function totalsKey({ text, or, where, visible }: Counted): string {
  const seen = visible === 'all' ? visible : visible.map(clauseKey);
  return JSON.stringify([text, or.map(clauseKey), where.map(clauseKey), seen]);
}

function clauseKey({ field, among }: Clause): unknown {
  return [field, among.size > COMPARED_BY_VALUE ? numberOf(among) : [...among].toSorted()];
}

function numberOf(set: ReadonlySet<string>): number {
  const known = set_numbers.get(set);
  if (known !== undefined) return known;
  sets_seen += 1;
  set_numbers.set(set, sets_seen);
  return sets_seen;
}
