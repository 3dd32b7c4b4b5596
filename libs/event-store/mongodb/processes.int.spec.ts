import { randomBytes, randomUUID } from 'node:crypto';

import { indexText } from '../event-index.js';
import { describeWithMongo } from '../../../test/servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../../../test/servers/mongodb/server.js';
import { type MongoConnection, openMongo } from '../../mongodb/client.js';
import type { NewDelivery } from '../jobs.js';
import { MongoSideStores, WrongMasterKey } from './index.js';
import { Lines } from './lines.js';
import { MongoSnapshotStore } from './snapshots.js';

const master_key = randomBytes(32);
const ROOM = { count: 100, bytes: 10_000 };
const DRIVE = 'DriveID_a';

const delivery = (fields: Partial<NewDelivery> = {}): NewDelivery => ({
  drive_id: DRIVE,
  webhook_id: 'hook',
  delivery_id: randomUUID(),
  event: 'file.created',
  revision: 3,
  sealed: 'body',
  queued_ms: 100,
  ...fields,
});
const place = (revision: number) => ({
  drive_id: DRIVE,
  revision,
  event_hash: Buffer.alloc(32, revision),
});
const sealedOf = (deliveries: readonly { readonly sealed: string }[]): string[] =>
  deliveries.map(({ sealed }) => sealed);

describeWithMongo('side stores in MongoDB', () => {
  let server: MongoServer;
  let connection: MongoConnection;
  let stores: MongoSideStores;

  beforeAll(async () => {
    server = await startMongo();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    connection = await openMongo(server.url, server.freshDatabase());
    stores = await MongoSideStores.open(connection.db, master_key);
  });
  afterEach(() => connection.close());

  /** Another process on the same database. */
  const another = () => MongoSideStores.open(connection.db, master_key);
  const rows = (name: string) => connection.db.collection<any>(`side_${name}`);
  const restAll = () => rows('lines').updateMany({}, { $set: { next_ms: null } });

  describe('keys', () => {
    it('are not opened with another master key, which changes nothing', async () => {
      await stores.keys.put(DRIVE, new Map([['drive', randomBytes(32)]]));
      const opening = MongoSideStores.open(connection.db, randomBytes(32));
      await expect(opening).rejects.toThrow(WrongMasterKey);
      await expect(another()).resolves.toBeDefined();
    });

    it('lie there wrapped, and once destroyed not at all', async () => {
      const key = randomBytes(32);
      await stores.keys.put(DRIVE, new Map([['subject', key]]));
      const bytesIn = (row: any) => Buffer.from(row.wrapped?.buffer ?? []);
      const stored = bytesIn(await rows('keys').findOne({ key_id: 'subject' }));
      expect(stored).toHaveLength(12 + 32 + 16);
      expect(stored.includes(key)).toBe(false);
      await stores.keys.destroy(DRIVE, ['subject']);
      const left = await rows('keys').findOne({ key_id: 'subject' });
      expect(left).toEqual({
        _id: `${DRIVE}\nsubject`,
        drive_id: DRIVE,
        key_id: 'subject',
        wrapped: null,
      });
    });

    it('that two processes make for one id at a time are one', async () => {
      const other = await another();
      const put = ({ keys }: MongoSideStores) => keys.put(DRIVE, new Map([['a', randomBytes(32)]]));
      await Promise.all([put(stores), put(other)]);
      expect(await stores.keys.get(DRIVE, 'a')).toEqual(await other.keys.get(DRIVE, 'a'));
    });
  });

  describe('snapshots', () => {
    const snapshot = (revision: number, bytes: number) => ({
      drive_id: DRIVE,
      state_version: 'v1',
      revision,
      event_hash: randomBytes(32),
      body: new Uint8Array(randomBytes(bytes)),
    });
    const parts = () => rows('snapshot_parts').countDocuments();

    it('of many parts are read back whole, and go with all their parts', async () => {
      const store = await MongoSnapshotStore.open(connection.db, { part_bytes: 100 });
      const [first, second] = [snapshot(5, 1_050), snapshot(5, 200)];
      await store.put(first);
      expect(await parts()).toBe(11);
      const read = await store.latest(DRIVE, 'v1', 9);
      expect(Buffer.from(read!.body).equals(first.body)).toBe(true);
      await store.put(second);
      expect(await parts()).toBe(2);
      await store.drop(DRIVE, [5]);
      expect(await parts()).toBe(0);
    });

    it('that were written half are never seen, and swept later', async () => {
      const store = await MongoSnapshotStore.open(connection.db, { part_bytes: 100 });
      await store.put(snapshot(5, 300));
      const left = { body_id: 'left', drive_id: DRIVE, made_ms: 1, bytes: Buffer.alloc(100) };
      await rows('snapshot_parts').insertOne({ _id: 'left\n0', ...left });
      expect((await store.latest(DRIVE, 'v1', 9))?.revision).toBe(5);
      await store.put(snapshot(6, 100));
      expect(await parts()).toBe(4);
    });

    it('whose parts are gone are none', async () => {
      const store = await MongoSnapshotStore.open(connection.db, { part_bytes: 100 });
      await store.put(snapshot(5, 300));
      await rows('snapshot_parts').deleteOne({ _id: /\n1$/ });
      expect(await store.latest(DRIVE, 'v1', 9)).toBeNull();
    });
  });

  it('take in events anew that a crash left beyond the index’s position, and none after a gap', async () => {
    const metadata = JSON.stringify({ actor: { user_id: 'u' }, command: 'C', allowed_by: [] });
    const entry = (revision: number, type: string) => ({
      ...{ revision, type, metadata },
      resource_ids: [],
    });
    const at = (revision: number) => ({ revision, event_hash: randomBytes(32) });
    const { index } = stores;
    await index.append(DRIVE, indexText([entry(0, 'A'), entry(1, 'rewound')]), at(1));
    await rows('event_index_2_heads').updateOne({ _id: DRIVE }, { $set: { revision: 0 } });
    const all = { from: 0, to: 9 };
    expect(await index.find(DRIVE, {}, all, 'ASC', 9)).toEqual([0]);
    await index.append(DRIVE, indexText([entry(1, 'B')]), at(1));
    expect(await index.find(DRIVE, { types: ['rewound'] }, all, 'ASC', 9)).toEqual([]);
    expect(await index.find(DRIVE, { types: ['B'] }, all, 'ASC', 9)).toEqual([1]);
    // Another process has replaced the index by a shorter one since the writer of these read where it ends.
    await index.append(DRIVE, indexText([entry(3, 'D')]), at(3));
    expect((await index.position(DRIVE))?.revision).toBe(1);
    await index.append(DRIVE, indexText([entry(2, 'C'), entry(3, 'D')]), at(3));
    expect(await index.find(DRIVE, {}, all, 'ASC', 9)).toEqual([0, 1, 2, 3]);
  });

  describe('jobs', () => {
    it('of a step that was taken wait, though the process ended before it could say so', async () => {
      const { jobs } = stores;
      await jobs.open(place(5), 1);
      const found = ['1', '2', '3'].map((sealed) => delivery({ sealed }));
      await jobs.advance(place(5), place(6), found, { count: 2, bytes: 100 });
      const { step } = await rows('deliveries').findOne({});
      await rows('deliveries').updateMany({}, { $set: { waits: false } });
      await rows('reactors').updateOne({ _id: DRIVE }, { $set: { step } });
      await restAll();
      expect(await jobs.due(200, 9)).toEqual([]);
      const next = (await another()).jobs;
      expect((await next.reactor(DRIVE))?.revision).toBe(6);
      expect(sealedOf(await next.due(200, 9))).toEqual(['1']);
      expect(await next.waitingIn(DRIVE, 0, 9)).toHaveLength(2);
      expect((await rows('reactors').findOne({ _id: DRIVE })).step).toBeNull();
    });

    it('of a step that was not taken never wait, and are swept', async () => {
      const { jobs } = stores;
      await jobs.open(place(5), 1);
      await jobs.enqueue([delivery(), delivery()], ROOM);
      await rows('deliveries').updateMany({}, { $set: { waits: false } });
      expect(await jobs.due(200, 9)).toEqual([]);
      expect(await jobs.counts()).toMatchObject({ waiting: 0 });
      await jobs.trim(0, 10);
      expect(await rows('deliveries').countDocuments()).toBe(0);
    });

    it('wake a line that rests though something waits in it', async () => {
      const { jobs } = stores;
      await jobs.enqueue([delivery()], ROOM);
      await restAll();
      expect(await jobs.due(200, 9)).toEqual([]);
      await jobs.trim(0, 10);
      expect(sealedOf(await jobs.due(200, 9))).toEqual(['body']);
    });

    it('let a line rest once it is empty, and forget it', async () => {
      const { jobs } = stores;
      await jobs.enqueue([delivery()], ROOM);
      const [due] = await jobs.due(200, 9);
      const done = {
        at_ms: 210,
        status: 200,
        latency_ms: 1,
        outcome: 'delivered',
        reason: null,
      } as const;
      await jobs.finish(due!, done);
      expect(await jobs.nextDue(0)).toBeNull();
      await jobs.trim(0, 10);
      expect(await rows('lines').countDocuments()).toBe(0);
      await jobs.enqueue([delivery({ queued_ms: 300 })], ROOM);
      expect(await jobs.nextDue(0)).toBe(300);
    });

    it('keep a line awake in which something came to wait after somebody saw it empty', async () => {
      const lines = await Lines.open(connection.db, false);
      await lines.wake(DRIVE, 'hook', 100);
      const seen_empty = await lines.get(DRIVE, 'hook');
      await stores.jobs.enqueue([delivery()], ROOM);
      await lines.rest(seen_empty!);
      expect(sealedOf(await stores.jobs.due(200, 9))).toEqual(['body']);
      await restAll();
      await lines.wake(DRIVE, 'hook', 100);
      await lines.forget((await lines.get(DRIVE, 'hook'))!);
      expect(await stores.jobs.due(200, 9)).toHaveLength(1);
    });

    it('have nonces of their own over all processes, and each webhook’s turn in one of them', async () => {
      const processes = [stores, await another(), await another()];
      const queued = processes.flatMap(({ jobs }) =>
        ['a', 'b'].map((webhook_id) => jobs.enqueue([delivery({ webhook_id }), delivery()], ROOM)),
      );
      await Promise.all(queued);
      const waiting = await stores.jobs.waitingIn(DRIVE, 0, 99);
      expect(new Set(waiting.map(({ nonce }) => nonce)).size).toBe(12);
      const taken = await Promise.all(
        processes.flatMap(({ jobs }) =>
          ['a', 'b', 'hook'].map((webhook_id) => jobs.claim(DRIVE, webhook_id, 200, 900)),
        ),
      );
      const webhooks = taken.filter((one) => one !== null).map(({ webhook_id }) => webhook_id);
      expect(webhooks.toSorted()).toEqual(['a', 'b', 'hook']);
    });

    it('let one process only take a step', async () => {
      const processes = [stores, await another(), await another()];
      await stores.jobs.open(place(5), 1);
      const took = await Promise.all(
        processes.map(({ jobs }) => jobs.advance(place(5), place(6), [delivery()], ROOM)),
      );
      expect(took.filter(Boolean)).toHaveLength(1);
      expect(await rows('deliveries').countDocuments()).toBe(1);
    });
  });

  describe('jobs of a reactor that was quarantined', () => {
    beforeEach(async () => {
      await stores.jobs.open(place(1), 1);
      await stores.jobs.advance(place(1), place(2), [delivery({ sealed: 'old' })], ROOM);
      await stores.jobs.quarantine(DRIVE, 'a reason');
    });

    it('go when it is opened again, but not those of a process that opened it meanwhile', async () => {
      const other = await another();
      const { deliveries } = stores.jobs as unknown as { deliveries: { dropDrive: unknown } };
      const drop = (deliveries.dropDrive as (...asked: unknown[]) => Promise<void>).bind(
        deliveries,
      );
      deliveries.dropDrive = async (...asked: unknown[]) => {
        await other.jobs.open(place(5), 2);
        await other.jobs.advance(place(5), place(6), [delivery({ sealed: 'new' })], ROOM);
        return drop(...asked);
      };
      await stores.jobs.open(place(5), 2);
      expect(sealedOf(await stores.jobs.waitingIn(DRIVE, 0, 9))).toEqual(['new']);
      expect(await stores.jobs.reactor(DRIVE)).toMatchObject({ revision: 6, quarantined: null });
    });
  });

  it('jobs of a step whose release was lost are released by the next repair', async () => {
    await stores.jobs.open(place(1), 1);
    await stores.jobs.advance(place(1), place(2), [delivery()], ROOM);
    const step = 'a-taken-step';
    await rows('deliveries').updateMany({}, { $set: { step, waits: false } });
    await rows('reactors').updateOne({ _id: DRIVE }, { $set: { step } });
    await restAll();
    await stores.jobs.trim(0, 10);
    expect(await rows('reactors').findOne({ _id: DRIVE })).toMatchObject({ step: null });
    expect(await stores.jobs.due(1_000, 9, [])).toHaveLength(1);
  });

  describe('windows', () => {
    it('are counted in by all processes, each key’s for itself', async () => {
      const [one, two] = [await stores.windows(60_000), await (await another()).windows(60_000)];
      const adding = Array.from({ length: 10 }, (_, at) => (at % 2 ? one : two).add('key'));
      const counts = (await Promise.all(adding)).map(({ count }) => count);
      expect(counts.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      const other = await one.add('other');
      expect(other.count).toBe(1);
      expect((await two.add('other', 5)).count).toBe(6);
      expect(other.rest_ms).toBeGreaterThan(0);
      expect(other.rest_ms).toBeLessThanOrEqual(60_000);
    });

    it('begin anew with the first that comes after their end', async () => {
      const windows = await stores.windows(60_000);
      await windows.add('key');
      await windows.add('key');
      await rows('windows').updateOne({}, { $set: { ends: new Date(Date.now() - 1) } });
      const counts = await Promise.all([windows.add('key', 3), windows.add('key', 3)]);
      expect(counts.map(({ count }) => count).toSorted()).toEqual([3, 6]);
    });

    it('begin anew after the clock was set back', async () => {
      const windows = await stores.windows(60_000);
      await windows.add('key');
      const an_hour_before = new Date(Date.now() + 3_660_000);
      await rows('windows').updateOne({}, { $set: { ends: an_hour_before } });
      const { count, rest_ms } = await windows.add('key');
      expect(count).toBe(1);
      expect(rest_ms).toBeLessThanOrEqual(60_000);
    });
  });
});
