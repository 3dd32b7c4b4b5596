import { randomUUID } from 'node:crypto';
import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';

const LONG_URL = `https://hook.example/${'x'.repeat(4096 - 21)}`;

describe('webhooks over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    bob = org.members[0]!;
  });
  afterAll(() => service.stop());

  const hook = (more: object = {}) => ({
    alt_index: 'STATE_DIFFS',
    event: 'drive.state_diffs',
    url: 'https://hook.example/in',
    active: false,
    ...more,
  });
  /** One on a topic of the inbox. */
  const mail = (alt_index: string) => ({ event: 'org.inbox.new_mail', alt_index });
  const post = (path: string, body: object, who = org.admin) => who.post(`/webhooks/${path}`, body);
  const create = async (more: object = {}): Promise<any> => (await post('create', hook(more))).data;

  describe('create', () => {
    it('answers 200 with the whole record and the secret', async () => {
      const { status, data } = await post('create', hook({ signature: 's', filters: '{}' }));
      expect(status).toBe(200);
      expect(data).toEqual({
        id: expect.stringMatching(/^WebhookID_/),
        name: 'drive.state_diffs@STATE_DIFFS',
        url: 'https://hook.example/in',
        alt_index: 'STATE_DIFFS',
        event: 'drive.state_diffs',
        signature: 's',
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        description: '',
        note: '',
        active: false,
        created_by: org.admin.user_id,
        paused_reason: null,
        filters: '{}',
        labels: [],
        external_id: null,
        external_payload: null,
        created_at: expect.any(Number),
        permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
      });
    });

    it.each([
      ['name', 256],
      ['alt_index', 256],
      ['signature', 256],
      ['description', 8192],
      ['note', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      const longest = { ...mail('INBOX_NEW_MAIL'), [field]: 'x'.repeat(limit) };
      expect(await create(longest)).toMatchObject(longest);
      const { status, err } = await post('create', hook({ [field]: 'x'.repeat(limit + 1) }));
      expect([status, err.details[0].pointer, err.details[0].limit]).toEqual([
        400,
        `/${field}`,
        limit,
      ]);
    });

    it('takes an address of 4096 characters and filters of 256, and no more', async () => {
      const filters = JSON.stringify({ topic: 'x'.repeat(244) });
      expect(await create({ url: LONG_URL, filters })).toMatchObject({ url: LONG_URL, filters });
      const { err } = await post('create', hook({ url: `${LONG_URL}x`, filters: `${filters} ` }));
      expect(err.details.map(({ pointer }: any) => pointer).sort()).toEqual(['/filters', '/url']);
    });

    it.each([
      ['url', undefined],
      ['url', ''],
      ['url', 'ftp://hook.example/'],
      ['url', 'not a url'],
      ['alt_index', undefined],
      ['alt_index', ''],
      ['event', undefined],
      ['event', 'file.eaten'],
      ['signature', 'ünprintable'],
      ['signature', 'two\nlines'],
      ['filters', 'no json'],
      ['filters', '[]'],
      ['active', 'yes'],
      ['name', 'x'.repeat(257)],
      ['alt_index', 'ALL'],
      ['id', 'LabelID_1'],
    ])('refuses 400 %s %p', async (field, value) => {
      const { status, err } = await post('create', hook({ [field]: value }));
      expect([status, err.type, err.details[0].pointer]).toEqual([
        400,
        'request.invalid',
        `/${field}`,
      ]);
    });

    it.each(['', null])('takes the name %p for none', async (name) => {
      const { name: made } = await create({ event: 'file.created', alt_index: 'ALL', name });
      expect(made).toBe('file.created@ALL_FILES');
    });

    it.each([
      ['group.invite.created', 'ALL', 'an id GroupID_… for group.invite.created'],
      ['file.created', 'FolderID_1', 'an id FileID_… or ALL_FILES for file.created'],
      ['drive.state_diffs', 'ALL_FILES', 'STATE_DIFFS for drive.state_diffs'],
      ['org.superswap_user', 'UserID_1', 'SUPERSWAP_USER for org.superswap_user'],
    ])('refuses 400 %s on %s, which can never fire', async (event, alt_index, taken) => {
      const { status, err } = await post('create', hook({ event, alt_index }));
      expect([status, err.details]).toEqual([
        400,
        [{ pointer: '/alt_index', reason: `must be ${taken}` }],
      ]);
    });

    it('refuses 400 an id used before', async () => {
      const { id } = await create();
      expect((await post('create', hook({ id }))).err).toMatchObject({
        code: 400,
        type: 'request.id-in-use',
      });
    });

    it('refuses 403 without CREATE, or without the right to see what is watched', async () => {
      expect((await post('create', hook(), bob)).status).toBe(403);
      await given(service, org, granted(org, bob.user_id, 'TABLE_WEBHOOKS', 'CREATE'));
      const { status, err } = await post('create', hook(), bob);
      expect([status, err.type]).toEqual([403, 'permission.denied']);
      await given(service, org, granted(org, bob.user_id, 'TABLE_AUDIT', 'VIEW'));
      expect((await post('create', hook(), bob)).status).toBe(200);
    });
  });

  describe('get and list', () => {
    it('never show a secret again, and a signature only to users who may edit', async () => {
      const { id } = await create({ signature: 'shown' });
      const carol = (await service.organization('Carol')).members[0]!;
      expect(carol.user_id).not.toBe('');
      expect((await org.admin.get(`/webhooks/get/${id}`)).data).toMatchObject({
        signature: 'shown',
        secret: '',
      });
      expect((await bob.get(`/webhooks/get/${id}`)).status).toBe(403);
      await given(service, org, granted(org, bob.user_id, id, 'VIEW'));
      expect((await bob.get(`/webhooks/get/${id}`)).data).toMatchObject({
        signature: '',
        secret: '',
        permission_previews: expect.arrayContaining(['VIEW']),
      });
      const { data } = await post('list', {}, bob);
      expect(data.items.map((item: any) => item.id)).toEqual([id]);
    });

    it('answer 404 and 400 for what is not there or no id', async () => {
      const { status, err } = await org.admin.get('/webhooks/get/WebhookID_none');
      expect([status, err.type]).toEqual([404, 'webhook.not-found']);
      expect((await org.admin.get('/webhooks/get/LabelID_x')).status).toBe(400);
    });

    it.each(['name', 'event', 'alt_index'])('filter by %s', async (field) => {
      const word = randomUUID();
      const on_label = { event: 'label.removed', alt_index: 'LabelID_filtered' };
      const more = field === 'event' ? on_label : { ...mail('x'), [field]: `A-${word}` };
      const { id } = await create(more);
      const filters = field === 'event' ? 'BEL.REM' : word.toUpperCase();
      const { data } = await post('list', { filters });
      expect(data.items.map((item: any) => item.id)).toEqual([id]);
    });

    it('page in both directions', async () => {
      const { data: all } = await post('list', { page_size: 1000 });
      const { data: first } = await post('list', { page_size: 2, direction: 'DESC' });
      const { cursor_down } = first;
      const next = await post('list', { page_size: 2, direction: 'DESC', cursor_down });
      const ids = [...first.items, ...next.data.items].map((item: any) => item.id);
      expect(ids).toEqual(
        all.items
          .map((item: any) => item.id)
          .toReversed()
          .slice(0, 4),
      );
      expect(first.total).toBe(all.items.length);
      expect((await post('list', { cursor_down: 'nonsense' })).status).toBe(400);
    });
  });

  describe('update', () => {
    it('changes fields, clears texts by null and keeps what null cannot clear', async () => {
      const { id, ...before } = await create({ note: 'n', signature: 's', external_id: 'e' });
      const changed = { name: null, url: null, active: null, note: null, signature: null };
      const { data } = await post('update', { id, ...changed, external_id: null, filters: '{}' });
      expect(data).toEqual({
        ...before,
        id,
        note: '',
        signature: '',
        external_id: null,
        filters: '{}',
        secret: '',
      });
    });

    it('leaves what is watched as it is', async () => {
      const { id } = await create();
      const { data } = await post('update', {
        id,
        event: 'label.added',
        alt_index: 'x',
        note: 'n',
      });
      expect(data).toMatchObject({ event: 'drive.state_diffs', alt_index: 'STATE_DIFFS' });
    });

    it('rotates the secret and shows the new one once', async () => {
      const { id, secret } = await create();
      const { data } = await post('update', { id, rotate_secret: true });
      expect(data.secret).toMatch(/^whsec_/);
      expect(data.secret).not.toBe(secret);
      expect((await post('update', { id, note: 'n' })).data.secret).toBe('');
    });

    it('refuses 400, 403 and 404', async () => {
      const { id } = await create();
      const nothing = await post('update', { id });
      expect(nothing.err).toMatchObject({ code: 400, type: 'request.nothing-to-update' });
      expect((await post('update', { id, url: '' })).err.details[0].pointer).toBe('/url');
      expect((await post('update', { note: 'n' })).err.details[0].pointer).toBe('/id');
      expect((await post('update', { id, note: 'n' }, bob)).status).toBe(403);
      const missing = await post('update', { id: 'WebhookID_none', note: 'n' });
      expect(missing.err).toMatchObject({ code: 404, type: 'webhook.not-found' });
    });
  });

  it('deletes permanently', async () => {
    const { id } = await create();
    expect((await post('delete', { id }, bob)).status).toBe(403);
    expect((await post('delete', { id })).data).toEqual({ id, deleted: true });
    expect((await org.admin.get(`/webhooks/get/${id}`)).status).toBe(404);
    expect((await post('delete', { id })).err.type).toBe('webhook.not-found');
    expect((await post('delete', {})).err.details[0].pointer).toBe('/id');
  });

  it('answers 401 without a token', async () => {
    const anybody = org.as();
    for (const path of ['list', 'create', 'update', 'delete'])
      expect((await anybody.post(`/webhooks/${path}`)).status).toBe(401);
    expect((await anybody.get('/webhooks/get/WebhookID_x')).status).toBe(401);
  });

  it('stores secrets and signatures sealed', async () => {
    const signature = randomUUID();
    const { secret } = await create({ signature });
    const { events } = service.server.drives;
    const stored = JSON.stringify(
      await events.readStream(`drive-${org.drive_id}`, 0, 'forward', 1e4),
    );
    expect(stored).toContain('WebhookCreated');
    expect(stored).not.toContain(signature);
    expect(stored).not.toContain(secret);
  });
});
