import assert from 'node:assert/strict';

import {
  type ContractCase,
  TestDrive,
  aThing,
  ids,
  manyThings,
  modelCase,
  walk,
} from './fixtures.contract.js';

const in_order = (count: number): string[] => manyThings(count).map(({ id }) => id);

/** Order, pages and positions of lists. */
export const LIST_CASES: readonly ContractCase[] = [
  modelCase('a list is ordered by created_at, then by id in code-unit order', async (model) => {
    const drive = await TestDrive.open(model, [
      aThing('b', { created_at: 2 }),
      aThing('c', { created_at: 1 }),
      aThing('a10', { created_at: 2 }),
      aThing('a9', { created_at: 2 }),
      aThing('Z', { created_at: 2 }),
      aThing('_', { created_at: 2 }),
    ]);
    assert.deepEqual(ids(await drive.list()), ['c', 'Z', '_', 'a10', 'a9', 'b']);
    assert.deepEqual(ids(await drive.list({ direction: 'DESC' })), [
      'b',
      'a9',
      'a10',
      '_',
      'Z',
      'c',
    ]);
  }),

  modelCase('times before 1970 and fractions of a ms are ordered as numbers', async (model) => {
    const drive = await TestDrive.open(model, [
      aThing('a', { created_at: 10 }),
      aThing('b', { created_at: 9 }),
      aThing('c', { created_at: -1 }),
      aThing('d', { created_at: 9.5 }),
      aThing('e', { created_at: Date.UTC(2999, 0) }),
    ]);
    assert.deepEqual(ids(await drive.list()), ['c', 'b', 'd', 'a', 'e']);
  }),

  modelCase('a page tells what stands on both sides of it', async (model) => {
    const drive = await TestDrive.open(model, manyThings(5));
    const first = await drive.list({ page_size: 2 });
    assert.deepEqual(ids(first), ['a00', 'a01']);
    assert.deepEqual([first.before, first.after], [null, { key: 1, id: 'a01' }]);
    assert.deepEqual([first.total, first.revision], [5, 0]);
    const middle = await drive.list({ page_size: 2, after: { key: 1, id: 'a01' } });
    assert.deepEqual(ids(middle), ['a02', 'a03']);
    assert.deepEqual(
      [middle.before, middle.after],
      [
        { key: 2, id: 'a02' },
        { key: 3, id: 'a03' },
      ],
    );
    const last = await drive.list({ page_size: 2, after: { key: 3, id: 'a03' } });
    assert.deepEqual(ids(last), ['a04']);
    assert.deepEqual([last.before, last.after, last.total], [{ key: 4, id: 'a04' }, null, 5]);
  }),

  modelCase('a page before a position is the nearest one, in the direction', async (model) => {
    const drive = await TestDrive.open(model, manyThings(6));
    const asc = await drive.list({ page_size: 2, before: { key: 4, id: 'a04' } });
    assert.deepEqual(ids(asc), ['a02', 'a03']);
    assert.deepEqual(
      [asc.before, asc.after],
      [
        { key: 2, id: 'a02' },
        { key: 3, id: 'a03' },
      ],
    );
    const desc = await drive.list({
      direction: 'DESC',
      page_size: 2,
      before: { key: 1, id: 'a01' },
    });
    assert.deepEqual(ids(desc), ['a03', 'a02']);
    const short = await drive.list({ page_size: 3, before: { key: 2, id: 'a02' } });
    assert.deepEqual([ids(short), short.before], [['a00', 'a01'], null]);
    assert.deepEqual(short.after, { key: 1, id: 'a01' });
  }),

  modelCase('after wins when both positions are given', async (model) => {
    const drive = await TestDrive.open(model, manyThings(6));
    const page = await drive.list({
      page_size: 2,
      after: { key: 3, id: 'a03' },
      before: { key: 2, id: 'a02' },
    });
    assert.deepEqual(ids(page), ['a04', 'a05']);
  }),

  modelCase('pages of every size meet every record once, both ways', async (model) => {
    const drive = await TestDrive.open(
      model,
      manyThings(7, (n) => ({ created_at: Math.floor(n / 3) })),
    );
    for (const direction of ['ASC', 'DESC'] as const) {
      const expected = direction === 'ASC' ? in_order(7) : in_order(7).toReversed();
      for (const page_size of [1, 2, 6, 7, 8, 1000]) {
        const down = await walk('after', (position) =>
          drive.list({ direction, page_size, ...(position && { after: position }) }),
        );
        assert.deepEqual(down.flatMap(ids), expected);
        assert.equal(down.length, Math.ceil(7 / page_size));
        const end = { key: direction === 'ASC' ? 99 : -99, id: '' };
        const up = await walk('before', (position) =>
          drive.list({ direction, page_size, before: position ?? end }),
        );
        assert.deepEqual(up.toReversed().flatMap(ids), expected);
      }
    }
  }),

  modelCase('a page beyond the end is empty and still counts', async (model) => {
    const drive = await TestDrive.open(model, manyThings(3));
    const page = await drive.list({ after: { key: 2, id: 'a02' } });
    assert.deepEqual(page, { items: [], total: 3, before: null, after: null, revision: 0 });
    const front = await drive.list({ before: { key: 0, id: 'a00' } });
    assert.deepEqual(front, page);
  }),

  modelCase('a position may name a record that is gone, or one that never was', async (model) => {
    const drive = await TestDrive.open(model, manyThings(5));
    await drive.change({ remove: 'a02' });
    assert.deepEqual(ids(await drive.list({ after: { key: 2, id: 'a02' } })), ['a03', 'a04']);
    assert.deepEqual(ids(await drive.list({ before: { key: 2, id: 'a02' } })), ['a00', 'a01']);
    assert.deepEqual(ids(await drive.list({ after: { key: 3, id: 'a' } })), ['a03', 'a04']);
    assert.deepEqual(ids(await drive.list({ after: { key: 3, id: 'b' } })), ['a04']);
  }),

  modelCase('pages down neither repeat nor skip when records come and go', async (model) => {
    const drive = await TestDrive.open(model, manyThings(12));
    const pages = await walk('after', async (position, page_number) => {
      if (page_number === 1) {
        // Before the position and at it: not met any more. After it: met, or gone.
        await drive.change({ put: aThing('new-early', { created_at: 0 }) }, { remove: 'a02' });
        await drive.change({ remove: 'a05' }, { put: aThing('new-late', { created_at: 7 }) });
      }
      return drive.list({ page_size: 3, ...(position && { after: position }) });
    });
    assert.deepEqual(pages.flatMap(ids), [
      ...['a00', 'a01', 'a02'],
      ...['a03', 'a04', 'a06', 'a07', 'new-late', 'a08', 'a09', 'a10', 'a11'],
    ]);
  }),

  modelCase('pages up neither repeat nor skip when records come and go', async (model) => {
    const drive = await TestDrive.open(model, manyThings(10));
    const end = { key: 99, id: '' };
    const pages = await walk('before', async (position, page_number) => {
      if (page_number === 1) {
        await drive.change({ remove: 'a07' }, { put: aThing('new-late', { created_at: 8 }) });
        await drive.change({ put: aThing('new-early', { created_at: 3 }) }, { remove: 'a04' });
      }
      return drive.list({ page_size: 3, before: position ?? end });
    });
    assert.deepEqual(pages.toReversed().flatMap(ids), [
      ...['a00', 'a01', 'a02', 'a03', 'new-early', 'a05', 'a06'],
      ...['a07', 'a08', 'a09'],
    ]);
  }),

  modelCase('families do not mix', async (model) => {
    const drive = await TestDrive.open(model, [aThing('a')], [aThing('a', { name: 'other' })]);
    const page = await drive.list({ family: 'others', filter: { text: 'other' } });
    assert.deepEqual(
      page.items.map(({ family, id }) => [family, id]),
      [['others', 'a']],
    );
    assert.equal(page.total, 1);
    assert.equal((await drive.list({ filter: { text: 'other' } })).total, 0);
    assert.equal((await drive.list({ family: 'plain' })).total, 0);
    assert.equal((await drive.list()).total, 1);
  }),

  modelCase('an item names its record', async (model) => {
    const record = aThing('a', { name: 'Ä', tags: ['x', 'y'], color: '', created_at: 5 });
    const drive = await TestDrive.open(model, [record]);
    const [item] = (await drive.list()).items;
    const [hit] = (await drive.search('ä')).items;
    const key = { family: 'things', id: 'a' };
    assert.deepEqual({ family: item?.family, id: item?.id }, key);
    assert.deepEqual(hit, { document: item, score: 1, position: { key: 5, id: 'a' } });
  }),

  modelCase('an entry tells of which record it was made', async (model) => {
    const record = aThing('a', { name: 'Ä', tags: ['x', 'y'], color: '', created_at: 5 });
    const drive = await TestDrive.open(model, [record, aThing('b')], [aThing('o')]);
    assert.deepEqual(await drive.kept('a', 'b', 'o', 'none'), { a: 0, b: 0 });
    assert.deepEqual(await drive.kept(), {});
    await drive.change({ put: { ...record, tags: ['x'] } });
    assert.deepEqual(await drive.kept('a', 'b'), { a: 1, b: 0 });
    // The source goes on without the model.
    drive.source.put('things', aThing('a', { name: 'B' }), 1);
    assert.deepEqual(await drive.kept('a', 'b'), { a: 'odd', b: 0 });
  }),

  modelCase(
    'a query that the port forbids throws, whether or not the drive is known',
    async (model) => {
      const drive = await TestDrive.open(model, [aThing('a')]);
      for (const id of [drive.id, 'DriveID_unknown']) {
        const query = { family: 'things', visible: 'all', direction: 'ASC', page_size: 5 } as const;
        const searched = {
          ...query,
          text: 'a',
          families: [{ family: 'things', visible: 'all' }],
          order: 'SCORE',
        } as const;
        const unknown = [{ field: 'size', among: new Set<string>() }];
        for (const wrong of [
          { page_size: 0 },
          { page_size: -1 },
          { page_size: 1.5 },
          { family: 'nothings' },
          { where: unknown },
          { visible: unknown },
          { filter: { text: '', or: unknown } },
          { after: { key: '1', id: 'a' } },
        ]) {
          await assert.rejects(model.list(id, { ...query, ...wrong }), JSON.stringify(wrong));
        }
        for (const wrong of [
          { text: '' },
          { page_size: 0 },
          { families: [{ family: 'plain', visible: 'all' as const }] },
          { families: [...searched.families, ...searched.families] },
          { before: { key: 'a', id: 'a' } },
          { order: 'ALPHABETICAL' as const, before: { key: 1, id: 'a' } },
        ]) {
          await assert.rejects(model.search(id, { ...searched, ...wrong }), JSON.stringify(wrong));
        }
        await assert.rejects(model.entries(id, 'nothings', ['a']));
      }
    },
  ),
];
