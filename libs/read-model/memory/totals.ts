import type { Clause } from '../port.js';
import type { Wanted } from './selection.js';

/** Totals of the queries last asked; small, since it is emptied by every change of the family. */
const KEPT_TOTALS = 64;

/** Sets up to this size are told apart by their values, larger ones by their identity. */
const COMPARED_BY_VALUE = 16;

let sets_seen = 0;
const set_numbers = new WeakMap<ReadonlySet<string>, number>();

/** The last counted totals of one family at one revision, the least recently used leaves first. */
export class Totals {
  private readonly counted = new Map<string, number>();

  get(key: string): number | undefined {
    const total = this.counted.get(key);
    if (total === undefined) return undefined;
    this.counted.delete(key);
    this.counted.set(key, total);
    return total;
  }

  set(key: string, total: number): void {
    if (this.counted.size >= KEPT_TOTALS) this.counted.delete(this.counted.keys().next().value!);
    this.counted.set(key, total);
  }

  clear(): void {
    if (this.counted.size > 0) this.counted.clear();
  }
}

/** Names what is counted. Equal keys mean equal totals as long as the sets of the clauses stay as they are. */
export function totalsKey({ text, or, where, visible }: Wanted): string {
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
