import { foldCase } from '../order.js';
import type { Document, FamilySchema } from '../port.js';
import { SlotSet } from './bits.js';
import type { Entry } from './entry.js';
import { TextIndex, type TextTuning } from './text-index.js';
import { TimeColumn } from './time-column.js';

/** The texts of a family's records by which filters and searches find them, and the columns that order found records. */
export class FamilyTexts {
  readonly index: TextIndex;
  /** By slot, case-folded. Only for families that search covers. */
  readonly titles: string[] = [];
  readonly created_at: TimeColumn;
  readonly updated_at: TimeColumn;
  /** Slots whose search text is not empty. */
  readonly searched = new SlotSet();

  constructor(
    private readonly schema: FamilySchema,
    tuning: TextTuning & { readonly zone_slots: number },
  ) {
    this.index = new TextIndex(tuning);
    this.created_at = new TimeColumn(tuning.zone_slots);
    this.updated_at = new TimeColumn(tuning.zone_slots);
  }

  put({ slot, created_at }: Entry, { record }: Document): void {
    const { schema, titles } = this;
    const { search } = schema;
    const filter_text = foldCase(schema.filter_text(record));
    if (search === undefined) {
      this.index.put(slot, filter_text, '');
      return;
    }
    const is_included = search.includes?.(record) !== false;
    const search_text = is_included ? foldCase(search.text(record)) : '';
    this.index.put(slot, filter_text, search_text);
    this.searched.set(slot, search_text !== '');
    while (titles.length < slot) titles.push('');
    titles[slot] = foldCase(search.title(record));
    this.created_at.set(slot, created_at);
    this.updated_at.set(slot, search.updated_at(record));
  }

  remove({ slot }: Entry): void {
    this.index.remove(slot);
    this.searched.set(slot, false);
  }
}
