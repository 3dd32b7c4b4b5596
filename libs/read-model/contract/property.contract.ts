import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import { idDigest, textSortKey } from '../order.js';
import type { Clause, ListQuery, Page, Position, SearchQuery, Visibility } from '../port.js';
import {
  type Change,
  type ContractCase,
  TestDrive,
  type Thing,
  aThing,
  modelCase,
} from './fixtures.contract.js';
import { SlowModel, type SlowPage } from './slow-model.contract.js';

/** Small alphabets, so that records collide, tie and change. Ids differ between families. */
const PIECES = [
  '',
  'a',
  'B',
  'ab',
  ' ',
  'É',
  'é',
  'İ',
  'ß',
  'Σ',
  '%',
  '.*',
  '\n',
  '\t',
  '\uf000',
  '𝒳',
];
const name = fc
  .array(fc.constantFrom(...PIECES, 'ä'.repeat(44), 'x'.repeat(89)), { maxLength: 4, size: 'max' })
  .map((pieces) => pieces.join(''));
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 2, size: 'max' });
const key = fc.constantFrom('n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9', 'na');
const color = fc.constantFrom('red', 'green', 'blue');
const time = fc.integer({ min: -1, max: 4 });
const family = fc.constantFrom('things', 'others');
const idIn = (of: string, id: string): string => (of === 'things' ? id : `o-${id}`);

const put = fc
  .record({
    family,
    id: key,
    name,
    note: name,
    color,
    tags: fc.array(color, { maxLength: 3, size: 'max' }),
    hidden: fc.nat(3).map((n) => n === 0),
    created_at: time,
    updated_at: time,
  })
  .map(({ family: of, id, ...fields }): Change => ({
    put: aThing(idIn(of, id), fields satisfies Partial<Thing>),
    family: of,
  }));
const remove = fc
  .tuple(family, key)
  .map(([of, id]): Change => ({ remove: idIn(of, id), family: of }));
const step = fc.array(fc.oneof({ weight: 3, arbitrary: put }, { weight: 1, arbitrary: remove }), {
  minLength: 1,
  maxLength: 12,
  size: 'max',
});

/** Only fields that both families have, unless `tags` is allowed. */
const clauseOf = (of: string): fc.Arbitrary<Clause> => {
  const fields = of === 'things' ? ['id', 'color', 'tags'] : ['id', 'color'];
  return fc.constantFrom(...fields).chain((field) =>
    fc
      .array(field === 'id' ? key.map((id) => idIn(of, id)) : color, {
        maxLength: 6,
        size: 'max',
      })
      .map((values) => ({ field, among: new Set(values) })),
  );
};
const clausesOf = (of: string, most: number) =>
  fc.array(clauseOf(of), { maxLength: most, size: 'max' });
const visibleTo = (of: string): fc.Arbitrary<Visibility> =>
  fc.oneof(fc.constant('all' as const), clausesOf(of, 3));

const paging = <Key extends string | number>(keys: fc.Arbitrary<Position & { key: Key }>) =>
  fc
    .record({
      direction: fc.constantFrom('ASC' as const, 'DESC' as const),
      page_size: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(50)),
      after: fc.option(keys, { nil: undefined, freq: 2 }),
      before: fc.option(keys, { nil: undefined, freq: 2 }),
    })
    .map(({ direction, page_size, after, before }) => ({
      direction,
      page_size,
      ...(after && { after }),
      ...(before && { before }),
    }));
const position_ids = fc.oneof(
  key,
  key.map((id) => idIn('others', id)),
  fc.constant(''),
);
const timePosition = fc.record({ key: fc.oneof(time, fc.constant(0.5)), id: position_ids });
const scorePosition = fc.record({
  key: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
  id: position_ids,
});
const textPosition = fc.record({
  key: name.map(textSortKey),
  id: position_ids.map((id) => (id === '' ? '' : idDigest(id))),
});

const list: fc.Arbitrary<ListQuery> = family.chain((of) =>
  fc
    .record({
      where: clausesOf(of, 2),
      visible: visibleTo(of),
      filter: fc.option(
        fc.record({ text: text.map((all) => all.join('')), or: clausesOf(of, 2) }),
        {
          nil: undefined,
        },
      ),
      page: paging(timePosition),
    })
    .map(({ where, visible, filter, page }) => ({
      family: of,
      where,
      visible,
      ...(filter && { filter }),
      ...page,
    })),
);
const searchIn = <Order extends SearchQuery['order']>(
  order: Order,
  positions: fc.Arbitrary<Position>,
): fc.Arbitrary<SearchQuery> =>
  fc
    .record({
      text: text.map((all) => all.join('') || 'a'),
      things: visibleTo('things'),
      others: visibleTo('others'),
      or: clausesOf('things', 2),
      instead: fc.option(clausesOf('others', 1), { nil: [], freq: 3 }),
      which: fc.integer({ min: 1, max: 3 }),
      page: paging(positions),
    })
    .map(({ text: wanted, things, others, or, instead: [instead], which, page }) => ({
      text: wanted,
      families: [
        ...(which & 1 ? [{ family: 'things', visible: things, or }] : []),
        ...(which & 2 ? [{ family: 'others', visible: others, ...(instead && { instead }) }] : []),
      ],
      order,
      ...page,
    }));
const search = fc.oneof(
  searchIn('CREATED_AT', timePosition),
  searchIn('UPDATED_AT', timePosition),
  searchIn('SCORE', scorePosition),
  searchIn('ALPHABETICAL', textPosition),
);

/** Every query is asked after every step, with the same objects, as a caller with a cache does. */
const histories = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }),
  lists: fc.array(list, { minLength: 1, maxLength: 8, size: 'max' }),
  searches: fc.array(search, { minLength: 1, maxLength: 8, size: 'max' }),
});

/** Any history of steps, with any queries between them, is answered as by filtering and sorting arrays. */
export function agreesWithSlowModel(numRuns: number): ContractCase {
  return modelCase('any queries after any steps agree with filtering and sorting', (model) =>
    fc.assert(
      fc.asyncProperty(histories, async ({ steps, lists, searches }) => {
        const drive = await TestDrive.open(model, []);
        const slow = new SlowModel();
        for (const changes of steps) {
          assert.equal(await drive.change(...changes), true);
          for (const change of changes) {
            if ('put' in change) slow.put(change.family ?? 'things', change.put);
            else slow.remove(change.family ?? 'things', change.remove);
          }
          for (const query of lists) {
            const page = await model.list(drive.id, query);
            compare(page, slow.list(query), drive.revision, (item) => [item.family, item.id]);
          }
          for (const query of searches) {
            const page = await model.search(drive.id, query);
            compare(page, slow.search(query), drive.revision, ({ document, score }) => [
              document.family,
              document.id,
              score,
            ]);
          }
        }
        await model.forget(drive.id);
      }),
      { numRuns },
    ),
  );
}

/** @throws if a page is not what was expected */
export function compare<Item>(
  page: Page<Item>,
  expected: SlowPage,
  revision: number,
  show: (item: Item) => SlowPage['items'][number],
): void {
  const shown = { ...page, items: page.items.map(show) };
  assert.deepEqual(shown, { ...expected, revision });
}
