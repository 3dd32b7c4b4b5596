import { fittingItems } from './page-of.js';

const MIB = 1024 * 1024;

describe('the items of a page', () => {
  const page = (cursors: object = {}) => ({ page_size: 9, direction: 'ASC' as const, ...cursors });
  const ofMib = (sizes: readonly number[]) => sizes.map((mib, nth) => ({ mib, nth }));
  const present = ({ mib, nth }: { mib: number; nth: number }) => ({
    nth,
    text: 'x'.repeat(mib * MIB),
  });

  it.each([
    ['from the start', {}, [1, 1, 1, 1, 1], [0, 1, 2]],
    ['after a cursor', { cursor_down: 'c' }, [1, 1, 1, 1, 1], [0, 1, 2]],
    ['before a cursor', { cursor_up: 'c' }, [1, 1, 1, 1, 1], [2, 3, 4]],
    ['all, if they are short', {}, [0, 0, 0], [0, 1, 2]],
    ['one, however long it is', {}, [9, 0], [0]],
    ['none', {}, [], []],
  ])('are those nearest to the cursor: %s', (_, cursors, sizes, kept) => {
    const shown = fittingItems(page(cursors), ofMib(sizes), present);
    expect(shown.map(({ nth }) => nth)).toEqual(kept);
  });

  it('are not presented beyond the first that is too long', () => {
    const presented: number[] = [];
    fittingItems(page(), ofMib([1, 5, 1, 1]), (item) => {
      presented.push(item.nth);
      return present(item);
    });
    expect(presented).toEqual([0, 1]);
  });
});
