import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import { IdGroups } from '../../domain/kernel/indexes/id-groups.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { pageFrame, pageRequest, type PageInput } from '../pages/cursor.js';
import { pageOf } from '../pages/page-of.js';
import { inOrder } from './in-order.js';
import { pageInOrder, type TextItem } from './page-in-order.js';

type Prefixed = Parameters<typeof pageInOrder>[2];

/** The page of a request with cursors. */
function framed(input: PageInput, alone: readonly TextItem[], ranges: Prefixed) {
  const request = pageRequest('list', input, 'string');
  if (isRefusal(request)) throw new Error('refused');
  const page = pageInOrder(request, alone, ranges);
  return { items: page.items, ...pageFrame('list', request, page) };
}

const LONG = 'x'.repeat(150);
/** Few texts, so that some are equal, and some only in the part that is compared. */
const texts = fc
  .tuple(
    fc.constantFrom('', 'A/', 'B/', 'T1', 'T1/', 'é"', LONG),
    fc.constantFrom('', 'a', 'b~', LONG),
  )
  .map((parts) => parts.join(''));
const ids = fc.uniqueArray(
  fc.tuple(fc.constantFrom('a', 'b_', 'c'), fc.nat(30), fc.constantFrom('', '', LONG)),
  { selector: (parts) => parts.join(''), maxLength: 30, size: 'max' },
);
const idsOf = (prefix: string) => ids.map((all) => all.map((parts) => prefix + parts.join('')));

const prefixed = fc.record({ 'T1/': idsOf('f'), 'T2/': idsOf('g'), 'U/': idsOf('h') });
const items = idsOf('i').chain((all) =>
  fc.tuple(...all.map((id) => texts.map((text): TextItem => ({ text, id })))),
);

it('a page of items in no order is the page of all of them in order', () => {
  let cursors = 0;
  fc.assert(
    fc.property(
      items,
      prefixed,
      fc.constantFrom('ASC' as const, 'DESC' as const),
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.boolean(), { maxLength: 8, size: 'max' }),
      (alone, families, direction, page_size, turns) => {
        const named = Object.entries(families);
        const all = [
          ...alone,
          ...named.flatMap(([prefix, of]) => of.map((id) => ({ text: prefix + id, id }))),
        ];
        const ordered = inOrder(
          all,
          ({ text }) => text,
          ({ id }) => id,
        );
        const ranges = named.map(([prefix, of]) => ({
          ...{ prefix, size: of.length },
          groups: () => new IdGroups(of, 2).inOrder,
        }));
        let cursor: object = {};
        for (const is_down of [true, ...turns]) {
          const input = { page_size, direction, ...cursor };
          const position = (one: (typeof ordered)[number]) => one.position;
          const expected = pageOf('list', input, ordered, position, ({ item }) => item.id);
          const page = framed(input, alone, ranges);
          expect(page).toEqual(expected);
          const next = is_down ? { cursor_down: page.cursor_down } : { cursor_up: page.cursor_up };
          if (Object.values(next)[0] === null) continue;
          cursors++;
          cursor = next;
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(cursors).toBeGreaterThan(500);
});

it('items with a common prefix that are not on the page are not visited', () => {
  let visited = 0;
  const ranges = ['A/', 'B/', 'C/'].map((prefix) => ({
    prefix,
    size: 3,
    groups: () => (visited++, [{ start: '', ids: new Set(['z', 'x', 'y']), size: 3 }]),
  }));
  const first = framed({ page_size: 2, direction: 'ASC' }, [], ranges);
  expect([first.items, first.total, visited]).toEqual([['x', 'y'], 9, 1]);
  const { cursor_down } = first;
  const input = { page_size: 2, direction: 'ASC', cursor_down: cursor_down! } as const;
  const second = framed(input, [], ranges);
  expect(second).toMatchObject({ items: ['z', 'x'], total: 9 });
  expect(visited).toBe(3);
});

it('digests of items with equal keys are computed once each', async () => {
  const in_order = await import('./in-order.js');
  const digestOf = jest.fn(in_order.digestOf);
  jest.unstable_mockModule('./in-order.js', () => ({ ...in_order, digestOf }));
  jest.resetModules();
  const { pageInOrder: counted } = await import('./page-in-order.js');
  const alike = Array.from({ length: 300 }, (_, nth): TextItem => ({ text: LONG, id: `i${nth}` }));
  const page = counted({ page_size: 100, direction: 'ASC' }, alike, []);
  expect(page).toMatchObject({ total: 300 });
  expect(digestOf).toHaveBeenCalledTimes(300);
});
