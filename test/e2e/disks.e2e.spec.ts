import { randomUUID } from 'node:crypto';
import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

const AUTH = {
  endpoint: 'https://s3.example',
  access_key: 'access',
  secret_key: 'secret',
  bucket: 'bucket',
  region: 'region',
};

describe('disks over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    bob = org.members[0]!;
  });
  afterAll(() => service.stop());

  const disk = (more: object = {}) => ({ name: 'Disk', disk_type: 'LOCAL_SSD', ...more });
  const create = async (more: object = {}): Promise<any> =>
    (await org.admin.post('/disks/create', disk(more))).data;

  describe('create', () => {
    it('answers 200 with the whole record', async () => {
      const { status, data } = await org.admin.post('/disks/create', disk({ public_note: 'n' }));
      expect(status).toBe(200);
      expect(data).toEqual({
        id: expect.stringMatching(/^DiskID_/),
        name: 'Disk',
        disk_type: 'LOCAL_SSD',
        public_note: 'n',
        private_note: null,
        auth_json: null,
        created_at: expect.any(Number),
        root_folder: expect.stringMatching(/^FolderID_/),
        trash_folder: expect.stringMatching(/^FolderID_/),
        external_id: null,
        external_payload: null,
        endpoint: null,
        billing_url: null,
        autoexpire_ms: null,
        ...{ quota_bytes: null, keep_versions: null, keep_versions_days: null, used_bytes: 0 },
        permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
        labels: [],
      });
    });

    it.each([
      ['BrowserCache', 'BROWSER_CACHE'],
      ['LocalSSD', 'LOCAL_SSD'],
      ['AwsBucket', 'AWS_BUCKET'],
      ['StorjWeb3', 'STORJ_WEB3'],
      ['IcpCanister', 'ICP_CANISTER'],
      ['browser_cache', 'BROWSER_CACHE'],
      ['LOCALSSD', 'LOCAL_SSD'],
      ['aws_Bucket', 'AWS_BUCKET'],
    ])('takes the type %s and answers %s', async (given_type, disk_type) => {
      expect(await create({ disk_type: given_type })).toMatchObject({ disk_type });
    });

    it.each([['Floppy'], [''], [7], [null], [undefined]])('refuses 400 type %p', async (type) => {
      const { status, err } = await org.admin.post('/disks/create', disk({ disk_type: type }));
      expect([status, err.details[0].pointer]).toEqual([400, '/disk_type']);
    });

    it.each([
      ['name', 256],
      ['public_note', 8192],
      ['private_note', 8192],
      ['auth_json', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      const post = (length: number) =>
        org.admin.post('/disks/create', disk({ [field]: 'x'.repeat(length) }));
      expect((await post(limit)).status).toBe(200);
      const { status, err } = await post(limit + 1);
      expect([status, err.details]).toMatchObject([400, [{ pointer: `/${field}`, limit }]]);
    });

    it.each(['endpoint', 'billing_url'])(
      'takes %s of 2048 characters, http only',
      async (field) => {
        const url = (length: number) => 'https://e.example/'.padEnd(length, 'x');
        const data = await create({ [field]: url(2048) });
        expect(data).toMatchObject({ endpoint: url(2048), billing_url: url(2048) });
        for (const bad of [url(2049), 'ftp://e.example', 'javascript:alert(1)', 'nonsense', 7]) {
          const { status, err } = await org.admin.post('/disks/create', disk({ [field]: bad }));
          expect([status, err.details[0].pointer]).toEqual([400, `/${field}`]);
        }
      },
    );

    it('prefers endpoint to billing_url', async () => {
      const body = { endpoint: 'https://a.example', billing_url: 'https://b.example' };
      expect(await create(body)).toMatchObject({ endpoint: 'https://a.example' });
      expect(await create({ ...body, endpoint: null })).toMatchObject({
        endpoint: 'https://b.example',
      });
    });

    it.each([
      [1, 1],
      ['60000', 60_000],
      [0, null],
      [null, null],
    ])('takes a lifetime of %p as %p', async (autoexpire_ms, stored) => {
      expect(await create({ autoexpire_ms })).toMatchObject({ autoexpire_ms: stored });
    });

    it.each([-1, 1.5, 'soon', true])('refuses 400 a lifetime of %p', async (autoexpire_ms) => {
      const { status, err } = await org.admin.post('/disks/create', disk({ autoexpire_ms }));
      expect([status, err.details[0].pointer]).toEqual([400, '/autoexpire_ms']);
    });

    it('refuses 400 a missing name and one that is empty', async () => {
      for (const name of [undefined, null, '', 7]) {
        const { status, err } = await org.admin.post('/disks/create', disk({ name }));
        expect([status, err.details[0].pointer]).toEqual([400, '/name']);
      }
    });

    it.each(['AWS_BUCKET', 'STORJ_WEB3'])('checks the credentials of %s', async (disk_type) => {
      const auth_json = JSON.stringify(AUTH);
      expect(await create({ disk_type, auth_json })).toMatchObject({ auth_json });
      expect(await create({ disk_type })).toMatchObject({ auth_json: null });
      for (const bad of ['text', '{}', JSON.stringify({ ...AUTH, bucket: '' })]) {
        const { status, err } = await org.admin.post(
          '/disks/create',
          disk({ disk_type, auth_json: bad }),
        );
        expect([status, err.details[0].pointer]).toEqual([400, '/auth_json']);
      }
    });

    it('refuses 403 without CREATE on DISKS', async () => {
      const { status, err } = await bob.post('/disks/create', disk());
      expect([status, err.type]).toEqual([403, 'permission.denied']);
    });

    it('refuses 400 an id of another kind and an id used before', async () => {
      const id = `DiskID_${randomUUID()}`;
      expect(await create({ id })).toMatchObject({ id });
      const again = await org.admin.post('/disks/create', disk({ id }));
      expect([again.status, again.err.type]).toEqual([400, 'request.id-in-use']);
      const foreign = await org.admin.post('/disks/create', disk({ id: 'GroupID_x' }));
      expect(foreign.err.details[0].pointer).toBe('/id');
    });
  });

  describe('get and list', () => {
    it('shows members a disk without its secrets, 404 for unknown and 400 for malformed ids', async () => {
      const made = await create({ private_note: 'n', auth_json: 's' });
      expect((await org.admin.get(`/disks/get/${made.id}`)).data).toEqual(made);
      expect((await bob.get(`/disks/get/${made.id}`)).data).toEqual({
        ...made,
        private_note: null,
        auth_json: null,
        permission_previews: ['VIEW'],
      });
      const unknown = await bob.get('/disks/get/DiskID_none');
      expect([unknown.status, unknown.err.type]).toEqual([404, 'disk.not-found']);
      expect((await bob.get('/disks/get/nonsense')).status).toBe(400);
    });

    it('shows strangers nothing', async () => {
      const { id } = await create();
      const stranger = new Signer().in(org);
      const { status, err } = await stranger.get(`/disks/get/${id}`);
      expect([status, err.type]).toEqual([403, 'permission.denied']);
      expect((await stranger.post('/disks/list')).data).toMatchObject({ items: [], total: 0 });
    });

    it('filters by name, counts what is visible and pages', async () => {
      const name = `Needle ${randomUUID()}`;
      for (let at = 0; at < 3; at++) await create({ name });
      const first = await bob.post('/disks/list', { filters: name.toUpperCase(), page_size: 2 });
      expect(first.data).toMatchObject({ total: 3, page_size: 2, direction: 'ASC' });
      const second = await bob.post('/disks/list', {
        filters: name,
        page_size: 2,
        cursor_down: first.data.cursor_down,
      });
      expect(second.data.items).toHaveLength(1);
      expect(second.data.cursor_down).toBeNull();
    });

    it('refuses 400 a page size and a filter out of bounds', async () => {
      for (const page_size of [0, 1001])
        expect((await bob.post('/disks/list', { page_size })).status).toBe(400);
      expect((await bob.post('/disks/list', { filters: 'x'.repeat(256) })).status).toBe(200);
      expect((await bob.post('/disks/list', { filters: 'x'.repeat(257) })).status).toBe(400);
    });
  });

  describe('update', () => {
    it('changes what is given, ignores disk_type, and null clears', async () => {
      const { id } = await create({ public_note: 'n', auth_json: 's', autoexpire_ms: 5 });
      const body = { id, name: 'New', disk_type: 'AWS_BUCKET', public_note: null };
      const { status, data } = await org.admin.post('/disks/update', body);
      expect(status).toBe(200);
      expect(data).toMatchObject({
        name: 'New',
        disk_type: 'LOCAL_SSD',
        public_note: null,
        auth_json: 's',
        autoexpire_ms: 5,
      });
      const cleared = { id, name: 'New', auth_json: null, autoexpire_ms: null };
      expect((await org.admin.post('/disks/update', cleared)).data).toMatchObject({
        auth_json: null,
        autoexpire_ms: null,
      });
    });

    it('takes endpoint or billing_url, endpoint first, null included', async () => {
      const { id } = await create();
      const update = async (fields: object): Promise<string | null> =>
        (await org.admin.post('/disks/update', { id, name: 'Disk', ...fields })).data.endpoint;
      const billing_url = 'https://b.example';
      expect(await update({ billing_url })).toBe(billing_url);
      expect(await update({})).toBe(billing_url);
      expect(await update({ endpoint: 'https://a.example', billing_url })).toBe(
        'https://a.example',
      );
      expect(await update({ endpoint: null, billing_url })).toBeNull();
    });

    it('refuses 400 without a name or id, with bad credentials, 404, and 403 without EDIT', async () => {
      const { id } = await create({ disk_type: 'AWS_BUCKET' });
      for (const body of [{ id }, { id, name: null }, { name: 'x' }])
        expect((await org.admin.post('/disks/update', body)).status).toBe(400);
      const bad = await org.admin.post('/disks/update', { id, name: 'x', auth_json: '{}' });
      expect([bad.status, bad.err.details[0].pointer]).toEqual([400, '/auth_json']);
      const unknown = await org.admin.post('/disks/update', { id: 'DiskID_none', name: 'x' });
      expect([unknown.status, unknown.err.type]).toEqual([404, 'disk.not-found']);
      expect((await bob.post('/disks/update', { id, name: 'x' })).status).toBe(403);
    });

    it('is open to holders of EDIT on that disk', async () => {
      const { id } = await create({ private_note: 'n' });
      await given(service, org, granted(org, bob.user_id, id, 'EDIT'));
      const { data } = await bob.post('/disks/update', { id, name: 'By Bob' });
      expect(data).toMatchObject({
        name: 'By Bob',
        private_note: 'n',
        permission_previews: ['VIEW', 'EDIT'],
      });
    });
  });

  describe('delete', () => {
    it('removes the disk permanently', async () => {
      const { id } = await create();
      expect((await bob.post('/disks/delete', { id })).status).toBe(403);
      expect((await org.admin.post('/disks/delete', { id })).data).toEqual({ id, deleted: true });
      expect((await org.admin.get(`/disks/get/${id}`)).status).toBe(404);
      expect((await org.admin.post('/disks/delete', { id })).err.type).toBe('disk.not-found');
      expect((await org.admin.post('/disks/create', disk({ id }))).status).toBe(400);
      expect((await org.admin.post('/disks/delete', {})).err.details[0].pointer).toBe('/id');
    });
  });

  it('answers 401 without a token', async () => {
    const anybody = org.as();
    for (const path of ['list', 'create', 'update', 'delete'])
      expect((await anybody.post(`/disks/${path}`)).status).toBe(401);
    expect((await anybody.get('/disks/get/DiskID_x')).status).toBe(401);
  });

  it('stores credentials sealed, and still opens them after a restart', async () => {
    const secret = randomUUID();
    const { id } = await create({ auth_json: secret });
    const path = `/disks/get/${id}`;
    expect((await org.admin.get(path)).data.auth_json).toBe(secret);
    const { events } = service.server.drives;
    const stored = JSON.stringify(
      await events.readStream(`drive-${org.drive_id}`, 0, 'forward', 1e4),
    );
    expect(stored).toContain(id);
    expect(stored).not.toContain(secret);
    await service.restart();
    const headers = { authorization: `Bearer ${org.admin.token}` };
    const again = await service.client().get(`/v1/drive/${org.drive_id}${path}`, headers);
    expect(again.data.auth_json).toBe(secret);
  });
});
