import type { Clause } from '../port.js';
import type { Counted } from '../totals.js';
import type { Block } from './block.js';
import type { Entry } from './entry.js';
import type { Chooser } from './entry-order.js';
import { Needle } from './block-text.js';
import type { FamilyIndex } from './family-index.js';
import type { Predicate } from './field-index.js';
import type { Marks } from './marks.js';

export interface Wanted extends Counted {
  /** The text that is searched. */
  readonly kind: 'filter' | 'search';
}

/** Clauses of which one must match, so that only their entries are candidates. */
interface Narrowing {
  readonly clauses: readonly Clause[];
  /** An upper bound of the candidates, unless there are too many to count. */
  readonly estimate: number;
}

/** The entries of one family that match a query, selected block by block or among a few candidates. */
export class Selection implements Chooser {
  private known_found: Uint32Array | null = null;
  private readonly where: readonly Predicate[];
  private readonly or: Predicate | null;
  private known_hits: Uint32Array | null = null;
  private known_marks: Marks | null = null;
  private known_or_marks: Marks | null = null;
  private known_narrowest: Narrowing | null = null;
  private readonly needle: Needle;

  constructor(
    private readonly index: FamilyIndex,
    private readonly wanted: Wanted,
  ) {
    const { text, or, where } = wanted;
    this.needle = new Needle(text);
    this.where = where.map((clause) => index.fields.anyOf([clause]));
    this.or = or.length > 0 && text !== '' ? index.fields.anyOf(or) : null;
  }

  get found(): Uint32Array {
    return (this.known_found ??= new Uint32Array(this.index.order.capacity));
  }

  /** Indexes of a block's entries whose text matches. */
  private get hits(): Uint32Array {
    return (this.known_hits ??= new Uint32Array(this.index.order.capacity));
  }

  /** True if every entry is selected. */
  get is_everything(): boolean {
    const { text, where, visible } = this.wanted;
    return text === '' && where.length === 0 && visible === 'all';
  }

  /** Number of selected entries, if known without counting. */
  knownTotal(): number | undefined {
    const { text, where, visible } = this.wanted;
    if (text !== '' || where.length > 0) return undefined;
    if (visible === 'all') return this.index.order.size;
    return (this.known_marks ?? this.index.keptVisibilityMarks(visible))?.count;
  }

  /** Chooses the selected entries of a block; see Chooser. */
  choose(block: Block): number {
    const { found, where } = this;
    const { visible } = this.wanted;
    const { entries } = block;
    let chosen = this.chooseByText(block);
    if (visible !== 'all' && chosen > 0) {
      const { bytes } = this.marks(visible);
      const { slots } = block;
      let kept = 0;
      for (let next = 0; next < chosen; next += 1) {
        const at = found[next]!;
        if (bytes[slots[at]!] === 1) found[kept++] = at;
      }
      chosen = kept;
    }
    for (const holds of where) {
      let kept = 0;
      for (let next = 0; next < chosen; next += 1) {
        const at = found[next]!;
        if (holds(entries[at]!)) found[kept++] = at;
      }
      chosen = kept;
    }
    return chosen;
  }

  /** Number of selected entries, counted over all blocks. */
  count(): number {
    const { visible } = this.wanted;
    if (visible !== 'all') this.marks(visible);
    return (
      this.knownTotal() ??
      this.index.order.blocks.reduce((sum, block) => sum + this.choose(block), 0)
    );
  }

  /** Cost of gathering the candidates, in entries of a scan through all blocks; exact only up to that of a scan. */
  candidatesCost(): number {
    return this.narrowest().estimate * this.candidate_cost;
  }

  /**
   * The selected entries among the candidates of the most selective clauses, in any order. Only if there are clauses.
   */
  candidates(): Entry[] {
    const { visible } = this.wanted;
    const visible_holds = visible === 'all' ? null : this.index.fields.anyOf(visible);
    const found = new Set<Entry>();
    for (const clause of this.narrowest().clauses)
      this.index.fields.visit(clause, (entry) => found.add(entry));
    return Array.from(found).filter(
      (entry) =>
        (visible_holds === null || visible_holds(entry)) &&
        this.where.every((holds) => holds(entry)) &&
        this.meetsText(entry),
    );
  }

  private get candidate_cost(): number {
    const { candidate_cost, candidate_text_cost } = this.index.tuning;
    return this.wanted.text === '' ? candidate_cost : candidate_text_cost;
  }

  private chooseByText(block: Block): number {
    const { found, or } = this;
    const { entries } = block;
    const { text } = this.wanted;
    if (text === '') {
      for (let at = 0; at < entries.length; at += 1) found[at] = at;
      return entries.length;
    }
    if (or === null) return this.textOf(block).hits(this.needle, found);
    const { hits } = this;
    const hit_count = this.textOf(block).hits(this.needle, hits);
    // Marked once for all blocks: testing each entry by its fields took longer than searching the texts.
    const { bytes } = (this.known_or_marks ??= this.index.clauseMarks(this.wanted.or));
    const { slots } = block;
    let next = 0;
    let chosen = 0;
    for (let at = 0; at < slots.length; at += 1) {
      const is_hit = next < hit_count && hits[next] === at;
      if (is_hit) next += 1;
      if (is_hit || bytes[slots[at]!] === 1) found[chosen++] = at;
    }
    return chosen;
  }

  private meetsText(entry: Entry): boolean {
    return this.wanted.text === '' || this.or?.(entry) === true || this.holdsText(entry);
  }

  private holdsText(entry: Entry): boolean {
    const { block, at } = this.index.order.spot(entry);
    return this.textOf(block).contains(at, this.wanted.text);
  }

  private textOf(block: Block) {
    if (this.wanted.kind === 'filter') return this.index.filterOf(block);
    return this.index.searchOf(block).text;
  }

  private marks(visible: readonly Clause[]): Marks {
    this.known_marks ??= this.index.visibilityMarks(visible);
    return this.known_marks;
  }

  private narrowest(): Narrowing {
    this.known_narrowest ??= this.narrowings().reduce(
      (best, next) => (next.estimate < best.estimate ? next : best),
      { clauses: [], estimate: Infinity },
    );
    return this.known_narrowest;
  }

  private narrowings(): Narrowing[] {
    const { where, visible } = this.wanted;
    const { fields, order } = this.index;
    // Beyond this number the candidates cost more than a scan.
    const most = order.size / this.candidate_cost;
    const narrowings = where.map((clause) => ({
      clauses: [clause],
      estimate: fields.estimate(clause, most),
    }));
    if (visible === 'all') return narrowings;
    const estimate = this.index.estimateVisible(visible, most);
    return [...narrowings, { clauses: visible, estimate }];
  }
}
