import type { RecordBase } from '../../kernel/record.js';
import type { Table } from '../../kernel/table.js';

/** Between two texts; a match that contains it is checked to lie in one of them. */
const SEPARATOR = '\0';
/** Maximum changed records whose texts are compared one by one before all texts are joined again. */
const MOST_CHANGED = 1024;

/**
 * The texts of the records of a table in one string: finding a text in it is many times faster than in each of them.
 * Built on first use; records that change later are compared one by one.
 */
export class JoinedTexts<R extends RecordBase> {
  private version = -1;
  private joined = '';
  /** Where each text begins, after a separator, and at last where another would. */
  private starts: number[] = [];
  /** The record of each text. */
  private ids: string[] = [];
  private changed = new Set<string>();

  /**
   * @param textsOf texts of a record in lower case, which change with the record only
   * @param holders all records that have texts
   */
  constructor(
    private readonly table: Table<R>,
    private readonly textsOf: (record: R) => readonly string[],
    private readonly holders: () => Iterable<R>,
  ) {}

  /** Ids of the records with a text that contains this one (in lower case, not empty); some repeatedly. */
  idsWith(text: string): Generator<string> {
    return this.find(text, 0, (own) => own.includes(text));
  }

  /** Ids of the records with a text that begins with this one. */
  idsBeginning(text: string): Generator<string> {
    return this.find(SEPARATOR + text, SEPARATOR.length, (own) => own.startsWith(text));
  }

  /** @param before characters of the needle that stand before a text */
  private *find(
    needle: string,
    before: number,
    isFound: (own: string) => boolean,
  ): Generator<string> {
    this.follow();
    const { table, joined, starts, ids, changed } = this;
    let nth = 0;
    for (let at = joined.indexOf(needle); at >= 0;) {
      while (starts[nth + 1]! <= at + before) nth++;
      const [start, next] = [starts[nth]!, starts[nth + 1]!];
      const begins = before > 0 ? at + before === start : at >= start;
      const is_found = begins && at + needle.length < next;
      if (is_found && !changed.has(ids[nth]!)) yield ids[nth]!;
      at = joined.indexOf(needle, is_found ? next - before : at + 1);
    }
    for (const id of changed) {
      const record = table.get(id);
      if (record && this.textsOf(record).some(isFound)) yield id;
    }
  }

  private follow(): void {
    const { table, changed } = this;
    if (this.version === table.version) return;
    const later = this.version < 0 ? null : table.changedSince(this.version);
    this.version = table.version;
    if (later === null || changed.size + later.size > MOST_CHANGED) this.join();
    else for (const id of later) changed.add(id);
  }

  private join(): void {
    this.changed = new Set();
    this.ids = [];
    this.starts = [SEPARATOR.length];
    const texts: string[] = [''];
    let end = SEPARATOR.length;
    for (const record of this.holders())
      for (const text of this.textsOf(record)) {
        texts.push(text);
        this.ids.push(record.id);
        this.starts.push((end += text.length + SEPARATOR.length));
      }
    this.joined = texts.join(SEPARATOR);
  }
}
