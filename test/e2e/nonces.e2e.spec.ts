import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { MongoSideStores } from '../../libs/event-store/mongodb/index.js';
import { LONGEST_NONCE_MS } from '../../libs/event-store/stores.js';
import { LONGEST_SHOWN_MS, makeSignatureToken } from '../../libs/identity/signature.js';
import { type MongoConnection, openMongo } from '../../libs/mongodb/client.js';
import { openStores } from '../../libs/stores/open.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../servers/mongodb/server.js';
import { TestService } from '../support/service.js';
import { Client, type Organization } from '../support/client.js';

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

describe('the nonce of a signed token', () => {
  it('is accepted once, also after a restart, and a new one of the same key again', async () => {
    const service = await TestService.start();
    const org = await service.organization();
    try {
      const key = newKey();
      // The clock of the signer runs ahead, so that the token outlives the restart.
      const signed = (nonce: string) =>
        makeSignatureToken(key, { timestamp_ms: Date.now() + 25_000, nonce });
      const used = signed('one');
      const status = async (token: string) =>
        (
          await new Client(`${service.url}/v1/drive/${org.drive_id}`, token).get(
            '/organization/whoami',
          )
        ).status;
      expect([await status(used), await status(used)]).toEqual([200, 401]);
      await service.restart();
      expect([await status(used), await status(signed('two'))]).toEqual([401, 200]);
    } finally {
      await service.stop();
    }
  });

  it('is remembered for longer than any token is valid', () => {
    expect(LONGEST_NONCE_MS).toBeGreaterThanOrEqual(2 * LONGEST_SHOWN_MS);
  });
});

describeWithMongo('the nonce of a signed token, between processes', () => {
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
  });
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
    const side = {
      ...stores.side,
      nonces: shared.nonces,
      close: () => stores.side.close(),
    };
    return TestService.start({ EVENT_STORE: 'memory' }, { stores: { ...stores, shared, side } });
  }

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
