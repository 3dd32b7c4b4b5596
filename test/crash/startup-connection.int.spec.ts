import { randomBytes } from 'node:crypto';

import { Relay } from '../servers/kurrentdb/relay.js';
import { type KurrentServer, startKurrentServer } from '../servers/kurrentdb/server.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../servers/mongodb/server.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { MongoUnavailable, openMongo } from '../../libs/mongodb/client.js';
import { readSettings } from '../../libs/settings/read.js';
import { openStores } from '../../libs/stores/open.js';
import { StoreSettings } from '../../libs/stores/settings.js';

describeWithMongo('a start during which MongoDB goes away', () => {
  let kurrent: KurrentServer;
  let mongo: MongoServer;
  let relay: Relay;
  let port: number;
  /** Text of the message from the service at which the relay ends; null once it has ended. */
  let cut_at: string | null;
  let cut: Promise<void>;

  beforeAll(async () => {
    [kurrent, mongo] = [await startKurrentServer(), await startMongo()];
    relay = new Relay(Number(new URL(mongo.url).port), (bytes, from) => {
      if (from !== 'client' || cut_at === null || !bytes.includes(cut_at)) return;
      cut_at = null;
      cut = relay.close();
    });
  });
  beforeEach(async () => {
    port = await relay.listen(0);
  });
  afterEach(() => relay.close());
  afterAll(async () => {
    await kurrent.close();
    await mongo.stop();
  });

  const open = (store_wait_ms: number, waiting?: (message: string) => void) => {
    const url = new URL(mongo.url);
    url.port = String(port);
    const values = {
      ...{ EVENT_STORE: 'kurrentdb', KURRENTDB_URL: kurrent.url, READ_MODEL: 'mongodb' },
      ...{ MONGODB_URL: url.href, MONGODB_DATABASE: mongo.freshDatabase() },
      ...{ MASTER_KEY: randomBytes(32).toString('hex'), STORE_WAIT_MS: String(store_wait_ms) },
    };
    return openStores(
      readSettings(StoreSettings, values, () => []),
      {
        ...{ to: 'serve', schema: READ_SCHEMA, max_append_bytes: 1_000_000 },
        ...(waiting && { waiting }),
      },
    );
  };

  it.each(['side_tiles', 'contents.files', 'read_model'])(
    'at the collection %s waits for it',
    async (name) => {
      cut_at = name;
      const said: string[] = [];
      let back: Promise<number> | undefined;
      const stores = await open(60_000, (message) => {
        said.push(message);
        back = cut.then(() => relay.listen(port));
      });
      await back;
      await stores.close();
      expect(said).toEqual([expect.stringContaining(`MongoDB at 127.0.0.1:${port}: `)]);
    },
  );

  it('ends with a sentence without STORE_WAIT_MS', async () => {
    cut_at = 'side_tiles';
    await expect(open(0)).rejects.toThrow(MongoUnavailable);
    await cut;
  });

  it.each([
    ['may pass', 'MongoNetworkError', undefined, true],
    ['may pass', 'MongoServerError', 10_107, true],
    ['lasts', 'MongoServerError', 13, false],
    ['lasts', 'MongoServerError', 18, false],
  ])('knows an error that %s: %s %s', async (_, name, code, may_pass) => {
    const { explained, close } = await openMongo(mongo.url, mongo.freshDatabase());
    const error = explained(Object.assign(new Error('…'), { name, code }));
    await close();
    expect(error).toBeInstanceOf(MongoUnavailable);
    expect(error).toMatchObject({ may_pass });
  });

  it('knows errors that say nothing about the server', async () => {
    const { explained, close } = await openMongo(mongo.url, mongo.freshDatabase());
    const error = Object.assign(new Error('…'), { name: 'MongoServerError', code: 11_000 });
    expect(explained(error)).toBe(error);
    await close();
  });
});
