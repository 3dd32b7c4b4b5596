import { randomBytes } from 'node:crypto';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { MongoSideStores } from '../../libs/event-store/mongodb/index.js';
import { type MongoConnection, openMongo } from '../../libs/mongodb/client.js';
import { openStores, type Stores } from '../../libs/stores/open.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../servers/mongodb/server.js';
import { TestService } from '../support/service.js';

const LIMITS = { RATE_LIMITS: 'on', RATE_LIMIT_FACTORY_CLIENT: '5', EVENT_STORE: 'memory' };

describeWithMongo('rate limits of several replicas', () => {
  let server: MongoServer;
  let connection: MongoConnection;
  let shared: MongoSideStores;
  let replicas: TestService[];

  beforeAll(async () => {
    server = await startMongo();
    connection = await openMongo(server.url, server.freshDatabase());
    shared = await MongoSideStores.open(connection.db, randomBytes(32));
    replicas = [await replica(), await replica()];
  });
  afterAll(async () => {
    for (const each of replicas) await each.stop();
    await connection.close();
    await server.stop();
  });

  async function replica(): Promise<TestService> {
    const stores: Stores = await openStores(loadSettings({ EVENT_STORE: 'memory' }), {
      to: 'serve',
      schema: READ_SCHEMA,
      max_append_bytes: 2 ** 20,
    });
    return TestService.start(LIMITS, { stores: { ...stores, shared } });
  }
  const statusAt = async ({ url }: TestService): Promise<number> =>
    (await fetch(`${url}/v1/factory/quickstart`, { method: 'POST' })).status;

  it('apply to all of them together, and to each alone while the shared store is unavailable', async () => {
    const [one, two] = replicas as [TestService, TestService];
    const allowed: number[] = [];
    for (const each of [one, two, one, two, one]) allowed.push(await statusAt(each));
    expect(allowed).toEqual([200, 200, 200, 200, 200]);
    expect([await statusAt(two), await statusAt(one), await statusAt(two)]).toEqual([
      429, 429, 429,
    ]);
    const stored = await connection.db.collection('side_windows').find().toArray();
    expect(JSON.stringify(stored)).not.toContain('127.0.0.1');

    const third = await replica();
    replicas.push(third);
    await connection.close();
    const alone: number[] = [];
    for (let call = 0; call < 6; call++) alone.push(await statusAt(third));
    expect(alone).toEqual([200, 200, 200, 200, 200, 429]);
  });
});
