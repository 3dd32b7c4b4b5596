import type { Clause, Visibility } from '../port.js';
import type { Entry } from './entry.js';
import type { Block } from './entry-order.js';
import type { FamilyIndex } from './family-index.js';
import type { Predicate } from './field-index.js';

/** Which of the joined texts is looked into. */
export type TextKind = 'filter_text' | 'search_text';

export interface Wanted {
  readonly kind: TextKind;
  /** Case-folded; empty: any. */
  readonly text: string;
  /** An entry without the text will do if one of these holds. */
  readonly or: readonly Clause[];
  /** All must hold. */
  readonly where: readonly Clause[];
  readonly visible: Visibility;
}

/** A group of clauses of which one must hold, so that its entries are all that come into question. */
interface Narrowing {
  readonly clauses: readonly Clause[];
  /** No fewer than its entries. */
  readonly estimate: number;
}

/** The entries of one family that a query means, found block by block or among a few candidates. */
export class Selection {
  readonly everything: boolean;
  private readonly holds: Predicate | null;
  private readonly or: Predicate | null;
  private readonly text: string;
  private readonly kind: TextKind;
  private readonly groups: readonly (readonly Clause[])[];
  private narrowest_group: Narrowing | null | undefined;

  constructor(
    private readonly index: FamilyIndex,
    { kind, text, or, where, visible }: Wanted,
  ) {
    this.kind = kind;
    this.text = text;
    this.or = or.length > 0 && text !== '' ? this.anyOf(or) : null;
    this.groups = [...where.map((clause) => [clause]), ...(visible === 'all' ? [] : [visible])];
    const predicates = this.groups.map((clauses) => this.anyOf(clauses));
    this.holds = predicates.length > 0 ? allOf(predicates) : null;
    this.everything = this.holds === null && text === '';
  }

  /** The selected entries of a block, ascending. */
  inBlock(block: Block): readonly Entry[] {
    const { holds } = this;
    const entries = this.text === '' ? block.entries : this.withText(block);
    return holds === null ? entries : entries.filter(holds);
  }

  /** At least as many entries as are selected. */
  estimate(): number {
    return this.narrowest()?.estimate ?? this.index.order.size;
  }

  /** The selected entries by way of the narrowest group of clauses, in any order. */
  candidates(): Entry[] {
    const narrowest = this.narrowest();
    if (narrowest === null) return this.scan();
    const found = new Set<Entry>();
    for (const clause of narrowest.clauses) this.index.fields.collect(clause, found);
    return Array.from(found).filter((entry) => this.selects(entry));
  }

  /** The selected entries by way of all blocks, ascending. */
  scan(): Entry[] {
    const found: Entry[] = [];
    for (const block of this.index.order.blocks) {
      for (const entry of this.inBlock(block)) found.push(entry);
    }
    return found;
  }

  private selects(entry: Entry): boolean {
    if (this.holds?.(entry) === false) return false;
    return this.text === '' || this.or?.(entry) === true || this.hasText(entry);
  }

  private hasText(entry: Entry): boolean {
    if (this.kind === 'search_text' && entry.search === null) return false;
    const { block, at } = this.index.order.spot(entry);
    return this.index.textOf(block, this.kind).contains(at, this.text);
  }

  private withText(block: Block): readonly Entry[] {
    const hits = this.index.textOf(block, this.kind).hits(this.text);
    const { or } = this;
    if (or === null) return hits.map((at) => block.entries[at]!);
    const hit = new Set(hits);
    return block.entries.filter((entry, at) => hit.has(at) || or(entry));
  }

  private narrowest(): Narrowing | null {
    this.narrowest_group ??= this.groups
      .map((clauses) => ({ clauses, estimate: this.estimateOf(clauses) }))
      .reduce<Narrowing | null>(
        (best, group) => (best === null || group.estimate < best.estimate ? group : best),
        null,
      );
    return this.narrowest_group;
  }

  private estimateOf(clauses: readonly Clause[]): number {
    return clauses.reduce((sum, clause) => sum + this.index.fields.estimate(clause), 0);
  }

  private anyOf(clauses: readonly Clause[]): Predicate {
    const predicates = clauses.map((clause) => this.index.fields.predicate(clause));
    const [only] = predicates;
    if (only !== undefined && predicates.length === 1) return only;
    return (entry) => predicates.some((holds) => holds(entry));
  }
}

function allOf(predicates: readonly Predicate[]): Predicate {
  const [only] = predicates;
  if (only !== undefined && predicates.length === 1) return only;
  return (entry) => predicates.every((holds) => holds(entry));
}
