import { MongoClient } from 'mongodb';

import { type MongoServer, START_TIMEOUT_MS, startMongo } from './server.js';

interface Counter {
  readonly _id: string;
  readonly count: number;
}

describe('the MongoDB server for tests', () => {
  let server: MongoServer;
  let client: MongoClient;

  beforeAll(async () => {
    server = await startMongo();
    client = await MongoClient.connect(server.url);
  }, START_TIMEOUT_MS);
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
});
