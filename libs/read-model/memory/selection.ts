import type { Clause } from '../port.js';
import type { Counted } from '../totals.js';
import { addAll, type Bits, countBits, keepCommon } from './bits.js';
import type { Entry } from './entry.js';
import type { FamilyIndex } from './family-index.js';
import type { Predicate } from './field-index.js';
import type { Needle, TextKind } from './text-index.js';

export interface Wanted extends Counted {
  /** The text that is searched. */
  readonly kind: TextKind;
}

/** Clauses of which one must match, so that only their entries are candidates. */
interface Narrowing {
  readonly clauses: readonly Clause[];
  /** An upper bound of the candidates, unless there are too many to count. */
  readonly estimate: number;
}

/** Selected slots, and their number. */
export interface Selected {
  /** Do not change them. */
  readonly bits: Bits;
  readonly count: number;
}

/** The entries of one family that match a query: a few candidates, or the bits of all slots. */
export class Selection {
  private readonly needle: Needle;

  constructor(
    private readonly index: FamilyIndex,
    private readonly wanted: Wanted,
  ) {
    this.needle = { kind: wanted.kind, text: wanted.text };
  }

  /** True if every entry is selected. */
  get is_everything(): boolean {
    const { text, where, visible, kind } = this.wanted;
    return text === '' && where.length === 0 && visible === 'all' && kind === 'filter';
  }

  /**
   * The selected entries, in any order, found among the candidates of the most selective clauses. Null if bits are
   * cheaper.
   */
  candidates(): Entry[] | null {
    const { fields, order, tuning } = this.index;
    const { clauses, estimate } = this.narrowest();
    if (estimate * tuning.candidate_cost >= order.size) return null;
    const { visible, where, text } = this.wanted;
    const predicates: Predicate[] = where.map((clause) => fields.anyOf([clause]));
    if (visible !== 'all') predicates.push(fields.anyOf(visible));
    if (text !== '') predicates.push(this.textPredicate());
    if (this.wanted.kind === 'search') {
      const { searched } = this.index.texts;
      predicates.push(({ slot }) => searched.has(slot));
    }
    const found = new Set<number>();
    for (const clause of clauses) fields.visit(clause, (slot) => found.add(slot));
    return Array.from(found, (slot) => this.index.at(slot)).filter((entry) =>
      predicates.every((holds) => holds(entry)),
    );
  }

  /** The slots of the selected entries. */
  selected(): Selected {
    const { index } = this;
    const { text, where, visible, kind } = this.wanted;
    const seen = visible === 'all' ? null : index.visible(visible);
    let bits: Bits | null = text === '' ? null : this.meetingText();
    for (const clause of where) bits = common(bits, index.marked([clause]));
    if (kind === 'search') bits = common(bits, index.texts.searched.bits);
    if (bits === null) return seen ?? { bits: new Int32Array(0), count: 0 };
    if (seen !== null) keepCommon(bits, seen.bits);
    return { bits, count: countBits(bits) };
  }

  private textPredicate(): Predicate {
    const { needle } = this;
    const { index: texts } = this.index.texts;
    const contains: Predicate = ({ slot }) => texts.contains(slot, needle);
    const { or } = this.wanted;
    if (or.length === 0) return contains;
    const isAny = this.index.fields.anyOf(or);
    return (entry) => isAny(entry) || contains(entry);
  }

  private meetingText(): Bits {
    const { or } = this.wanted;
    const found = this.index.texts.index.find(this.needle);
    if (or.length === 0) return found;
    const bits = this.index.marked(or);
    addAll(bits, found.subarray(0, bits.length));
    return bits;
  }

  private narrowest(): Narrowing {
    return this.narrowings().reduce((best, next) => (next.estimate < best.estimate ? next : best), {
      clauses: [],
      estimate: Infinity,
    });
  }

  private narrowings(): Narrowing[] {
    const { where, visible } = this.wanted;
    const { fields, order, tuning } = this.index;
    // Beyond this number bits are cheaper.
    const most = order.size / tuning.candidate_cost;
    const narrowings = where.map((clause) => ({
      clauses: [clause],
      estimate: fields.estimate(clause, most),
    }));
    if (visible === 'all') return narrowings;
    const estimate = this.index.estimateVisible(visible, most);
    return [...narrowings, { clauses: visible, estimate }];
  }
}

/** The slots in both, in the first array; a copy of the second one if there is no first. */
function common(bits: Bits | null, others: Bits): Bits {
  if (bits === null) return others.slice();
  keepCommon(bits, others);
  return bits;
}
