import { BlockSearch } from './block-search.js';
import { BlockText } from './block-text.js';
import type { Entry } from './entry.js';

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
