import { randomUUID } from 'node:crypto';
import type { Organization } from '../support/client.js';
import { withoutPresence } from '../support/replicas.js';
import { TestService } from '../support/service.js';

describe('groups over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
  });
  afterAll(() => service.stop());

  const create = async (body: object = {}): Promise<any> =>
    (await org.admin.post('/groups/create', body)).data;

  describe('create', () => {
    it('answers 200 with the record, the caller its owner and admin', async () => {
      const { status, data, headers } = await org.admin.post('/groups/create', { name: 'Finance' });
      expect(status).toBe(200);
      expect(data).toMatchObject({
        name: 'Finance',
        owner: org.admin.user_id,
        member_count: 1,
        drive_id: org.drive_id,
        labels: [],
        external_id: null,
      });
      expect(data.admin_invites).toEqual(data.member_invites);
      expect(Number(headers.get('drive-revision'))).toBeGreaterThan(0);
    });

    it('takes null as absent and ignores fields it does not know', async () => {
      const group = await create({ name: null, public_note: null, action: 'x' });
      expect(group).toMatchObject({ name: 'Unnamed Group', public_note: '' });
    });

    it.each([
      ['name', 256],
      ['public_note', 8192],
      ['private_note', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      const post = (length: number) =>
        org.admin.post('/groups/create', { [field]: 'x'.repeat(length) });
      expect((await post(limit)).status).toBe(200);
      const { status, err } = await post(limit + 1);
      expect(status).toBe(400);
      expect(err.details).toMatchObject([{ pointer: `/${field}`, limit }]);
    });

    it.each([
      ['avatar', 2048],
      ['host_url', 4096],
    ])('takes an %s of exactly %i characters and no more', async (field, limit) => {
      const post = (length: number) =>
        org.admin.post('/groups/create', { [field]: 'https://a.example/'.padEnd(length, 'x') });
      expect((await post(limit)).status).toBe(200);
      expect((await post(limit + 1)).err.details).toMatchObject([{ pointer: `/${field}`, limit }]);
    });

    it.each([{ name: '' }, { avatar: 'javascript:alert(1)' }, { host_url: 'host' }, { name: 5 }])(
      'refuses 400 %j',
      async (body) => {
        const { status, err } = await org.admin.post('/groups/create', body);
        expect([status, err.details[0].pointer]).toEqual([400, `/${Object.keys(body)[0]}`]);
      },
    );

    it('refuses 403 without CREATE on GROUPS', async () => {
      const { status, err } = await org.members[0]!.post('/groups/create');
      expect([status, err.type]).toEqual([403, 'permission.denied']);
    });

    it('refuses 400 an id of another kind and an id used before', async () => {
      const id = `GroupID_${randomUUID()}`;
      await create({ id });
      const again = await org.admin.post('/groups/create', { id });
      expect([again.status, again.err.type]).toEqual([400, 'request.id-in-use']);
      const foreign = await org.admin.post('/groups/create', { id: 'UserID_x' });
      expect(foreign.err.details[0].pointer).toBe('/id');
    });
  });

  describe('get', () => {
    it('shows the group to the owner, 403 to strangers, 404 for unknown ids', async () => {
      const { id } = await create({ name: 'Read me' });
      expect((await org.admin.get(`/groups/get/${id}`)).data.name).toBe('Read me');
      expect((await org.members[0]!.get(`/groups/get/${id}`)).status).toBe(403);
      expect((await org.admin.get('/groups/get/GroupID_none')).err.type).toBe('group.not-found');
      expect((await org.admin.get('/groups/get/nonsense')).status).toBe(400);
    });
  });

  describe('list', () => {
    it('shows members their groups only, and pages both ways by cursor', async () => {
      const visible = await org.members[0]!.post('/groups/list');
      expect(visible.data.items.map((group: any) => group.name)).toEqual(['Group for All']);
      expect(visible.data).toMatchObject({ total: 1, cursor_down: null, cursor_up: null });

      const first = await org.admin.post('/groups/list', { page_size: 2 });
      const second = await org.admin.post('/groups/list', {
        page_size: 2,
        cursor_down: first.data.cursor_down,
      });
      const back = await org.admin.post('/groups/list', {
        page_size: 2,
        cursor_up: second.data.cursor_up,
      });
      expect(first.data.cursor).toBe(first.data.cursor_down);
      expect(second.data.items[0].id).not.toBe(first.data.items[0].id);
      expect(back.data.items).toEqual(first.data.items);
    });

    it('answers each page for its own parameters on every repetition, until a change', async () => {
      const made = [await create({ name: 'Once ~' }), await create({ name: 'Twice ~' })];
      const ask = async (body: object): Promise<any> =>
        withoutPresence((await org.admin.post('/groups/list', body)).data);
      const { cursor_down, total } = await ask({ page_size: 2 });
      const { cursor_up } = await ask({ page_size: 2, cursor_down });
      const pages = [
        { page_size: 1 },
        { page_size: 2 },
        { page_size: 2, direction: 'DESC' },
        { page_size: 2, cursor_down },
        { page_size: 2, cursor_up },
        { page_size: 2, filters: 'once ~' },
        { page_size: 2, filters: 'twice ~' },
      ];
      const first = await Promise.all(pages.map(ask));
      expect(await Promise.all(pages.map(ask))).toEqual(first);
      expect(new Set(first.map((page) => JSON.stringify(page))).size).toBe(pages.length - 1);
      expect(first[1]).toEqual(first[4]);
      expect(first[5].items.map(({ id }: any) => id)).toEqual([made[0].id]);

      await org.admin.post('/groups/update', { id: made[0].id, name: 'Later' });
      expect(await ask({ page_size: 2, filters: 'once ~' })).toMatchObject({ items: [], total: 0 });
      await org.admin.post('/groups/delete', { id: made[1].id });
      expect((await ask({ page_size: 2 })).total).toBe(total - 1);
    });

    it('answers a repeated page in the same way: as JSON, in UTF-8, of that length', async () => {
      await create({ name: 'Zürich, 東京 and 🌍' });
      const ask = async (): Promise<object> => {
        const { headers, data } = await org.admin.post('/groups/list', { filters: '東京' });
        expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(data.items.map(({ name }: any) => name)).toEqual(['Zürich, 東京 and 🌍']);
        return { length: headers.get('content-length'), data: withoutPresence(data) };
      };
      const first = await ask();
      for (let time = 2; time <= 4; time++) expect(await ask()).toEqual(first);

      await create({ name: 'Also 東京' });
      const { data } = await org.admin.post('/groups/list', { filters: '東京' });
      expect(data.total).toBe(2);
    });

    it('refuses 400 a cursor of another direction and a page size out of range', async () => {
      const { data } = await org.admin.post('/groups/list', { page_size: 1 });
      const body = { page_size: 1, direction: 'DESC', cursor_down: data.cursor_down };
      const turned = await org.admin.post('/groups/list', body);
      expect(turned.err.details[0].pointer).toBe('/cursor_down');
      for (const page_size of [0, 1001, 1.5, 'many'])
        expect((await org.admin.post('/groups/list', { page_size })).status).toBe(400);
    });
  });

  it('shows 20 members in lists and up to 100 alone, in either order of requests', async () => {
    const { id } = await create({ name: 'Large ~ group' });
    for (let nth = 0; nth < 25; nth++)
      await org.admin.post('/groups/invites/create', {
        group_id: id,
        invitee_id: `UserID_large_${nth}`,
        role: 'MEMBER',
      });
    const get = (query = ''): Promise<any> => org.admin.get(`/groups/get/${id}${query}`);
    const alone = async (query?: string) => (await get(query)).data.member_previews.length;
    const listed = async (query = ''): Promise<number> => {
      const { data } = await org.admin.post(`/groups/list${query}`, { filters: 'Large ~ group' });
      return data.items[0].member_previews.length;
    };
    expect([await alone(), await listed(), await alone(), await listed()]).toEqual([
      26, 20, 26, 20,
    ]);
    const then = `?as_of=r${(await get()).headers.get('drive-revision')}`;
    await org.admin.post('/groups/update', { id, public_note: 'changed' });
    expect([await listed(), await alone()]).toEqual([20, 26]);
    expect([await listed(then), await alone(then), await listed(then)]).toEqual([20, 26, 20]);
  });

  describe('update and delete', () => {
    it('changes what is given; null clears texts and resets the host', async () => {
      const { id } = await create({
        name: 'A',
        public_note: 'n',
        host_url: 'https://other.example',
      });
      const body = { id, name: null, public_note: null, host_url: null, external_id: 'e1' };
      const { data } = await org.admin.post('/groups/update', body);
      expect(data).toMatchObject({ name: 'A', public_note: '', external_id: 'e1' });
      expect(data.host_url).toBe(service.server.drives.settings.host_url);
    });

    it('refuses 400 an empty change', async () => {
      const { id } = await create();
      const { status, err } = await org.admin.post('/groups/update', { id });
      expect([status, err.type]).toEqual([400, 'request.nothing-to-update']);
    });

    it('refuses 403 strangers and 404 an unknown group', async () => {
      const { id } = await create();
      for (const path of ['/groups/update', '/groups/delete']) {
        const stranger = await org.members[0]!.post(path, { id, name: 'x' });
        expect([stranger.status, stranger.err.type]).toEqual([403, 'permission.denied']);
        const unknown = await org.admin.post(path, { id: 'GroupID_none', name: 'x' });
        expect([unknown.status, unknown.err.type]).toEqual([404, 'group.not-found']);
        expect((await org.admin.post(path, { name: 'x' })).err.details[0].pointer).toBe('/id');
      }
    });

    it('ends automatic membership with the Group for All', async () => {
      const other = await service.organization();
      const [everyone] = (await other.admin.post('/groups/list')).data.items;
      expect((await other.admin.post('/groups/delete', { id: everyone.id })).status).toBe(200);
      const body = { id: `UserID_${randomUUID()}` };
      const { data } = await other.admin.post('/contacts/create', body);
      expect(data.group_previews).toEqual([]);
    });

    it('deletes the group, and its id cannot be used again', async () => {
      const { id } = await create();
      expect((await org.admin.post('/groups/delete', { id })).data).toEqual({ id, deleted: true });
      expect((await org.admin.post('/groups/delete', { id })).status).toBe(404);
      expect((await org.admin.post('/groups/create', { id })).status).toBe(400);
    });
  });

  describe('by caller', () => {
    it('is answered 401 without a token, with a broken one, and with one of another drive', async () => {
      const other = await service.organization();
      for (const token of [undefined, 'nonsense', other.admin.token])
        expect((await org.as(token).post('/groups/list')).status).toBe(401);
    });

    it('is answered 400 for a malformed and 404 for an unknown organization', async () => {
      const { admin } = org;
      const client = service.client();
      const headers = { authorization: `Bearer ${admin.token}` };
      const malformed = await client.post('/v1/drive/DriveID_x/groups/list', {}, headers);
      expect([malformed.status, malformed.err.type]).toEqual([400, 'organization.malformed-id']);
      const unknown = await client.post('/v1/drive/DriveID_unknown/groups/list', {}, headers);
      expect([unknown.status, unknown.err.type]).toEqual([404, 'organization.not-found']);
    });

    it('may bring the token in the query, but a bad header is never overruled by it', async () => {
      const auth = `?auth=${encodeURIComponent(org.admin.token!)}`;
      expect((await org.as().post(`/groups/list${auth}`)).status).toBe(200);
      expect((await org.as('nonsense').post(`/groups/list${auth}`)).status).toBe(401);
    });
  });

  it('still knows everything after a restart', async () => {
    const before = (await org.admin.post('/groups/list', { page_size: 1000 })).body;
    await service.restart();
    const url = `/v1/drive/${org.drive_id}/groups/list`;
    const headers = { authorization: `Bearer ${org.admin.token}` };
    const after = await service.client().post(url, { page_size: 1000 }, headers);
    expect(withoutPresence(after.body)).toEqual(withoutPresence(before));
  });
});
