import type { Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

describe('external ids over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
  });
  afterAll(() => service.stop());

  const ask = (external_ids: unknown, client = org.admin) =>
    client.post('/organization/external_id', { external_ids });
  const ids = async (external_id: string, client = org.admin) =>
    (await ask([external_id], client)).data.results[0].internal_ids;

  it('answers one result per id, in order, and only with records that the caller may see', async () => {
    const make = async (path: string, body: object) => (await org.admin.post(path, body)).data;
    const external_id = 'erp-7';
    const group = await make('/groups/create', { external_id });
    const disk = await make('/disks/create', { name: 'D', disk_type: 'LOCAL_SSD', external_id });
    const label = await make('/labels/create', { value: 'x', external_id: 'erp-8' });
    const { status, data } = await ask(['none', 'erp-7', 'erp-8']);
    expect(status).toBe(200);
    expect(data.results).toEqual([
      {
        success: false,
        message: expect.any(String),
        external_id: 'none',
        internal_ids: [],
      },
      {
        success: true,
        message: 'Found 2 records',
        external_id: 'erp-7',
        internal_ids: [disk.id, group.id].sort(),
      },
      { success: true, message: 'Found 1 record', external_id: 'erp-8', internal_ids: [label.id] },
    ]);
    // Everybody may see disks.
    expect(await ids('erp-7', org.members[0])).toEqual([disk.id]);
    expect((await ask(['erp-8'], org.members[0])).data.results[0].success).toBe(false);

    await org.admin.post('/groups/update', { id: group.id, external_id: 'erp-9' });
    expect([await ids('erp-7'), await ids('erp-9')]).toEqual([[disk.id], [group.id]]);
    await org.admin.post('/groups/update', { id: group.id, external_id: null });
    await org.admin.post('/disks/delete', { id: disk.id });
    expect([await ids('erp-7'), await ids('erp-9')]).toEqual([[], []]);
  });

  it('finds contacts by sealed external ids: current, past, and after a restart', async () => {
    const { admin } = org;
    const make = async (path: string, body: object): Promise<any> =>
      (await admin.post(path, body)).data;
    const [ann, ben] = ['UserID_ann-external', 'UserID_ben-external'] as const;
    const made = await make('/contacts/create', {
      ...{ id: ann, name: 'Ann', external_id: 'hr-100', external_payload: '{"grade":7}' },
    });
    expect([made.external_id, made.external_payload]).toEqual(['hr-100', '{"grade":7}']);
    expect(await ids('hr-100')).toEqual([ann]);
    expect(await ids('hr-100', org.members[0])).toEqual([]);
    const before = (await admin.post('/contacts/create', { id: ben, name: 'Ben' })).headers;
    await make('/contacts/update', { id: ben, external_id: 'hr-100' });
    expect(await ids('hr-100')).toEqual([ann, ben]);
    await make('/contacts/update', { id: ann, external_id: 'hr-200' });
    const new_user_id = 'UserID_ben-external-2';
    await make('/organization/superswap_user', { current_user_id: ben, new_user_id });
    expect([await ids('hr-100'), await ids('hr-200')]).toEqual([[new_user_id], [ann]]);
    const was = `?as_of=r${before.get('drive-revision')}`;
    const asked = await admin.post(`/organization/external_id${was}`, { external_ids: ['hr-100'] });
    expect(asked.data.results[0].internal_ids).toEqual([ann]);

    await service.restart();
    Object.assign(admin, { base: `${service.url}/v1/drive/${org.drive_id}` });
    expect([await ids('hr-100'), await ids('hr-200')]).toEqual([[new_user_id], [ann]]);
    await make('/contacts/update', { id: ann, external_id: null });
    await make('/contacts/erase', { id: new_user_id });
    expect([await ids('hr-100'), await ids('hr-200')]).toEqual([[], []]);
    expect(await ids('[erased]')).toEqual([]);
  });

  it('shows an empty id or payload as null in every family, however it came to be empty', async () => {
    const { admin } = await service.organization();
    const empty = { external_id: '', external_payload: '' };
    const make = async (path: string, body: object): Promise<any> =>
      (await admin.post(`/${path}/create`, { ...body, ...empty })).data;
    const group = await make('groups', {});
    const disk = await make('disks', { name: 'D', disk_type: 'LOCAL_SSD' });
    const types = { permission_types: ['VIEW'] };
    const made = {
      groups: group,
      'groups/invites': await make('groups/invites', { group_id: group.id, role: 'MEMBER' }),
      contacts: await make('contacts', { is_placeholder: true }),
      disks: disk,
      'permissions/directory': await make('permissions/directory', {
        resource_id: disk.root_folder,
        ...types,
      }),
      'permissions/system': await make('permissions/system', { resource_id: 'DISKS', ...types }),
      labels: await make('labels', { value: 'l' }),
      drives: await make('drives', { name: 'Acme', icp_principal: 'aaaaa-aa' }),
      webhooks: await make('webhooks', {
        alt_index: 'INBOX_NEW_MAIL',
        url: 'https://example.com',
        event: 'org.inbox.new_mail',
      }),
      api_keys: await make('api_keys', { name: 'k' }),
      purchases: await make('purchases', { title: 'p' }),
    };
    const none = { external_id: null, external_payload: null };
    for (const [family, record] of Object.entries(made)) {
      expect([family, record]).toEqual([family, expect.objectContaining(none)]);
      const required = { ...types, name: 'n' };
      const filled = { ...required, id: record.id, external_id: 'x', external_payload: 'y' };
      expect((await admin.post(`/${family}/update`, filled)).data.external_id).toBe('x');
      const cleared = await admin.post(`/${family}/update`, { ...filled, ...empty });
      expect([family, cleared.data]).toEqual([family, expect.objectContaining(none)]);
    }
    const { results } = (await admin.post('/organization/external_id', { external_ids: [''] }))
      .data;
    expect(results[0].internal_ids).toEqual([]);
    const { items } = (await admin.post('/organization/search', { query: group.id })).data;
    expect(items.map(({ metadata }: any) => metadata)).toEqual([null]);
  });

  it('knows them after a restart', async () => {
    const other = await service.organization();
    const body = { external_id: 'kept' };
    const { id } = (await other.admin.post('/groups/create', body)).data;
    await service.restart();
    const url = `/v1/drive/${other.drive_id}/organization/external_id`;
    const auth = { authorization: `Bearer ${other.admin.token}` };
    const { data } = await service.client().post(url, { external_ids: ['kept'] }, auth);
    expect(data.results[0].internal_ids).toEqual([id]);
    org = await service.organization('Bob');
  });

  it('takes 1 to 1000 ids of at most 256 characters', async () => {
    expect((await ask(Array.from({ length: 1000 }, String))).data.results).toHaveLength(1000);
    expect((await ask(['x'.repeat(256)])).status).toBe(200);
    for (const bad of [[], Array.from({ length: 1001 }, String), undefined, 'x', null]) {
      const { status, err } = await ask(bad);
      expect([status, err.details[0].pointer]).toEqual([400, '/external_ids']);
    }
    for (const bad of [['x'.repeat(257)], [5], [null]])
      expect((await ask(bad)).err.details[0].pointer).toBe('/external_ids/0');
  });
});
