import { type Bits, hasMoreBits, SlotSet, wordsFor } from './bits.js';
import {
  beginning,
  GRAM,
  gramsBeginning,
  hasOwnCodes,
  IN_BOTH_TEXTS,
  IN_FILTER_TEXT,
  IN_SEARCH_TEXT,
  visitGrams,
  wholeGrams,
} from './grams.js';
import { Postings } from './postings.js';

/** The text that is looked into: that of list filters, or that of searches. */
export type TextKind = 'filter' | 'search';

/** A text to look for: not empty, case-folded. */
export interface Needle {
  readonly kind: TextKind;
  readonly text: string;
}

/** Most grams of a needle that are looked up in a shelf. */
const MOST_GRAMS = 12;
/** So many texts of a shelf are compared rather than further grams looked up. */
const FEW = 16;
/** The bits of a gram in an index that tell where it occurs. */
const PLACE = ~((1 << 24) - 1);

export const TEXT_TUNING = {
  /** Slots of a shelf: a power of two from 32 to 65,536. Few, so that a shelf is indexed anew in little time. */
  shelf_slots: 16_384,
  /** Up to this many texts of a shelf are compared one by one, without an index of grams. */
  unindexed_slots: 1024,
  /**
   * Up to this many changed texts of all shelves are compared as well, and then indexed together: each gram is found in
   * the processor's cache again, while a shelf that changes once among those of many drives is not there at all.
   */
  unindexed_changes: 256,
};

export type TextTuning = Readonly<typeof TEXT_TUNING>;

/**
 * The case-folded texts of the records of a family, by slot, and which of them contain a text.
 *
 * Most search texts begin with the filter text, so both are kept as one. Slots lie in shelves; each has an index of the
 * runs of three characters (grams) in its texts. The index of a shelf only grows: what former texts of a slot leave
 * there is noticed by comparing the slot's text. It is made anew when as many texts have changed as the shelf has.
 */
export class TextIndex {
  private readonly shelves: Shelf[] = [];
  /** Number of texts of all shelves that are not indexed yet, repeated ones counted again. */
  private unindexed = 0;

  constructor(private readonly tuning: TextTuning = TEXT_TUNING) {}

  /** Sets both texts of a slot, case-folded. */
  put(slot: number, filter: string, search: string): void {
    const { shelf_slots } = this.tuning;
    const number = Math.floor(slot / shelf_slots);
    while (this.shelves.length <= number) this.shelves.push(new Shelf(this.tuning));
    if (!this.shelves[number]!.put(slot % shelf_slots, textsOf(filter, search))) return;
    this.unindexed += 1;
    if (this.unindexed <= this.tuning.unindexed_changes) return;
    this.unindexed = 0;
    // One at a time: it takes long.
    this.shelves.find((one) => one.is_outdated)?.indexAll();
    for (const one of this.shelves) one.indexChanged();
  }

  remove(slot: number): void {
    this.put(slot, '', '');
  }

  contains(slot: number, needle: Needle): boolean {
    const { shelf_slots } = this.tuning;
    const shelf = this.shelves[Math.floor(slot / shelf_slots)];
    return shelf !== undefined && shelf.contains(slot % shelf_slots, needle);
  }

  /** The slots whose text contains the needle. */
  find(needle: Needle): Bits {
    const words = wordsFor(this.tuning.shelf_slots);
    const found = new Int32Array(words * this.shelves.length);
    const sought = new Sought(needle);
    this.shelves.forEach((shelf, at) => {
      shelf.find(sought, found.subarray(at * words, (at + 1) * words));
    });
    return found;
  }
}

/** Both texts in one. */
interface Texts {
  readonly text: string;
  /** End of the filter text; negative (one less than none): the search text begins there, else it is the whole. */
  readonly split: number;
}

function textsOf(filter: string, search: string): Texts {
  if (search.startsWith(filter)) return { text: search, split: filter.length };
  return { text: filter + search, split: -1 - filter.length };
}

class Shelf {
  private readonly texts: string[] = [];
  /** See Texts. */
  private splits = new Int32Array(64);
  private postings: Postings | null = null;
  /** Slots that may have grams of former texts. */
  private stale = new SlotSet();
  /** Slots whose texts are not indexed yet, possibly repeated. */
  private unindexed: number[] = [];
  /** Changed texts since the shelf was indexed. */
  private changes = 0;

  constructor(private readonly tuning: TextTuning) {}

  /** True if as many texts have changed as there are. */
  get is_outdated(): boolean {
    return this.changes > this.texts.length;
  }

  /** @returns true if the text is compared until it is indexed */
  put(slot: number, { text, split }: Texts): boolean {
    const { texts, tuning } = this;
    const is_new = slot >= texts.length;
    if (is_new ? text === '' : texts[slot] === text && this.splits[slot] === split) return false;
    while (texts.length < slot) texts.push('');
    texts[slot] = text;
    if (slot >= this.splits.length) {
      const grown = new Int32Array(Math.min(2 * slot, tuning.shelf_slots));
      grown.set(this.splits);
      this.splits = grown;
    }
    this.splits[slot] = split;
    if (this.postings === null) {
      if (texts.length > tuning.unindexed_slots) this.indexAll();
      return false;
    }
    if (!is_new) {
      this.stale.set(slot, true);
      this.changes += 1;
    }
    this.unindexed.push(slot);
    return true;
  }

  contains(slot: number, { kind, text }: Needle): boolean {
    const own = this.texts[slot];
    if (own === undefined) return false;
    const split = this.splits[slot]!;
    if (kind === 'search') return own.includes(text, split < 0 ? -1 - split : 0);
    const at = own.indexOf(text);
    return at >= 0 && at + text.length <= (split < 0 ? -1 - split : split);
  }

  /** Sets the bits of the slots whose text contains the needle; the other bits are zero. */
  find(sought: Sought, found: Bits): void {
    const { postings, texts } = this;
    if (postings === null) {
      for (let slot = 0; slot < texts.length; slot += 1)
        if (this.contains(slot, sought)) found[slot >>> 5]! |= 1 << (slot & 31);
      return;
    }
    sought.findIn(postings, found);
    const { is_exact } = sought;
    const { bits: stale } = this.stale;
    for (let at = 0; at < found.length; at += 1) {
      let word = is_exact ? found[at]! & (stale[at] ?? 0) : found[at]!;
      while (word !== 0) {
        const lowest = word & -word;
        word ^= lowest;
        const slot = (at << 5) | (31 - Math.clz32(lowest));
        if (!this.contains(slot, sought)) found[at]! ^= lowest;
      }
    }
    for (const slot of this.unindexed)
      if (this.contains(slot, sought)) found[slot >>> 5]! |= 1 << (slot & 31);
  }

  /** Indexes all texts anew. */
  indexAll(): void {
    this.postings = new Postings(this.tuning.shelf_slots);
    this.stale = new SlotSet();
    this.unindexed = [];
    this.changes = 0;
    for (let slot = 0; slot < this.texts.length; slot += 1) this.index(this.postings, slot);
  }

  /** Indexes the texts that have changed since the last time. */
  indexChanged(): void {
    const { postings, unindexed } = this;
    if (postings === null || unindexed.length === 0) return;
    for (const slot of new Set(unindexed)) this.index(postings, slot);
    this.unindexed = [];
  }

  private index(postings: Postings, slot: number): void {
    const text = this.texts[slot]!;
    const split = this.splits[slot]!;
    if (split < 0) {
      addGrams(postings, slot, text.slice(0, -1 - split), 0, IN_FILTER_TEXT);
      addGrams(postings, slot, text.slice(-1 - split), 0, IN_SEARCH_TEXT);
      return;
    }
    addGrams(postings, slot, text.slice(0, split), 0, IN_BOTH_TEXTS);
    // What does not end within the filter text.
    if (text.length > split)
      addGrams(postings, slot, text, Math.max(0, split - GRAM + 1), IN_SEARCH_TEXT);
  }
}

function addGrams(
  postings: Postings,
  slot: number,
  text: string,
  from: number,
  place: number,
): void {
  visitGrams(text, from, (gram) => postings.add(gram | place, slot));
}

/** A needle, and what an index of grams is asked for. */
class Sought {
  readonly kind: TextKind;
  readonly text: string;
  /** The place beside both texts. */
  private readonly own_place: number;
  /** Those of the needle, or those that begin with it if it is only a little shorter. */
  private readonly grams: readonly number[];
  /** True if the grams alone tell whether a text that never changed contains the needle. */
  readonly is_exact: boolean;

  constructor({ kind, text }: Needle) {
    this.kind = kind;
    this.text = text;
    this.own_place = kind === 'filter' ? IN_FILTER_TEXT : IN_SEARCH_TEXT;
    this.grams = text.length === GRAM - 1 ? gramsBeginning(text) : wholeGrams(text);
    this.is_exact = text.length <= GRAM && hasOwnCodes(text);
  }

  /** Adds slots to `found`, which is empty: all that may contain the needle, few others. */
  findIn(postings: Postings, found: Bits): void {
    if (this.text.length >= GRAM) {
      this.findCommon(postings, found);
    } else if (this.text.length === GRAM - 1) {
      for (const gram of this.grams) this.addTo(found, postings, gram);
    } else {
      const { mask, value } = beginning(this.text);
      postings.addAlikeTo(found, mask | PLACE, value | IN_BOTH_TEXTS, value | this.own_place);
    }
  }

  /** Adds the slots that have all grams. */
  private findCommon(postings: Postings, found: Bits): void {
    const counted = this.grams.map((gram) => ({ gram, count: this.count(postings, gram) }));
    counted.sort((one, other) => one.count - other.count);
    if (counted[0]!.count === 0) return;
    this.addTo(found, postings, counted[0]!.gram);
    for (const { gram } of counted.slice(1, MOST_GRAMS)) {
      if (!hasMoreBits(found, FEW)) return;
      postings.keepCommon(found, gram | IN_BOTH_TEXTS, gram | this.own_place);
    }
  }

  private count(postings: Postings, gram: number): number {
    return postings.count(gram | IN_BOTH_TEXTS) + postings.count(gram | this.own_place);
  }

  private addTo(bits: Bits, postings: Postings, gram: number): void {
    postings.addTo(bits, gram | IN_BOTH_TEXTS);
    postings.addTo(bits, gram | this.own_place);
  }
}
