import { comparePlaces, type Entry, type Place } from './entry.js';

/**
 * The entries of a family in the order (created_at, id), divided into blocks: a change moves the entries of at most one
 * block, whatever the size of the family.
 */
export class EntryOrder {
  readonly blocks: Entry[][] = [];
  private count = 0;
  /** Entries added in order at the end that are in no block yet. */
  private run: Entry[] = [];

  /** `capacity`: maximum entries of a block, at least 2. */
  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.count;
  }

  /** Adds entries that are mostly in order; call `end` after the last one. */
  take(entry: Entry): void {
    const last = this.run.at(-1) ?? this.blocks.at(-1)?.at(-1);
    if (last !== undefined && comparePlaces(last, entry) > 0) {
      this.end();
      this.insert(entry);
    } else if (this.run.push(entry) === this.capacity) this.end();
  }

  /** Sorts the entries added last into their places. */
  end(): void {
    const { run } = this;
    this.run = [];
    if (2 * run.length > this.capacity) {
      this.blocks.push(run);
      this.count += run.length;
    } else for (const entry of run) this.insert(entry);
  }

  insert(entry: Entry): void {
    const block = this.roomFor(entry);
    block.splice(lowerBound(block, entry), 0, entry);
    this.count += 1;
  }

  remove(place: Place): void {
    const { block, at, index } = this.spot(place);
    block.splice(at, 1);
    this.count -= 1;
    if (block.length === 0) this.blocks.splice(index, 1);
  }

  /** Replaces the older entry of a record by the newer one at the same place. */
  replace(entry: Entry): void {
    const { block, at } = this.spot(entry);
    block[at] = entry;
  }

  /** The first `limit` entries beyond `from` (from either end if undefined) for which `holds`. */
  walk(
    from: Place | undefined,
    ascending: boolean,
    limit: number,
    holds: ((entry: Entry) => boolean) | null,
  ): Entry[] {
    const walked: Entry[] = [];
    const step = ascending ? 1 : -1;
    let edge = from;
    for (let index = this.startOf(from, ascending); walked.length < limit; index += step) {
      const block = this.blocks[index];
      if (block === undefined) break;
      let at = ascending ? 0 : block.length - 1;
      if (edge !== undefined) at = edgeOf(block, edge, ascending);
      edge = undefined;
      for (; at >= 0 && at < block.length && walked.length < limit; at += step)
        if (holds === null || holds(block[at]!)) walked.push(block[at]!);
    }
    return walked;
  }

  /** Position of an existing entry. */
  private spot(place: Place) {
    const index = this.blockFor(place);
    const block = this.blocks[index] ?? [];
    const at = lowerBound(block, place);
    if (block[at]?.id !== place.id) throw new Error(`'${place.id}' is not in the order`);
    return { block, at, index };
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
      if (comparePlaces(this.blocks[middle]![0]!, place) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private roomFor(entry: Entry): Entry[] {
    const index = this.blockFor(entry);
    const block = this.blocks[index];
    if (block !== undefined && block.length < this.capacity) return block;
    // Most records are newer than all others: then a full block stays full.
    const last = block?.at(-1);
    const newest = index >= this.blocks.length - 1 && (!last || comparePlaces(last, entry) < 0);
    if (block === undefined || newest) {
      const added: Entry[] = [];
      this.blocks.push(added);
      return added;
    }
    this.blocks.splice(index + 1, 0, block.splice(block.length >>> 1));
    return this.blocks[this.blockFor(entry)]!;
  }
}

/** Index of the first entry at or after the place. */
function lowerBound(entries: readonly Place[], place: Place): number {
  let low = 0;
  let high = entries.length;
  // Appends are the common case.
  if (high > 0 && comparePlaces(entries[high - 1]!, place) < 0) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePlaces(entries[middle]!, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the entry nearest to `from` in the direction of the walk; outside of the array if none. */
function edgeOf(entries: readonly Entry[], from: Place, ascending: boolean): number {
  const at = lowerBound(entries, from);
  if (!ascending) return at - 1;
  const same = entries[at];
  return same !== undefined && comparePlaces(same, from) === 0 ? at + 1 : at;
}
