import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type ContractCase,
  MapSource,
  TestDrive,
  aThing,
  at,
  clause,
  hitIds,
  ids,
  manyThings,
  modelCase,
  plain,
} from './fixtures.contract.js';

/** Steps, generations and tenants. `many`: documents that take several turns to build. */
export const stepCases = (many: number): readonly ContractCase[] => [
  modelCase('a step creates, changes and removes, and moves the revision', async (model) => {
    const drive = await TestDrive.open(model, [aThing('a'), aThing('b')]);
    assert.equal(
      await drive.change(
        { put: aThing('c') },
        { put: aThing('a', { name: 'changed' }) },
        { remove: 'b' },
        { remove: 'never-was' },
        { put: aThing('o'), family: 'others' },
      ),
      true,
    );
    const page = await drive.list();
    assert.deepEqual([ids(page), page.total, page.revision], [['a', 'c'], 2, 1]);
    assert.deepEqual(await drive.kept('a', 'b', 'c'), { a: 1, c: 1 });
    assert.equal((await drive.list({ family: 'others' })).total, 1);
    assert.deepEqual(
      plain(await model.checkpoint(drive.id)),
      plain({ generation: 'first', ...at(1) }),
    );
  }),

  modelCase('a step skips records of families that the schema lacks', async (model) => {
    const drive = await TestDrive.open(model, [aThing('a')]);
    const others = [{ put: aThing('x'), family: 'working-data' }];
    assert.equal(await drive.change({ put: aThing('b') }, ...others), true);
    assert.equal(await drive.change(...others), true);
    const page = await drive.list();
    assert.deepEqual([ids(page), page.total, page.revision], [['a', 'b'], 2, 2]);
  }),

  modelCase('a changed record is found by what it is now, not by what it was', async (model) => {
    const drive = await TestDrive.open(model, manyThings(5));
    const before = { name: 'Old title', note: 'old note', color: 'red', tags: ['x', 'y'] };
    await drive.change({ put: aThing('a02', { ...before, created_at: 2, updated_at: 2 }) });
    // Looked for once, so that whatever is kept of the old values is there.
    assert.deepEqual(ids(await drive.list({ filter: { text: 'old' } })), ['a02']);
    assert.deepEqual(hitIds(await drive.search('old note')), ['a02']);
    const after = { name: 'New title', note: 'new note', color: 'blue', tags: ['y', 'z'] };
    await drive.change({ put: aThing('a02', { ...after, created_at: 2, updated_at: 9 }) });

    const listed = async (field: string, value: string) =>
      ids(await drive.list({ where: [clause(field, value)] }));
    assert.deepEqual(ids(await drive.list({ filter: { text: 'old' } })), []);
    assert.deepEqual(ids(await drive.list({ filter: { text: 'new' } })), ['a02']);
    assert.deepEqual(await listed('color', 'red'), []);
    assert.deepEqual(await listed('color', 'blue'), ['a02']);
    assert.deepEqual(
      [await listed('tags', 'x'), await listed('tags', 'y'), await listed('tags', 'z')],
      [[], ['a02'], ['a02']],
    );
    assert.deepEqual(hitIds(await drive.search('old')), []);
    assert.deepEqual(hitIds(await drive.search('new note')), ['a02']);
    assert.equal((await drive.search('NEW TITLE')).items[0]?.score, 1);
    const by_update = await drive.search('a', { order: 'UPDATED_AT', direction: 'DESC' });
    assert.deepEqual(hitIds(by_update), ['a04', 'a03', 'a01', 'a00']);
    const titled = await drive.search('t', { order: 'ALPHABETICAL', page_size: 1 });
    assert.deepEqual([hitIds(titled), titled.total], [['a02'], 1]);
  }),

  modelCase('a record whose created_at changes moves in the order', async (model) => {
    const drive = await TestDrive.open(model, manyThings(5));
    await drive.change({ put: aThing('a01', { created_at: 3 }) });
    assert.deepEqual(ids(await drive.list()), ['a00', 'a02', 'a01', 'a03', 'a04']);
    await drive.change({ put: aThing('a01', { created_at: 30 }) });
    const page = await drive.list({ page_size: 2, after: { key: 3, id: 'a03' } });
    assert.deepEqual([ids(page), page.total], [['a04', 'a01'], 5]);
    assert.deepEqual(hitIds(await drive.search('a')), ['a00', 'a02', 'a03', 'a04', 'a01']);
  }),

  modelCase('a record removed and created again is there once', async (model) => {
    const drive = await TestDrive.open(model, manyThings(3));
    await drive.change({ remove: 'a01' });
    assert.deepEqual(await drive.kept('a01', 'a02'), { a02: 0 });
    assert.equal((await drive.list({ where: [clause('color', 'grey')] })).total, 2);
    await drive.change({ put: aThing('a01', { created_at: 9, color: 'red' }) });
    assert.deepEqual(ids(await drive.list()), ['a00', 'a02', 'a01']);
    assert.equal((await drive.list({ where: [clause('color', 'grey')] })).total, 2);
    // Touched twice in one step: what the source shows at its end counts.
    await drive.change({ put: aThing('a01') }, { remove: 'a01' }, { remove: 'a01' });
    assert.deepEqual(ids(await drive.list()), ['a00', 'a02']);
  }),

  modelCase('a step that does not fit is refused and changes nothing', async (model) => {
    const drive = await TestDrive.open(model, manyThings(2));
    await drive.change({ put: aThing('b', { created_at: 9 }) });
    const source = new MapSource();
    const step = {
      drive_id: drive.id,
      generation: 'first',
      touched: [{ family: 'things', id: 'a00' }],
      source,
    };
    assert.equal(await model.apply({ ...step, from_revision: 0, ...at(1) }), false);
    assert.equal(await model.apply({ ...step, from_revision: 2, ...at(3) }), false);
    const elsewhere = { ...step, from_revision: 1, ...at(2) };
    assert.equal(await model.apply({ ...elsewhere, generation: 'none' }), false);
    assert.equal(await model.apply({ ...elsewhere, drive_id: 'DriveID_none' }), false);
    await assert.rejects(model.apply({ ...step, from_revision: 1, ...at(1) }));
    const page = await drive.list();
    assert.deepEqual([ids(page), page.revision], [['a00', 'a01', 'b'], 1]);
    assert.deepEqual(await model.generations('DriveID_none'), []);
  }),

  modelCase('the same step given twice is applied once', async (model) => {
    const drive = await TestDrive.open(model, manyThings(2));
    drive.source.put('things', aThing('b', { created_at: 9 }), 1);
    const step = {
      drive_id: drive.id,
      generation: 'first',
      from_revision: 0,
      ...at(4),
      touched: [{ family: 'things', id: 'b' }],
      source: drive.source,
    };
    assert.equal(await model.apply({ ...step, if_active: true }), true);
    assert.equal(await model.apply(step), false);
    const page = await drive.list();
    assert.deepEqual([ids(page), page.total, page.revision], [['a00', 'a01', 'b'], 3, 4]);
  }),

  modelCase(
    'a generation is built beside the active one and shows when it is activated',
    async (model) => {
      const drive = await TestDrive.open(model, manyThings(2));
      await drive.change({ put: aThing('live') });
      const rebuilt = new MapSource();
      for (const one of manyThings(many)) rebuilt.put('things', one, 1);
      rebuilt.put('plain', aThing('p'), 1);
      const heard: number[] = [];
      assert.equal(
        await model.build(drive.id, 'second', at(1), rebuilt, (documents) => heard.push(documents)),
        many + 1,
      );
      assert.equal(heard.at(-1), many + 1);
      assert.ok(heard.length > 1);
      assert.deepEqual(
        heard,
        heard.toSorted((x, y) => x - y),
      );
      assert.deepEqual(ids(await drive.list()), ['a00', 'live', 'a01']);
      assert.deepEqual(
        (await model.generations(drive.id))
          .map(plain)
          .toSorted((x, y) => (x!.generation < y!.generation ? -1 : 1)),
        [
          plain({ generation: 'first', ...at(1), active: true }),
          plain({ generation: 'second', ...at(1), active: false }),
        ],
      );
      assert.equal(await model.activate(drive.id, 'second'), true);
      assert.equal((await drive.list()).total, many);
      assert.equal((await drive.search(`a${many - 1}`)).total, 1);
      assert.equal((await drive.list({ family: 'plain' })).total, 1);
      assert.deepEqual(
        plain(await model.checkpoint(drive.id)),
        plain({ generation: 'second', ...at(1) }),
      );
    },
  ),

  modelCase('live traffic goes on while a generation is built', async (model) => {
    const drive = await TestDrive.open(model, manyThings(2));
    const rebuilt = new MapSource();
    for (const one of manyThings(many)) rebuilt.put('things', one, 0);
    const answers: number[] = [];
    const building = { done: false };
    const build = model.build(drive.id, 'second', at(0), rebuilt).finally(() => {
      building.done = true;
    });
    while (!building.done) {
      await drive.change({ put: aThing(`live-${answers.length}`) });
      answers.push((await drive.list()).total);
      await nextTurn();
    }
    await build;
    assert.ok(answers.length > 1);
    assert.deepEqual(
      answers,
      answers.map((_, n) => 3 + n),
    );
  }),

  modelCase(
    'a generation behind the active one is not activated until it has caught up',
    async (model) => {
      const drive = await TestDrive.open(model, manyThings(2));
      const second = new MapSource();
      for (const one of manyThings(4)) second.put('things', one, 0);
      await model.build(drive.id, 'second', at(0), second);
      await drive.change({ put: aThing('live') });
      assert.equal(await model.activate(drive.id, 'second'), false);
      assert.equal(await model.activate(drive.id, 'none'), false);
      assert.equal(await model.activate('DriveID_none', 'second'), false);
      assert.equal((await drive.list()).total, 3);
      second.put('things', aThing('late', { created_at: 99 }), 1);
      const step = { drive_id: drive.id, from_revision: 0, ...at(1), source: second };
      const touched = [{ family: 'things', id: 'late' }];
      const of_second = { ...step, generation: 'second', touched };
      assert.equal(await model.apply({ ...of_second, if_active: true }), false);
      assert.equal((await drive.list()).total, 3);
      assert.equal(await model.apply(of_second), true);
      assert.equal((await drive.list()).total, 3);
      assert.equal(await model.activate(drive.id, 'second'), true);
      assert.equal(await model.activate(drive.id, 'second'), true);
      assert.deepEqual(ids(await drive.list()), ['a00', 'a01', 'a02', 'a03', 'late']);
      // The old one may still be kept in step; it can only come back once it is past the active one.
      assert.equal(await drive.change({ remove: 'a00' }), true);
      assert.equal(await model.activate(drive.id, 'first'), true);
      assert.deepEqual(ids(await drive.list()), ['live', 'a01']);
    },
  ),

  modelCase(
    'a build replaces a left-over of its name, never the active generation',
    async (model) => {
      const drive = await TestDrive.open(model, manyThings(2));
      const [small, large] = [new MapSource(), new MapSource()];
      for (const one of manyThings(3)) small.put('things', one, 0);
      for (const one of manyThings(5)) large.put('things', { ...one, id: `l-${one.id}` }, 2);
      assert.equal(await model.build(drive.id, 'second', at(0), small), 3);
      assert.equal(await model.build(drive.id, 'second', at(2), large), 5);
      await assert.rejects(model.build(drive.id, 'first', at(3), large));
      assert.deepEqual(ids(await drive.list()), ['a00', 'a01']);
      await model.activate(drive.id, 'second');
      const page = await drive.list({ filter: { text: '' } });
      assert.deepEqual([page.total, page.revision], [5, 2]);
      assert.deepEqual(await model.entries(drive.id, 'things', ['a00']), []);
    },
  ),

  modelCase('sweep removes a generation, but never the active one', async (model) => {
    const drive = await TestDrive.open(model, manyThings(2));
    await model.build(drive.id, 'second', at(0), new MapSource());
    await model.sweep(drive.id, 'second');
    assert.equal(await model.activate(drive.id, 'second'), false);
    await model.sweep(drive.id, 'first');
    await model.sweep(drive.id, 'none');
    assert.deepEqual((await model.generations(drive.id)).map(plain), [
      plain({ generation: 'first', ...at(0), active: true }),
    ]);
    assert.deepEqual(ids(await drive.list()), ['a00', 'a01']);
  }),

  modelCase('a forgotten drive is unknown until it is built again', async (model) => {
    const drive = await TestDrive.open(model, manyThings(2));
    const other = await TestDrive.open(model, manyThings(3));
    assert.equal((await drive.list()).total, 2);
    await model.forget(drive.id);
    assert.equal(await model.checkpoint(drive.id), null);
    assert.deepEqual(await model.generations(drive.id), []);
    assert.deepEqual(await drive.kept('a00'), {});
    const empty = { items: [], total: 0, before: null, after: null, revision: -1 };
    assert.deepEqual(await drive.list(), empty);
    assert.deepEqual(await drive.search('a'), empty);
    assert.equal(await drive.change({ put: aThing('b') }), false);
    assert.equal((await other.list()).total, 3);
    await model.build(drive.id, 'again', at(7), drive.source);
    assert.deepEqual(await drive.list(), empty);
    assert.equal(await model.activate(drive.id, 'again'), true);
    assert.deepEqual([(await drive.list()).total, (await drive.list()).revision], [3, 7]);
  }),

  modelCase('a drive forgotten while it is built stays forgotten', async (model) => {
    const drive = await TestDrive.open(model, manyThings(2));
    assert.equal((await drive.list()).total, 2);
    const rebuilt = new MapSource();
    for (const one of manyThings(many)) rebuilt.put('things', one, 0);
    let forgotten: Promise<void> | undefined;
    await model.build(drive.id, 'second', at(0), rebuilt, () => {
      forgotten ??= model.forget(drive.id);
    });
    await forgotten;
    assert.deepEqual(await model.generations(drive.id), []);
    assert.equal(await model.activate(drive.id, 'second'), false);
  }),

  modelCase('drives see nothing of each other, also with equal ids', async (model) => {
    const one = await TestDrive.open(model, [aThing('a', { name: 'of one' }), aThing('b')]);
    const two = await TestDrive.open(model, [aThing('a', { name: 'of two', color: 'red' })]);
    await two.change({ put: aThing('c', { name: 'of two' }) });
    await one.change({ remove: 'b' });
    assert.deepEqual(ids(await one.list()), ['a']);
    assert.deepEqual(ids(await two.list()), ['a', 'c']);
    assert.equal((await one.list({ filter: { text: 'two' } })).total, 0);
    assert.equal((await one.list({ where: [clause('color', 'red')] })).total, 0);
    assert.deepEqual(hitIds(await two.search('of')), ['a', 'c']);
    assert.deepEqual(hitIds(await one.search('of')), ['a']);
    assert.deepEqual(await one.kept('a', 'c'), { a: 0 });
    assert.deepEqual(await two.kept('a', 'c'), { a: 0, c: 1 });
  }),
];
