import assert from 'node:assert/strict';

import { idDigest, textSortKey } from '../order.js';
import type { Page, SearchHit, SearchOrder, SearchQuery } from '../port.js';
import {
  type ContractCase,
  TestDrive,
  aThing,
  clause,
  hitIds,
  manyThings,
  modelCase,
  walk,
} from './fixtures.contract.js';

const BOTH = [
  { family: 'things', visible: 'all' },
  { family: 'others', visible: 'all' },
] as const;

const lettered = (n: number): string => `${String.fromCharCode(97 + n)} hit`;

/** All hits by pages of two, checked to be the same both ways, up and down. */
async function everyHit(drive: TestDrive, text: string, query: Partial<SearchQuery>) {
  const all = await drive.search(text, query);
  const down = await walk('after', (after) =>
    drive.search(text, { ...query, page_size: 2, ...(after && { after }) }),
  );
  assert.deepEqual(down.flatMap(hitIds), hitIds(all));
  for (const { after, items } of down.slice(0, -1)) assert.deepEqual(items.at(-1)!.position, after);
  let up: string[] = [];
  for (let page = down.at(-1); page?.before;) {
    const before: Page<SearchHit> = await drive.search(text, {
      ...query,
      page_size: 2,
      before: page.before,
    });
    up = [...hitIds(before), ...up];
    page = before;
  }
  assert.deepEqual([...up, ...hitIds(down.at(-1)!)], hitIds(all));
  assert.equal(all.total, all.items.length);
  const other_way = query.direction === 'DESC' ? 'ASC' : 'DESC';
  const reversed = await drive.search(text, { ...query, direction: other_way });
  assert.deepEqual(hitIds(reversed).toReversed(), hitIds(all));
  return hitIds(all);
}

/** Search over one and several families, in every order. */
export const SEARCH_CASES: readonly ContractCase[] = [
  modelCase('a search finds substrings of the searched text, ignoring case', async (model) => {
    const drive = await TestDrive.open(model, [
      aThing('1', { name: 'Straße', note: 'ΑΒΓ' }),
      aThing('2', { name: 'x', note: 'strasse αβγ 100%' }),
      aThing('3', { name: 'STRA.*', note: '' }),
    ]);
    const found = async (text: string) => hitIds(await drive.search(text));
    assert.deepEqual(await found('STRASSE'), ['2']);
    assert.deepEqual(await found('stra'), ['1', '2', '3']);
    assert.deepEqual(await found('αΒ'), ['1', '2']);
    assert.deepEqual(await found('%'), ['2']);
    assert.deepEqual(await found('.*'), ['3']);
    assert.deepEqual(await found('s'), ['1', '2', '3']);
    assert.deepEqual(await found('grey'), []);
  }),

  modelCase('a hit scores by where its title matches', async (model) => {
    const drive = await TestDrive.open(model, [
      aThing('contains', { name: 'My Report 7' }),
      aThing('exact', { name: 'rePORT' }),
      aThing('other', { name: 'notes', note: 'the report' }),
      aThing('prefix', { name: 'REPORTS' }),
      aThing('twice', { name: 'a report on report' }),
    ]);
    const page = await drive.search('Report', { order: 'SCORE', direction: 'DESC' });
    assert.deepEqual(
      page.items.map(({ document, score }) => [document.id, score]),
      [
        ['exact', 1],
        ['prefix', 0.75],
        ['twice', 0.5],
        ['contains', 0.5],
        ['other', 0.25],
      ],
    );
    const first = await drive.search('report', { order: 'SCORE', direction: 'DESC', page_size: 2 });
    assert.deepEqual(first.after, { key: 0.75, id: 'prefix' });
    const by_time = await drive.search('report', { order: 'CREATED_AT' });
    assert.deepEqual(
      by_time.items.map(({ score }) => score),
      [0.5, 1, 0.25, 0.75, 0.5],
    );
  }),

  modelCase('hits of several families are ordered as one', async (model) => {
    const drive = await TestDrive.open(
      model,
      [
        aThing('t1', { name: 'hit b', created_at: 1, updated_at: 9 }),
        aThing('t2', { name: 'hit', created_at: 3, updated_at: 3 }),
        aThing('t3', { name: 'a hit', created_at: 3, updated_at: 4 }),
        aThing('t4', { name: 'miss', created_at: 2, updated_at: 5 }),
      ],
      [
        aThing('o1', { name: 'HIT A', created_at: 2, updated_at: 4 }),
        aThing('o2', { name: 'c hit', created_at: 3, updated_at: 1 }),
      ],
    );
    const expected: Record<SearchOrder, string[]> = {
      CREATED_AT: ['t1', 'o1', 'o2', 't2', 't3'],
      UPDATED_AT: ['o2', 't2', 'o1', 't3', 't1'],
      SCORE: ['o2', 't3', 'o1', 't1', 't2'],
      ALPHABETICAL: ['t3', 'o2', 't2', 'o1', 't1'],
    };
    for (const order of Object.keys(expected) as SearchOrder[]) {
      const found = await everyHit(drive, 'Hit', { families: BOTH, order });
      assert.deepEqual(found, expected[order], order);
      const desc = await everyHit(drive, 'hit', { families: BOTH, order, direction: 'DESC' });
      assert.deepEqual(desc, expected[order].toReversed(), order);
    }
    const one = await drive.search('hit', { families: [BOTH[1]] });
    assert.deepEqual([hitIds(one), one.total], [['o1', 'o2'], 2]);
    assert.equal((await drive.search('hit', { families: [] })).total, 0);
  }),

  modelCase(
    'equal titles are ordered by the digest of the id, also across families',
    async (model) => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      const drive = await TestDrive.open(
        model,
        names.map((id) => aThing(id, { name: 'Same' })),
        names.map((id) => aThing(`o-${id}`, { name: 'sAME' })),
      );
      const found = await everyHit(drive, 'same', { families: BOTH, order: 'ALPHABETICAL' });
      const all = [...names, ...names.map((id) => `o-${id}`)];
      const by_digest = all.toSorted((x, y) => (idDigest(x) < idDigest(y) ? -1 : 1));
      assert.deepEqual(found, by_digest);
      const page = await drive.search('same', { order: 'ALPHABETICAL', page_size: 1 });
      assert.deepEqual(page.after, { key: 'same', id: idDigest(hitIds(page)[0]!) });
    },
  ),

  modelCase('titles are ordered by the first 90 bytes of their folded text', async (model) => {
    const long = 'ä'.repeat(44);
    const names: Record<string, string> = {
      long_b: `${long}xyb`,
      long_a: `${long.toUpperCase()}XYa`,
      // The 90th byte lies inside of the last code point, which is left out.
      cut: `${long}x𝒳`,
      shorter: `${long}x`,
      astral: '𝒳',
      private_use: '\uf000',
      z: 'Z',
      upper: 'Äb',
    };
    const drive = await TestDrive.open(
      model,
      Object.entries(names).map(([id, name]) => aThing(id, { name, note: 'find me' })),
    );
    const found = await everyHit(drive, 'find me', { order: 'ALPHABETICAL' });
    const bytes = (id: string) => Buffer.from(textSortKey(names[id]!));
    const expected = Object.keys(names).toSorted(
      (x, y) => Buffer.compare(bytes(x), bytes(y)) || (idDigest(x) < idDigest(y) ? -1 : 1),
    );
    assert.deepEqual(found, expected);
    assert.deepEqual(found.slice(-2), ['private_use', 'astral']);
    assert.equal(textSortKey(names.cut!), textSortKey(names.shorter!));
    assert.equal(textSortKey(names.long_a!), textSortKey(names.long_b!));
  }),

  modelCase('every family is searched with its own visibility', async (model) => {
    const drive = await TestDrive.open(
      model,
      manyThings(20, (n) => ({ name: 'hit', color: n % 4 === 0 ? 'red' : 'blue' })),
      manyThings(20).map((one) => ({ ...one, id: `o-${one.id}`, name: 'hit', color: 'red' })),
    );
    const families = [
      { family: 'things', visible: [clause('color', 'red'), clause('id', 'a03')] },
      { family: 'others', visible: [clause('id', 'o-a02', 'a01', 'a04')] },
    ];
    const expected = ['a00', 'o-a02', 'a03', 'a04', 'a08', 'a12', 'a16'];
    assert.deepEqual(await everyHit(drive, 'hit', { families }), expected);
    const page = await drive.search('hit', { families, page_size: 3, direction: 'DESC' });
    assert.deepEqual([hitIds(page), page.total], [['a16', 'a12', 'a08'], 7]);
    const none = families.map(({ family }) => ({ family, visible: [] }));
    assert.equal((await drive.search('hit', { families: none })).total, 0);
  }),

  modelCase(
    'what a family leaves out is not found, and comes back when it is included',
    async (model) => {
      const drive = await TestDrive.open(
        model,
        manyThings(4, (n) => ({ name: 'hit', hidden: n % 2 === 1 })),
      );
      const found = async () => everyHit(drive, 'hit', {});
      assert.deepEqual(await found(), ['a00', 'a02']);
      const visible = [clause('id', 'a01', 'a02')];
      const by_id = await drive.search('hit', { families: [{ family: 'things', visible }] });
      assert.deepEqual([hitIds(by_id), by_id.total], [['a02'], 1]);
      await drive.change(
        { put: aThing('a01', { name: 'hit', created_at: 1 }) },
        { put: aThing('a02', { name: 'hit', created_at: 2, hidden: true }) },
      );
      assert.deepEqual(await found(), ['a00', 'a01']);
      assert.equal((await drive.list()).total, 4);
    },
  ),

  modelCase('pages of a search stay in step when hits come and go', async (model) => {
    for (const order of ['CREATED_AT', 'UPDATED_AT', 'SCORE', 'ALPHABETICAL'] as const) {
      const drive = await TestDrive.open(
        model,
        manyThings(8, (n) => ({ name: lettered(n) })),
      );
      const pages = await walk('after', async (after, page_number) => {
        if (page_number === 1) {
          await drive.change(
            { remove: 'a02' },
            { remove: 'a05' },
            { put: aThing('a00a', { name: 'a hit a', created_at: 0.5, updated_at: 0.5 }) },
            { put: aThing('a06a', { name: 'g hit a', created_at: 6.5, updated_at: 6.5 }) },
          );
        }
        return drive.search('hit', { order, page_size: 3, ...(after && { after }) });
      });
      assert.deepEqual(
        pages.flatMap(hitIds),
        ['a00', 'a01', 'a02', 'a03', 'a04', 'a06', 'a06a', 'a07'],
        order,
      );
    }
  }),

  modelCase('a search tells what stands on both sides and at which revision', async (model) => {
    const drive = await TestDrive.open(
      model,
      manyThings(5, () => ({ name: 'hit' })),
    );
    await drive.change({ remove: 'a04' });
    const middle = await drive.search('hit', { page_size: 2, after: { key: 0, id: 'a00' } });
    assert.deepEqual([hitIds(middle), middle.total, middle.revision], [['a01', 'a02'], 4, 1]);
    assert.deepEqual(middle.before, { key: 1, id: 'a01' });
    assert.deepEqual(middle.after, { key: 2, id: 'a02' });
    const first = await drive.search('hit', { page_size: 2, before: { key: 2, id: 'a02' } });
    assert.deepEqual([hitIds(first), first.before], [['a00', 'a01'], null]);
    assert.deepEqual(first.after, { key: 1, id: 'a01' });
    const beyond = await drive.search('hit', { after: { key: 9, id: '' } });
    assert.deepEqual(beyond, { items: [], total: 4, before: null, after: null, revision: 1 });
  }),
];
