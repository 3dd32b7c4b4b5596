import { BlockText } from './block-text.js';
import { comparePlaces, type Entry, type Place } from './entry.js';

/** A run of neighbours in the order of a family, with their texts. */
export interface Block {
  readonly entries: Entry[];
  readonly filter_text: BlockText;
  readonly search_text: BlockText;
}

export interface Spot {
  readonly block: Block;
  /** Index in the block. */
  readonly at: number;
}

/**
 * The entries of a family in the order (created_at, id), cut into blocks: a change moves and joins anew
 * no more than one block, whatever the size of the family.
 */
export class EntryOrder {
  readonly blocks: Block[] = [];
  private count = 0;

  /** `capacity`: most entries of a block, at least 2. */
  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.count;
  }

  insert(entry: Entry): void {
    const block = this.roomFor(entry);
    const at = lowerBound(block.entries, entry);
    block.entries.splice(at, 0, entry);
    block.filter_text.inserted(at);
    block.search_text.inserted(at);
    this.count += 1;
  }

  remove(place: Place): void {
    const index = this.blockFor(place);
    const { block, at } = this.spot(place);
    block.entries.splice(at, 1);
    block.filter_text.removed(at);
    block.search_text.removed(at);
    this.count -= 1;
    if (block.entries.length === 0) this.blocks.splice(index, 1);
  }

  /** Puts the newer entry of a record in the place of the older; the place is the same. */
  replace(entry: Entry): void {
    const { block, at } = this.spot(entry);
    block.entries[at] = entry;
    block.filter_text.changed(at);
    block.search_text.changed(at);
  }

  /** Where an entry that is in the order stands. */
  spot(place: Place): Spot {
    const block = this.blocks[this.blockFor(place)];
    const at = block === undefined ? 0 : lowerBound(block.entries, place);
    if (block?.entries[at]?.id !== place.id) throw new Error(`'${place.id}' is not in the order`);
    return { block, at };
  }

  /**
   * The first `limit` entries beyond `from` (from either end if undefined) that `matches` lets through.
   * `matches` gives those of a block in ascending order.
   */
  walk(
    from: Place | undefined,
    ascending: boolean,
    limit: number,
    matches: (block: Block) => readonly Entry[],
  ): Entry[] {
    const found: Entry[] = [];
    const step = ascending ? 1 : -1;
    let index = this.startOf(from, ascending);
    for (; found.length < limit; index += step) {
      const block = this.blocks[index];
      if (block === undefined) break;
      const entries = matches(block);
      let at = firstBeyond(entries, from, ascending);
      for (; found.length < limit && at >= 0 && at < entries.length; at += step) {
        found.push(entries[at]!);
      }
    }
    return found;
  }

  private startOf(from: Place | undefined, ascending: boolean): number {
    if (from !== undefined) return this.blockFor(from);
    return ascending ? 0 : this.blocks.length - 1;
  }

  /** The last block that begins at or before the place, else the first. */
  private blockFor(place: Place): number {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (comparePlaces(this.blocks[middle]!.entries[0]!, place) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private roomFor(entry: Entry): Block {
    const index = this.blockFor(entry);
    const block = this.blocks[index];
    if (block === undefined) return this.addBlock();
    if (block.entries.length < this.capacity) return block;
    // Most records are newer than all others: then a full block stays full.
    const newest =
      index === this.blocks.length - 1 && comparePlaces(block.entries.at(-1)!, entry) < 0;
    if (newest) return this.addBlock();
    this.split(index);
    return this.blocks[this.blockFor(entry)]!;
  }

  private addBlock(): Block {
    const block = { entries: [], filter_text: new BlockText(), search_text: new BlockText() };
    this.blocks.push(block);
    return block;
  }

  private split(index: number): void {
    const block = this.blocks[index]!;
    const half = block.entries.length >>> 1;
    this.blocks.splice(index + 1, 0, {
      entries: block.entries.splice(half),
      filter_text: block.filter_text.split(half),
      search_text: block.search_text.split(half),
    });
  }
}

/** Index of the first entry at or after the place. */
function lowerBound(entries: readonly Place[], place: Place): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePlaces(entries[middle]!, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the entry nearest to `from` on the side that is walked; outside of the array if none. */
function firstBeyond(
  entries: readonly Entry[],
  from: Place | undefined,
  ascending: boolean,
): number {
  if (from === undefined) return ascending ? 0 : entries.length - 1;
  const at = lowerBound(entries, from);
  if (!ascending) return at - 1;
  const same = entries[at];
  return same !== undefined && comparePlaces(same, from) === 0 ? at + 1 : at;
}
