/** Characters of a gram: a thousand hexadecimal ids contain nearly every run of four, but few of five. */
const GRAM = 5;
/** Chosen so that the character before a gram is shifted out of its 32 bits. */
const CHARACTER_BITS = 7;
const HASH_BITS = 17;
/** 2^32 divided by the golden ratio: its multiples spread well (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b1;

/** Bit positions of the grams of a text; none for a text shorter than a gram. */
function gramsOf(text: string): Uint32Array {
  const grams = new Uint32Array(Math.max(0, text.length - GRAM + 1));
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    run = (run << CHARACTER_BITS) ^ text.charCodeAt(at);
    if (at >= GRAM - 1) grams[at - GRAM + 1] = Math.imul(run, SPREAD) >>> (32 - HASH_BITS);
  }
  return grams;
}

/**
 * A Bloom filter of the runs of five characters of some texts, one bit for each under a hash: 16 KiB. A denied run is
 * in none of the texts; others may be in one. A thousand names with their ids set about a third of the bits.
 */
class Grams {
  private readonly bits = new Uint32Array(2 ** (HASH_BITS - 5));

  add(text: string): void {
    const { bits } = this;
    const grams = gramsOf(text);
    for (let nth = 0; nth < grams.length; nth += 1) {
      const bit = grams[nth]!;
      bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  /** True if no added text can contain the one with these grams. */
  deny(grams: Uint32Array): boolean {
    const { bits } = this;
    for (let nth = 0; nth < grams.length; nth += 1) {
      const bit = grams[nth]!;
      if ((bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return true;
    }
    return false;
  }
}

const SEPARATOR = '\n';

/** A search text: not empty, case-folded. */
export class Needle {
  readonly grams: Uint32Array;

  constructor(readonly text: string) {
    this.grams = gramsOf(text);
  }
}

/**
 * The case-folded texts of one block of records joined into one string, so that one `indexOf` searches all of them.
 * It follows its block lazily: a change marks a text, and the next search joins the string again from the marked
 * texts and slices of the old string. Large blocks keep their grams, so that most of them are skipped in searches for
 * rare texts.
 */
export class BlockText {
  private joined = '';
  /** Text i takes joined[starts[i]] up to the separator before joined[starts[i + 1]]. */
  private starts = new Uint32Array(1);
  /** Index in `joined` of each record's text, -1: changed. Null: all in order. */
  private known: number[] | null = null;
  /** Grams of all current and former texts; null: not kept. */
  private grams: Grams | null = null;
  /** Texts whose grams were added. */
  private added = 0;

  /** A block of so many records whose texts have not been read. */
  static unread(records: number): BlockText {
    const text = new BlockText();
    text.known = Array.from({ length: records }, () => -1);
    return text;
  }

  /** Former index of each record at the last join, -1: changed since. Null: nothing changed. */
  get former(): readonly number[] | null {
    return this.known;
  }

  /** A record was inserted as the `at`-th. */
  inserted(at: number): void {
    this.marks().splice(at, 0, -1);
  }

  removed(at: number): void {
    this.marks().splice(at, 1);
  }

  changed(at: number): void {
    this.marks()[at] = -1;
  }

  /** Moves the records from `at` on to a new block. */
  split(at: number): BlockText {
    const right = new BlockText();
    right.joined = this.joined;
    right.starts = this.starts;
    right.known = this.marks().splice(at);
    this.grams = null;
    return right;
  }

  /**
   * Updates the joined text; `read` returns the case-folded text of the i-th record. Grams are kept for blocks of at
   * least `gram_records`.
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
   * Writes the ascending indexes of the matching records into `found` and returns their number. Call `refresh` first.
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
      // A match across the separator does not count.
      const inside = at + text.length <= next - SEPARATOR.length;
      if (inside) found[hits++] = record;
      at = joined.indexOf(text, inside ? next : at + 1);
    }
    return hits;
  }

  /** Call `refresh` first. */
  contains(at: number, text: string): boolean {
    return this.text(at).includes(text);
  }

  /** Call `refresh` first. */
  isEmpty(at: number): boolean {
    return this.text(at) === '';
  }

  /** Adds the grams of changed texts; rebuilds them once former texts outnumber current ones. */
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
