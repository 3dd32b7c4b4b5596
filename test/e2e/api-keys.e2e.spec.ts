import { randomUUID } from 'node:crypto';
import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

describe('api keys over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let eve: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob', 'Eve');
    [bob, eve] = org.members as [Client, Client];
  });
  afterAll(() => service.stop());

  const create = async (body: object = {}, client = bob): Promise<any> =>
    (await client.post('/api_keys/create', { name: 'Key', ...body })).data;
  const whoIs = async (token: string): Promise<string> =>
    (await org.as(token).get('/organization/whoami')).data?.userID;

  describe('create', () => {
    it('answers 200 with a token that works immediately and is never shown again', async () => {
      const before = Date.now();
      const { status, data } = await bob.post('/api_keys/create', { name: 'Key' });
      expect(status).toBe(200);
      expect(data).toEqual({
        id: expect.stringMatching(/^ApiKeyID_/),
        value: expect.any(String),
        user_id: bob.user_id,
        name: 'Key',
        private_note: null,
        created_at: expect.any(Number),
        begins_at: data.created_at,
        expires_at: -1,
        is_revoked: false,
        labels: [],
        external_id: null,
        external_payload: null,
        user_name: 'Bob',
        permission_previews: [],
      });
      expect(data.created_at).toBeGreaterThanOrEqual(before);
      const token = JSON.parse(Buffer.from(data.value, 'base64').toString());
      expect(token).toEqual({
        auth_type: 'API_KEY',
        value: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(await whoIs(data.value)).toBe(bob.user_id);
      const masked = { ...data, value: `sk_...${data.value.slice(-4)}` };
      expect((await bob.get(`/api_keys/get/${data.id}`)).data).toEqual(masked);
    });

    it.each([
      ['name', 256],
      ['private_note', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      const post = (length: number) =>
        bob.post('/api_keys/create', { name: 'Key', [field]: 'x'.repeat(length) });
      expect((await post(limit)).status).toBe(200);
      const { status, err } = await post(limit + 1);
      expect([status, err.details]).toMatchObject([400, [{ pointer: `/${field}`, limit }]]);
    });

    it('refuses 400 a missing or empty name', async () => {
      for (const name of [undefined, null, '', 7]) {
        const { status, err } = await bob.post('/api_keys/create', { name });
        expect([status, err.details[0].pointer]).toEqual([400, '/name']);
      }
    });

    it.each([0, -1, '-1', null, undefined])('takes the end %p for never', async (expires_at) => {
      expect(await create({ expires_at })).toMatchObject({ expires_at: -1 });
    });

    it('takes an end in the future as number or digits; refuses 400 others', async () => {
      const later = Date.now() + 60_000;
      expect(await create({ expires_at: `${later}` })).toMatchObject({ expires_at: later });
      for (const expires_at of [-2, 1, Date.now() - 1, 1.5, 'soon', true]) {
        const { status, err } = await bob.post('/api_keys/create', { name: 'Key', expires_at });
        expect([status, err.details[0].pointer]).toEqual([400, '/expires_at']);
      }
    });

    it('creates keys that are not valid before their start', async () => {
      const { value } = await create({ begins_at: Date.now() + 60_000 });
      expect(await whoIs(value)).toBeUndefined();
      const { status, err } = await bob.post('/api_keys/create', { name: 'Key', begins_at: -1 });
      expect([status, err.details[0].pointer]).toEqual([400, '/begins_at']);
    });

    it('is for others with CREATE on API_KEYS, never for the owner', async () => {
      const for_eve = { name: 'Key', user_id: eve.user_id };
      const denied = await bob.post('/api_keys/create', for_eve);
      expect([denied.status, denied.err.type]).toEqual([403, 'permission.denied']);
      const { data } = await org.admin.post('/api_keys/create', for_eve);
      expect(await whoIs(data.value)).toBe(eve.user_id);

      const holder = await service.organization('Bob', 'Eve');
      const [creator, other] = holder.members as [Client, Client];
      await given(service, holder, granted(holder, creator.user_id, 'TABLE_API_KEYS', 'CREATE'));
      const make = async (user_id: string) =>
        (await creator.post('/api_keys/create', { name: 'Key', user_id })).status;
      expect(await make(other.user_id)).toBe(200);
      expect(await make(holder.admin.user_id)).toBe(403);
      await holder.admin.post('/organization/transfer_ownership', { next_owner_id: other.user_id });
      expect(await make(other.user_id)).toBe(403);
      expect(await make('UserID_nobody')).toBe(404);
    });

    it('tells nobody without that right who the owner and the pending owner are', async () => {
      const holder = await service.organization('Bob', 'Eve', 'Pat');
      const [member, pending, other] = holder.members as [Client, Client, Client];
      const { user_id: next_owner_id } = pending;
      await holder.admin.post('/organization/transfer_ownership', { next_owner_id });
      const stranger = new Signer().in(holder);
      for (const who of [member, stranger]) {
        const answers = [];
        for (const { user_id } of [other, pending, holder.admin]) {
          const { status, err } = await who.post('/api_keys/create', { name: 'Key', user_id });
          answers.push([status, err.type, err.message, err.details]);
        }
        expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
        expect(answers[0]![0]).toBe(403);
      }
    });

    it('refuses 403 people who are no contacts, 404 keys for them', async () => {
      const stranger = new Signer().in(org);
      expect((await stranger.post('/api_keys/create', { name: 'Key' })).status).toBe(403);
      const body = { name: 'Key', user_id: stranger.user_id };
      const { status, err } = await org.admin.post('/api_keys/create', body);
      expect([status, err.type]).toEqual([404, 'contact.not-found']);
    });

    it('refuses 400 an id of another kind and an id used before', async () => {
      const id = `ApiKeyID_${randomUUID()}`;
      expect(await create({ id })).toMatchObject({ id });
      const again = await bob.post('/api_keys/create', { name: 'Key', id });
      expect([again.status, again.err.type]).toEqual([400, 'request.id-in-use']);
      const foreign = await bob.post('/api_keys/create', { name: 'Key', id: 'UserID_x' });
      expect(foreign.err.details[0].pointer).toBe('/id');
    });

    it('with an expiring key, refuses 403 to create or prolong a key beyond its end', async () => {
      const end = Date.now() + 60_000;
      const ending = await create({ expires_at: end }, org.admin);
      const client = org.as(ending.value, org.admin.user_id);
      for (const expires_at of [undefined, -1, end + 1]) {
        const made = await client.post('/api_keys/create', { name: 'Key', expires_at });
        expect([made.status, made.err.type]).toEqual([403, 'permission.ceiling']);
      }
      expect((await client.post('/api_keys/create', { name: 'K', expires_at: end })).status).toBe(
        200,
      );
      for (const expires_at of [-1, end + 1]) {
        const body = { id: ending.id, expires_at };
        expect((await client.post('/api_keys/update', body)).err.type).toBe('permission.ceiling');
      }
    });
  });

  describe('get and list', () => {
    it('shows a key to its user and the owner; 403, 404 and 400 to others', async () => {
      const { id } = await create({ private_note: 'n' });
      for (const client of [bob, org.admin])
        expect((await client.get(`/api_keys/get/${id}`)).data.private_note).toBe('n');
      const denied = await eve.get(`/api_keys/get/${id}`);
      expect([denied.status, denied.err.type]).toEqual([403, 'permission.denied']);
      const unknown = await bob.get('/api_keys/get/ApiKeyID_none');
      expect([unknown.status, unknown.err.type]).toEqual([404, 'api-key.not-found']);
      expect((await bob.get('/api_keys/get/nonsense')).status).toBe(400);
    });

    it('lists a user’s keys as a plain array, newest first, without any token', async () => {
      const other = await service.organization('Zoe', 'Max');
      const [zoe, max] = other.members as [Client, Client];
      for (const name of ['first', 'second']) await create({ name, private_note: 'n' }, zoe);
      const list = (client: Client) => client.send('POST', `/api_keys/list/${zoe.user_id}`);
      for (const client of [zoe, other.admin]) {
        const { status, data, body } = await list(client);
        expect(status).toBe(200);
        expect(data.map((key: any) => key.name)).toEqual(['second', 'first', 'Zoe']);
        expect(JSON.stringify(body)).not.toContain(zoe.token);
      }
      expect((await list(max)).err.type).toBe('permission.denied');
      await given(service, other, granted(other, max.user_id, 'TABLE_API_KEYS', 'VIEW'));
      const seen = (await list(max)).data;
      expect(seen.map((key: any) => [key.name, key.private_note])).toEqual([
        ['second', null],
        ['first', null],
        ['Zoe', null],
      ]);
    });

    it('answers [] for a user without keys, 400 for what is no user', async () => {
      expect((await org.admin.post('/api_keys/list/UserID_nobody')).data).toEqual([]);
      expect((await org.admin.post('/api_keys/list/GroupID_x')).status).toBe(400);
    });
  });

  describe('update', () => {
    it('changes what is given; null clears texts and leaves the rest', async () => {
      const later = Date.now() + 60_000;
      const { id } = await create({ private_note: 'n', external_id: 'x', expires_at: later });
      const body = { id, name: null, private_note: null, expires_at: null, begins_at: null };
      const { status, data } = await bob.post('/api_keys/update', { ...body, external_id: 'y' });
      expect(status).toBe(200);
      expect(data).toMatchObject({
        name: 'Key',
        private_note: null,
        external_id: 'y',
        expires_at: later,
        value: expect.stringMatching(/^sk_\.\.\.....$/),
      });
    });

    it('revokes immediately; only the owner can undo it', async () => {
      const { id, value } = await create();
      expect((await bob.post('/api_keys/update', { id, is_revoked: true })).data.is_revoked).toBe(
        true,
      );
      expect((await org.as(value).get('/organization/whoami')).status).toBe(401);
      const revive = { id, is_revoked: false };
      expect((await bob.post('/api_keys/update', revive)).status).toBe(403);
      expect((await org.admin.post('/api_keys/update', revive)).status).toBe(200);
      expect(await whoIs(value)).toBe(bob.user_id);
    });

    it('refuses 400 an empty change, a past end and a flag that is none', async () => {
      const { id } = await create();
      const empty = await bob.post('/api_keys/update', { id, name: null });
      expect([empty.status, empty.err.type]).toEqual([400, 'request.nothing-to-update']);
      for (const [field, value] of [
        ['expires_at', Date.now() - 1],
        ['is_revoked', 1],
        ['name', ''],
        ['begins_at', -1],
      ] as const) {
        const { status, err } = await bob.post('/api_keys/update', { id, [field]: value });
        expect([status, err.details[0].pointer]).toEqual([400, `/${field}`]);
      }
      expect((await bob.post('/api_keys/update', { name: 'x' })).status).toBe(400);
    });

    it('refuses 403 other users and 404 an unknown key', async () => {
      const { id } = await create();
      expect((await eve.post('/api_keys/update', { id, name: 'x' })).status).toBe(403);
      const unknown = await bob.post('/api_keys/update', { id: 'ApiKeyID_none', name: 'x' });
      expect([unknown.status, unknown.err.type]).toEqual([404, 'api-key.not-found']);
    });
  });

  describe('delete', () => {
    it('lets a key delete itself, and then it is unknown', async () => {
      const { id, value } = await create();
      expect((await eve.post('/api_keys/delete', { id })).status).toBe(403);
      const { data } = await org.as(value).post('/api_keys/delete', { id });
      expect(data).toEqual({ id, deleted: true });
      expect((await org.as(value).get('/organization/whoami')).status).toBe(401);
      expect((await bob.post('/api_keys/delete', { id })).err.type).toBe('api-key.not-found');
      expect((await bob.post('/api_keys/delete', {})).status).toBe(400);
    });
  });

  it('answers 401 without a token', async () => {
    for (const path of ['create', 'update', 'delete', `list/${bob.user_id}`])
      expect((await org.as().post(`/api_keys/${path}`)).status).toBe(401);
    expect((await org.as().get('/api_keys/get/ApiKeyID_x')).status).toBe(401);
  });
});
