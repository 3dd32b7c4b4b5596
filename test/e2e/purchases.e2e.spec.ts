import { randomUUID } from 'node:crypto';
import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';

const STATUSES = [
  ...['REQUESTED', 'AWAITING', 'RUNNING', 'BLOCKED', 'COMPLETED', 'FAILED', 'CANCELED'],
  ...['REFUNDED', 'ARCHIVED', 'PAID', 'PAYMENT_REQUIRED', 'PAYMENT_FAILED', 'UNKNOWN'],
];
const URLS = [
  ...['about_url', 'billing_url', 'support_url'],
  ...['delivery_url', 'verification_url', 'auth_installation_url'],
];

describe('purchases over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let vendor: Client;
  let carl: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Vendor', 'Carl');
    [vendor, carl] = org.members as [Client, Client];
  });
  afterAll(() => service.stop());

  const post = (path: string, body: object, client = org.admin) =>
    client.post(`/purchases/${path}`, body);
  const create = async (body: object = {}): Promise<any> =>
    (await post('create', { title: 'Hosting', ...body })).data;

  describe('create', () => {
    it('answers 200 with the record', async () => {
      const { status, data } = await post('create', {
        title: 'Hosting',
        subtitle: null,
        vendor_id: vendor.user_id,
        next_delivery_date: '1700000000000',
        related_resources: ['DiskID_1', 'DiskID_1', 'anything'],
      });
      expect(status).toBe(200);
      expect(data).toEqual({
        id: expect.stringMatching(/^PurchaseID_[0-9a-f-]{36}$/),
        template_id: null,
        title: 'Hosting',
        subtitle: '',
        description: '',
        vendor_name: '',
        vendor_id: vendor.user_id,
        status: 'REQUESTED',
        pricing: '',
        about_url: '',
        billing_url: '',
        support_url: '',
        delivery_url: '',
        verification_url: '',
        auth_installation_url: '',
        next_delivery_date: 1_700_000_000_000,
        vendor_notes: '',
        notes: '',
        tracer: null,
        labels: [],
        related_resources: ['DiskID_1', 'anything'],
        created_at: expect.any(Number),
        updated_at: data.created_at,
        last_updated_at: data.created_at,
        external_id: null,
        external_payload: null,
        permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
      });
    });

    it.each([
      ['title', 256],
      ['vendor_name', 256],
      ['template_id', 1024],
      ['subtitle', 1024],
      ['description', 1024],
      ['pricing', 1024],
      ['vendor_notes', 1024],
      ['notes', 1024],
      ['tracer', 1024],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      const send = (length: number) => post('create', { title: 'x', [field]: 'x'.repeat(length) });
      expect((await send(limit)).status).toBe(200);
      const { status, err } = await send(limit + 1);
      expect([status, err.details[0]]).toMatchObject([400, { pointer: `/${field}`, limit }]);
    });

    it.each(URLS)('takes a %s of exactly 2048 characters and no more', async (field) => {
      const send = (length: number) =>
        post('create', { title: 'x', [field]: 'https://a.example/'.padEnd(length, 'x') });
      expect((await send(2048)).status).toBe(200);
      expect((await send(2049)).err.details[0].pointer).toBe(`/${field}`);
      const script = await post('create', { title: 'x', [field]: 'javascript:alert(1)' });
      expect(script.status).toBe(400);
    });

    it('takes every status, and 1000 related resources', async () => {
      for (const status of STATUSES) expect((await create({ status })).status).toBe(status);
      const related = (length: number) =>
        post('create', { title: 'x', related_resources: Array.from({ length }, String) });
      expect((await related(1000)).status).toBe(200);
      expect((await related(1001)).err.details[0].pointer).toBe('/related_resources');
    });

    it.each([
      { title: '' },
      { title: null },
      { title: 'x', status: 'DONE' },
      { title: 'x', vendor_id: 'GroupID_1' },
      { title: 'x', next_delivery_date: -2 },
      { title: 'x', id: 'LabelID_1' },
    ])('refuses 400 %j', async (body) => {
      const { status, err } = await post('create', body);
      expect([status, err.details[0].pointer]).toEqual([400, `/${Object.keys(body).at(-1)}`]);
    });

    it('refuses 403 without CREATE on PURCHASES, and 400 an id used before', async () => {
      expect((await post('create', { title: 'x' }, vendor)).err.type).toBe('permission.denied');
      const { id } = await create({ id: `PurchaseID_${randomUUID()}` });
      const again = await post('create', { id, title: 'x' });
      expect([again.status, again.err.type]).toEqual([400, 'request.id-in-use']);
    });
  });

  it('get shows it to owner and vendor, 403 to others, 404 for unknown ids', async () => {
    const made = await create({ vendor_id: vendor.user_id, notes: 'ours', tracer: 't' });
    const path = `/purchases/get/${made.id}`;
    expect((await org.admin.get(path)).data).toEqual(made);
    expect((await vendor.get(path)).data).toEqual({ ...made, permission_previews: [] });
    expect((await carl.get(path)).err.type).toBe('permission.denied');
    await given(service, org, granted(org, carl.user_id, made.id, 'VIEW'));
    expect((await carl.get(path)).data).toMatchObject({ notes: '', tracer: null });
    expect((await vendor.get('/purchases/get/PurchaseID_none')).err.type).toBe(
      'purchase.not-found',
    );
    expect((await vendor.get('/purchases/get/nonsense')).status).toBe(400);
  });

  it('lists by title and vendor name, and shows the vendor their own', async () => {
    const other = await service.organization('Vendor', 'Carl');
    const [own, stranger] = other.members as [Client, Client];
    const make = async (body: object) => (await other.admin.post('/purchases/create', body)).data;
    const one = await make({ title: 'Alpha ~', vendor_id: own.user_id });
    const two = await make({ title: 'Beta', vendor_name: 'Alpha ~bet' });
    const three = await make({ title: 'Gamma' });
    const list = async (body: object, client = other.admin) =>
      (await client.post('/purchases/list', body)).data;
    const ids = (page: any) => page.items.map(({ id }: any) => id);
    expect(ids(await list({}))).toEqual([one.id, two.id, three.id]);
    expect(ids(await list({ filters: 'ALPHA ~' }))).toEqual([one.id, two.id]);
    const first = await list({ page_size: 2, direction: 'DESC' });
    const next = { page_size: 2, direction: 'DESC', cursor_down: first.cursor_down };
    expect(ids(await list(next))).toEqual([one.id]);
    expect(ids(await list({}, own))).toEqual([one.id]);
    expect(await list({}, stranger)).toMatchObject({ items: [], total: 0 });
    expect((await other.admin.post('/purchases/list', { page_size: 1001 })).status).toBe(400);
    const search = { query: 'alpha ~', categories: ['PURCHASES'] };
    const { data } = await other.admin.post('/organization/search', search);
    expect(data.items).toMatchObject([
      { title: 'Alpha ~', category: 'PURCHASES', resource_id: one.id, preview: '' },
      { title: 'Beta', category: 'PURCHASES', resource_id: two.id, preview: 'Alpha ~bet' },
    ]);
    expect((await own.post('/organization/search', search)).data.total).toBe(1);
  });

  describe('update', () => {
    it('changes what is given; null clears texts and keeps title, status and dates', async () => {
      const made = await create({
        subtitle: 's',
        about_url: 'https://a.example',
        tracer: 't',
        vendor_id: vendor.user_id,
        status: 'PAID',
        next_delivery_date: 5,
      });
      const cleared = { subtitle: null, about_url: null, tracer: null, vendor_id: null };
      const kept = { title: null, status: null, next_delivery_date: null };
      const { data } = await post('update', { id: made.id, ...cleared, ...kept });
      expect(data).toEqual({
        ...made,
        subtitle: '',
        about_url: '',
        tracer: null,
        vendor_id: '',
        updated_at: data.updated_at,
        last_updated_at: data.updated_at,
      });
    });

    it('lets the vendor report progress, and change nothing else', async () => {
      const { id } = await create({ vendor_id: vendor.user_id });
      const told = { status: 'RUNNING', vendor_notes: 'soon', delivery_url: 'https://d.example' };
      expect((await post('update', { id, ...told }, vendor)).data).toMatchObject(told);
      for (const body of [{ title: 'x' }, { status: 'PAID', pricing: 'more' }])
        expect((await post('update', { id, ...body }, vendor)).err.type).toBe('permission.denied');
      expect((await post('update', { id, status: 'PAID' }, carl)).status).toBe(403);
    });

    it('refuses 400 an empty change and 404 unknown ids', async () => {
      const { id } = await create();
      expect((await post('update', { id })).err.type).toBe('request.nothing-to-update');
      const unknown = await post('update', { id: 'PurchaseID_none', title: 'x' });
      expect([unknown.status, unknown.err.type]).toEqual([404, 'purchase.not-found']);
    });
  });

  it('delete removes it once; not for the vendor', async () => {
    const { id } = await create({ vendor_id: vendor.user_id });
    expect((await post('delete', { id }, vendor)).status).toBe(403);
    expect((await post('delete', { id })).data).toEqual({ id, deleted: true });
    const again = await post('delete', { id });
    expect([again.status, again.err.type]).toEqual([404, 'purchase.not-found']);
  });

  it('is shown as of any past point, by external id, with labels, and follows a superswap', async () => {
    const { id } = await create({ vendor_id: carl.user_id, external_id: 'order-1' });
    const label = (await org.admin.post('/labels/create', { value: 'ordered' })).data;
    const pin = { label_id: label.id, resource_id: id, add: true };
    const { headers } = await org.admin.post('/labels/pin', pin);
    const revision = Number(headers.get('drive-revision'));
    const asked = { external_ids: ['order-1'] };
    const { data } = await org.admin.post('/organization/external_id', asked);
    expect(data.results[0].internal_ids).toEqual([id]);
    const swap = { current_user_id: carl.user_id, new_user_id: `UserID_${randomUUID()}` };
    await org.admin.post('/organization/superswap_user', swap);
    const now = (await org.admin.get(`/purchases/get/${id}`)).data;
    expect(now).toMatchObject({ vendor_id: swap.new_user_id, labels: ['ordered'] });
    const then = (await org.admin.get(`/purchases/get/${id}?as_of=r${revision}`)).data;
    expect(then).toEqual({ ...now, vendor_id: carl.user_id });
    const replay = { revision, include: ['purchases'], page_size: 1000 };
    const { state, counts } = (await org.admin.post('/organization/replay', replay)).data;
    expect(state.purchases.items).toContainEqual(then);
    expect(counts.purchases).toBe(state.purchases.total);
  });
});
