import { randomBytes, randomUUID } from 'node:crypto';
import { Relay } from '../servers/kurrentdb/relay.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../servers/mongodb/server.js';
import { SideStoreUnreachable } from '../../libs/event-store/port.js';
import { type MongoConnection, openMongo } from '../../libs/mongodb/client.js';
import { withUnavailableErrors } from '../../libs/mongodb/unavailable.js';
import type { ContentKey } from '../../libs/content-store/port.js';
import { ContentGridFs } from '../../libs/content-store/gridfs/content-gridfs.js';

const MIB = 1024 * 1024;
const FIND_SERVER_WITHIN_MS = 1_500;

describeWithMongo('contents in GridFS, with a connection that is cut', () => {
  let server: MongoServer;
  let relay: Relay;
  let port: number;
  /** Through the relay. */
  let connection: MongoConnection;
  let store: ContentGridFs;
  /** Around the relay. */
  let direct: MongoConnection;
  let beside: ContentGridFs;

  beforeAll(async () => {
    server = await startMongo();
    const { port: server_port, search } = new URL(server.url);
    relay = new Relay(Number(server_port));
    port = await relay.listen(0);
    const database = `contents_${randomUUID()}`;
    const url = `mongodb://127.0.0.1:${port}/${search}`;
    connection = await openMongo(url, database, FIND_SERVER_WITHIN_MS);
    store = withUnavailableErrors(await ContentGridFs.open(connection.db));
    direct = await openMongo(server.url, database);
    beside = await ContentGridFs.open(direct.db);
  });
  afterEach(async () => {
    await relay.close();
    await relay.listen(port);
  });
  afterAll(async () => {
    await connection.close();
    await relay.close();
    await direct.close();
    await server.stop();
  });

  const fresh = (): ContentKey => ({ drive_id: 'DriveID_1', content_id: randomUUID() });
  const chunks = () => direct.db.collection('contents.chunks').countDocuments();

  it('a write is refused as unavailable and leaves nothing but what a sweep removes', async () => {
    const key = fresh();
    async function* cutting(): AsyncGenerator<Uint8Array> {
      yield randomBytes(MIB);
      while ((await chunks()) === 0) yield randomBytes(MIB);
      await relay.close();
      yield randomBytes(MIB);
      yield randomBytes(MIB);
    }
    await expect(store.write(key, cutting())).rejects.toThrow(SideStoreUnreachable);
    expect(await beside.size(key)).toBeUndefined();
    expect(await beside.list(key.drive_id, '', 10)).toEqual([]);
    expect(await chunks()).toBeGreaterThan(0);
    expect(await beside.sweepUnfinished(Date.now() + 2_000)).toBe(1);
    expect(await chunks()).toBe(0);
  });

  it('a read fails as unavailable, and is never short', async () => {
    const [key, bytes] = [fresh(), randomBytes(4 * MIB)];
    async function* source(): AsyncGenerator<Uint8Array> {
      yield bytes;
    }
    await beside.write(key, source());
    const read: Uint8Array[] = [];
    const reading = (async () => {
      for await (const chunk of store.read(key)) {
        if (read.push(chunk) === 1) await relay.close();
      }
    })();
    await expect(reading).rejects.toThrow(SideStoreUnreachable);
    expect(read.length).toBeGreaterThan(0);
    expect(bytes.subarray(0, read[0]!.length).equals(read[0]!)).toBe(true);
    await expect(store.size(key)).rejects.toThrow(SideStoreUnreachable);
  });

  it.each([
    ['the first', { n: 0 }],
    ['one between', { n: 6 }],
    ['the last', { n: 16 }],
  ])('a content without %s of its chunks ends with an error', async (_, missing) => {
    const key = fresh();
    async function* source(): AsyncGenerator<Uint8Array> {
      yield randomBytes(4 * MIB);
    }
    await beside.write(key, source());
    const file = await direct.db
      .collection('contents.files')
      .findOne({ filename: `${key.drive_id}/${key.content_id}` });
    await direct.db.collection('contents.chunks').deleteOne({ files_id: file!._id, ...missing });
    const reading = (async () => {
      for await (const chunk of beside.read(key)) expect(chunk.length).toBeGreaterThan(0);
    })();
    await expect(reading).rejects.toMatchObject({
      name: 'ContentMissing',
      message: `chunk ${missing.n} of the content is missing or has another length`,
    });
  });
});
