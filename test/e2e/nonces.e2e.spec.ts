import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { MongoSideStores } from '../../libs/event-store/mongodb/index.js';
import { makeSignatureToken } from '../../libs/identity/signature.js';
import { type MongoConnection, openMongo } from '../../libs/mongodb/client.js';
import { openStores } from '../../libs/stores/open.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { type MongoServer, START_TIMEOUT_MS, startMongo } from '../servers/mongodb/server.js';
import { TestService } from '../support/service.js';
import type { Organization } from '../support/client.js';

describeWithMongo('the nonce of a signed token', () => {
  let server: MongoServer;
  let connection: MongoConnection;
  let shared: MongoSideStores;
  const services: TestService[] = [];
  const at: Organization[] = [];

  beforeAll(async () => {
    server = await startMongo();
    connection = await openMongo(server.url, server.freshDatabase());
    shared = await MongoSideStores.open(connection.db, randomBytes(32));
    for (const each of [await replica(), await replica()]) {
      services.push(each);
      at.push(await each.organization());
    }
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    for (const each of services) await each.stop();
    await connection.close();
    await server.stop();
  });

  /** A process with events of its own, which shares with others what processes share. */
  async function replica(): Promise<TestService> {
    const stores = await openStores(loadSettings({ EVENT_STORE: 'memory' }), {
      to: 'serve',
      schema: READ_SCHEMA,
      max_append_bytes: 2 ** 20,
    });
    return TestService.start({ EVENT_STORE: 'memory' }, { stores: { ...stores, shared } });
  }

  const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
  const signed = (key: KeyObject, nonce: string) =>
    makeSignatureToken(key, { timestamp_ms: Date.now(), nonce });
  const statuses = async (token: string, ...organizations: number[]) => {
    const found: number[] = [];
    for (const index of organizations) {
      const { status } = await at[index]!.as(token).get('/organization/whoami');
      found.push(status);
    }
    return found;
  };

  it('is accepted once by all processes', async () => {
    const key = newKey();
    expect(await statuses(signed(key, 'one'), 0, 0, 1)).toEqual([200, 401, 401]);
    expect(await statuses(signed(key, 'two'), 1, 0, 1)).toEqual([200, 401, 401]);
    expect(await statuses(signed(newKey(), 'one'), 1, 0)).toEqual([200, 401]);
  });

  it('counts for nothing where no token is needed', async () => {
    const token = signed(newKey(), 'one');
    const follow = async (index: number) => {
      const { status } = await at[index]!.as(token).post('/organization/shortlink', { slug: 'x' });
      return status;
    };
    expect([await follow(0), await follow(1)]).toEqual([404, 404]);
    expect(await statuses(token, 0, 1)).toEqual([401, 401]);
  });

  it('is refused 503 while the shared store is unavailable; tokens without one are accepted', async () => {
    await connection.close();
    const key = newKey();
    const { status, err, headers } = await at[0]!
      .as(signed(key, 'three'))
      .get('/organization/whoami');
    expect([status, err.type, headers.get('retry-after')]).toEqual([
      503,
      'drive.store-failed',
      '1',
    ]);
    const plain = makeSignatureToken(key, { timestamp_ms: Date.now() });
    expect(await statuses(plain, 0, 1)).toEqual([200, 200]);
  });
});
