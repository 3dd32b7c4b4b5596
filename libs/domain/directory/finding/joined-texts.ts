import { foldCase } from '../../kernel/indexes/text-key.js';
import type { RecordBase } from '../../kernel/record.js';
import type { Table } from '../../kernel/table.js';

/** Between two texts; a match that contains it is checked to lie in one of them. */
const SEPARATOR = '\0';
/** Maximum changed records whose texts are compared one by one before all texts are joined again. */
const MOST_CHANGED = 1024;
/** Maximum characters of a joined text, because joined texts are in memory twice. */
const LONGEST_JOINED = 1000;
/** Characters after which another part begins, because the length of a string is limited. */
const CHARS_OF_PART = 2 ** 21;

/** Texts of some records (in lower case) in one string. */
interface Part {
  readonly joined: string;
  /** Where each text begins, after a separator, and at last where another would. */
  readonly starts: readonly number[];
  /** The record of each text. */
  readonly ids: readonly string[];
}

/**
 * The short texts of the records of a table in few strings: finding a text in them is many times faster than in each
 * of the texts. Built on first use; records with long texts, and those that change later, are compared one by one.
 */
export class JoinedTexts<R extends RecordBase> {
  private version = -1;
  private parts: readonly Part[] = [];
  /** Records that are compared one by one. */
  private separate = new Set<string>();
  private most_separate = 0;

  /**
   * @param textsOf texts of a record, which change with the record only
   * @param holders all records that have texts
   */
  constructor(
    private readonly table: Table<R>,
    private readonly textsOf: (record: R) => readonly string[],
    private readonly holders: () => Iterable<R>,
  ) {}

  /** Ids of the records with a text that, in lower case, contains this one (not empty); some repeatedly. */
  idsWith(text: string): Generator<string> {
    return this.find(text, 0, (own) => own.includes(text));
  }

  /** Ids of the records with a text that, in lower case, begins with this one. */
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
    const { table, parts, separate } = this;
    for (const part of parts)
      for (const id of idsIn(part, needle, before)) if (!separate.has(id)) yield id;
    for (const id of separate) {
      const record = table.get(id);
      if (record && this.textsOf(record).some((own) => isFound(foldCase(own)))) yield id;
    }
  }

  private follow(): void {
    const { table, separate } = this;
    const { version } = table;
    if (this.version === version) return;
    const later = this.version < 0 ? null : table.changedSince(this.version);
    if (later === null || separate.size + later.size > this.most_separate) this.join();
    else for (const id of later) separate.add(id);
    // Last, so that a failed join is repeated.
    this.version = version;
  }

  private join(): void {
    const separate = new Set<string>();
    const parts: Part[] = [];
    let part = emptyPart();
    for (const record of this.holders()) {
      const own = this.textsOf(record);
      if (own.some(({ length }) => length > LONGEST_JOINED)) {
        separate.add(record.id);
        continue;
      }
      for (const text of own.map(foldCase)) {
        part.texts.push(text);
        part.ids.push(record.id);
        part.starts.push(part.starts.at(-1)! + text.length + SEPARATOR.length);
      }
      if (part.starts.at(-1)! < CHARS_OF_PART) continue;
      parts.push(joinedPart(part));
      part = emptyPart();
    }
    this.parts = [...parts, joinedPart(part)];
    this.separate = separate;
    this.most_separate = separate.size + MOST_CHANGED;
  }
}

interface UnjoinedPart {
  readonly texts: string[];
  readonly starts: number[];
  readonly ids: string[];
}

/** With an empty text, so that a separator stands before the first one. */
function emptyPart(): UnjoinedPart {
  return { texts: [''], starts: [SEPARATOR.length], ids: [] };
}

function joinedPart({ texts, starts, ids }: UnjoinedPart): Part {
  return { joined: texts.join(SEPARATOR), starts, ids };
}

/** The records with a match in a part, once for each text. */
function* idsIn({ joined, starts, ids }: Part, needle: string, before: number): Generator<string> {
  let nth = 0;
  for (let at = joined.indexOf(needle); at >= 0;) {
    while (starts[nth + 1]! <= at + before) nth++;
    const [start, next] = [starts[nth]!, starts[nth + 1]!];
    const begins = before > 0 ? at + before === start : at >= start;
    const is_found = begins && at + needle.length < next;
    if (is_found) yield ids[nth]!;
    at = joined.indexOf(needle, is_found ? next - before : at + 1);
  }
}
