import { type Filter, MongoClient } from 'mongodb';

import { describeWithMongo } from './describe.js';
import { type MongoServer, startMongo } from './server.js';

interface Counter {
  readonly _id: string;
  readonly count: number;
}

describeWithMongo('the MongoDB server for tests', () => {
  let server: MongoServer;
  let client: MongoClient;

  beforeAll(async () => {
    server = await startMongo();
    client = await MongoClient.connect(server.url);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  const counters = () => client.db(server.freshDatabase()).collection<Counter>('counters');

  it('changes a document once for each of many at the same time', async () => {
    const found = counters();
    await found.insertOne({ _id: 'a', count: 0 });
    const add = () => found.updateOne({ _id: 'a' }, { $inc: { count: 1 } });
    await Promise.all(Array.from({ length: 30 }, add));
    expect(await found.findOne({ _id: 'a' })).toEqual({ _id: 'a', count: 30 });
  });

  it('lets one of many take what there is once', async () => {
    const found = counters();
    await found.insertOne({ _id: 'a', count: 0 });
    const take = () => found.findOneAndUpdate({ _id: 'a', count: 0 }, { $set: { count: 1 } });
    const taken = await Promise.all(Array.from({ length: 20 }, take));
    expect(taken.filter((one) => one !== null)).toHaveLength(1);
  });

  it('takes more writes at once than it has connections', async () => {
    const found = counters();
    const writes = Array.from({ length: 240 }, (_, at) => ({
      updateOne: { filter: { _id: String(at) }, update: { $set: { count: 1 } }, upsert: true },
    }));
    await found.bulkWrite(writes, { ordered: false });
    await found.bulkWrite(writes, { ordered: false });
    expect(await found.countDocuments()).toBe(240);
  });

  it('finds by ids and texts, indexed or not, what it finds by looking at every document', async () => {
    interface Row {
      readonly _id: string | number;
      readonly drive_id?: unknown;
      readonly build?: unknown;
    }
    const rows: Row[] = [
      { _id: 'a', drive_id: 'one', build: 'x' },
      { _id: 'b', drive_id: 'one', build: 'y' },
      { _id: 'c<&>"\\é', drive_id: 'one', build: ['x', 'y'] },
      { _id: 'd', drive_id: ['two', 'one'], build: 'x' },
      { _id: 'e', drive_id: 'two', build: 'x' },
      { _id: 'f', drive_id: { one: 'one' } },
      { _id: 'g', drive_id: '[', build: null },
      { _id: 7, drive_id: '"one"', build: 'x' },
    ];
    for (const is_indexed of [false, true]) {
      const found = client.db(server.freshDatabase()).collection<Row>('rows');
      if (is_indexed) await found.createIndex({ drive_id: 1, build: 1 });
      await found.insertMany(rows);
      const ids = async (filter: Filter<Row>) =>
        (await found.find(filter).toArray()).map(({ _id }) => _id).sort();
      expect(await ids({ drive_id: 'one' })).toEqual(['a', 'b', 'c<&>"\\é', 'd']);
      expect(await ids({ drive_id: 'one', build: 'x' })).toEqual(['a', 'c<&>"\\é', 'd']);
      const both = { $and: [{ drive_id: 'one' }, { build: 'y', _id: { $gt: 'b' } }] };
      expect(await ids(both)).toEqual(['c<&>"\\é']);
      expect(await ids({ $or: [{ drive_id: 'two' }, { build: 'y' }] })).toHaveLength(4);
      expect(await ids({ drive_id: '[' })).toEqual(['g']);
      expect(await ids({ drive_id: '"one"' })).toEqual([7]);
      expect(await ids({ _id: 'c<&>"\\é', drive_id: 'one' })).toEqual(['c<&>"\\é']);
      expect(await ids({ _id: 'a', drive_id: 'two' })).toEqual([]);
      expect(await ids({ _id: { $in: ['a', 'e', 'no'] }, build: 'x' })).toEqual(['a', 'e']);
      expect(await ids({ _id: { $in: ['a', 7] } })).toEqual([7, 'a']);
      expect(await ids({ _id: { $in: [] } })).toEqual([]);
      expect(await ids({ _id: { $in: ['a', 'b'], $ne: 'a' } })).toEqual(['b']);
      expect(await ids({ $and: [{ drive_id: 'one' }, { drive_id: 'two' }] })).toEqual(['d']);
      await found.updateOne({ _id: 'a', drive_id: 'two' }, { $set: { build: 'z' } });
      await found.updateMany({ drive_id: 'one', build: 'x' }, { $set: { build: 'w' } });
      expect(await ids({ build: 'w' })).toEqual(['a', 'c<&>"\\é', 'd']);
      await found.deleteMany({ drive_id: 'one', build: 'w' });
      expect(await found.countDocuments({ drive_id: 'one' })).toBe(1);
    }
  });
});
