import { deriveUser } from '../../libs/identity/derive.js';
import { organizationOf } from '../support/client.js';
import { TestService } from '../support/service.js';

const QUICKSTART = '/v1/factory/quickstart';
const CLOUD = {
  endpoint: 'https://s3.example',
  access_key: 'access',
  secret_key: 'secret',
  bucket: 'bucket',
  region: 'region',
};

describe('quickstart, over HTTP', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({
      PUBLIC_URL: 'https://drive.example',
      FRONTEND_URL: 'https://web.example',
    });
  });
  afterAll(() => service.stop());

  const quickstart = (body: unknown = {}, token?: string) =>
    service.client().post(QUICKSTART, body, token ? { authorization: token } : {});

  it('creates an organization without input, with any Authorization header', async () => {
    for (const header of [undefined, 'Bearer nonsense', 'Basic x', 'Bearer']) {
      const { status, data } = await quickstart({}, header);
      expect(status).toBe(200);
      expect(data).toEqual({
        organization: {
          drive_id: expect.stringMatching(/^DriveID_[a-z0-9-]{63}$/),
          org_name: 'Anonymous Org',
          host_url: 'https://drive.example',
          frontend_url: 'https://web.example',
          tracer: null,
        },
        admin: expect.objectContaining({ tracer: null }),
        members: [],
      });
      expect(data.admin.auth_json.profile_name).toBe('Admin');
    }
  });

  it('answers working keys, links that sign in, and tracers unchanged', async () => {
    const { data } = await quickstart({
      org_name: ' Acme ',
      tracer: 'o',
      admin: { name: ' Ada ', tracer: 'a', secret_entropy: 'ada’s secret' },
      members: [{ name: 'Bob', tracer: 'b' }, {}],
      email: 'ada@example.com',
      note: 'a note',
    });
    const { drive_id } = data.organization;
    expect(data.organization).toMatchObject({ org_name: 'Acme', tracer: 'o' });
    expect(data.admin.user_id).toBe((await deriveUser({ secret_entropy: 'ada’s secret' })).user_id);
    const people = [data.admin, ...data.members];
    expect(people.map(({ tracer }) => tracer)).toEqual(['a', 'b', null]);
    const org = organizationOf(service.url, data);
    const names = ['Ada', 'Bob', 'Member 2'];
    for (const [nth, client] of [org.admin, ...org.members].entries()) {
      const { user_id, api_key_value, auto_login_url, auth_json } = people[nth]!;
      const who = await client.get('/organization/whoami');
      expect(who.data).toMatchObject({ userID: user_id, nickname: names[nth] });
      expect(auth_json).toEqual({
        host: 'https://drive.example',
        drive_id,
        org_name: 'Acme',
        user_id,
        profile_name: names[nth],
        api_key_value,
      });
      const link = new URL(auto_login_url);
      expect(link.origin + link.pathname).toBe('https://web.example/auto-login');
      const token = Buffer.from(link.searchParams.get('token')!, 'base64url').toString();
      expect(JSON.parse(token)).toEqual({
        org_name: 'Acme',
        org_id: drive_id,
        org_host: 'https://drive.example',
        profile_id: user_id,
        profile_name: names[nth],
        profile_api_key: api_key_value,
      });
      const { data: keys } = await client.post(`/api_keys/list/${user_id}`);
      expect(keys).toHaveLength(1);
    }
    const { data: groups } = await org.admin.post('/groups/list');
    expect(groups.items).toMatchObject([{ name: 'Group for All', member_count: 3 }]);
    expect((await org.admin.get('/organization/about')).data.email).toBe('ada@example.com');
  });

  it('creates no disk unless one is bundled', async () => {
    const org = await service.organization();
    expect((await org.admin.post('/disks/list')).data.total).toBe(0);
  });

  it('creates the bundled disk in the admin’s name, open to Group for All, its credentials hidden from members', async () => {
    const { data } = await quickstart({
      members: [{ name: 'Bob' }],
      bundled_default_disk: {
        name: 'Shared',
        disk_type: 'StorjWeb3',
        public_note: 'for all',
        autoexpire_ms: '1000',
        billing_url: 'https://billing.example',
        auth_json: CLOUD,
      },
    });
    const org = organizationOf(service.url, data);
    const [disk, ...others] = (await org.admin.post('/disks/list')).data.items;
    expect(others).toEqual([]);
    expect(disk).toMatchObject({
      name: 'Shared',
      disk_type: 'STORJ_WEB3',
      public_note: 'for all',
      autoexpire_ms: 1000,
      endpoint: 'https://billing.example',
    });
    expect(JSON.parse(disk.auth_json)).toEqual(CLOUD);
    const bob = org.members[0]!;
    expect((await bob.get(`/disks/get/${disk.id}`)).data).toMatchObject({ auth_json: null });
    const { data: checked } = await bob.post('/permissions/directory/check', {
      resource_id: disk.root_folder,
      grantee_id: bob.user_id,
    });
    expect(checked.permissions).toEqual(['VIEW', 'UPLOAD', 'EDIT']);
  });

  it('refuses 400 what breaks its limits, and takes what just keeps them', async () => {
    const disk = { name: 'Disk', disk_type: 'LOCAL_SSD' };
    const members = (count: number) => Array.from({ length: count }, () => ({}));
    for (const [bad, pointer] of [
      [{ org_name: 'o'.repeat(65) }, '/org_name'],
      [{ org_name: ' ' }, '/org_name'],
      [{ admin: { name: 'a'.repeat(65) } }, '/admin/name'],
      [{ admin: { name: ' ' } }, '/admin/name'],
      [{ members: members(101) }, '/members'],
      [{ members: [{ name: 'n'.repeat(257) }] }, '/members/0/name'],
      [{ members: [{ secret_entropy: '' }] }, '/members/0/secret_entropy'],
      [{ admin: { secret_entropy: 's'.repeat(257) } }, '/admin/secret_entropy'],
      [{ email: 'e' }, '/email'],
      [{ note: 'n'.repeat(8193) }, '/note'],
      [{ tracer: 't'.repeat(257) }, '/tracer'],
      [
        { admin: { secret_entropy: 'same' }, members: [{}, { secret_entropy: 'same' }] },
        '/members/1/secret_entropy',
      ],
      [{ bundled_default_disk: [] }, '/bundled_default_disk'],
      [{ bundled_default_disk: { ...disk, name: undefined } }, '/bundled_default_disk/name'],
      [{ bundled_default_disk: { ...disk, disk_type: 'X' } }, '/bundled_default_disk/disk_type'],
      [
        { bundled_default_disk: { ...disk, autoexpire_ms: -1 } },
        '/bundled_default_disk/autoexpire_ms',
      ],
      [
        { bundled_default_disk: { ...disk, billing_url: 'ftp://x.example' } },
        '/bundled_default_disk/billing_url',
      ],
      [
        { bundled_default_disk: { ...disk, disk_type: 'AWS_BUCKET', auth_json: { bucket: 'b' } } },
        '/bundled_default_disk/auth_json',
      ],
    ] as const) {
      const { status, err } = await quickstart(bad);
      expect([status, err.details[0]?.pointer]).toEqual([400, pointer]);
    }
    const { status } = await quickstart({
      org_name: 'o'.repeat(64),
      admin: { name: ` ${'a'.repeat(64)} ` },
      members: [...members(99), { name: 'n'.repeat(256), secret_entropy: 's'.repeat(256) }],
      note: 'n'.repeat(8192),
      tracer: 't'.repeat(256),
    });
    expect(status).toBe(200);
  });

  it('is not created by a dry run', async () => {
    const { status, err } = await service.client().post(QUICKSTART, {}, { 'dry-run': 'true' });
    expect([status, err.type]).toEqual([400, 'request.invalid-header']);
  });
});
