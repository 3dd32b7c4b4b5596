import { randomUUID } from 'node:crypto';
import type { Client, Organization } from '../support/client.js';
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
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
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

    it('answers 403 to others, whether or not the label exists', async () => {
      const label = await create();
      for (const asked of [label.id, label.value, 'LabelID_none', 'nothing'])
        expect([asked, (await bob.get(`/labels/get/${asked}`)).status]).toEqual([asked, 403]);
    });
  });

  describe('list', () => {
    it('searches by prefix, given as text or as object, and pages', async () => {
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

    it('shows one label to holders of VIEW on it', async () => {
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

  it('deletes, 404 the second time, 403 to others', async () => {
    const { id } = await create();
    expect((await bob.post('/labels/delete', { id })).status).toBe(403);
    expect((await bob.post('/labels/delete', { id: 'LabelID_none' })).status).toBe(403);
    expect((await org.admin.post('/labels/delete', { id })).data).toEqual({ id, deleted: true });
    const again = await org.admin.post('/labels/delete', { id });
    expect([again.status, again.err.type]).toEqual([404, 'label.not-found']);
  });
});
