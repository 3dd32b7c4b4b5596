const SEPARATOR = '\n';

/** Texts of one block of records in one string, so that one `indexOf` looks through all of them. */
export class JoinedTexts {
  private readonly joined: string;
  /** Text i takes joined[starts[i]] up to the separator before joined[starts[i + 1]]. */
  private readonly starts: Uint32Array;

  constructor(texts: readonly string[]) {
    const starts = new Uint32Array(texts.length + 1);
    texts.forEach((text, at) => {
      starts[at + 1] = starts[at]! + text.length + SEPARATOR.length;
    });
    this.joined = texts.join(SEPARATOR);
    this.starts = starts;
  }

  get size(): number {
    return this.starts.length - 1;
  }

  /**
   * Writes the ascending places of the records whose text contains `text`, which is not empty, into
   * `found` and gives their number.
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

  isEmpty(at: number): boolean {
    return this.starts[at + 1] === this.starts[at]! + SEPARATOR.length;
  }

  text(at: number): string {
    return this.joined.slice(this.starts[at]!, this.starts[at + 1]! - SEPARATOR.length);
  }
}
