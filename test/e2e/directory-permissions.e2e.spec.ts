import { randomUUID } from 'node:crypto';
import type { Answer, Client } from '../support/client.js';
import { Signer } from '../support/signer.js';
import {
  BASE,
  org,
  bob,
  carl,
  root,
  trash,
  create,
  give,
  setUp,
} from './setup/directory-permissions.js';

describe('directory permissions over HTTP: create, get and list', () => {
  setUp();

  describe('create', () => {
    it('answers 200 with the record, and the record once more', async () => {
      const { status, data } = await create(org.admin, { note: 'n', action: 'ignored' });
      expect(status).toBe(200);
      const { permission, ...record } = data;
      expect(permission).toEqual(record);
      expect(Object.keys(record).toSorted()).toEqual(
        [
          ...['id', 'resource_id', 'resource_path', 'granted_to', 'granted_by'],
          ...['permission_types', 'begin_date_ms', 'expiry_date_ms', 'inheritable', 'note'],
          ...['created_at', 'last_modified_at', 'from_placeholder_grantee', 'labels'],
          ...['redeem_code', 'resource_name', 'grantee_name', 'grantee_avatar', 'granter_name'],
          ...['permission_previews', 'metadata', 'external_id', 'external_payload'],
        ].toSorted(),
      );
      expect(record).toMatchObject({
        granted_to: bob.user_id,
        granted_by: org.admin.user_id,
        grantee_name: 'Bob',
        permission_types: ['VIEW'],
        begin_date_ms: 0,
        expiry_date_ms: -1,
        inheritable: false,
        note: 'n',
        metadata: null,
        labels: [],
        redeem_code: null,
        resource_name: '.trash',
        permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
      });
    });

    it.each([undefined, null])('creates a placeholder with a code for grantee %s', async (to) => {
      const { data } = await create(org.admin, { granted_to: to });
      expect(data.granted_to).toMatch(/^PlaceholderPermissionGranteeID_/);
      expect(data.redeem_code).toMatch(/^RedeemTokenID_[0-9a-f-]{36}$/);
      expect(data.grantee_name).toBe('Awaiting Anon');
    });

    it('gives a placeholder of the client a code too', async () => {
      const granted_to = `PlaceholderPermissionGranteeID_${randomUUID()}`;
      const { data } = await create(org.admin, { granted_to });
      expect(data).toMatchObject({ granted_to, redeem_code: expect.stringContaining('Redeem') });
    });

    it('puts types in order, each once, and reads times as text', async () => {
      const { data } = await create(org.admin, {
        permission_types: ['MANAGE', 'VIEW', 'MANAGE'],
        begin_date_ms: '1000',
        expiry_date_ms: '2000',
      });
      expect(data).toMatchObject({
        permission_types: ['VIEW', 'MANAGE'],
        begin_date_ms: 1000,
        expiry_date_ms: 2000,
      });
    });

    it.each([0, null, -1, '0'])('stores the expiry %j as never', async (expiry_date_ms) => {
      expect((await create(org.admin, { expiry_date_ms })).data.expiry_date_ms).toBe(-1);
    });

    it.each([
      ['/resource_id', { resource_id: undefined }],
      ['/resource_id', { resource_id: 'DiskID_1' }],
      ['/resource_id', { resource_id: `FolderID_${'x'.repeat(129)}` }],
      ['/id', { id: 'SystemPermissionID_1' }],
      ['/granted_to', { granted_to: 'FolderID_1' }],
      ['/granted_to', { granted_to: 'public' }],
      ['/permission_types', { permission_types: undefined }],
      ['/permission_types', { permission_types: [] }],
      ['/permission_types/1', { permission_types: ['VIEW', 'CREATE'] }],
      ['/expiry_date_ms', { expiry_date_ms: -2 }],
      ['/expiry_date_ms', { expiry_date_ms: 'soon' }],
      ['/expiry_date_ms', { begin_date_ms: 5, expiry_date_ms: 5 }],
      ['/begin_date_ms', { begin_date_ms: 1.5 }],
      ['/inheritable', { inheritable: 1 }],
      ['/metadata', { metadata: 'text' }],
      ['/metadata', { metadata: [] }],
    ])('refuses 400 and blames %s for %j', async (pointer, body) => {
      const { status, err } = await create(org.admin, body);
      expect([status, err.details[0].pointer]).toEqual([400, pointer]);
    });

    it.each([
      ['note', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      expect((await create(org.admin, { [field]: 'x'.repeat(limit) })).status).toBe(200);
      const { status, err } = await create(org.admin, { [field]: 'x'.repeat(limit + 1) });
      expect([status, err.details]).toMatchObject([400, [{ pointer: `/${field}`, limit }]]);
    });

    it('takes metadata of exactly 8192 characters of JSON, and echoes them', async () => {
      const metadata = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) });
      const { data } = await create(org.admin, { metadata: metadata(8192) });
      expect(data.metadata).toEqual(metadata(8192));
      expect((await create(org.admin, { metadata: metadata(8193) })).status).toBe(400);
    });

    it('answers 404 for an unknown resource and for an unknown group', async () => {
      const resource = await create(bob, { resource_id: 'FolderID_unknown' });
      expect([resource.status, resource.err.type]).toEqual([404, 'resource.not-found']);
      expect((await create(org.admin, { resource_id: 'FileID_unknown' })).status).toBe(404);
      const group = await create(org.admin, { granted_to: 'GroupID_unknown' });
      expect([group.status, group.err.type]).toEqual([404, 'group.not-found']);
      const user = await create(org.admin, { granted_to: 'UserID_who-may-come-later' });
      expect(user.data.grantee_name).toBe('Unknown User (UserID_who-may-come-later)');
    });

    it('refuses 403 without MANAGE or INVITE, and beyond the ceiling', async () => {
      expect((await create(bob)).err).toMatchObject({ code: 403, type: 'permission.denied' });
      await give(bob.user_id, 'VIEW', 'INVITE');
      const wider = await create(bob, { granted_to: carl.user_id, permission_types: ['EDIT'] });
      expect([wider.status, wider.err.type]).toEqual([403, 'permission.ceiling']);
      expect(wider.err.details[0].pointer).toBe('/permission_types');
      expect((await create(bob, { granted_to: carl.user_id })).status).toBe(200);
    });

    it('refuses 403 to open more than VIEW and UPLOAD to PUBLIC, but for the owner', async () => {
      await give(bob.user_id, 'MANAGE');
      const wide = { granted_to: 'PUBLIC', permission_types: ['EDIT'] };
      expect((await create(bob, wide)).err.type).toBe('permission.public-too-wide');
      const narrow = { granted_to: 'PUBLIC', permission_types: ['VIEW', 'UPLOAD'] };
      expect((await create(bob, narrow)).data.grantee_name).toBe('PUBLIC');
      expect((await create(org.admin, wide)).status).toBe(200);
    });

    it('refuses 400 an id used before', async () => {
      const id = `DirectoryPermissionID_${randomUUID()}`;
      expect((await create(org.admin, { id })).data.id).toBe(id);
      const again = await create(org.admin, { id });
      expect([again.status, again.err.type]).toEqual([400, 'request.id-in-use']);
    });
  });

  describe('get', () => {
    it('shows the plain record to owner, grantee and holders of a type there', async () => {
      const { permission } = await give(bob.user_id, 'VIEW');
      await give(carl.user_id, 'UPLOAD');
      const path = `${BASE}/get/${permission.id}`;
      expect((await org.admin.get(path)).data).toEqual(permission);
      expect((await bob.get(path)).data).toMatchObject({ id: permission.id });
      expect((await carl.get(path)).data).toMatchObject({ resource_path: '' });
    });

    it('answers 404 to all other callers, as for unknown ids', async () => {
      const { id } = await give(bob.user_id, 'VIEW');
      for (const [who, which] of [
        [carl, id],
        [new Signer().in(org), id],
        [org.admin, 'DirectoryPermissionID_unknown'],
      ]) {
        const { status, err } = await who.get(`${BASE}/get/${which}`);
        expect([status, err.type]).toEqual([404, 'permission.not-found']);
      }
      expect((await org.admin.get(`${BASE}/get/SystemPermissionID_1`)).status).toBe(400);
    });

    it('shows PUBLIC grants to every caller with a key pair, 401 to callers without', async () => {
      const { id } = await give('PUBLIC', 'VIEW');
      expect((await new Signer().in(org).get(`${BASE}/get/${id}`)).data.id).toBe(id);
      expect((await org.as().get(`${BASE}/get/${id}`)).status).toBe(401);
    });

    it('shows code and password to granter and MANAGE only', async () => {
      const metadata = {
        metadata_type: 'DIRECTORY_PASSWORD',
        content: { DirectoryPassword: 'secret' },
      };
      const { data } = await create(org.admin, { granted_to: null, metadata });
      await give(bob.user_id, 'VIEW', 'EDIT', 'INVITE');
      await give(carl.user_id, 'MANAGE');
      const shown = async (who: Client) => (await who.get(`${BASE}/get/${data.id}`)).data;
      expect(await shown(bob)).toMatchObject({ redeem_code: null, metadata: null });
      expect(await shown(carl)).toMatchObject({ redeem_code: data.redeem_code, metadata });
    });
  });

  describe('list', () => {
    const list = (who: Client, body: object = {}): Promise<Answer> =>
      who.post(`${BASE}/list`, { filters: { resource_id: trash }, ...body });

    it('shows VIEW holders all grants placed on the resource, ten a page', async () => {
      const made: string[] = [];
      for (let at = 0; at < 11; at++) made.push((await give(`UserID_${at}`, 'UPLOAD')).id);
      made.push((await give(bob.user_id, 'VIEW')).id);
      await create(org.admin, { resource_id: root });
      const first = await list(bob);
      expect(first.data).toMatchObject({ page_size: 10, total: 12, direction: 'ASC' });
      const second = await list(bob, { cursor: first.data.cursor });
      const ids = [...first.data.items, ...second.data.items].map(({ id }) => id);
      expect(new Set(ids)).toEqual(new Set(made));
      expect(second.data.cursor_down).toBeNull();
      expect(first.data.items[0]).not.toHaveProperty('permission');
    });

    it('refuses 403 without VIEW, 404 to the owner for an unknown resource', async () => {
      await give(bob.user_id, 'UPLOAD');
      expect((await list(bob)).err.type).toBe('permission.denied');
      const unknown = { filters: { resource_id: 'FolderID_unknown' } };
      expect((await list(bob, unknown)).status).toBe(403);
      expect((await list(org.admin, unknown)).err.type).toBe('resource.not-found');
    });

    it('refuses 400 without a resource, out of range, and with a cursor of another list', async () => {
      for (const filters of [undefined, null, {}, '', { resource_id: 'DiskID_1' }])
        expect((await list(org.admin, { filters })).status).toBe(400);
      expect((await list(org.admin, { page_size: 1000 })).status).toBe(200);
      for (const page_size of [0, 1001])
        expect((await list(org.admin, { page_size })).status).toBe(400);
      for (const user of ['UserID_1', 'UserID_2']) await give(user, 'VIEW');
      const { cursor } = (await list(org.admin, { page_size: 1 })).data;
      const elsewhere = await list(org.admin, { filters: { resource_id: root }, cursor });
      expect([elsewhere.status, elsewhere.err.details[0].pointer]).toEqual([400, '/cursor']);
    });
  });
});
