import { randomBytes } from 'node:crypto';
import { principalText } from '../../libs/identity/principal.js';
import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';

const principal = () => principalText(randomBytes(10));

describe('known drives over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob', 'Carl');
    bob = org.members[0]!;
  });
  afterAll(() => service.stop());

  const post = (path: string, body: object, client = org.admin) =>
    client.post(`/drives/${path}`, body);
  const create = async (body: object = {}): Promise<any> =>
    (await post('create', { name: 'Acme', icp_principal: principal(), ...body })).data;

  describe('create', () => {
    it('answers 200 with the record, its id and host derived from the principal', async () => {
      const icp_principal = principal();
      const { status, data } = await post('create', {
        name: 'Acme',
        icp_principal,
        email: 'a@acme.example',
        host_url: null,
      });
      expect(status).toBe(200);
      expect(data).toEqual({
        id: `DriveID_${icp_principal}`,
        name: 'Acme',
        icp_principal,
        public_note: '',
        private_note: '',
        host_url: `https://${icp_principal}.icp0.io`,
        last_indexed_ms: null,
        email: 'a@acme.example',
        labels: [],
        external_id: null,
        external_payload: null,
        created_at: expect.any(Number),
        permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
      });
      const again = await post('create', { name: 'Acme', icp_principal });
      expect([again.status, again.err.type]).toEqual([400, 'request.id-in-use']);
    });

    it.each([
      ['name', 256],
      ['public_note', 8192],
      ['private_note', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      const send = (length: number) =>
        post('create', { name: 'x', icp_principal: principal(), [field]: 'x'.repeat(length) });
      expect((await send(limit)).status).toBe(200);
      const { status, err } = await send(limit + 1);
      expect([status, err.details[0]]).toMatchObject([400, { pointer: `/${field}`, limit }]);
    });

    it('takes a host of exactly 4096 and an email of exactly 256 characters', async () => {
      const send = (body: object) =>
        post('create', { name: 'x', icp_principal: principal(), ...body });
      const host = (length: number) => ({ host_url: 'https://a.example/'.padEnd(length, 'x') });
      const email = (length: number) => ({ email: 'a@b.example'.padStart(length, 'x') });
      for (const fits of [host(4096), email(256)]) expect((await send(fits)).status).toBe(200);
      for (const over of [host(4097), email(257)]) expect((await send(over)).status).toBe(400);
    });

    it.each([
      { name: 'x', icp_principal: 'rrkah-fqaaa-aaaaa-aaaaq-caj' },
      { name: 'x', icp_principal: 'not a principal' },
      { name: 'x', icp_principal: '' },
      { name: 'x', icp_principal: null },
      { icp_principal: 'aaaaa-aa', name: '' },
      { icp_principal: 'aaaaa-aa', name: null },
      { icp_principal: 'aaaaa-aa', name: 'x', host_url: 'acme' },
      { icp_principal: 'aaaaa-aa', name: 'x', email: 'acme' },
      { icp_principal: 'aaaaa-aa', name: 'x', id: 'UserID_1' },
    ])('refuses 400 %j', async (body) => {
      const { status, err } = await post('create', body);
      expect([status, err.details[0].pointer]).toEqual([400, `/${Object.keys(body).at(-1)}`]);
    });

    it('refuses 403 without CREATE on DRIVES', async () => {
      const { status, err } = await post('create', { name: 'x', icp_principal: principal() }, bob);
      expect([status, err.type]).toEqual([403, 'permission.denied']);
    });
  });

  it('get shows it to the owner, 404 for unknown ids; 403 to others in both cases', async () => {
    const made = await create();
    expect((await org.admin.get(`/drives/get/${made.id}`)).data).toEqual(made);
    expect((await org.admin.get('/drives/get/DriveID_none')).err.type).toBe('drive.not-found');
    expect((await org.admin.get('/drives/get/nonsense')).status).toBe(400);
    for (const id of [made.id, 'DriveID_none'])
      expect((await bob.get(`/drives/get/${id}`)).err.type).toBe('permission.denied');
  });

  it('lists the own record first, filters by name and id, and shows others their own few', async () => {
    const other = await service.organization('Bob');
    const { data } = await other.admin.post('/drives/create', {
      name: '~Zebra',
      icp_principal: principal(),
    });
    const list = async (body: object, client = other.admin) =>
      (await client.post('/drives/list', body)).data;
    const ids = (page: any) => page.items.map(({ id }: any) => id);
    expect(ids(await list({}))).toEqual([other.drive_id, data.id]);
    for (const filters of ['~ZEB', data.id])
      expect(ids(await list({ filters }))).toEqual([data.id]);
    const first = await list({ page_size: 1 });
    expect(ids(await list({ page_size: 1, cursor_down: first.cursor_down }))).toEqual([data.id]);
    const member = other.members[0]!;
    expect(await list({}, member)).toMatchObject({ items: [], total: 0 });
    await given(service, other, granted(other, member.user_id, data.id, 'VIEW'));
    expect(ids(await list({}, member))).toEqual([data.id]);
    expect((await other.admin.post('/drives/list', { page_size: 0 })).status).toBe(400);
  });

  describe('update', () => {
    it('changes what is given; null clears texts and resets the host', async () => {
      const made = await create({ public_note: 'p', email: 'a@b.example', external_id: 'e' });
      const { data } = await post('update', {
        id: made.id,
        name: null,
        icp_principal: null,
        public_note: null,
        email: null,
        external_id: null,
        host_url: 'https://new.example',
      });
      expect(data).toEqual({
        ...made,
        public_note: '',
        email: null,
        external_id: null,
        host_url: 'https://new.example',
      });
      expect((await post('update', { id: made.id, host_url: null })).data.host_url).toBe(
        made.host_url,
      );
    });

    it('renames the organization with its own record', async () => {
      const other = await service.organization();
      const id = other.drive_id;
      const { data } = await other.admin.post('/drives/update', { id, name: 'New Name' });
      expect(data.name).toBe('New Name');
      const about = await other.admin.get('/organization/about');
      expect(about.data.organization_name).toBe('New Name');
      expect((await other.admin.get('/organization/whoami')).data.drive_nickname).toBe('New Name');
      const moved = await other.admin.post('/drives/update', { id, icp_principal: 'aaaaa-aa' });
      expect([moved.status, moved.err.details[0].pointer]).toEqual([400, '/icp_principal']);
    });

    it('refuses 400 an empty change, 404 unknown ids, 403 others in both cases', async () => {
      const { id } = await create();
      expect((await post('update', { id })).err.type).toBe('request.nothing-to-update');
      const unknown = { id: 'DriveID_none', name: 'x' };
      expect((await post('update', unknown)).err.type).toBe('drive.not-found');
      for (const body of [unknown, { id, name: 'x' }])
        expect((await post('update', body, bob)).err.type).toBe('permission.denied');
    });
  });

  it('delete removes it once, never the own record', async () => {
    const { id } = await create();
    for (const asked of [id, 'DriveID_none'])
      expect((await post('delete', { id: asked }, bob)).status).toBe(403);
    expect((await post('delete', { id })).data).toEqual({ id, deleted: true });
    expect((await post('delete', { id })).err.type).toBe('drive.not-found');
    const own = await post('delete', { id: org.drive_id });
    expect([own.status, own.err.type]).toEqual([400, 'drive.own-undeletable']);
  });

  it('is found by search and carries labels', async () => {
    const made = await create({ name: 'Searchable Partner' });
    const search = { query: 'searchable', categories: ['DRIVES'] };
    const [hit] = (await org.admin.post('/organization/search', search)).data.items;
    expect(hit).toMatchObject({
      title: 'Searchable Partner',
      preview: made.host_url,
      resource_id: made.id,
      category: 'DRIVES',
    });
    expect((await bob.post('/organization/search', search)).data.total).toBe(0);
    const label = (await org.admin.post('/labels/create', { value: 'partner' })).data;
    const pin = { label_id: label.id, resource_id: made.id, add: true };
    expect((await org.admin.post('/labels/pin', pin)).data.label.resources).toEqual([made.id]);
    expect((await org.admin.get(`/drives/get/${made.id}`)).data.labels).toEqual(['partner']);
  });

  it('notes when its read models were rebuilt', async () => {
    const other = await service.organization();
    const id = other.drive_id;
    const { data } = await other.admin.post('/organization/reindex', {});
    const { last_indexed_ms } = (await other.admin.get(`/drives/get/${id}`)).data;
    expect(last_indexed_ms).toBe(data.timestamp_ms);
  });
});
