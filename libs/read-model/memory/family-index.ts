import type { Clause, Document, FamilySchema } from '../port.js';
import type { Bits } from './bits.js';
import { EntryOrder } from './entry-order.js';
import { type Entry, comparePlaces, entryOf, isAlike } from './entry.js';
import { FamilyTexts } from './family-texts.js';
import { FieldIndex } from './field-index.js';
import { KeptMarks, marked } from './marks.js';
import { TEXT_TUNING } from './text-index.js';

/** Thresholds between algorithms. They affect cost, never answers. */
export const DEFAULT_TUNING = {
  ...TEXT_TUNING,
  /** Maximum entries of a block, at least 2: few enough that an insertion moves little. */
  block_records: 1024,
  /** Slots of a zone, a multiple of 32: zones that lie beyond the page are counted, not searched. */
  zone_slots: 1024,
  /** Cost of looking up, testing and ranking a candidate, in entries whose bits are set and counted. */
  candidate_cost: 128,
};

export type Tuning = Readonly<typeof DEFAULT_TUNING>;

/** Index over the documents of one family; it stores no document, but reads it by id. */
export class FamilyIndex {
  readonly order: EntryOrder;
  readonly fields: FieldIndex;
  private readonly entries = new Map<string, Entry>();
  private readonly by_slot: (Entry | undefined)[] = [];
  private readonly marks: KeptMarks;
  private readonly free_slots: number[] = [];
  private known_texts: FamilyTexts | null = null;
  /** Texts that are being read: they follow the entries like the others. */
  private read_texts: FamilyTexts | null = null;

  constructor(
    private readonly schema: FamilySchema,
    private readonly find: (id: string) => Document | undefined,
    readonly tuning: Tuning,
  ) {
    this.order = new EntryOrder(tuning.block_records);
    this.fields = new FieldIndex(schema, this.entries);
    this.marks = new KeptMarks(this.fields);
  }

  get slots(): number {
    return this.by_slot.length;
  }

  get has_texts(): boolean {
    return this.known_texts !== null;
  }

  /** The texts of all records; read on first use. */
  get texts(): FamilyTexts {
    if (this.known_texts === null) for (const _ of this.readTexts());
    return this.known_texts!;
  }

  /** Reads the texts of all records; yields after each of them. Entries may be updated meanwhile. */
  *readTexts(): Generator<void> {
    const texts = new FamilyTexts(this.schema, this.tuning);
    this.read_texts = texts;
    // Entries that are added meanwhile come last, with their texts.
    for (const entry of this.entries.values().take(this.entries.size)) {
      const document = this.find(entry.id);
      // The entry of a record that has just been removed is removed later.
      if (document !== undefined) texts.put(entry, document);
      yield;
    }
    this.read_texts = null;
    this.known_texts = texts;
  }

  /**
   * Adds all documents to an empty index, with their texts if a query will need them; yields after each of them. Those
   * that change meanwhile must be put or removed afterwards.
   */
  *takeAll(documents: Iterable<Document>, with_texts: boolean): Generator<void> {
    const texts = with_texts ? new FamilyTexts(this.schema, this.tuning) : null;
    for (const document of documents) {
      // A record that was removed and restored meanwhile comes again.
      if (!this.entries.has(document.id)) {
        const entry = entryOf(this.schema, document, this.slots);
        this.by_slot.push(entry);
        this.entries.set(entry.id, entry);
        this.fields.add(entry);
        this.order.take(entry);
        texts?.put(entry, document);
      }
      yield;
    }
    this.order.end();
    this.known_texts = texts;
  }

  /** Adds or updates a document. */
  put(document: Document): void {
    const old = this.entries.get(document.id);
    const entry = entryOf(this.schema, document, old?.slot ?? this.free_slots.pop() ?? this.slots);
    const texts = this.known_texts ?? this.read_texts;
    if (old !== undefined && isAlike(old, entry)) {
      texts?.put(old, document);
      return;
    }
    if (old !== undefined) this.fields.remove(old);
    if (old !== undefined && comparePlaces(old, entry) === 0) {
      this.order.replace(entry);
    } else {
      if (old !== undefined) this.order.remove(old);
      this.order.insert(entry);
    }
    this.by_slot[entry.slot] = entry;
    this.entries.set(entry.id, entry);
    this.fields.add(entry);
    this.marks.put(entry);
    texts?.put(entry, document);
  }

  /** Removes a document, if it exists. */
  remove(id: string): void {
    const old = this.entries.get(id);
    if (old === undefined) return;
    this.fields.remove(old);
    this.order.remove(old);
    this.entries.delete(id);
    this.by_slot[old.slot] = undefined;
    this.marks.remove(old);
    (this.known_texts ?? this.read_texts)?.remove(old);
    this.free_slots.push(old.slot);
  }

  /** The entry of a slot that is in use. */
  at(slot: number): Entry {
    return this.by_slot[slot]!;
  }

  /** The slots of the visible entries and their number; in step with the records. Identified by reference. */
  visible(visible: readonly Clause[]): { readonly bits: Bits; readonly count: number } {
    const { slots, count } = this.marks.of(visible, this.slots);
    return { bits: slots.bits, count };
  }

  /** The slots of the entries that match at least one clause; not cached. */
  marked(clauses: readonly Clause[]): Bits {
    return marked(clauses, this.fields, this.slots);
  }

  /** An upper bound of the visible entries; counting stops beyond `most`. */
  estimateVisible(visible: readonly Clause[], most: number): number {
    const marks = this.marks.find(visible);
    if (marks !== undefined) return marks.count;
    return visible.reduce((sum, clause) => sum + this.fields.estimate(clause, most), 0);
  }
}
