import { JoinedTexts } from './joined-texts.js';

const LINE_END = '\n';
const NOTHING = new JoinedTexts([]);
const ASCII = 0x80;

/**
 * The case-folded texts of one block of records, joined to be looked through. They follow their block
 * lazily: a change marks a text, the next look joins anew, asking for the marked texts and cutting the
 * others out of the old strings.
 *
 * Where a text has the record's id as one of its lines, ids are joined apart: they take the most room,
 * and what most people look for holds a letter that is in no id.
 */
export class BlockText {
  private rest = NOTHING;
  private ids = NOTHING;
  /** 1 for every ASCII character that is in one of `ids`. */
  private id_characters: Uint8Array = new Uint8Array(ASCII);
  /** Which text each record has, -1: not known any more. Null: all in their places. */
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
    right.rest = this.rest;
    right.ids = this.ids;
    right.id_characters = this.id_characters;
    right.known = this.marks().splice(at);
    return right;
  }

  /** Brings the texts up to date; `read` gives the text of the i-th record, `idOf` its id, both case-folded. */
  refresh(read: (at: number) => string, idOf: (at: number) => string): void {
    if (this.known === null) return;
    const rests: string[] = [];
    const ids: string[] = [];
    this.known.forEach((old, at) => {
      const [rest, id] =
        old < 0 ? withoutLine(read(at), idOf(at)) : [this.rest.text(old), this.ids.text(old)];
      rests.push(rest);
      ids.push(id);
    });
    this.rest = new JoinedTexts(rests);
    this.ids = new JoinedTexts(ids);
    this.id_characters = charactersOf(ids);
    this.known = null;
  }

  /**
   * Writes the ascending places of the records whose text contains `text`, which is not empty, into
   * `found` and gives their number. After `refresh`.
   */
  hits(text: string, found: Uint32Array): number {
    const hits = this.rest.hits(text, found);
    if (!this.mayBeInIds(text)) return hits;
    const in_ids = new Uint32Array(this.ids.size);
    return merge(found, hits, in_ids, this.ids.hits(text, in_ids));
  }

  /** After `refresh`. */
  contains(at: number, text: string): boolean {
    return this.rest.text(at).includes(text) || this.ids.text(at).includes(text);
  }

  /** After `refresh`. */
  isEmpty(at: number): boolean {
    return this.rest.isEmpty(at) && this.ids.isEmpty(at);
  }

  private mayBeInIds(text: string): boolean {
    for (let at = 0; at < text.length; at += 1)
      if (this.id_characters[text.charCodeAt(at)] === 0) return false;
    return true;
  }

  private marks(): number[] {
    this.known ??= Array.from({ length: this.rest.size }, (_, at) => at);
    return this.known;
  }
}

/** A text with nothing in place of the line that is the given one, and that line; the text as it is if it has none. */
function withoutLine(text: string, line: string): readonly [rest: string, line: string] {
  const at = text.indexOf(line);
  const end = at + line.length;
  const begins = at === 0 || text[at - 1] === LINE_END;
  const ends = end === text.length || text[end] === LINE_END;
  if (at < 0 || line === '' || !begins || !ends) return [text, ''];
  return [text.slice(0, at) + text.slice(end), line];
}

function charactersOf(texts: readonly string[]): Uint8Array {
  const characters = new Uint8Array(ASCII);
  for (const text of texts)
    for (let at = 0; at < text.length; at += 1) characters[text.charCodeAt(at)] = 1;
  return characters;
}

/** Puts ascending places in among others and gives the number of all. `into` has room for them. */
function merge(into: Uint32Array, count: number, more: Uint32Array, more_count: number): number {
  if (more_count === 0) return count;
  const own = into.slice(0, count);
  let next = 0;
  let other = 0;
  let merged = 0;
  while (next < count || other < more_count) {
    const a = next < count ? own[next]! : Infinity;
    const b = other < more_count ? more[other]! : Infinity;
    if (a <= b) next += 1;
    if (b <= a) other += 1;
    into[merged++] = Math.min(a, b);
  }
  return merged;
}
