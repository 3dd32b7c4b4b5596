import { lowerBound } from './lower-bound.js';

/** Maximum items of a block. */
const CAPACITY = 512;

/** Items in order; an array of them, too. */
export interface OrderedList<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T | undefined;
  filter(isMeant: (item: T) => boolean): readonly T[];
}

/**
 * A sorted list in blocks: a change moves the items of at most one block, whatever the size of the list. It must not
 * change while it is iterated.
 */
export class OrderedBlocks<T> implements OrderedList<T> {
  private readonly blocks: T[][] = [];
  /** Index of each block's first item; null after a change. */
  private starts: readonly number[] | null = null;
  length: number;

  constructor(sorted: readonly T[]) {
    this.length = sorted.length;
    for (let at = 0; at < sorted.length; at += CAPACITY)
      this.blocks.push(sorted.slice(at, at + CAPACITY));
  }

  at(index: number): T | undefined {
    const starts = (this.starts ??= startsOf(this.blocks));
    const nth = lowerBound(starts, (start) => start <= index) - 1;
    return this.blocks[nth]?.[index - starts[nth]!];
  }

  filter(isMeant: (item: T) => boolean): readonly T[] {
    return this.blocks.flatMap((block) => block.filter((item) => isMeant(item)));
  }

  *[Symbol.iterator](): Generator<T> {
    for (const block of this.blocks) yield* block;
  }

  /** @param isBefore true for the items before the new one */
  insert(item: T, isBefore: (other: T) => boolean): void {
    const { block, nth, at } = this.spot(isBefore);
    // Appends are a common case: then a full block stays full.
    if (!block || (at === block.length && at >= CAPACITY)) this.blocks.push([item]);
    else {
      block.splice(at, 0, item);
      if (block.length > CAPACITY) this.blocks.splice(nth + 1, 0, block.splice(block.length >>> 1));
    }
    this.length += 1;
    this.starts = null;
  }

  /** Deletes the first item that is not before a place. */
  delete(isBefore: (other: T) => boolean): void {
    const { block, nth, at } = this.spot(isBefore);
    if (!block || at === block.length) return;
    block.splice(at, 1);
    if (block.length === 0) this.blocks.splice(nth, 1);
    this.length -= 1;
    this.starts = null;
  }

  /** The position of the first item that is not before a place; behind the last item if all are before it. */
  private spot(isBefore: (other: T) => boolean) {
    const { blocks } = this;
    const found = lowerBound(blocks, (block) => isBefore(block.at(-1)!));
    const nth = Math.min(found, blocks.length - 1);
    const block = blocks[nth];
    return { block, nth, at: block ? lowerBound(block, isBefore) : 0 };
  }
}

function startsOf(blocks: readonly (readonly unknown[])[]): readonly number[] {
  let start = 0;
  return blocks.map(({ length }) => (start += length) - length);
}
