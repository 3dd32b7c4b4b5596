import { freshUserId } from '../../libs/identity/derive.js';
import { type Answer, Client } from '../support/client.js';
import { TestService } from '../support/service.js';

const CARDS = '/v1/factory/giftcards/spawnorg';
const ADMIN_KEY = 'administrator-of-the-factory-0123456789';
const PLAIN_KEY = 'key-of-a-shop-that-sells-cards-0123456789';
const CLOUD = {
  endpoint: 'https://s3.example',
  access_key: 'access',
  secret_key: 'secret',
  bucket: 'bucket',
  region: 'region',
};
const DISK = {
  name: 'Bundled',
  disk_type: 'AwsBucket',
  public_note: 'comes with the card',
  autoexpire_ms: 86_400_000,
  billing_url: 'https://billing.example',
  auth_json: CLOUD,
};

describe('gift cards, over HTTP', () => {
  let service: TestService;
  let anybody: Client;
  let shop: Client;
  let admin: Client;

  beforeAll(async () => {
    service = await TestService.start({ FACTORY_KEYS: PLAIN_KEY, FACTORY_ADMIN_KEYS: ADMIN_KEY });
    anybody = service.client();
    shop = new Client(service.url, PLAIN_KEY);
    admin = new Client(service.url, ADMIN_KEY);
  });
  afterAll(() => service.stop());

  const card = async (body: object = {}): Promise<any> => {
    const { status, data } = await anybody.post(`${CARDS}/create`, body);
    expect(status).toBe(200);
    return data;
  };
  const redeem = (giftcard_id: unknown, more: object = {}): Promise<Answer> =>
    anybody.post(`${CARDS}/redeem`, { giftcard_id, owner_user_id: freshUserId(), ...more });
  const inDrive = (drive_id: string, token?: string): Client =>
    new Client(`${service.url}/v1/drive/${drive_id}`, token);
  const blamed = ({ status, err }: Answer) => [status, err.type, err.details[0]?.pointer];

  it('lead from a card over its redemption and the spawn code to a working key', async () => {
    const { id } = await card({ note: 'spring sale', bundled_default_disk: DISK });
    const owner_user_id = freshUserId();
    const { status, data } = await redeem(id, {
      owner_user_id,
      owner_name: ' Olga ',
      organization_name: ' Gift Org ',
      external_id: 'customer-7',
      email: 'olga@example.com',
    });
    expect(status).toBe(200);
    const { host_url } = service.server.drives.settings;
    expect(data).toEqual({
      owner_id: owner_user_id,
      drive_id: expect.stringMatching(/^DriveID_[a-z0-9-]{63}$/),
      host: host_url,
      redeem_code: expect.stringMatching(/^RedeemTokenID_/),
      bundled_default_disk: { ...DISK, disk_type: 'AWS_BUCKET', auth_json: null },
      external_id: 'customer-7',
    });
    const { drive_id, redeem_code } = data;
    const activated = await inDrive(drive_id).post('/organization/redeem', { redeem_code });
    expect(activated.status).toBe(200);
    expect(activated.data.note).toContain(id);
    expect(activated.data.note).toContain(owner_user_id);
    const owner = inDrive(drive_id, activated.data.api_key);
    expect((await owner.get('/organization/whoami')).data).toMatchObject({
      userID: owner_user_id,
      nickname: 'Olga',
      is_owner: true,
      drive_nickname: 'Gift Org',
    });
    expect((await owner.get('/organization/about')).data).toMatchObject({
      external_id: 'customer-7',
      email: 'olga@example.com',
    });
    const { data: disks } = await owner.post('/disks/list');
    expect(disks.items).toHaveLength(1);
    const { auth_json, ...disk } = disks.items[0];
    const { auth_json: _, ...without_credentials } = DISK;
    expect(disk).toMatchObject({ ...without_credentials, disk_type: 'AWS_BUCKET' });
    expect(JSON.parse(auth_json)).toEqual(CLOUD);
    const { data: folder } = await owner.post('/permissions/directory/list', {
      filters: { resource_id: disk.root_folder },
    });
    expect(folder.items).toMatchObject([{ permission_types: ['VIEW', 'UPLOAD', 'EDIT'] }]);
    const again = await inDrive(drive_id).post('/organization/redeem', { redeem_code });
    expect(again.status).toBe(400);
  });

  it('create an organization without a disk and with default names if none are given', async () => {
    const { id } = await card();
    const { data } = await redeem(id);
    expect(data).toMatchObject({ bundled_default_disk: null, external_id: null });
    const { drive_id, redeem_code } = data;
    const { data: key } = await inDrive(drive_id).post('/organization/redeem', { redeem_code });
    const owner = inDrive(drive_id, key.api_key);
    expect((await owner.get('/organization/whoami')).data).toMatchObject({
      nickname: 'Owner',
      drive_nickname: 'Anonymous Org',
    });
    expect((await owner.post('/disks/list')).data.total).toBe(0);
  });

  it('succeed for one of 64 concurrent redemptions; the drives of the others stay unknown', async () => {
    const { id } = await card();
    const before = await service.server.drives.all();
    const answers = await Promise.all(Array.from({ length: 64 }, () => redeem(id)));
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(blamed(answer)).toEqual([400, 'giftcard.redeemed', '/giftcard_id']);
    const after = await service.server.drives.all();
    expect(after.filter((drive_id) => !before.includes(drive_id))).toEqual([winner!.data.drive_id]);
    // The streams of those who lost are there, and no drives.
    const begun = (await stored()).map(({ stream }) => stream.replace(/^(drive-|factory$)/, ''));
    const lost = [...new Set(begun)].filter((drive_id) => drive_id && !after.includes(drive_id));
    expect(lost.length).toBeGreaterThan(0);
    for (const drive_id of lost)
      expect((await inDrive(drive_id).get('/organization/about')).status).toBe(404);
    expect(await redeem(id)).toMatchObject({ status: 400 });
  });

  it('give the disk that a card has when it is redeemed, not one that it had before', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await card({ bundled_default_disk: { ...DISK, name: 'Before' } });
      const bundled_default_disk = { ...DISK, name: 'After' };
      const [redeemed, updated] = await Promise.all([
        redeem(id),
        admin.post(`${CARDS}/update`, { id, bundled_default_disk }),
      ]);
      expect([redeemed.status, updated.status]).toEqual([200, 200]);
      const was_first = updated.data.redeemed === false;
      expect(redeemed.data.bundled_default_disk.name).toBe(was_first ? 'After' : 'Before');
    }
  });

  describe('create', () => {
    it.each(['create', 'upsert'])('as %s makes a card with what is said of it', async (path) => {
      const body = {
        usd_revenue_cents: 4900,
        note: 'n'.repeat(8192),
        gas_cycles_included: 1_000_000_000_000,
        external_id: `shop-${path}`,
        bundled_default_disk: DISK,
      };
      const { status, data } = await anybody.post(`${CARDS}/${path}`, body);
      expect(status).toBe(200);
      expect(data).toEqual({
        ...body,
        id: expect.stringMatching(/^GiftcardSpawnOrgID_/),
        timestamp_ms: expect.any(Number),
        redeemed: false,
        bundled_default_disk: { ...DISK, disk_type: 'AWS_BUCKET', auth_json: null },
      });
    });

    it('has a default for everything, and takes any Authorization header', async () => {
      const { data } = await new Client(service.url, 'nonsense').post(`${CARDS}/create`);
      expect(data).toMatchObject({
        usd_revenue_cents: 0,
        note: '',
        gas_cycles_included: 1_000_000_000,
        external_id: null,
        redeemed: false,
        bundled_default_disk: null,
      });
    });

    it('shows the credentials of the disk to factory admins only', async () => {
      const body = { bundled_default_disk: DISK };
      for (const [client, auth_json] of [
        [anybody, null],
        [shop, null],
        [admin, CLOUD],
      ] as const) {
        const { data } = await client.post(`${CARDS}/create`, body);
        expect(data.bundled_default_disk.auth_json).toEqual(auth_json);
      }
    });

    it('refuses 400 values beyond their limits', async () => {
      for (const [body, pointer] of [
        [{ usd_revenue_cents: 1.5 }, '/usd_revenue_cents'],
        [{ usd_revenue_cents: -1 }, '/usd_revenue_cents'],
        [{ note: 'n'.repeat(8193) }, '/note'],
        [{ gas_cycles_included: 999_999_999_999 }, '/gas_cycles_included'],
        [{ external_id: 'e'.repeat(257) }, '/external_id'],
        [{ bundled_default_disk: { name: 'x' } }, '/bundled_default_disk/disk_type'],
        [{ bundled_default_disk: { ...DISK, name: '' } }, '/bundled_default_disk/name'],
        [{ bundled_default_disk: { ...DISK, auth_json: {} } }, '/bundled_default_disk/auth_json'],
      ] as const) {
        const answer = await anybody.post(`${CARDS}/create`, body);
        expect(blamed(answer)).toEqual([400, 'request.invalid', pointer]);
      }
      expect(await card({ external_id: 'e'.repeat(256) })).toMatchObject({ note: '' });
    });

    it('refuses 400 an external id that another card has, and all but one of concurrent creations', async () => {
      await card({ external_id: 'taken' });
      const answer = await anybody.post(`${CARDS}/create`, { external_id: 'taken' });
      expect(blamed(answer)).toEqual([400, 'request.external-id-in-use', '/external_id']);
      const both = await Promise.all(
        Array.from({ length: 16 }, () => anybody.post(`${CARDS}/create`, { external_id: 'raced' })),
      );
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    });
  });

  describe('redeem', () => {
    it('takes a principal for the owner, and the alias of its field', async () => {
      const owner = freshUserId();
      const principal = owner.slice('UserID_'.length);
      for (const body of [
        { owner_user_id: undefined, owner_icp_principal: owner },
        { owner_user_id: undefined, owner_icp_principal: principal },
        { owner_user_id: owner, owner_icp_principal: freshUserId() },
      ]) {
        const { id } = await card();
        expect((await redeem(id, body)).data.owner_id).toBe(owner);
      }
    });

    it('refuses 400 what is missing or malformed, and spends no card on it', async () => {
      const { id } = await card();
      const owner = freshUserId();
      for (const [giftcard_id, body, pointer] of [
        [undefined, {}, '/giftcard_id'],
        ['DriveID_x', {}, '/giftcard_id'],
        [id, { owner_user_id: undefined }, '/owner_user_id'],
        [id, { owner_user_id: 'UserID_somebody' }, '/owner_user_id'],
        [id, { owner_user_id: `${owner.slice(0, -1)}1` }, '/owner_user_id'],
        [id, { owner_user_id: 7 }, '/owner_user_id'],
        [id, { owner_name: 'o'.repeat(65) }, '/owner_name'],
        [id, { owner_name: ' ' }, '/owner_name'],
        [id, { organization_name: 'o'.repeat(65) }, '/organization_name'],
        [id, { organization_name: ' ' }, '/organization_name'],
        [id, { external_id: 'e'.repeat(257) }, '/external_id'],
        [id, { email: 'nobody' }, '/email'],
      ] as const) {
        const answer = await redeem(giftcard_id, body);
        expect(blamed(answer)).toEqual([400, 'request.invalid', pointer]);
      }
      const longest = {
        owner_name: 'o'.repeat(64),
        organization_name: 'o'.repeat(64),
        external_id: 'e'.repeat(256),
      };
      expect((await redeem(id, longest)).status).toBe(200);
    });

    it('refuses 404 an unknown or deleted card, and creates no stream for it', async () => {
      const { id } = await card();
      await admin.post(`${CARDS}/delete`, { id });
      const before = await stored();
      for (const gone of [id, 'GiftcardSpawnOrgID_unknown']) {
        const { status, err } = await redeem(gone);
        expect([status, err.type]).toEqual([404, 'giftcard.not-found']);
      }
      const made = (await stored()).slice(before.length);
      expect(made).toEqual([]);
    });
  });

  /** All events of all streams. */
  function stored() {
    return service.server.stores.events.readAll(-1, 1_000_000);
  }

  describe('administration', () => {
    it('reads a card as it stands', async () => {
      const { id } = await card({ note: 'to be read', bundled_default_disk: DISK });
      const { status, data } = await admin.get(`${CARDS}/get/${id}`);
      expect(status).toBe(200);
      expect(data).toMatchObject({ id, note: 'to be read', redeemed: false });
      expect(data.bundled_default_disk.auth_json).toEqual(CLOUD);
      await redeem(id);
      expect((await admin.get(`${CARDS}/get/${id}`)).data.redeemed).toBe(true);
    });

    it('takes the key in the query too', async () => {
      const { id } = await card();
      const { status } = await anybody.get(`${CARDS}/get/${id}?auth=${ADMIN_KEY}`);
      expect(status).toBe(200);
    });

    it('lists cards in the order of creation, filtered by their notes', async () => {
      const ids: string[] = [];
      for (const nth of [1, 2, 3]) ids.push((await card({ note: `Listed #${nth}` })).id);
      const list = async (body: object) =>
        (await admin.post(`${CARDS}/list`, { filters: 'LISTED #', ...body })).data;
      const first = await list({ page_size: 2 });
      expect(first).toMatchObject({ total: 3, page_size: 2, direction: 'ASC', cursor_up: null });
      const second = await list({ page_size: 2, cursor_down: first.cursor_down });
      const listed = [...first.items, ...second.items];
      const by_time = listed.toSorted(
        (a, b) => a.timestamp_ms - b.timestamp_ms || (a.id < b.id ? -1 : 1),
      );
      expect(listed).toEqual(by_time);
      expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(ids));
      const descending = await list({ direction: 'DESC' });
      expect(descending.items.map(({ id }: any) => id)).toEqual(
        listed.map(({ id }) => id).toReversed(),
      );
    });

    it('changes fields of a card, and takes null for nothing', async () => {
      const body = { note: 'old', usd_revenue_cents: 7, external_id: 'changes' };
      const { id } = await card({ ...body, bundled_default_disk: DISK });
      const changed = await admin.post(`${CARDS}/update`, {
        id,
        note: 'new',
        gas_cycles_included: 1_000_000_000_001,
        bundled_default_disk: { name: 'Other', disk_type: 'LOCAL_SSD' },
      });
      expect(changed.data).toMatchObject({
        ...body,
        note: 'new',
        gas_cycles_included: 1_000_000_000_001,
        bundled_default_disk: { name: 'Other', disk_type: 'LOCAL_SSD', auth_json: null },
      });
      const nulls = { id, note: null, external_id: null, bundled_default_disk: null };
      const cleared = await admin.post(`${CARDS}/update`, { ...nulls, usd_revenue_cents: null });
      expect(cleared.data).toMatchObject({
        note: '',
        external_id: null,
        bundled_default_disk: null,
        usd_revenue_cents: 7,
      });
      expect((await admin.get(`${CARDS}/get/${id}`)).data).toEqual(cleared.data);
    });

    it('refuses 400 nothing to update, values beyond their limits, and a taken external id', async () => {
      const { id } = await card({ external_id: 'mine' });
      await card({ external_id: 'yours' });
      const update = (body: object) => admin.post(`${CARDS}/update`, { id, ...body });
      expect((await update({})).err.type).toBe('request.nothing-to-update');
      const taken = await update({ external_id: 'yours' });
      expect(blamed(taken)).toEqual([400, 'request.external-id-in-use', '/external_id']);
      expect((await update({ external_id: 'mine' })).status).toBe(200);
      for (const [body, pointer] of [
        [{ id: undefined }, '/id'],
        [{ usd_revenue_cents: 'x' }, '/usd_revenue_cents'],
        [{ gas_cycles_included: 1 }, '/gas_cycles_included'],
        [{ note: 'n'.repeat(8193) }, '/note'],
      ] as const)
        expect(blamed(await update(body))).toEqual([400, 'request.invalid', pointer]);
    });

    it('deletes a card', async () => {
      const { id } = await card();
      expect((await admin.post(`${CARDS}/delete`, { id })).data).toEqual({ id, deleted: true });
      expect((await admin.get(`${CARDS}/get/${id}`)).status).toBe(404);
    });

    it('is refused 401 without a factory key, 403 with a key without ADMIN', async () => {
      const { id } = await card();
      const org = await service.organization();
      const calls = (client: Client) => [
        client.get(`${CARDS}/get/${id}`),
        client.post(`${CARDS}/list`),
        client.post(`${CARDS}/update`, { id, note: 'x' }),
        client.post(`${CARDS}/delete`, { id }),
      ];
      for (const token of [undefined, 'nonsense', org.admin.token]) {
        for (const { status, err } of await Promise.all(calls(new Client(service.url, token))))
          expect([status, err.type]).toEqual([
            401,
            token === undefined ? 'token.missing' : 'token.invalid',
          ]);
      }
      for (const { status, err } of await Promise.all(calls(shop)))
        expect([status, err.type]).toEqual([403, 'permission.denied']);
      // Whether there is such a card is not told.
      const { status } = await shop.get(`${CARDS}/get/GiftcardSpawnOrgID_unknown`);
      expect(status).toBe(403);
    });

    it('answers 404 for unknown cards, 400 for what is no id of one', async () => {
      const id = 'GiftcardSpawnOrgID_unknown';
      for (const { status, err } of [
        await admin.get(`${CARDS}/get/${id}`),
        await admin.post(`${CARDS}/update`, { id, note: 'x' }),
        await admin.post(`${CARDS}/delete`, { id }),
      ])
        expect([status, err.type]).toEqual([404, 'giftcard.not-found']);
      expect((await admin.get(`${CARDS}/get/GroupID_x`)).status).toBe(400);
      expect((await admin.post(`${CARDS}/delete`)).status).toBe(400);
    });
  });

  it('survive a restart, spent ones too', async () => {
    const { id } = await card({ note: 'kept', bundled_default_disk: DISK });
    const { id: spent } = await card();
    await redeem(spent);
    await service.restart();
    anybody = service.client();
    admin = new Client(service.url, ADMIN_KEY);
    expect((await admin.get(`${CARDS}/get/${id}`)).data.bundled_default_disk.auth_json).toEqual(
      CLOUD,
    );
    expect((await redeem(spent)).status).toBe(400);
    expect((await redeem(id)).status).toBe(200);
  });
});
