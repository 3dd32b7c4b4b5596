import { jest } from '@jest/globals';
import { OrderedIndex } from './ordered-index.js';

const MEMBERS = 5000;
const nameOf = (nth: number): string => String(nth).padStart(5, '0');

describe('OrderedIndex', () => {
  it('moves few of the records of a large group at a change', () => {
    const index = new OrderedIndex();
    const members = Array.from(
      { length: MEMBERS },
      (_, nth) => [nameOf(nth), nameOf(nth)] as const,
    );
    index.of('group', () => members);
    const splice = jest.spyOn(Array.prototype, 'splice');
    for (let nth = 0; nth < MEMBERS; nth += 2) index.delete('group', nameOf(nth), nameOf(nth));
    for (let nth = 0; nth < MEMBERS; nth += 2) index.add('group', nameOf(nth), nameOf(nth));
    const most = Math.max(...splice.mock.contexts.map((list) => (list as unknown[]).length));
    splice.mockRestore();
    expect(most).toBeLessThan(600);
    expect(
      Array.from(
        index.of('group', () => []),
        ({ id }) => id,
      ),
    ).toEqual(members.map(([id]) => id));
  });
});
