import fc from 'fast-check';
import { OrderedBlocks } from './ordered-blocks.js';

const before = (item: number) => (other: number) => other < item;
const items = (maxLength: number) =>
  fc.uniqueArray(fc.integer({ min: 0, max: 100_000 }), { maxLength, size: 'max' });

function expectSame(blocks: OrderedBlocks<number>, plain: Iterable<number>): void {
  const sorted = [...plain].sort((one, other) => one - other);
  expect([...blocks]).toEqual(sorted);
  expect(blocks).toHaveLength(sorted.length);
  const indexes = [-1, ...sorted.keys(), sorted.length];
  expect(indexes.map((index) => blocks.at(index))).toEqual(indexes.map((index) => sorted[index]));
  const isEven = (item: number): boolean => item % 2 === 0;
  expect(blocks.filter(isEven)).toEqual(sorted.filter(isEven));
}

describe('OrderedBlocks', () => {
  it('have the items of a sorted array after any changes', () => {
    fc.assert(
      fc.property(items(1500), items(1500), items(1500), (first, added, deleted) => {
        const blocks = new OrderedBlocks(first.toSorted((one, other) => one - other));
        const plain = new Set(first);
        expectSame(blocks, plain);
        for (const item of added) {
          if (!plain.has(item)) blocks.insert(item, before(item));
          plain.add(item);
        }
        expectSame(blocks, plain);
        const present = [...plain];
        for (const nth of deleted) {
          const item = present[nth % (present.length + 1)];
          if (item !== undefined && plain.delete(item)) blocks.delete(before(item));
        }
        expectSame(blocks, plain);
        for (const item of plain) blocks.delete(before(item));
        expectSame(blocks, []);
        for (const item of added) blocks.insert(item, before(item));
        expectSame(blocks, added);
      }),
      { numRuns: 40 },
    );
  });

  it('stay as they are if nothing is at or after the place of a deletion', () => {
    const blocks = new OrderedBlocks([1, 2]);
    blocks.delete(before(3));
    expectSame(blocks, [1, 2]);
  });
});
