import assert from 'node:assert/strict';

import type { ListQuery } from '../port.js';
import {
  type ContractCase,
  TestDrive,
  aThing,
  clause,
  ids,
  manyThings,
  modelCase,
  walk,
} from './fixtures.contract.js';

/** Ids of what a filter text finds, checked against the total. */
async function filtered(drive: TestDrive, text: string, more: Partial<ListQuery> = {}) {
  const page = await drive.list({ filter: { text }, ...more });
  assert.equal(page.total, page.items.length);
  return ids(page);
}

/** Filters, clauses and visibility of lists. */
export const FILTER_CASES: readonly ContractCase[] = [
  modelCase('a filter is a substring, of any length', async (model) => {
    const drive = await TestDrive.open(model, [
      aThing('1', { name: 'quarterly report' }),
      aThing('2', { name: 'port' }),
      aThing('3', { name: 'par' }),
    ]);
    assert.deepEqual(await filtered(drive, 'p'), ['1', '2', '3']);
    assert.deepEqual(await filtered(drive, 'po'), ['1', '2']);
    assert.deepEqual(await filtered(drive, 'port'), ['1', '2']);
    assert.deepEqual(await filtered(drive, 'ly rep'), ['1']);
    assert.deepEqual(await filtered(drive, 'report '), []);
    assert.deepEqual(await filtered(drive, 'xx'), []);
    assert.deepEqual(await filtered(drive, ''), ['1', '2', '3']);
  }),

  modelCase('a filter ignores case, also outside of ASCII', async (model) => {
    const drive = await TestDrive.open(model, [
      aThing('1', { name: 'ÉTÉ GröSS' }),
      aThing('2', { name: 'été ПРИВЕТ' }),
      aThing('3', { name: 'ete ǅ' }),
    ]);
    assert.deepEqual(await filtered(drive, 'ÉTÉ'), ['1', '2']);
    assert.deepEqual(await filtered(drive, 'été'), ['1', '2']);
    assert.deepEqual(await filtered(drive, 'GRÖ'), ['1']);
    assert.deepEqual(await filtered(drive, 'привет'), ['2']);
    assert.deepEqual(await filtered(drive, 'ǆ'), ['3']);
    assert.deepEqual(await filtered(drive, 'E'), ['3']);
  }),

  modelCase('wildcards, quotes and control characters mean themselves', async (model) => {
    const marks = ['%', '_', '*', '?', '.', '^a', '$', '[', '(', ')', '\\', '|', '"', "'", '\n'];
    const drive = await TestDrive.open(model, [
      ...marks.map((mark, n) => aThing(`m${n}`, { name: `x${mark}y`, created_at: n })),
      aThing('plain', { name: 'xay', created_at: 99 }),
    ]);
    for (const [n, mark] of marks.entries()) {
      assert.deepEqual(await filtered(drive, mark), [`m${n}`], JSON.stringify(mark));
      assert.deepEqual(await filtered(drive, `X${mark.toUpperCase()}Y`), [`m${n}`]);
    }
    assert.deepEqual(await filtered(drive, 'x.y'), ['m4']);
    assert.deepEqual(await filtered(drive, '.*'), []);
  }),

  modelCase('a match never reaches from one record into the next', async (model) => {
    const drive = await TestDrive.open(
      model,
      manyThings(4, () => ({ name: 'ab' })),
    );
    for (const text of ['ba', 'b\na', 'b\0a', 'a00\nab', 'a00ab', '\nab', 'b a']) {
      assert.deepEqual(await filtered(drive, text), [], JSON.stringify(text));
    }
    assert.deepEqual(await filtered(drive, 'ab\ta02'), ['a02']);
  }),

  modelCase('a filter pages both ways and counts all its matches', async (model) => {
    const drive = await TestDrive.open(
      model,
      manyThings(20, (n) => ({ name: n % 3 === 0 ? 'Third' : 'rest' })),
    );
    const expected = ['a00', 'a03', 'a06', 'a09', 'a12', 'a15', 'a18'];
    const filter = { text: 'third' };
    const down = await walk('after', (after) =>
      drive.list({ filter, page_size: 2, ...(after && { after }) }),
    );
    assert.deepEqual(down.flatMap(ids), expected);
    assert.deepEqual(
      down.map(({ total }) => total),
      [7, 7, 7, 7],
    );
    assert.equal(down[0]?.before, null);
    const up = await walk('before', (before) =>
      drive.list({ filter, page_size: 2, before: before ?? { key: 99, id: '' } }),
    );
    assert.deepEqual(up.toReversed().flatMap(ids), expected);
  }),

  modelCase('a clause can stand in for the text of a filter', async (model) => {
    const drive = await TestDrive.open(model, [
      aThing('1', { name: 'red one', color: 'grey' }),
      aThing('2', { name: 'one', color: 'red' }),
      aThing('3', { name: 'one', color: 'grey', tags: ['warm', 'old'] }),
      aThing('4', { name: 'one', color: 'grey' }),
    ]);
    const or = [clause('color', 'red'), clause('tags', 'warm')];
    const page = await drive.list({ filter: { text: 'RED', or } });
    assert.deepEqual([ids(page), page.total], [['1', '2', '3'], 3]);
    const where = [clause('id', '2', '4')];
    assert.deepEqual(ids(await drive.list({ where, filter: { text: 'red', or } })), ['2']);
    assert.equal((await drive.list({ filter: { text: 'red', or: [] } })).total, 1);
  }),

  modelCase(
    'all clauses of where must hold; a clause holds for any of its values',
    async (model) => {
      const drive = await TestDrive.open(model, [
        aThing('1', { color: 'red', tags: ['x'] }),
        aThing('2', { color: 'red', tags: ['x', 'y'] }),
        aThing('3', { color: 'blue', tags: ['y', 'x'] }),
        aThing('4', { color: 'Red', tags: [] }),
      ]);
      const found = async (...where: ReturnType<typeof clause>[]) => {
        const page = await drive.list({ where });
        assert.equal(page.total, page.items.length);
        return ids(page);
      };
      assert.deepEqual(await found(clause('color', 'red')), ['1', '2']);
      assert.deepEqual(await found(clause('color', 'red', 'blue')), ['1', '2', '3']);
      assert.deepEqual(await found(clause('color', 'red'), clause('tags', 'y')), ['2']);
      assert.deepEqual(await found(clause('tags', 'x', 'y')), ['1', '2', '3']);
      assert.deepEqual(await found(clause('tags', 'x'), clause('tags', 'y')), ['2', '3']);
      assert.deepEqual(await found(clause('id', '4', '1', 'none')), ['1', '4']);
      assert.deepEqual(await found(clause('color')), []);
      assert.deepEqual(await found(clause('color', 'green')), []);
    },
  ),

  modelCase('what is not visible takes no slot and is not counted', async (model) => {
    const drive = await TestDrive.open(
      model,
      manyThings(30, (n) => ({ color: n % 5 === 0 ? 'red' : 'blue' })),
    );
    const visible = [clause('color', 'red'), clause('id', 'a01', 'a05', 'a29')];
    const expected = ['a00', 'a01', 'a05', 'a10', 'a15', 'a20', 'a25', 'a29'];
    for (const page_size of [1, 3, 8, 50]) {
      const pages = await walk('after', (after) =>
        drive.list({ visible, page_size, ...(after && { after }) }),
      );
      assert.deepEqual(pages.flatMap(ids), expected);
      assert.ok(pages.every(({ total }) => total === 8));
      assert.ok(pages.slice(0, -1).every(({ items }) => items.length === page_size));
    }
    const desc = await drive.list({ visible, direction: 'DESC', page_size: 3 });
    assert.deepEqual(ids(desc), ['a29', 'a25', 'a20']);
  }),

  modelCase('nothing is on a side where only invisible records stand', async (model) => {
    const drive = await TestDrive.open(model, manyThings(9));
    const visible = [clause('id', 'a03', 'a04', 'a05')];
    const page = await drive.list({ visible, after: { key: 2, id: 'a02' } });
    assert.deepEqual([ids(page), page.before, page.after], [['a03', 'a04', 'a05'], null, null]);
    const up = await drive.list({ visible, before: { key: 6, id: 'a06' } });
    assert.deepEqual([ids(up), up.before, up.after], [['a03', 'a04', 'a05'], null, null]);
  }),

  modelCase('visibility without clauses shows nothing, `all` everything', async (model) => {
    const drive = await TestDrive.open(model, manyThings(3));
    const none = await drive.list({ visible: [] });
    assert.deepEqual(none, { items: [], total: 0, before: null, after: null, revision: 0 });
    assert.equal((await drive.list({ visible: [clause('id')] })).total, 0);
    assert.equal((await drive.list({ visible: 'all' })).total, 3);
  }),

  modelCase('where, filter and visibility hold together', async (model) => {
    const drive = await TestDrive.open(
      model,
      manyThings(40, (n) => ({
        name: n % 2 === 0 ? 'even' : 'odd',
        color: n % 3 === 0 ? 'red' : 'blue',
        tags: n < 20 ? ['low'] : [],
      })),
    );
    const page = await drive.list({
      where: [clause('color', 'red')],
      filter: { text: 'EVEN' },
      visible: [clause('tags', 'low'), clause('id', 'a24', 'a25', 'a27')],
    });
    assert.deepEqual(ids(page), ['a00', 'a06', 'a12', 'a18', 'a24']);
    assert.equal(page.total, 5);
  }),

  modelCase('totals follow every change, whoever asks', async (model) => {
    const drive = await TestDrive.open(model, manyThings(6));
    const wide = [{ field: 'id', among: new Set(manyThings(40).map(({ id }) => id)) }];
    const totals = async () => [
      (await drive.list()).total,
      (await drive.list({ filter: { text: 'a0' } })).total,
      (await drive.list({ where: [clause('color', 'grey')] })).total,
      (await drive.list({ visible: wide })).total,
      (await drive.list({ visible: [clause('id', 'a01', 'a09')] })).total,
      (await drive.list({ visible: [clause('color', 'grey')] })).total,
    ];
    assert.deepEqual(await totals(), [6, 6, 6, 6, 1, 6]);
    assert.deepEqual(await totals(), [6, 6, 6, 6, 1, 6]);
    await drive.change({ put: aThing('a09', { color: 'red' }) }, { put: aThing('z') });
    assert.deepEqual(await totals(), [8, 7, 7, 7, 2, 7]);
    await drive.change({ remove: 'a01' });
    assert.deepEqual(await totals(), [7, 6, 6, 6, 1, 6]);
  }),
];
