import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { Collection } from 'mongodb';
import { describeWithMongo } from '../../../test/servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../../../test/servers/mongodb/server.js';
import { type MongoConnection, openMongo } from '../../mongodb/client.js';
import { CONTENT_STORE_CASES } from '../content-store.contract.js';
import { ContentGridFs } from './content-gridfs.js';

const DAY_MS = 86_400_000;

describeWithMongo('contents in GridFS', () => {
  let server: MongoServer;
  let connection: MongoConnection;
  let store: ContentGridFs;

  beforeAll(async () => {
    server = await startMongo();
    connection = await openMongo(server.url, `contents_${randomUUID()}`);
    store = await ContentGridFs.open(connection.db);
  });
  // The server for tests looks at all chunks for every query.
  afterEach(async () => {
    for (const name of ['contents.files', 'contents.chunks'])
      await connection.db.collection(name).deleteMany({});
  });
  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  const chunks = () => connection.db.collection('contents.chunks').countDocuments();

  it.each(CONTENT_STORE_CASES)('$name', async ({ run }) => {
    await expect(run(store)).resolves.toBeUndefined();
  });

  it('leave no chunk behind that is not stored', async () => {
    const before = await chunks();
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(600_000);
      throw new Error('the source failed');
    }
    const key = { drive_id: 'DriveID_1', content_id: randomUUID() };
    await expect(store.write(key, failing())).rejects.toThrow('the source failed');
    expect(await chunks()).toBe(before);
  });

  it('are not there after a write whose last answer was lost, and can be written again', async () => {
    const key = { drive_id: 'DriveID_1', content_id: randomUUID() };
    async function* some(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(600_000);
    }
    const { insertOne } = Collection.prototype;
    const inserting = jest.spyOn(Collection.prototype, 'insertOne');
    inserting.mockImplementation(async function (this: Collection, ...given) {
      const inserted = await insertOne.apply(this, given);
      if (this.collectionName === 'contents.files') throw new Error('the connection was lost');
      return inserted;
    });
    await expect(store.write(key, some())).rejects.toThrow('the connection was lost');
    inserting.mockRestore();
    expect(await store.size(key)).toBeUndefined();
    expect(await chunks()).toBe(0);
    expect(await store.write(key, some())).toBe(600_000);
    expect(await chunks()).toBe(3);
  });

  it('of interrupted writes are swept once they are old, whole ones never', async () => {
    const key = { drive_id: 'DriveID_1', content_id: randomUUID() };
    async function* some(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(600_000);
    }
    await store.write(key, some());
    const whole = await chunks();
    const half = { drive_id: 'DriveID_1', content_id: randomUUID() };
    await store.write(half, some());
    // As a process leaves it that is killed before it inserts the file's document.
    await connection.db.collection('contents.files').deleteOne({
      filename: `${half.drive_id}/${half.content_id}`,
    });
    expect(await store.sweepUnfinished(Date.now() - DAY_MS)).toBe(0);
    expect(await store.sweepUnfinished(Date.now() + 2_000)).toBe(1);
    expect(await chunks()).toBe(whole);
    expect(await store.size(key)).toBe(600_000);
  });

  it('are listed with the bytes whose chunks are there', async () => {
    const key = { drive_id: 'DriveID_1', content_id: randomUUID() };
    const listed = async () =>
      (await store.list(key.drive_id, '', 9, true)).map(({ bytes }) => bytes);
    await store.write(key, [Buffer.alloc(600_000)]);
    expect(await listed()).toEqual([600_000]);
    await connection.db.collection('contents.chunks').deleteOne({ n: 1 });
    expect(await listed()).toEqual([2 * 255 * 1024]);
    await connection.db.collection('contents.chunks').deleteMany({});
    expect(await listed()).toEqual([0]);
  });

  it('of a write that takes longer than a day are whole', async () => {
    const key = { drive_id: 'DriveID_1', content_id: randomUUID() };
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 2 * DAY_MS);
    let swept: number | undefined;
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(600_000);
      clock.mockRestore();
      yield Buffer.alloc(600_000);
      swept = await store.sweepUnfinished(Date.now() - DAY_MS);
      yield Buffer.alloc(600_000);
    }
    expect(await store.write(key, slow())).toBe(1_800_000);
    expect(swept).toBe(0);
    expect(await chunks()).toBe(7);
  });

  it('are not stored if a sweep has removed some of them', async () => {
    const key = { drive_id: 'DriveID_1', content_id: randomUUID() };
    async function* swept(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(600_000);
      await store.sweepUnfinished(Date.now() + 2_000);
      yield Buffer.alloc(600_000);
    }
    await expect(store.write(key, swept())).rejects.toThrow('a sweep has removed chunks');
    expect(await store.size(key)).toBeUndefined();
    expect(await chunks()).toBe(0);
  });
});
