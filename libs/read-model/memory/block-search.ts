import { BlockText } from './block-text.js';

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
