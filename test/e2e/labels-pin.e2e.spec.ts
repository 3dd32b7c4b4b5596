import type { Client, Organization } from '../support/client.js';
import { act, makeDisk, makeFile, makeFolder } from '../support/directory.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';

describe('pinning labels over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    bob = org.members[0]!;
  });
  afterAll(() => service.stop());

  let made = 0;
  const create = async (): Promise<any> =>
    (await org.admin.post('/labels/create', { value: `label-${++made}` })).data;
  const pin = (label_id: string, resource_id: string, add = true, client = org.admin) =>
    client.post('/labels/pin', { label_id, resource_id, add });

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

  it('shows a new value immediately in records and lists that were read before', async () => {
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

  it('changes the tag of a record: a pin its revision, a new value of the label its hash', async () => {
    const label = await create();
    const { id } = (await org.admin.post('/groups/create', {})).data;
    const read = (tag = '') => org.admin.get(`/groups/get/${id}`, { 'If-None-Match': tag });
    const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag')!;
    const bare = tagOf(await read());
    await pin(label.id, id);
    const pinned = await read(bare);
    expect([pinned.status, pinned.data.labels]).toEqual([200, [label.value]]);
    const [revision] = tagOf(pinned).split('.');
    expect(revision).not.toBe(bare.split('.')[0]);
    expect((await read(tagOf(pinned))).status).toBe(304);
    await org.admin.post('/labels/update', { id: label.id, value: `${label.value}-anew` });
    const renamed = await read(tagOf(pinned));
    expect([renamed.status, renamed.data.labels]).toEqual([200, [`${label.value}-anew`]]);
    expect(tagOf(renamed).split('.')[0]).toBe(revision);
    expect(tagOf(renamed)).not.toBe(tagOf(pinned));
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

  it('shows labels and pins of any past point in replay, and the same after a restart', async () => {
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
