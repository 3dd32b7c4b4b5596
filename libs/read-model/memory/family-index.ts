import { foldCase, textSortKey } from '../order.js';
import type { Clause, Document, FamilySchema } from '../port.js';
import { Totals } from '../totals.js';
import type { BlockText } from './block-text.js';
import type { Block, BlockSearch, SearchFacts } from './block.js';
import { EntryOrder } from './entry-order.js';
import { type Entry, comparePlaces, entryOf } from './entry.js';
import { FieldIndex } from './field-index.js';
import { KeptMarks, Marks } from './marks.js';

/** Thresholds between algorithms. They affect cost, never answers. */
export const DEFAULT_TUNING = {
  /**
   * Maximum records of a block, at least 2: large enough that few blocks are searched, small enough to join again.
   */
  block_records: 1024,
  /** Minimum records of a block whose grams are kept (see block-text.ts). */
  gram_records: 512,
  /** Documents indexed, or texts joined in whole blocks, before yielding to the event loop. */
  documents_per_turn: 128,
  /** Cost of looking up, testing and ranking a candidate, in entries of a scan through all blocks. */
  candidate_cost: 16,
  /** The same if the candidate's own text must be found and searched. */
  candidate_text_cost: 64,
};

export type Tuning = Readonly<typeof DEFAULT_TUNING>;

/** Few, since every change of the family clears them. */
const KEPT_TOTALS = 64;

/** Index over the documents of one family; it stores no document, but reads it by id. */
export class FamilyIndex {
  readonly order: EntryOrder;
  readonly fields: FieldIndex;
  /** Totals counted since the last change. */
  readonly totals = new Totals(KEPT_TOTALS);
  private readonly entries = new Map<string, Entry>();
  private readonly marks: KeptMarks;
  private readonly free_slots: number[] = [];
  private slots = 0;

  /** `document` throws if there is none. */
  constructor(
    private readonly schema: FamilySchema,
    private readonly document: (id: string) => Document,
    readonly tuning: Tuning,
  ) {
    this.order = new EntryOrder(tuning.block_records);
    this.fields = new FieldIndex(schema, this.entries);
    this.marks = new KeptMarks(this.fields);
  }

  /** Adds all documents of an empty family; yields after each of them. */
  *takeAll(documents: Iterable<Document>): Generator<void> {
    for (const document of documents) {
      const entry = entryOf(this.schema, document, this.slots++);
      this.entries.set(entry.id, entry);
      this.fields.add(entry);
      this.order.take(entry);
      yield;
    }
    this.order.end();
  }

  /** Adds or updates a document. */
  put(document: Document): void {
    const old = this.entries.get(document.id);
    const entry = entryOf(this.schema, document, old?.slot ?? this.freeSlot());
    if (old !== undefined) this.fields.remove(old);
    if (old !== undefined && comparePlaces(old, entry) === 0) {
      this.order.replace(entry);
    } else {
      if (old !== undefined) this.order.remove(old);
      this.order.insert(entry);
    }
    this.entries.set(entry.id, entry);
    this.fields.add(entry);
    this.marks.put(entry);
    this.totals.clear();
  }

  /** Removes a document, if it exists. */
  remove(id: string): void {
    const old = this.entries.get(id);
    if (old === undefined) return;
    this.fields.remove(old);
    this.order.remove(old);
    this.entries.delete(id);
    this.marks.remove(old);
    this.free_slots.push(old.slot);
    this.totals.clear();
  }

  /** The filter texts of a block, up to date. */
  filterOf({ entries, filter }: Block): BlockText {
    filter.refresh(
      (at) => foldCase(this.schema.filter_text(this.record(entries[at]!))),
      this.tuning.gram_records,
    );
    return filter;
  }

  /** The searched texts of a block and their columns, up to date. */
  searchOf({ entries, search }: Block): BlockSearch {
    search.refresh((at) => this.searchFacts(entries[at]!), this.tuning.gram_records);
    return search;
  }

  /** Marks of the visible entries, computed if not cached. The array is identified by reference. */
  visibilityMarks(visible: readonly Clause[]): Marks {
    return this.marks.of(visible, this.slots);
  }

  /** Marks of one query's clauses; not cached. */
  clauseMarks(clauses: readonly Clause[]): Marks {
    return new Marks(clauses, this.fields, this.slots);
  }

  keptVisibilityMarks(visible: readonly Clause[]): Marks | undefined {
    return this.marks.find(visible);
  }

  /** An upper bound of the visible entries; counting stops beyond `most`. */
  estimateVisible(visible: readonly Clause[], most: number): number {
    const marks = this.marks.find(visible);
    if (marks !== undefined) return marks.count;
    return visible.reduce((sum, clause) => sum + this.fields.estimate(clause, most), 0);
  }

  private freeSlot(): number {
    return this.free_slots.pop() ?? this.slots++;
  }

  private record(entry: Entry): object {
    return this.document(entry.id).record;
  }

  private searchFacts(entry: Entry): SearchFacts {
    const { search } = this.schema;
    const { created_at } = entry;
    const record = this.record(entry);
    if (search === undefined || search.includes?.(record) === false) {
      // Without text: searches never match an empty text.
      return { text: '', title: '', title_key: '', created_at, updated_at: 0 };
    }
    const title = foldCase(search.title(record));
    const key = textSortKey(title);
    return {
      text: foldCase(search.text(record)),
      title,
      // Reuses the string: most titles are their own key.
      title_key: key === title ? title : key,
      created_at,
      updated_at: search.updated_at(record),
    };
  }
}
