import { Client, organizationOf } from '../support/client.js';
import { TestService } from '../support/service.js';

const CARDS = '/v1/factory/giftcards/spawnorg';
const ADMIN_KEY = 'administrator-of-the-factory-0123456789';
const PLAIN_KEY = 'key-of-a-shop-that-sells-cards-0123456789';
const OTHER_KEY = 'key-of-another-shop-that-sells-cards-0123';

describe('the factory in closed mode', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({
      FACTORY_FREE_MODE: 'false',
      FACTORY_KEYS: `${PLAIN_KEY}, ${OTHER_KEY}`,
      FACTORY_ADMIN_KEYS: `${ADMIN_KEY},${OTHER_KEY}`,
    });
  });
  afterAll(() => service.stop());

  const as = (token?: string) => new Client(service.url, token);
  const spawning = (client: Client) => [
    client.post('/v1/factory/quickstart'),
    client.post(`${CARDS}/create`),
    client.post(`${CARDS}/upsert`),
    client.post(`${CARDS}/redeem`, { giftcard_id: 'GiftcardSpawnOrgID_x' }),
  ];

  it('creates nothing without a factory key: 401, before the body is read', async () => {
    const { data } = await as(PLAIN_KEY).post('/v1/factory/quickstart');
    const org = organizationOf(service.url, data);
    for (const token of [undefined, 'nonsense', org.admin.token, PLAIN_KEY.toUpperCase()])
      for (const { status, err } of await Promise.all(spawning(as(token))))
        expect([status, err.type]).toEqual([
          401,
          token === undefined ? 'token.missing' : 'token.invalid',
        ]);
    const { status } = await as().send('POST', '/v1/factory/quickstart', '{');
    expect(status).toBe(401);
  });

  it.each([
    ['a key', PLAIN_KEY],
    ['an admin’s key', ADMIN_KEY],
    ['a key that is in both lists', OTHER_KEY],
  ])('makes organizations and cards for %s', async (_, key) => {
    const [quickstart, create, upsert, redeem] = await Promise.all(spawning(as(key)));
    const statuses = [quickstart, create, upsert, redeem].map((answer) => answer!.status);
    expect(statuses).toEqual([200, 200, 200, 400]);
    const owner_user_id = quickstart!.data.admin.user_id;
    const redeemed = await as(key).post(`${CARDS}/redeem`, {
      giftcard_id: create!.data.id,
      owner_user_id,
    });
    expect(redeemed.status).toBe(200);
  });

  it('accepts the key in the query, but not in place of an invalid header', async () => {
    const path = `/v1/factory/quickstart?auth=${PLAIN_KEY}`;
    expect((await as().post(path)).status).toBe(200);
    expect((await as('nonsense').post(path)).status).toBe(401);
  });

  it('lets administrators administer, a key in both lists included, and others not', async () => {
    const list = async (token?: string) => (await as(token).post(`${CARDS}/list`)).status;
    expect(await Promise.all([ADMIN_KEY, OTHER_KEY, PLAIN_KEY, undefined].map(list))).toEqual([
      200, 200, 403, 401,
    ]);
  });

  it('records which key created what', async () => {
    const { data } = await as(ADMIN_KEY).post(`${CARDS}/create`, {}, { 'audit-reason': 'sale' });
    const { events } = service.server.stores;
    const [event] = await events.readStream('factory', Infinity, 'backward', 1);
    expect(JSON.parse(event!.data).giftcard_id).toBe(data.id);
    const { actor, allowed_by, reason } = JSON.parse(event!.metadata);
    expect(actor).toEqual({
      api_key_id: expect.stringMatching(/^FactoryApiKeyID_[0-9a-f]{32}$/),
      user_id: null,
      via: 'FACTORY',
    });
    expect(allowed_by).toEqual([actor.api_key_id]);
    expect(reason).toBe('sale');
  });

  it('leaves activation open: the code is the proof', async () => {
    const { data: card } = await as(PLAIN_KEY).post(`${CARDS}/create`);
    const { data } = await as(PLAIN_KEY).post(`${CARDS}/redeem`, {
      giftcard_id: card.id,
      owner_icp_principal: '2vxsx-fae',
    });
    const { status } = await as().post(`/v1/drive/${data.drive_id}/organization/redeem`, {
      redeem_code: data.redeem_code,
    });
    expect(status).toBe(200);
  });
});

describe('administration of the factory', () => {
  let service: TestService;
  let admin: Client;
  const env = { FACTORY_KEYS: PLAIN_KEY, FACTORY_ADMIN_KEYS: ADMIN_KEY };

  beforeEach(async () => {
    service = await TestService.start(env);
    admin = new Client(service.url, ADMIN_KEY);
  });
  afterEach(() => service.stop());

  const tries = (path: string, method: 'get' | 'post') =>
    Promise.all(
      [ADMIN_KEY, PLAIN_KEY, 'nonsense', undefined].map(
        async (token) => (await new Client(service.url, token)[method](path)).status,
      ),
    );

  it('dumps all data of the factory, its secrets masked', async () => {
    const org = await service.organization();
    const auth_json = { endpoint: 'e', access_key: 'a', secret_key: 's', bucket: 'b', region: 'r' };
    const bundled_default_disk = { name: 'Disk', disk_type: 'AWS_BUCKET', auth_json };
    const { data: card } = await admin.post(`${CARDS}/create`, { bundled_default_disk });
    const { data: gift } = await admin.post(`${CARDS}/redeem`, {
      giftcard_id: card.id,
      owner_user_id: org.admin.user_id,
    });
    const { status, data } = await admin.get('/v1/factory/snapshot');
    expect(status).toBe(200);
    expect(data).toEqual({
      giftcards: [
        {
          ...card,
          redeemed: true,
          drive_id: gift.drive_id,
          bundled_default_disk: { ...card.bundled_default_disk, auth_json: '***' },
        },
      ],
      drives: [
        { id: org.drive_id, created_at: expect.any(Number) },
        { id: gift.drive_id, created_at: expect.any(Number) },
      ],
      timestamp_ms: expect.any(Number),
    });
    expect(await tries('/v1/factory/snapshot', 'get')).toEqual([200, 403, 401, 401]);
    await service.restart({ PRODUCTION: 'true' });
    expect(await tries('/v1/factory/snapshot', 'get')).toEqual([403, 403, 401, 401]);
  });

  it('has nothing to migrate, and says so to administrators', async () => {
    await service.organization();
    const { status, data } = await admin.post('/v1/factory/helpers/migrate');
    expect(status).toBe(200);
    expect(data).toEqual({
      success: true,
      message: expect.any(String),
      state_version: 1,
      drives: 1,
      timestamp_ms: expect.any(Number),
    });
    expect(await tries('/v1/factory/helpers/migrate', 'post')).toEqual([200, 403, 401, 401]);
  });
});

describe('rate limits of the factory', () => {
  const answers = async (service: TestService, ...paths: string[]) => {
    const all = [];
    for (const path of paths) all.push(await service.client().post(path));
    return all;
  };

  it('count all its operations of one address together, before keys are checked', async () => {
    const service = await TestService.start({ RATE_LIMITS: 'on', RATE_LIMIT_FACTORY_CLIENT: '3' });
    try {
      const paths = [`${CARDS}/create`, `${CARDS}/list`, `${CARDS}/redeem`, `${CARDS}/list`];
      const found = await answers(service, ...paths, '/v1/factory/quickstart');
      expect(found.map(({ status }) => status)).toEqual([200, 401, 400, 429, 429]);
      const { err, headers } = found[3]!;
      expect([err.code, err.type]).toEqual([429, 'rate.limited']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(found[0]!.headers.get('ratelimit-policy')).toContain('"factory-client";q=3');
    } finally {
      await service.stop();
    }
  });

  it('count each derived identity of a quickstart as another request', async () => {
    const service = await TestService.start({ RATE_LIMITS: 'on', RATE_LIMIT_FACTORY_CLIENT: '5' });
    try {
      const secret = (nth: number) => ({ name: `M${nth}`, secret_entropy: `secret ${nth}` });
      const start = (...members: object[]) =>
        service
          .client()
          .post('/v1/factory/quickstart', { org_name: 'A', admin: secret(0), members });
      const found = [await start(secret(1)), await start(secret(2)), await start()];
      expect(found.map(({ status }) => status)).toEqual([200, 429, 429]);
      expect(found[0]!.headers.get('ratelimit')).toContain('"factory-client";r=2');
    } finally {
      await service.stop();
    }
  });

  it('count the requests of everybody together too', async () => {
    const service = await TestService.start({ RATE_LIMITS: 'on', RATE_LIMIT_FACTORY: '1' });
    try {
      const found = await answers(service, `${CARDS}/create`, `${CARDS}/create`);
      expect(found.map(({ status }) => status)).toEqual([200, 429]);
    } finally {
      await service.stop();
    }
  });
});
