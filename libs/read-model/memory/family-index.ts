import { foldCase } from '../order.js';
import type { Document, FamilySchema } from '../port.js';
import type { BlockText } from './block-text.js';
import { type Entry, comparePlaces, entryOf } from './entry.js';
import { type Block, EntryOrder } from './entry-order.js';
import { FieldIndex } from './field-index.js';
import type { TextKind } from './selection.js';
import { Totals } from './totals.js';

/** Index over the documents of one family; it holds no document, it asks for it by id. */
export class FamilyIndex {
  readonly order: EntryOrder;
  readonly fields: FieldIndex;
  /** Totals counted since the last change. */
  readonly totals = new Totals();
  private readonly entries = new Map<string, Entry>();

  /** `document` throws if there is none; `block_records` see EntryOrder. */
  constructor(
    private readonly schema: FamilySchema,
    private readonly document: (id: string) => Document,
    block_records: number,
  ) {
    this.order = new EntryOrder(block_records);
    this.fields = new FieldIndex(schema, this.entries);
  }

  /** A document is new or has changed. */
  put(document: Document): void {
    const entry = entryOf(this.schema, document);
    const old = this.entries.get(document.id);
    if (old !== undefined) this.fields.remove(old);
    if (old !== undefined && comparePlaces(old, entry) === 0) {
      this.order.replace(entry);
    } else {
      if (old !== undefined) this.order.remove(old);
      this.order.insert(entry);
    }
    this.entries.set(entry.id, entry);
    this.fields.add(entry);
    this.totals.clear();
  }

  /** A document is gone, if it was ever there. */
  remove(id: string): void {
    const old = this.entries.get(id);
    if (old === undefined) return;
    this.fields.remove(old);
    this.order.remove(old);
    this.entries.delete(id);
    this.totals.clear();
  }

  /** A joined text of a block, up to date. */
  textOf(block: Block, kind: TextKind): BlockText {
    const text = block[kind];
    text.refresh((at) => this.read(block.entries[at]!, kind));
    return text;
  }

  private read(entry: Entry, kind: TextKind): string {
    if (kind === 'filter_text') {
      return foldCase(this.schema.filter_text(this.document(entry.id).record));
    }
    // Left out of search: an empty text, which no search finds.
    if (entry.search === null) return '';
    return foldCase(this.schema.search!.text(this.document(entry.id).record));
  }
}
