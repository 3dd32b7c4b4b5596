import { isRefusal } from '../../domain/kernel/refusal.js';
import { fittingItems, pageOf } from './page-of.js';

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
    ['after a cursor', { after: { key: 0, id: '' } }, [1, 1, 1, 1, 1], [0, 1, 2]],
    ['before a cursor', { before: { key: 0, id: '' } }, [1, 1, 1, 1, 1], [2, 3, 4]],
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

describe('a page that ends early', () => {
  const MOST = 3;
  const all = Array.from({ length: 5 }, (_, nth) => nth);
  const read = (cursors: object) => {
    const input = { page_size: 5, direction: 'ASC' as const, ...cursors };
    const position = (key: number) => ({ key, id: '' });
    const page = pageOf('list', input, all, position, (nth) => ({ nth, text: 'x'.repeat(MIB) }));
    if (isRefusal(page)) throw new Error(page.refusal);
    return { ...page, shown: page.items.map(({ nth }) => nth) };
  };

  it('keeps its size and total, and its cursors lead to what is left out, both ways', () => {
    const first = read({});
    expect(first).toMatchObject({ page_size: 5, total: 5, shown: [0, 1, 2], cursor_up: null });
    expect(first.shown).toHaveLength(MOST);
    const next = read({ cursor_down: first.cursor_down });
    expect(next).toMatchObject({ shown: [3, 4], cursor_down: null });
    const back = read({ cursor_up: next.cursor_up });
    expect(back).toMatchObject({ shown: [0, 1, 2], cursor_up: null });
  });

  it('passes on the refusal of its cursor', () => {
    expect(() => read({ cursor_down: 'x' })).toThrow('invalid-field');
  });
});
