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
  /** Where each text begins, and at last where another would. */
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
  *idsWith(text: string): Generator<string> {
    this.follow();
    const { table, joined, starts, ids, changed } = this;
    let nth = 0;
    for (let at = joined.indexOf(text); at >= 0;) {
      while (starts[nth + 1]! <= at) nth++;
      const next = starts[nth + 1]!;
      if (at + text.length < next && !changed.has(ids[nth]!)) yield ids[nth]!;
      at = joined.indexOf(text, next);
    }
    for (const id of changed) {
      const record = table.get(id);
      if (record && this.textsOf(record).some((own) => own.includes(text))) yield id;
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
    this.starts = [0];
    const texts: string[] = [];
    let end = 0;
    for (const record of this.holders())
      for (const text of this.textsOf(record)) {
        texts.push(text);
        this.ids.push(record.id);
        this.starts.push((end += text.length + SEPARATOR.length));
      }
    this.joined = texts.join(SEPARATOR);
  }
}
