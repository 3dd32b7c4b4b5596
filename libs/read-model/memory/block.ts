import { BlockText } from './block-text.js';
import type { Entry } from './entry.js';

/** The searched fields of one record. */
export interface SearchFacts {
  /** Case-folded. */
  readonly text: string;
  /** Case-folded. */
  readonly title: string;
  readonly title_key: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/**
 * Searched texts of one block, and a column for each order, so that a search that matches every record need not read
 * every entry. After `refresh` the columns match the texts.
 */
export class BlockSearch {
  titles: string[] = [];
  title_keys: string[] = [];
  created_at: number[] = [];
  updated_at: number[] = [];

  constructor(readonly text = new BlockText()) {}

  split(at: number): BlockSearch {
    const right = new BlockSearch(this.text.split(at));
    right.titles = this.titles;
    right.title_keys = this.title_keys;
    right.created_at = this.created_at;
    right.updated_at = this.updated_at;
    return right;
  }

  /** Updates texts and columns; `read` returns the facts of the i-th record. See BlockText. */
  refresh(read: (at: number) => SearchFacts, gram_records: number): void {
    const { former } = this.text;
    if (former === null) return;
    const { titles, title_keys, created_at, updated_at } = this;
    this.titles = [];
    this.title_keys = [];
    this.created_at = [];
    this.updated_at = [];
    const texts: string[] = [];
    former.forEach((old, at) => {
      const facts = old < 0 ? read(at) : null;
      this.titles.push(facts === null ? titles[old]! : facts.title);
      this.title_keys.push(facts === null ? title_keys[old]! : facts.title_key);
      this.created_at.push(facts === null ? created_at[old]! : facts.created_at);
      this.updated_at.push(facts === null ? updated_at[old]! : facts.updated_at);
      texts.push(facts === null ? '' : facts.text);
    });
    this.text.refresh((at) => texts[at]!, gram_records);
  }
}

/** A run of adjacent records in the order of a family, with their texts. */
export class Block {
  readonly entries: Entry[];
  private known_slots: Uint32Array | null = null;

  constructor(
    entries: Entry[] = [],
    readonly filter = new BlockText(),
    readonly search = new BlockSearch(),
  ) {
    this.entries = entries;
  }

  /** A block of entries whose texts have not been read yet. */
  static of(entries: Entry[]): Block {
    const texts = (): BlockText => BlockText.unread(entries.length);
    return new Block(entries, texts(), new BlockSearch(texts()));
  }

  /** Slots of the entries in order, so that checks of marks need not read every entry. */
  get slots(): Uint32Array {
    return (this.known_slots ??= Uint32Array.from(this.entries, ({ slot }) => slot));
  }

  insert(at: number, entry: Entry): void {
    this.entries.splice(at, 0, entry);
    this.known_slots = null;
    this.filter.inserted(at);
    this.search.text.inserted(at);
  }

  remove(at: number): void {
    this.entries.splice(at, 1);
    this.known_slots = null;
    this.filter.removed(at);
    this.search.text.removed(at);
  }

  /** Replaces the changed record at this index; its slot is the same. */
  replace(at: number, entry: Entry): void {
    this.entries[at] = entry;
    this.filter.changed(at);
    this.search.text.changed(at);
  }

  /** Moves the records from `at` on to a new block. */
  split(at: number): Block {
    this.known_slots = null;
    return new Block(this.entries.splice(at), this.filter.split(at), this.search.split(at));
  }
}
