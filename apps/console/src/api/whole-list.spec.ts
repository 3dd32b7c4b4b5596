import type { Page } from './answers.js';
import { isWhole, readWhole } from './whole-list.js';

/** A list of numbers whose pages end after at most `most` of them. */
function listOf(total: number, most: number): Parameters<typeof readWhole<Page<number>>>[0] {
  return async ({ page_size, cursor_down }) => {
    const from = Number(cursor_down ?? 0);
    const end = Math.min(from + Math.min(page_size, most), total);
    const items = Array.from({ length: end - from }, (_, at) => from + at);
    const cursor_up = from > 0 ? String(from) : null;
    return { items, total, cursor_up, cursor_down: end < total ? String(end) : null };
  };
}

describe('a list that is read whole', () => {
  it.each([
    [100, 1000],
    [100, 7],
    [1000, 300],
    [0, 7],
  ])('has all of %i records, also if pages end after %i', async (total, most) => {
    const page = await readWhole(listOf(total, most));
    expect(page.items).toEqual(Array.from({ length: total }, (_, at) => at));
    expect(isWhole(page)).toBe(true);
  });

  it('ends at the maximum and says that there are more', async () => {
    const page = await readWhole(listOf(1003, 300));
    expect(page).toMatchObject({ total: 1003, cursor_down: '1000' });
    expect(page.items).toHaveLength(1000);
    expect(isWhole(page)).toBe(false);
  });
});

describe('a page', () => {
  it.each([
    [null, null, true],
    ['on', null, false],
    [null, 'back', false],
  ])('with the cursors %s and %s: whole is %s', (cursor_down, cursor_up, expected) =>
    expect(isWhole({ total: 3, cursor_down, cursor_up })).toBe(expected),
  );
});
