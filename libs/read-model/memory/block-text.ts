import { Grams, gramsOf } from './grams.js';

const SEPARATOR = '\n';

/** What is looked for in blocks of texts: not empty, case-folded. */
export class Needle {
  readonly grams: Uint32Array;

  constructor(readonly text: string) {
    this.grams = gramsOf(text);
  }
}

/**
 * The case-folded texts of one block of records joined into one string, so that one `indexOf` looks
 * through all of them. It follows its block lazily: a change marks a text, the next look joins anew,
 * asking for the marked texts and cutting the others out of the old string. Large blocks remember their
 * grams, so that most of them need not be looked through for what is rare.
 */
export class BlockText {
  private joined = '';
  /** Text i takes joined[starts[i]] up to the separator before joined[starts[i + 1]]. */
  private starts = new Uint32Array(1);
  /** Which text of `joined` each record has, -1: not known any more. Null: all in their places. */
  private known: number[] | null = null;
  /** Grams of all texts and of former ones; null: not kept. */
  private grams: Grams | null = null;
  /** Texts whose grams were added. */
  private added = 0;

  /** Of so many records, none of whose texts is known. */
  static unread(records: number): BlockText {
    const text = new BlockText();
    text.known = Array.from({ length: records }, () => -1);
    return text;
  }

  /** Where each record stood when texts were last joined, -1: changed since. Null: nothing changed. */
  get former(): readonly number[] | null {
    return this.known;
  }

  /** A record was put in as the `at`-th. */
  inserted(at: number): void {
    this.marks().splice(at, 0, -1);
  }

  removed(at: number): void {
    this.marks().splice(at, 1);
  }

  changed(at: number): void {
    this.marks()[at] = -1;
  }

  /** Gives the records from `at` on to a new block. */
  split(at: number): BlockText {
    const right = new BlockText();
    right.joined = this.joined;
    right.starts = this.starts;
    right.known = this.marks().splice(at);
    this.grams = null;
    return right;
  }

  /**
   * Brings the joined text up to date; `read` gives the case-folded text of the i-th record. Grams are
   * kept of so many records at least.
   */
  refresh(read: (at: number) => string, gram_records: number): void {
    if (this.known === null) return;
    const texts = this.known.map((old, at) => (old < 0 ? read(at) : this.text(old)));
    if (texts.length < gram_records) this.grams = null;
    else this.noteGrams(texts, this.known);
    const starts = new Uint32Array(texts.length + 1);
    texts.forEach((text, at) => {
      starts[at + 1] = starts[at]! + text.length + SEPARATOR.length;
    });
    this.joined = texts.join(SEPARATOR);
    this.starts = starts;
    this.known = null;
  }

  /**
   * Writes the ascending places of the records whose text contains the needle's into `found` and gives
   * their number. After `refresh`.
   */
  hits({ text, grams }: Needle, found: Uint32Array): number {
    if (this.grams?.deny(grams)) return 0;
    const { joined, starts } = this;
    let hits = 0;
    let record = 0;
    let at = joined.indexOf(text);
    while (at >= 0) {
      while (starts[record + 1]! <= at) record += 1;
      const next = starts[record + 1]!;
      // A match that reaches over the separator is none.
      const inside = at + text.length <= next - SEPARATOR.length;
      if (inside) found[hits++] = record;
      at = joined.indexOf(text, inside ? next : at + 1);
    }
    return hits;
  }

  /** After `refresh`. */
  contains(at: number, text: string): boolean {
    return this.text(at).includes(text);
  }

  /** After `refresh`. */
  isEmpty(at: number): boolean {
    return this.text(at) === '';
  }

  /** Adds the grams of changed texts; starts anew once as many belong to former texts as to present ones. */
  private noteGrams(texts: readonly string[], known: readonly number[]): void {
    let added = texts;
    if (this.grams !== null) {
      added = texts.filter((_, at) => known[at]! < 0);
      this.added += added.length;
    }
    if (this.grams === null || this.added > 2 * texts.length) {
      this.grams = new Grams();
      added = texts;
      this.added = texts.length;
    }
    for (const text of added) this.grams.add(text);
  }

  private text(at: number): string {
    return this.joined.slice(this.starts[at]!, this.starts[at + 1]! - SEPARATOR.length);
  }

  private marks(): number[] {
    this.known ??= Array.from({ length: this.starts.length - 1 }, (_, at) => at);
    return this.known;
  }
}
