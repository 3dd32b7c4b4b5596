import { indexText } from '../../event-store/event-index.js';
import type { EventFilter } from '../../event-store/stores.js';
import { streamOf } from '../fold/fold.js';
import { rebuildReadModel, rebuildReadModels } from './rebuild.js';
import { DRIVE_A, EngineSpec, Note } from '../testing/engine.js';

/** Events from 0 to a revision that nobody appended. */
const madeUp = (to: number): Uint8Array => {
  const metadata = JSON.stringify({
    ...{ actor: { user_id: null }, command: '', correlation_id: '', allowed_by: [], reason: null },
  });
  const revisions = Array.from({ length: to + 1 }, (_, revision) => revision);
  return indexText(
    revisions.map((revision) => ({ revision, type: 'MadeUp', metadata, resource_ids: [] })),
  );
};

describe('the index of events', () => {
  let spec: EngineSpec;
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
  });
  afterEach(() => spec.drives.close());

  const head = async (of = spec): Promise<number> => (await of.drives.open(DRIVE_A)).head.revision;
  const position = async (of = spec) => (await of.side.index.position(DRIVE_A))?.revision;
  const find = (filter: EventFilter, of = spec) =>
    of.side.index.find(DRIVE_A, filter, { from: 0, to: Infinity }, 'ASC', 1000);
  const upTo = async (of = spec) => of.drives.indexer.storedUpTo(DRIVE_A, await head(of));

  it('is written behind, and holds what it is asked up to', async () => {
    await spec.group('A', 'GroupID_a');
    expect(await position()).toBeUndefined();
    await upTo();
    expect(await position()).toBe(await head());
    expect(await find({ resource_ids: ['GroupID_a'] })).toEqual([1]);
    expect(await find({ types: ['OrganizationSpawned'] })).toEqual([0]);
    expect(await find({ actors: ['UserID_owner'] })).toEqual([1]);
  });

  it('finds what leaves no record by what it is about', async () => {
    await spec.note();
    await upTo();
    expect(await find({ resource_ids: ['n'] })).toEqual([1]);
  });

  it('takes in what waits by itself, and when the process ends', async () => {
    await spec.group('A');
    await spec.drives.indexer.flush();
    expect(await position()).toBe(1);
    await spec.group('B');
    await spec.drives.close();
    expect(await position()).toBe(2);
  });

  it('keeps nothing of an organization that has left memory, once its events are written', async () => {
    const { indexer } = spec.drives;
    await spec.group('A');
    indexer.forget(DRIVE_A);
    expect(indexer['drives'].has(DRIVE_A)).toBe(true);
    await indexer.flush();
    expect(await position()).toBe(1);
    expect(indexer['drives'].has(DRIVE_A)).toBe(false);
  });

  it('catches up by folding with what it has missed: a crash, another writer, a gap', async () => {
    await spec.group('A');
    await upTo();
    await spec.group('B', 'GroupID_b');
    const crashed = spec.restarted();
    expect(await position(crashed)).toBe(1);
    await crashed.group('C', 'GroupID_c');
    await upTo(crashed);
    expect(await find({ resource_ids: ['GroupID_b'] }, crashed)).toEqual([2]);
    expect(await find({ resource_ids: ['GroupID_c'] }, crashed)).toEqual([3]);
    // The first process has B waiting and knows nothing of C.
    await spec.group('D', 'GroupID_d');
    await upTo();
    expect(await find({ resource_ids: ['GroupID_d'] })).toEqual([4]);
    expect(await find({ types: ['GroupCreated'] })).toEqual([1, 2, 3, 4]);
    await crashed.drives.close();
  });

  it('answers from memory what is not written yet', async () => {
    await upTo();
    const { indexer } = spec.drives;
    const { index } = spec.side;
    const append = index.append.bind(index);
    let writes = 0;
    index.append = (...chunk) => {
      writes++;
      return append(...chunk);
    };
    for (let at = 0; at < 5; at++) await spec.group(`G${at}`, `GroupID_${at}`);
    const indexed = await indexer.upTo(DRIVE_A, await head());
    expect(writes).toBe(0);
    const whole = { from: 0, to: Infinity };
    const types = ['GroupCreated'];
    const check = async (): Promise<void> => {
      expect(await indexed.find({}, whole, 'ASC', 3)).toEqual([0, 1, 2]);
      expect(await indexed.find({}, whole, 'DESC', 3)).toEqual([5, 4, 3]);
      expect(await indexed.find({}, whole, 'DESC', 99)).toEqual([5, 4, 3, 2, 1, 0]);
      expect(await indexed.find({ types }, { from: 2, to: 4 }, 'ASC', 99)).toEqual([2, 3, 4]);
      expect(await indexed.find({ resource_ids: ['GroupID_2'] }, whole, 'ASC', 9)).toEqual([3]);
      expect(await indexed.count({ actors: ['UserID_owner'] }, whole)).toBe(5);
      expect(await indexed.countTypes({}, ['OrganizationSpawned', ...types], whole)).toEqual([
        1, 5,
      ]);
    };
    await check();
    await indexer.flush();
    expect(writes).toBe(1);
    await check();
    // A drive with many pending events is written first.
    for (let at = 0; at < 101; at++) await spec.note(at);
    await indexer.upTo(DRIVE_A, await head());
    expect(writes).toBe(2);
  });

  it('is begun anew where it is missing, or ends with an event that is not there', async () => {
    for (let at = 0; at < 5; at++) await spec.group(`G${at}`);
    await upTo();
    const { index } = spec.side;
    const event_hash = new Uint8Array(32);
    await index.drop(DRIVE_A);
    await index.append(DRIVE_A, madeUp(3), { revision: 3, event_hash });
    const next = spec.restarted();
    await upTo(next);
    expect(await find({ types: ['GroupCreated'] }, next)).toEqual([1, 2, 3, 4, 5]);
    await index.drop(DRIVE_A);
    const another = spec.restarted();
    await upTo(another);
    expect(await find({}, another)).toEqual([0, 1, 2, 3, 4, 5]);
    await Promise.all([next.drives.close(), another.drives.close()]);
  });

  it('goes on after a failure where it stood', async () => {
    await spec.group('A');
    const { index } = spec.side;
    const append = index.append.bind(index);
    index.append = () => Promise.reject(new Error('the disk is full'));
    await spec.drives.indexer.flush();
    await expect(upTo()).rejects.toThrow('the disk is full');
    expect(spec.reports).toMatchObject([{ what: 'events not indexed', drive_id: DRIVE_A }]);
    index.append = append;
    await spec.group('B');
    await upTo();
    expect(await find({})).toEqual([0, 1, 2]);
  });

  it('keeps few bytes of events while the index is slow, and reads the others from the stream later', async () => {
    const MIB = 1024 * 1024;
    const { index } = spec.side;
    const append = index.append.bind(index);
    const { promise: held, resolve } = Promise.withResolvers<void>();
    index.append = (...chunk) => held.then(() => append(...chunk));
    await spec.group('A');
    const flushed = spec.drives.indexer.flush();
    for (let nth = 0; nth < 100; nth++) {
      const correlation_id = `${nth}`.padEnd(MIB / 4);
      await spec.run(Note, { payload: nth }, { correlation_id });
      expect(spec.drives.indexer['drives'].get(DRIVE_A)!.pending.bytes).toBeLessThan(20 * MIB);
    }
    resolve();
    await flushed;
    await upTo();
    expect(await find({})).toEqual(Array.from({ length: 102 }, (_, at) => at));
    expect(spec.reports).toEqual([]);
  });

  describe('rebuilt with the read model', () => {
    const progress = () => ({ events_folded: 0, events_total: 0, documents_written: 0 });
    const inUse = async () => (await spec.drives.open(DRIVE_A)).reads;
    const building = () => spec.side.index.position(`${DRIVE_A} building`);

    it('is built beside the one in use, while events go on', async () => {
      for (let at = 0; at < 30; at++) await spec.group(`G${at}`);
      await upTo();
      const rebuilding = rebuildReadModels(spec.drives, DRIVE_A, progress());
      await spec.group('during');
      await upTo();
      await rebuilding;
      await spec.group('after');
      await upTo();
      const all = await find({});
      expect(all).toEqual(Array.from({ length: 33 }, (_, at) => at));
      expect(spec.reports).toEqual([]);
      expect(await find({ types: ['GroupCreated'] })).toHaveLength(32);
      expect((await spec.events.head(streamOf(DRIVE_A)))?.revision).toBe(32);
      expect(await building()).toBeNull();
    });

    it('has what was stored after the read model was switched', async () => {
      await spec.group('A');
      const { indexer } = spec.drives;
      const feed = indexer.begin(DRIVE_A);
      const drive = await spec.drives.open(DRIVE_A);
      await rebuildReadModel(spec.drives, drive, progress(), feed);
      await spec.group('B');
      await upTo();
      await indexer.switchTo(DRIVE_A, feed);
      expect(await position()).toBe(2);
      expect(await find({})).toEqual([0, 1, 2]);
    });

    it('is made good where it was wrong', async () => {
      await spec.group('A');
      await upTo();
      const { index } = spec.side;
      await index.drop(DRIVE_A);
      const { revision, hash } = (await spec.events.head(streamOf(DRIVE_A)))!;
      await index.append(DRIVE_A, madeUp(revision), { revision, event_hash: hash });
      expect(await find({ types: ['GroupCreated'] })).toEqual([]);
      await rebuildReadModels(spec.drives, DRIVE_A, progress());
      expect(await find({ types: ['GroupCreated'] })).toEqual([1]);
    });

    it('may fail: the old one stays, the read model is switched, and the caller is told', async () => {
      await spec.group('A');
      await upTo();
      const before = await inUse();
      const { index } = spec.side;
      const append = index.append.bind(index);
      index.append = () => Promise.reject(new Error('the disk is full'));
      await expect(rebuildReadModels(spec.drives, DRIVE_A, progress())).rejects.toThrow(
        'the disk is full',
      );
      expect(await inUse()).not.toBe(before);
      expect(await find({})).toEqual([0, 1]);
      index.append = append;
      await rebuildReadModels(spec.drives, DRIVE_A, progress());
      expect(await find({})).toEqual([0, 1]);
    });

    it('is let go of when the read model cannot be built', async () => {
      await spec.group('A');
      await upTo();
      const drive = await spec.drives.open(DRIVE_A);
      const indexOver = drive.indexOver.bind(drive);
      drive.indexOver = () => {
        throw new Error('no room');
      };
      await expect(rebuildReadModels(spec.drives, DRIVE_A, progress())).rejects.toThrow('no room');
      drive.indexOver = indexOver;
      expect(await building()).toBeNull();
      expect(await find({})).toEqual([0, 1]);
    });
  });

  it('takes in more than one chunk', async () => {
    await Promise.all(Array.from({ length: 2500 }, (_, at) => spec.note(at)));
    const behind = spec.restarted();
    await upTo(behind);
    expect(await position(behind)).toBe(2500);
    // Else the one that wrote might still be taking events in.
    await spec.drives.indexer.flush();
    await spec.side.index.drop(DRIVE_A);
    const folded = spec.restarted();
    await upTo(folded);
    expect(
      await folded.side.index.count(DRIVE_A, { resource_ids: ['n'] }, { from: 0, to: 9999 }),
    ).toBe(2500);
    await Promise.all([behind.drives.close(), folded.drives.close()]);
  });
});
