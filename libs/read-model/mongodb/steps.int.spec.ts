import type { Collection, Db } from 'mongodb';

import { describeWithMongo } from '../../../test/servers/mongodb/describe.js';
import { connection } from '../../../test/servers/mongodb/spec-database.js';
import {
  MapSource,
  SCHEMA,
  SECRET,
  TestDrive,
  type Thing,
  aThing,
  at,
  ids,
  manyThings,
} from '../contract/fixtures.contract.js';
import { Fingerprints } from '../fingerprint.js';
import type { DocumentKey, Projection, ReadModel } from '../port.js';
import { MongoReadModel } from './mongo-read-model.js';
import { READ_MODEL } from './tables.js';
let model: ReadModel;

beforeAll(async () => {
  model = await MongoReadModel.open(connection.db, SCHEMA, { secret: SECRET });
});

type Method = 'bulkWrite' | 'countDocuments' | 'insertMany' | 'replaceOne';

/** Another process on the same database, which does something before some calls of a collection. */
function otherProcess(
  collection_name: RegExp,
  methods: readonly Method[],
  before: () => Promise<unknown>,
): Promise<ReadModel> {
  const watched = (collection: Collection): Collection =>
    new Proxy(collection, {
      get(target, property) {
        const value = Reflect.get(target, property) as unknown;
        if (typeof value !== 'function') return value;
        const call = value.bind(target) as (...args: unknown[]) => unknown;
        if (!(methods as readonly unknown[]).includes(property)) return call;
        return async (...args: unknown[]) => {
          await before();
          return call(...args);
        };
      },
    });
  const db = new Proxy(connection.db, {
    get(target, property) {
      if (property !== 'collection') {
        const value = Reflect.get(target, property) as unknown;
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      }
      return (name: string) => {
        const collection = target.collection(name);
        return collection_name.test(name) ? watched(collection) : collection;
      };
    },
  });
  return MongoReadModel.open(db as Db, SCHEMA, { secret: SECRET });
}

const CHECKPOINTS = new RegExp(`^${READ_MODEL}$`);
const DOCUMENTS = new RegExp(`^${READ_MODEL}\\.`);
const THINGS = `${READ_MODEL}.things`;
const WRITES = ['bulkWrite', 'insertMany'] as const;

/** Fails from the first call on, as a process does that is gone. */
const crash = () => Promise.reject(new Error('gone'));

/** Lets nothing pass until it is opened; tells when somebody waits at it. */
function gate() {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    pass: () => {
      reached.resolve();
      return opened.promise;
    },
  };
}

/** Things at successive revisions, of which any step can be given. */
class History {
  private readonly states: ReadonlyMap<string, Thing>[] = [new Map()];
  private readonly touched: string[][] = [[]];

  constructor(readonly drive_id: string) {}

  next(...changes: readonly (Thing | { readonly remove: string })[]): this {
    const state = new Map(this.states.at(-1));
    const touched: string[] = [];
    for (const change of changes) {
      const id = 'remove' in change ? change.remove : change.id;
      if ('remove' in change) state.delete(id);
      else state.set(id, change);
      touched.push(id);
    }
    this.states.push(state);
    this.touched.push(touched);
    return this;
  }

  step(from_revision: number, revision: number, generation = 'first'): Projection {
    const touched = this.touched
      .slice(from_revision + 1, revision + 1)
      .flat()
      .map((id): DocumentKey => ({ family: 'things', id }));
    const source = this.source(revision);
    const { drive_id } = this;
    return { drive_id, generation, from_revision, ...at(revision), touched, source };
  }

  source(revision: number): MapSource {
    const source = new MapSource();
    for (const thing of this.states[revision]!.values()) source.put('things', thing, revision);
    return source;
  }

  /** Ids with fingerprints. */
  things(revision: number): string[] {
    const documents = [...this.source(revision).documents('things')];
    const fingerprints = new Fingerprints(model.fingerprintKey());
    return documents
      .map((document) => `${document.id} ${fingerprints.of(this.drive_id, document)}`)
      .toSorted();
  }
}

const EVERYTHING = {
  family: 'things',
  visible: 'all',
  direction: 'ASC',
  page_size: 1000,
} as const;

let drives = 0;

/** A drive whose first generation stands at revision 0, with nothing in it. */
async function begun(): Promise<History> {
  const history = new History(`DriveID_steps-${(drives += 1)}`);
  await model.build(history.drive_id, 'first', at(0), history.source(0));
  await model.activate(history.drive_id, 'first');
  return history;
}

async function shown(drive_id: string) {
  const page = await model.list(drive_id, EVERYTHING);
  const found = page.items.map(({ id }) => id);
  const entries = await model.entries(drive_id, 'things', found);
  const things = entries.map(({ id, fingerprint }) => `${id} ${fingerprint}`).toSorted();
  return { things, total: page.total, revision: page.revision };
}

async function expectAt(history: History, revision: number): Promise<void> {
  const things = history.things(revision);
  expect(await shown(history.drive_id)).toEqual({ things, total: things.length, revision });
}

const named = (id: string, name: string) => aThing(id, { name });

describeWithMongo('a step that breaks off', () => {
  it('between documents and checkpoint is brought to its end when it is given again', async () => {
    const history = (await begun()).next(named('a', '1'), named('b', '1'));
    history.next(named('a', '2'), { remove: 'b' }, named('c', '2'));
    await model.apply(history.step(0, 1));
    const broken = await otherProcess(CHECKPOINTS, ['replaceOne'], crash);
    await expect(broken.apply(history.step(1, 2))).rejects.toThrow('gone');
    expect((await model.checkpoint(history.drive_id))?.revision).toBe(1);
    const isWithinStep = (family: string) => model.isWithinStep(history.drive_id, [family]);
    expect([await isWithinStep('things'), await isWithinStep('others')]).toEqual([true, false]);
    expect(await model.apply(history.step(1, 2))).toBe(true);
    expect(await isWithinStep('things')).toBe(false);
    await expectAt(history, 2);
  });

  it('among its documents is brought to its end when it is given again', async () => {
    const history = (await begun()).next(named('a', '1'), named('b', '1'));
    history.next(named('a', '2'), named('c', '2'), { remove: 'b' });
    const ahead = await otherProcess(CHECKPOINTS, ['replaceOne'], crash);
    await expect(ahead.apply(history.step(0, 2))).rejects.toThrow('gone');
    // The documents of the later step stand in the way of the first command, which is not followed by others.
    const broken = await otherProcess(DOCUMENTS, ['insertMany'], crash);
    await expect(broken.apply(history.step(0, 1))).rejects.toThrow('gone');
    expect(await model.apply(history.step(0, 1))).toBe(true);
    expect((await shown(history.drive_id)).things).toEqual(history.things(2));
    expect(await model.apply(history.step(1, 2))).toBe(true);
    await expectAt(history, 2);
  });

  it('is also mended by shorter steps, which never bring back what is older', async () => {
    const history = (await begun()).next(named('a', '1'), named('b', '1'));
    history.next(named('a', '2')).next({ remove: 'a' }, named('b', '3')).next(named('a', '4'));
    const broken = await otherProcess(CHECKPOINTS, ['replaceOne'], crash);
    await expect(broken.apply(history.step(0, 3))).rejects.toThrow('gone');
    for (const revision of [1, 2, 3]) {
      expect(await model.apply(history.step(revision - 1, revision))).toBe(true);
      expect((await shown(history.drive_id)).things).toEqual(history.things(3));
    }
    await expectAt(history, 3);
    expect(await model.apply(history.step(3, 4))).toBe(true);
    await expectAt(history, 4);
  });
});

describeWithMongo('a step in progress', () => {
  it('is told from its removals alone', async () => {
    const history = (await begun()).next(named('a', '1')).next({ remove: 'a' });
    await model.apply(history.step(0, 1));
    const broken = await otherProcess(CHECKPOINTS, ['replaceOne'], crash);
    await expect(broken.apply(history.step(1, 2))).rejects.toThrow('gone');
    expect(await model.isWithinStep(history.drive_id, ['things'])).toBe(true);
    expect(await model.isWithinStep('DriveID_none', ['things'])).toBe(false);
  });
});

describeWithMongo('a late writer', () => {
  it('changes nothing when it goes on after others', async () => {
    const history = (await begun()).next(named('a', '1'), named('b', '1'), named('c', '1'));
    history.next(named('a', '2'), { remove: 'b' }, named('d', '2'), { remove: 'never' });
    history.next({ remove: 'a' }, named('b', '3'), { remove: 'd' }, { remove: 'c' });
    await model.apply(history.step(0, 1));
    const held = gate();
    const zombie = await otherProcess(DOCUMENTS, WRITES, held.pass);
    const late = zombie.apply(history.step(1, 2));
    await held.reached;
    expect(await model.apply(history.step(1, 3))).toBe(true);
    held.open();
    expect(await late).toBe(false);
    await expectAt(history, 3);
  });

  it('that has looked before others wrote sees what they inserted meanwhile', async () => {
    const history = (await begun()).next(named('a', '1'));
    history.next(named('a', '2'));
    const held = gate();
    // Only its documents wait: it has seen that the generation stands where the step begins.
    const zombie = await otherProcess(DOCUMENTS, WRITES, held.pass);
    const late = zombie.apply(history.step(0, 2));
    await held.reached;
    expect(await model.apply(history.step(0, 1))).toBe(true);
    held.open();
    expect(await late).toBe(false);
    // It was ahead, so its document stays, and the checkpoint follows.
    expect(await model.apply(history.step(1, 2))).toBe(true);
    await expectAt(history, 2);
  });

  it('that was ahead with its documents, and is gone, gives way to a later step', async () => {
    const history = (await begun()).next(named('a', '1'));
    history.next(named('a', '2'));
    const held = gate();
    const writer = await otherProcess(DOCUMENTS, WRITES, held.pass);
    const written = writer.apply(history.step(0, 2));
    await held.reached;
    const broken = await otherProcess(CHECKPOINTS, ['replaceOne'], crash);
    await expect(broken.apply(history.step(0, 1))).rejects.toThrow('gone');
    held.open();
    expect(await written).toBe(true);
    await expectAt(history, 2);
  });

  it.each(['swept', 'forgotten'])('leaves nothing in what is %s', async (fate) => {
    const history = (await begun()).next(named('a', '1'));
    const held = gate();
    const zombie = await otherProcess(DOCUMENTS, WRITES, held.pass);
    const late = zombie.apply(history.step(0, 1));
    await held.reached;
    const { drive_id } = history;
    if (fate === 'swept') {
      await model.build(drive_id, 'second', at(1), history.source(1));
      await model.activate(drive_id, 'second');
      await model.sweep(drive_id, 'first');
    } else {
      await model.forget(drive_id);
    }
    held.open();
    expect(await late).toBe(false);
    const builds = await connection.db.collection(THINGS).distinct('build');
    expect(builds).toHaveLength(fate === 'swept' ? 1 : 0);
    if (fate === 'swept') await expectAt(history, 1);
  });
});

describeWithMongo('a filling', () => {
  const buildsOf = (drive_id: string) =>
    connection.db.collection(THINGS).distinct('build', { drive_id });

  it('that a crash left is listed with the generations, and removed like them', async () => {
    const drive_id = 'DriveID_left';
    const history = new History(drive_id).next(named('a', '1'));
    const broken = await otherProcess(CHECKPOINTS, ['replaceOne'], crash);
    const left = broken.build(drive_id, 'left', at(1), history.source(1));
    await expect(left).rejects.toThrow('gone');
    await model.build(drive_id, 'second', at(1), history.source(1));
    await model.activate(drive_id, 'second');
    expect(await buildsOf(drive_id)).toHaveLength(2);
    const generations = await model.generations(drive_id);
    expect(generations.map(({ generation, active }) => [generation, active])).toEqual([
      ['second', true],
      ['left', false],
    ]);
    await model.sweep(drive_id, 'left');
    expect(await model.generations(drive_id)).toHaveLength(1);
    expect(await buildsOf(drive_id)).toHaveLength(1);
    await expectAt(history, 1);
  });

  it('leaves nothing if it was removed while it was written', async () => {
    const history = await begun();
    const { drive_id } = history;
    history.next(named('a', '1'));
    await model.apply(history.step(0, 1));
    const held = gate();
    const slow = await otherProcess(DOCUMENTS, ['insertMany'], held.pass);
    const building = slow.build(drive_id, 'second', at(1), history.source(1));
    await held.reached;
    await model.sweep(drive_id, 'second');
    held.open();
    await building;
    expect(await buildsOf(drive_id)).toHaveLength(1);
    expect(await model.activate(drive_id, 'second')).toBe(false);
    await expectAt(history, 1);
  });
});

describeWithMongo('several at one time', () => {
  it('apply each step once', async () => {
    const history = await begun();
    const others = await Promise.all(
      [1, 2, 3].map(() => MongoReadModel.open(connection.db, SCHEMA, { secret: SECRET })),
    );
    for (let revision = 1; revision <= 4; revision += 1) {
      history.next(named('a', `${revision}`), named(`n${revision}`, 'new'));
      const step = history.step(revision - 1, revision);
      const applied = await Promise.all(others.map((other) => other.apply(step)));
      expect(applied.filter((did) => did)).toHaveLength(1);
    }
    await expectAt(history, 4);
  });

  it('build one generation, of which one filling stays', async () => {
    const history = (await begun()).next(named('a', '1'), named('b', '1'));
    const { drive_id } = history;
    const source = history.source(1);
    await Promise.all([1, 2, 3].map(() => model.build(drive_id, 'second', at(1), source)));
    expect(await model.activate(drive_id, 'second')).toBe(true);
    await model.sweep(drive_id, 'first');
    await expectAt(history, 1);
    expect(await connection.db.collection(THINGS).countDocuments()).toBe(2);
  });

  it('read while generations are switched and swept, and miss nothing', async () => {
    const history = (await begun()).next(...manyThings(5));
    const { drive_id } = history;
    await model.apply(history.step(0, 1));
    const switched = (async () => {
      let old = 'first';
      for (const generation of ['second', 'third', 'fourth']) {
        await model.build(drive_id, generation, at(1), history.source(1));
        await model.activate(drive_id, generation);
        await model.sweep(drive_id, old);
        old = generation;
      }
    })();
    let is_over = false;
    void switched.finally(() => (is_over = true));
    let asked = 0;
    for (; !is_over; asked += 1) await expectAt(history, 1);
    await switched;
    expect(asked).toBeGreaterThan(1);
  });
});

describeWithMongo('what a process remembers', () => {
  const other = () => MongoReadModel.open(connection.db, SCHEMA, { secret: SECRET });

  it('hides nothing that others have written or switched since', async () => {
    const history = (await begun()).next(named('a', '1'), named('b', '1')).next(named('a', '2'));
    await expectAt(history, 0);
    const others = await other();
    expect(await others.apply(history.step(0, 1))).toBe(true);
    // What the step has not touched stands where it came to.
    const untouched = { ...EVERYTHING, family: 'others' };
    expect((await model.list(history.drive_id, untouched)).revision).toBe(1);
    await expectAt(history, 1);
    await others.build(history.drive_id, 'second', at(2), history.source(2));
    expect(await others.activate(history.drive_id, 'second')).toBe(true);
    await others.sweep(history.drive_id, 'first');
    await expectAt(history, 2);
    await others.forget(history.drive_id);
    expect((await model.list(history.drive_id, EVERYTHING)).revision).toBe(-1);
  });

  it('neither applies nor refuses a step that does not, or does, fit by now', async () => {
    const history = (await begun())
      .next(named('a', '1'))
      .next(named('a', '2'))
      .next(named('b', '3'));
    const others = await other();
    expect(await others.apply(history.step(0, 1))).toBe(true);
    expect(await model.apply(history.step(0, 1))).toBe(false);
    expect(await others.apply(history.step(1, 2))).toBe(true);
    expect(await model.apply(history.step(2, 3))).toBe(true);
    expect(await others.apply(history.step(2, 3))).toBe(false);
    await expectAt(history, 3);
    expect(await others.activate(history.drive_id, 'first')).toBe(true);
    expect(await others.activate(history.drive_id, 'none')).toBe(false);
  });
});

describeWithMongo('a query', () => {
  it('asks the new generation when the one it began with is gone', async () => {
    const drive = await TestDrive.open(model, manyThings(3));
    const held = gate();
    const reader = await otherProcess(DOCUMENTS, ['countDocuments'], held.pass);
    const query = { family: 'things', visible: 'all', direction: 'ASC', page_size: 1 } as const;
    const asked = reader.list(drive.id, query);
    await held.reached;
    await model.build(drive.id, 'second', at(0), drive.source);
    await model.activate(drive.id, 'second');
    await model.sweep(drive.id, 'first');
    held.open();
    expect(await asked).toMatchObject({ items: [{ id: 'a00' }], total: 3, revision: 0 });
  });

  it('waits for a step on its way a little, then shows no less than its revision, and keeps no total of it', async () => {
    const drive = await TestDrive.open(model, manyThings(3));
    const paged = { page_size: 2 };
    const held = gate();
    const writer = await otherProcess(CHECKPOINTS, ['replaceOne'], held.pass);
    drive.source.put('things', aThing('a03', { created_at: 3 }), 1);
    const touched = [{ family: 'things', id: 'a03' }];
    const { id: drive_id, source } = drive;
    const step = { drive_id, generation: 'first', from_revision: 0, ...at(1), touched, source };
    const applied = writer.apply(step);
    await held.reached;
    const meanwhile = await drive.list(paged);
    expect([ids(meanwhile), meanwhile.total, meanwhile.revision]).toEqual([['a00', 'a01'], 4, 0]);
    // The one on its way is taken back by a newer one, in the same family and from the same checkpoint.
    await connection.db.collection(THINGS).deleteOne({ step: 1 });
    const without = await drive.list(paged);
    expect([without.total, without.revision]).toEqual([3, 0]);
    held.open();
    expect(await applied).toBe(true);
  });
});

describeWithMongo('what stands in the database', () => {
  it('tells nothing any more of what a step has rewritten or removed', async () => {
    const drive = await TestDrive.open(model, [
      aThing('a', { name: 'Ada Lovelace', note: 'ada@example.test' }),
      aThing('b', { name: 'Ada Lovelace', note: 'ada@example.test' }),
    ]);
    await drive.change({ put: aThing('a', { name: '[erased]', note: '' }) }, { remove: 'b' });
    const collections = await connection.db.collections();
    const all = await Promise.all(collections.map((one) => one.find().toArray()));
    // Random texts may spell a trigram.
    const random = new Set(['stamp', 'build']);
    const withoutRandom = (name: string, value: unknown) => (random.has(name) ? '' : value);
    const text = JSON.stringify(all, withoutRandom).toLowerCase();
    expect(text).toContain('[erased]');
    // Trigrams of the name and of the address.
    for (const trace of ['lovelace', 'ada', 'ove', 'exa']) expect(text).not.toContain(trace);
  });

  it('is nothing of a record but what finds it', async () => {
    const found = { filter: 'Findable Name', search: 'Searchable Note', field: 'Color of Field' };
    const drive = await TestDrive.open(model, [
      aThing('a', { name: found.filter, note: found.search, color: found.field }),
    ]);
    const record = { ...aThing('b'), auth_json: 'Sealed Secret', inner: { note: 'Sealed Inside' } };
    await drive.change({ put: record });
    const stored = await connection.db.collection(THINGS).find().toArray();
    expect(stored.map((one) => Object.keys(one).sort())).toEqual(
      [1, 2].map(() => [
        ...['_id', 'build', 'created_at', 'drive_id', 'fields', 'filter_text', 'filter_trigrams'],
        ...['fingerprint', 'revision', 'search', 'step'],
      ]),
    );
    const text = JSON.stringify(stored).toLowerCase();
    for (const wanted of Object.values(found)) expect(text).toContain(wanted.toLowerCase());
    for (const other of ['sealed', 'secret', 'auth_json', 'inside'])
      expect(text).not.toContain(other);
  });
});

describeWithMongo('what other processes made', () => {
  it('is not there for one with another key, which fills the drive anew and removes the rest', async () => {
    const drive = await TestDrive.open(model, manyThings(3));
    const secret = new Uint8Array(32).fill(8);
    const other = await MongoReadModel.open(connection.db, SCHEMA, { secret });
    expect(await other.checkpoint(drive.id)).toBeNull();
    expect(await other.generations(drive.id)).toEqual([]);
    expect((await other.list(drive.id, EVERYTHING)).revision).toBe(-1);
    await other.build(drive.id, 'second', at(4), drive.source);
    expect(await other.activate(drive.id, 'second')).toBe(true);
    expect(await other.list(drive.id, EVERYTHING)).toMatchObject({ total: 3, revision: 4 });
    expect(await connection.db.collection(THINGS).distinct('build')).toHaveLength(1);
  });

  it('in the form of an earlier release is neither read nor kept', async () => {
    const { db } = connection;
    const drive_id = 'DriveID_earlier';
    const generation = { generation: 'first', build: 'old', revision: 7, event_hash: '00' };
    await db.collection<{ _id: string }>('read_model').insertOne({
      _id: drive_id,
      ...{ active: 'first', stamp: 's', fillings: [], generations: [generation] },
    });
    const document = {
      drive_id,
      build: 'old',
      step: 7,
      revision: 7,
      record: '{"auth_json":"key"}',
    };
    for (const collection of ['read_model.things', 'read_modelled'])
      await db.collection<{ _id: string }>(collection).insertOne({ _id: 'old:a', ...document });
    expect(await model.checkpoint(drive_id)).toBeNull();
    expect(await model.leftOvers()).toEqual(['read_model', 'read_model.things']);
    const drive = await TestDrive.open(model, manyThings(3));
    await model.dropLeftOvers();
    await model.dropLeftOvers();
    expect(await model.leftOvers()).toEqual([]);
    // What is of this release stays, and so does what is nobody's here.
    expect((await drive.list()).total).toBe(3);
    expect(await db.collection('read_modelled').countDocuments()).toBe(1);
  });
});
