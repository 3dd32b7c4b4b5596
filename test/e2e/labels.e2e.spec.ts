import { randomUUID } from 'node:crypto';
import type { Client, Organization } from '../support/client.js';
import { act, makeDisk, makeFile, makeFolder } from '../support/directory.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';

describe('labels over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob', 'Carl');
    bob = org.members[0]!;
  });
  afterAll(() => service.stop());

  let made = 0;
  const create = async (body: object = {}): Promise<any> =>
    (await org.admin.post('/labels/create', { value: `label-${++made}`, ...body })).data;
  const pin = (label_id: string, resource_id: string, add = true, client = org.admin) =>
    client.post('/labels/pin', { label_id, resource_id, add });

  describe('create', () => {
    it('answers 200 with the record', async () => {
      const { status, data } = await org.admin.post('/labels/create', {
        value: 'Really-Urgent_1',
        color: '#abc',
        description: 'what cannot wait',
        private_note: null,
      });
      expect(status).toBe(200);
      expect(data).toEqual({
        id: expect.stringMatching(/^LabelID_[0-9a-f-]{36}$/),
        value: 'really-urgent_1',
        description: 'what cannot wait',
        public_note: 'what cannot wait',
        private_note: null,
        color: '#ABC',
        created_by: org.admin.user_id,
        created_at: expect.any(Number),
        last_updated_at: data.created_at,
        resources: [],
        labels: [],
        external_id: null,
        external_payload: null,
        permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
      });
      const again = await org.admin.post('/labels/create', { value: 'REALLY-urgent_1' });
      expect([again.status, again.err.type]).toEqual([409, 'label.value-in-use']);
      expect(again.err.details[0].pointer).toBe('/value');
    });

    it('lets public_note count if both names of the note are given', async () => {
      const label = await create({ public_note: 'a', description: 'b' });
      expect([label.public_note, label.description]).toEqual(['a', 'a']);
    });

    it.each([
      ['value', 64],
      ['description', 1024],
      ['public_note', 1024],
      ['private_note', 1024],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and not one more', async (field, limit) => {
      const post = (length: number) =>
        org.admin.post('/labels/create', {
          value: `limit-${++made}`,
          [field]: `${made}`.padEnd(length, 'x'),
        });
      expect((await post(limit)).status).toBe(200);
      const { status, err } = await post(limit + 1);
      expect(status).toBe(400);
      expect(err.details).toMatchObject([{ pointer: `/${field}`, limit }]);
    });

    it.each([
      { value: '' },
      { value: 'two words' },
      { value: 'naïve' },
      { value: null },
      { value: 'x', color: 'red' },
      { value: 'x', color: '#1234' },
      { value: 'x', color: '' },
      { value: 'x', id: 'GroupID_1' },
    ])('refuses 400 %j', async (body) => {
      const { status, err } = await org.admin.post('/labels/create', body);
      expect([status, err.details[0].pointer]).toEqual([400, `/${Object.keys(body).at(-1)}`]);
    });

    it('refuses 403 without CREATE on LABELS, and 400 an id used before', async () => {
      const denied = await bob.post('/labels/create', { value: 'bobs' });
      expect([denied.status, denied.err.type]).toEqual([403, 'permission.denied']);
      const { id } = await create({ id: `LabelID_${randomUUID()}` });
      await org.admin.post('/labels/delete', { id });
      const again = await org.admin.post('/labels/create', { id, value: 'again' });
      expect([again.status, again.err.type]).toEqual([400, 'request.id-in-use']);
    });
  });

  describe('get', () => {
    it('takes id or value in any case', async () => {
      const label = await create({ value: 'Get-Me' });
      for (const asked of [label.id, 'get-me', 'GET-ME'])
        expect((await org.admin.get(`/labels/get/${asked}`)).data).toEqual(label);
      const unknown = await org.admin.get('/labels/get/nothing');
      expect([unknown.status, unknown.err.type]).toEqual([404, 'label.not-found']);
      expect((await org.admin.get('/labels/get/LabelID_none')).status).toBe(404);
      expect((await org.admin.get('/labels/get/a%20b')).status).toBe(400);
    });

    it('answers 403 to others, whether or not there is such a label', async () => {
      const label = await create();
      for (const asked of [label.id, label.value, 'LabelID_none', 'nothing'])
        expect([asked, (await bob.get(`/labels/get/${asked}`)).status]).toEqual([asked, 403]);
    });
  });

  describe('list', () => {
    it('looks for beginnings, given as text or as object, and pages', async () => {
      const other = await service.organization('Bob');
      for (const value of ['alpha', 'Alpine', 'beta', 'al', 'pal'])
        await other.admin.post('/labels/create', { value });
      const list = async (body: object) => (await other.admin.post('/labels/list', body)).data;
      const values = (page: any) => page.items.map((label: any) => label.value);
      expect(values(await list({}))).toEqual(['alpha', 'alpine', 'beta', 'al', 'pal']);
      for (const filters of ['AL', { prefix: 'al' }])
        expect(values(await list({ filters }))).toEqual(['alpha', 'alpine', 'al']);
      for (const filters of ['', {}, { prefix: '' }, { prefix: null }])
        expect((await list({ filters })).total).toBe(5);
      const first = await list({ filters: 'al', page_size: 2, direction: 'DESC' });
      expect([values(first), first.total]).toEqual([['al', 'alpine'], 3]);
      const cursor_down = first.cursor_down;
      const rest = await list({ filters: 'al', page_size: 2, direction: 'DESC', cursor_down });
      expect([values(rest), rest.cursor_down]).toEqual([['alpha'], null]);
      expect((await other.members[0]!.post('/labels/list')).data.items).toEqual([]);
    });

    it('takes a prefix of exactly 256 characters and refuses 400 bad filters', async () => {
      const post = (filters: unknown) => org.admin.post('/labels/list', { filters });
      for (const long of [
        (n: number) => 'x'.repeat(n),
        (n: number) => ({ prefix: 'x'.repeat(n) }),
      ]) {
        expect((await post(long(256))).status).toBe(200);
        expect((await post(long(257))).status).toBe(400);
      }
      expect((await post({ prefix: 5 })).err.details[0].pointer).toBe('/filters/prefix');
      expect((await post(5)).err.details[0].pointer).toBe('/filters');
    });

    it('shows holders of VIEW on one label that label', async () => {
      const label = await create();
      await given(service, org, granted(org, org.members[1]!.user_id, label.id, 'VIEW'));
      const { data } = await org.members[1]!.post('/labels/list');
      expect(data.items.map(({ id }: any) => id)).toEqual([label.id]);
      expect(data.total).toBe(1);
    });
  });

  describe('update', () => {
    it('changes what is given; null clears notes and keeps value and color', async () => {
      const { id } = await create({ description: 'a', private_note: 'b', color: '#123456' });
      const { data } = await org.admin.post('/labels/update', {
        id,
        value: null,
        color: null,
        description: null,
        external_id: 'e',
      });
      expect(data).toMatchObject({
        value: `label-${made}`,
        color: '#123456',
        description: null,
        public_note: null,
        private_note: 'b',
        external_id: 'e',
      });
      const renamed = await org.admin.post('/labels/update', {
        id,
        value: 'Renamed',
        color: '#fff',
      });
      expect(renamed.data).toMatchObject({ value: 'renamed', color: '#FFF' });
    });

    it('refuses 409 another’s value, 400 an empty change, 404 and 403', async () => {
      const { id } = await create();
      const { value } = await create();
      const post = (body: object, client = org.admin) => client.post('/labels/update', body);
      const taken = await post({ id, value: value.toUpperCase() });
      expect([taken.status, taken.err.type]).toEqual([409, 'label.value-in-use']);
      expect((await post({ id })).err.type).toBe('request.nothing-to-update');
      expect((await post({ id: 'LabelID_none', value: 'x' })).err.type).toBe('label.not-found');
      for (const asked of [id, 'LabelID_none'])
        expect((await post({ id: asked, value: 'x' }, bob)).status).toBe(403);
    });
  });

  describe('pin', () => {
    it('pins once, unpins once, and shows the owner where', async () => {
      const label = await create();
      const before = await org.admin.get(`/contacts/get/${bob.user_id}`);
      const first = await pin(label.id, bob.user_id);
      expect(first.data).toMatchObject({
        success: true,
        message: expect.stringContaining(label.value),
        label: { id: label.id, resources: [bob.user_id] },
      });
      const again = await pin(label.id, bob.user_id);
      expect(again.data).toEqual(first.data);
      expect(again.headers.get('drive-revision')).toBe(first.headers.get('drive-revision'));
      const shown = await org.admin.get(`/contacts/get/${bob.user_id}`);
      expect(shown.data.labels).toEqual([label.value]);
      const gone = await pin(label.id, bob.user_id, false);
      expect(gone.data.label.resources).toEqual([]);
      const after = await org.admin.get(`/contacts/get/${bob.user_id}`);
      expect(after.data.labels).toEqual(before.data.labels);
    });

    it('shows a new value at once in records and lists that were read before', async () => {
      const label = await create();
      const group = (await org.admin.post('/groups/create', {})).data;
      await pin(label.id, group.id);
      const read = async () => [
        (await org.admin.get(`/groups/get/${group.id}`)).data.labels,
        (await org.admin.post('/groups/list', { filters: group.id })).data.items[0].labels,
      ];
      expect(await read()).toEqual([[label.value], [label.value]]);
      await org.admin.post('/labels/update', { id: label.id, value: 'Anew' });
      expect(await read()).toEqual([['anew'], ['anew']]);
      await org.admin.post('/labels/delete', { id: label.id });
      expect(await read()).toEqual([[], []]);
    });

    it('works for records of every family', async () => {
      const label = await create();
      const { admin } = org;
      const make = async (path: string, body: object) => (await admin.post(path, body)).data;
      const disk = await make('/disks/create', { name: 'D', disk_type: 'LOCAL_SSD' });
      const group = await make('/groups/create', {});
      const invite = await make('/groups/invites/create', {
        group_id: group.id,
        invitee_id: bob.user_id,
        role: 'MEMBER',
      });
      const key = await make('/api_keys/create', { name: 'k' });
      const other = await create();
      const webhook = await make('/webhooks/create', {
        alt_index: other.id,
        event: 'label.added',
        url: 'https://hook.example/',
      });
      const grants = await Promise.all([
        make('/permissions/directory/create', {
          resource_id: disk.root_folder,
          granted_to: bob.user_id,
          permission_types: ['VIEW'],
        }),
        make('/permissions/system/create', {
          resource_id: 'TABLE_DISKS',
          granted_to: bob.user_id,
          permission_types: ['VIEW'],
        }),
      ]);
      const [directory_grant, system_grant] = grants.map((data: any) => data.permission ?? data);
      const shown: Record<string, string> = {
        [disk.id]: 'disks/get',
        [group.id]: 'groups/get',
        [invite.id]: 'groups/invites/get',
        [key.id]: 'api_keys/get',
        [webhook.id]: 'webhooks/get',
        [other.id]: 'labels/get',
        [directory_grant.id]: 'permissions/directory/get',
        [system_grant.id]: 'permissions/system/get',
        [bob.user_id]: 'contacts/get',
      };
      for (const [id, path] of Object.entries(shown)) {
        expect((await pin(label.id, id)).status).toBe(200);
        const read = (await admin.get(`/${path}/${id}`)).data;
        expect([path, (read.permission ?? read).labels]).toEqual([path, [label.value]]);
      }
      expect((await pin(label.id, disk.root_folder)).status).toBe(200);
      const all = (await admin.get(`/labels/get/${label.id}`)).data.resources;
      expect(all).toEqual([...Object.keys(shown), disk.root_folder].sort());
      const filters = { labels: [label.value.toUpperCase()] };
      const listed = await admin.post('/permissions/system/list', { filters });
      expect(listed.data.items.map(({ id }: any) => id)).toEqual([system_grant.id]);

      const deleted = {
        disks: disk,
        groups: group,
        api_keys: key,
        webhooks: webhook,
        labels: other,
      };
      for (const [family, { id }] of Object.entries(deleted))
        expect((await admin.post(`/${family}/delete`, { id })).status).toBe(200);
      const left = (await admin.get(`/labels/get/${label.id}`)).data.resources;
      expect(left).toEqual([bob.user_id, system_grant.id].sort());
    });

    it('works for files and folders, for holders of the directory permission EDIT', async () => {
      const label = await create();
      const other = await service.organization('Bob');
      const [member] = other.members;
      const disk = await makeDisk(other);
      const folder = await makeFolder(other.admin, disk, 'reports');
      const file = await makeFile(other.admin, disk, 'q1.txt', { external_id: 'dms-1' });
      const own = (await other.admin.post('/labels/create', { value: label.value })).data;
      await given(service, other, granted(other, member!.user_id, own.id, 'EDIT'));
      const put = (resource_id: string, client = member!) =>
        client.post('/labels/pin', { label_id: own.id, resource_id, add: true });
      // Everybody may edit what lies on a new disk, and nothing in its trash.
      for (const { id } of [file, folder]) expect((await put(id)).status).toBe(200);
      expect((await put(disk.trash_folder)).err.type).toBe('permission.denied');
      expect((await put('FileID_none')).err.type).toBe('resource.not-found');
      const shown = await act(other.admin, 'GET_FILE', { id: file.id });
      expect(shown.result.file.labels).toEqual([label.value]);
      const { data } = await other.admin.get(`/labels/get/${own.id}`);
      expect(data.resources).toEqual([file.id, folder.id].sort());
      const asked = { external_ids: ['dms-1'] };
      const found = (await other.admin.post('/organization/external_id', asked)).data.results;
      expect(found[0].internal_ids).toEqual([file.id]);
      await act(other.admin, 'DELETE_FILE', { id: file.id, permanent: true });
      await other.admin.post('/disks/delete', { id: disk.id });
      const after = await other.admin.get(`/labels/get/${own.id}`);
      expect(after.data.resources).toEqual([]);
      const gone = (await other.admin.post('/organization/external_id', asked)).data.results;
      expect(gone[0].success).toBe(false);
    });

    it('refuses 400 the label itself, ids of nothing that can be labelled, and missing fields', async () => {
      const { id } = await create();
      const post = (body: object) => org.admin.post('/labels/pin', body);
      for (const resource_id of [id, 'TABLE_DISKS', 'InboxNotifID_1', 'x', '', null, undefined]) {
        const { status, err } = await post({ label_id: id, resource_id, add: true });
        expect([status, err.details[0].pointer]).toEqual([400, '/resource_id']);
      }
      expect((await post({ label_id: id, resource_id: bob.user_id })).status).toBe(400);
      expect((await post({ label_id: id, resource_id: bob.user_id, add: 1 })).status).toBe(400);
      expect((await post({ resource_id: bob.user_id, add: true })).status).toBe(400);
    });

    it('refuses 404 unknown labels and resources, and 403 without EDIT on both', async () => {
      const { id } = await create();
      expect((await pin('LabelID_none', bob.user_id)).err.type).toBe('label.not-found');
      expect((await pin(id, 'GroupID_none')).err.type).toBe('resource.not-found');
      const dave = (await service.organization('Dave')).members[0]!;
      expect((await pin(id, bob.user_id, true, org.as(dave.token))).status).toBe(401);
      const group = (await org.admin.post('/groups/create', {})).data;
      await given(service, org, granted(org, bob.user_id, id, 'EDIT'));
      expect((await pin(id, group.id, true, bob)).err.type).toBe('permission.denied');
      await given(service, org, granted(org, bob.user_id, group.id, 'EDIT'));
      const { status, data } = await pin(id, group.id, true, bob);
      expect([status, data.label.resources]).toEqual([200, []]);
    });
  });

  it('deletes, 404 the second time, 403 to others', async () => {
    const { id } = await create();
    expect((await bob.post('/labels/delete', { id })).status).toBe(403);
    expect((await bob.post('/labels/delete', { id: 'LabelID_none' })).status).toBe(403);
    expect((await org.admin.post('/labels/delete', { id })).data).toEqual({ id, deleted: true });
    const again = await org.admin.post('/labels/delete', { id });
    expect([again.status, again.err.type]).toEqual([404, 'label.not-found']);
  });

  it('shows labels and pins of any past moment in replay, and the same after a restart', async () => {
    const label = await create();
    const group = (await org.admin.post('/groups/create', {})).data;
    const { headers } = await pin(label.id, group.id);
    const revision = Number(headers.get('drive-revision'));
    await org.admin.post('/labels/delete', { id: label.id });
    const past = async () => {
      const include = ['labels'];
      const asked = { revision, include, verify: true, page_size: 1000 };
      const { data } = await org.admin.post('/organization/replay', asked);
      return data;
    };
    const before = await past();
    const shown = before.state.labels.items.find(({ id }: any) => id === label.id);
    expect(shown.resources).toEqual([group.id]);
    expect(before.counts.labels).toBe(before.state.labels.total);
    const record = { revision, record_id: group.id };
    const { data } = await org.admin.post('/organization/replay', record);
    expect(JSON.stringify(data.state)).toContain(`"labels":["${label.value}"]`);
    const { body } = await org.admin.post('/labels/list', { page_size: 1000 });
    await service.restart();
    const url = `/v1/drive/${org.drive_id}`;
    const auth = { authorization: `Bearer ${org.admin.token}` };
    const list = await service.client().post(`${url}/labels/list`, { page_size: 1000 }, auth);
    expect(list.body).toEqual(body);
    const replay = { revision, include: ['labels'], page_size: 1000 };
    const after = await service.client().post(`${url}/organization/replay`, replay, auth);
    expect(after.data.state).toEqual(before.state);
    expect(after.data.state_hash).toBe(before.state_hash);
  });
});
