const SEPARATOR = '\n';

/**
 * The case-folded texts of one block of records joined into one string, so that one `indexOf` looks
 * through all of them. It follows its block lazily: a change marks a text, the next look joins anew,
 * asking for the marked texts and cutting the others out of the old string.
 */
export class BlockText {
  private joined = '';
  /** Text i takes joined[starts[i]] up to the separator before joined[starts[i + 1]]. */
  private starts = new Uint32Array(1);
  /** Which text of `joined` each record has, -1: not known any more. Null: all in their places. */
  private known: number[] | null = null;

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
    return right;
  }

  /** Brings the joined text up to date; `read` gives the case-folded text of the i-th record. */
  refresh(read: (at: number) => string): void {
    if (this.known === null) return;
    const texts = this.known.map((old, at) => (old < 0 ? read(at) : this.text(old)));
    const starts = new Uint32Array(texts.length + 1);
    texts.forEach((text, at) => {
      starts[at + 1] = starts[at]! + text.length + SEPARATOR.length;
    });
    this.joined = texts.join(SEPARATOR);
    this.starts = starts;
    this.known = null;
  }

  /**
   * Writes the ascending places of the records whose text contains `text`, which is not empty, into
   * `found` and gives their number. After `refresh`.
   */
  hits(text: string, found: Uint32Array): number {
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

  private text(at: number): string {
    return this.joined.slice(this.starts[at]!, this.starts[at + 1]! - SEPARATOR.length);
  }

  private marks(): number[] {
    this.known ??= Array.from({ length: this.starts.length - 1 }, (_, at) => at);
    return this.known;
  }
}
