import { randomUUID } from 'node:crypto';
import type { Client } from '../support/client.js';
import { Signer } from '../support/signer.js';
import { BASE, org, bob, carl, label, create, give, setUp } from './setup/system-permissions.js';

describe('system permissions over HTTP: create, get and list', () => {
  setUp();

  describe('create', () => {
    it('answers 200 with the record, and the record once more', async () => {
      const { status, data } = await create(org.admin);
      expect(status).toBe(200);
      const { permission, ...record } = data;
      expect(permission).toEqual(record);
      expect(record).toMatchObject({
        resource_id: label,
        resource_path: label,
        resource_name: label,
        granted_to: bob.user_id,
        granted_by: org.admin.user_id,
        grantee_name: 'Bob',
        permission_types: ['EDIT'],
        begin_date_ms: 0,
        expiry_date_ms: -1,
        inheritable: true,
        note: '',
        labels: [],
        metadata: null,
        redeem_code: null,
        external_id: null,
      });
    });

    it.each([
      ['TABLE_DISKS', 'TABLE_DISKS'],
      ['DISKS', 'TABLE_DISKS'],
      ['TAGS', 'TABLE_LABELS'],
      [{ type: 'Table', value: 'DISKS' }, 'TABLE_DISKS'],
      [{ type: 'Record', value: 'DiskID_1' }, 'DiskID_1'],
      [{ Table: 'DISKS' }, 'TABLE_DISKS'],
      [{ Record: 'DiskID_1' }, 'DiskID_1'],
      ['DiskID_1', 'DiskID_1'],
      ['RECORD_DiskID_1', 'DiskID_1'],
    ])('reads the resource %j as %s', async (resource_id, stored) => {
      const body = { resource_id, granted_to: 'UserID_nobody' };
      expect((await create(org.admin, body)).data.resource_id).toBe(stored);
    });

    it('takes UPDATE for EDIT, and puts types in order', async () => {
      const { data } = await create(org.admin, { permission_types: ['UPDATE', 'VIEW', 'EDIT'] });
      expect(data.permission_types).toEqual(['VIEW', 'EDIT']);
    });

    it('creates a placeholder with a code if no grantee is given', async () => {
      const { data } = await create(org.admin, { granted_to: null });
      expect(data.granted_to).toMatch(/^PlaceholderPermissionGranteeID_/);
      expect(data.redeem_code).toMatch(/^RedeemTokenID_[0-9a-f-]{36}$/);
    });

    it.each([
      ['/resource_id', { resource_id: undefined }],
      ['/resource_id', { resource_id: 'TABLE_COOKIES' }],
      ['/resource_id', { resource_id: 'FolderID_1' }],
      ['/resource_id', { resource_id: { Record: 'FileID_1' } }],
      ['/resource_id', { resource_id: { type: 'Table' } }],
      ['/id', { id: 'DirectoryPermissionID_1' }],
      ['/granted_to', { granted_to: 'DiskID_1' }],
      ['/permission_types', { permission_types: [] }],
      ['/permission_types/0', { permission_types: ['MANAGE'] }],
      ['/expiry_date_ms', { expiry_date_ms: -2 }],
      ['/expiry_date_ms', { begin_date_ms: 5, expiry_date_ms: 4 }],
      ['/inheritable', { inheritable: 'yes' }],
      ['/metadata', { metadata: 7 }],
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

    it('refuses 403 without CREATE on PERMISSIONS or INVITE on the target, and the ceiling', async () => {
      expect((await create(bob)).err).toMatchObject({ code: 403, type: 'permission.denied' });
      await give(bob.user_id, label, 'VIEW', 'INVITE');
      const to_carl = { granted_to: carl.user_id };
      const wider = await create(bob, to_carl);
      expect([wider.status, wider.err.type]).toEqual([403, 'permission.ceiling']);
      const held = await create(bob, { ...to_carl, permission_types: ['VIEW'] });
      expect(held.status).toBe(200);
    });

    it('refuses 403 to open more than VIEW and CREATE to PUBLIC, and some tables at all', async () => {
      await give(bob.user_id, label, 'VIEW', 'EDIT', 'INVITE');
      const wide = await create(bob, { granted_to: 'PUBLIC' });
      expect([wide.status, wide.err.type]).toEqual([403, 'permission.public-too-wide']);
      const webhook = `WebhookID_${randomUUID()}`;
      await give(bob.user_id, webhook, 'VIEW', 'INVITE');
      const body = { granted_to: 'PUBLIC', permission_types: ['VIEW'] };
      expect((await create(bob, { ...body, resource_id: webhook })).status).toBe(403);
      expect((await create(bob, body)).status).toBe(200);
    });

    it('answers 404 for an unknown group and 400 for an id used before', async () => {
      const group = await create(org.admin, { granted_to: 'GroupID_unknown' });
      expect([group.status, group.err.type]).toEqual([404, 'group.not-found']);
      const id = `SystemPermissionID_${randomUUID()}`;
      expect((await create(org.admin, { id })).data.id).toBe(id);
      expect((await create(org.admin, { id })).err.type).toBe('request.id-in-use');
    });
  });

  describe('get', () => {
    it('shows the plain record to owner, grantee, granter and VIEW on PERMISSIONS', async () => {
      const { permission } = await give(bob.user_id, label, 'EDIT');
      const path = `${BASE}/get/${permission.id}`;
      expect((await org.admin.get(path)).data).toEqual(permission);
      expect((await bob.get(path)).status).toBe(200);
      expect((await carl.get(path)).err).toMatchObject({ code: 404, type: 'permission.not-found' });
      await give(carl.user_id, permission.id, 'VIEW');
      expect((await carl.get(path)).data.permission_previews).toEqual(['VIEW']);
    });

    it('answers 404 for unknown ids, 400 for ids of another kind, 401 without a token', async () => {
      expect((await org.admin.get(`${BASE}/get/SystemPermissionID_x`)).status).toBe(404);
      expect((await org.admin.get(`${BASE}/get/DirectoryPermissionID_x`)).status).toBe(400);
      expect((await org.as().get(`${BASE}/get/SystemPermissionID_x`)).status).toBe(401);
    });

    it('does not show a code to VIEW on PERMISSIONS', async () => {
      const { data } = await create(org.admin, { granted_to: null });
      await give(carl.user_id, data.id, 'VIEW', 'EDIT');
      expect((await carl.get(`${BASE}/get/${data.id}`)).data.redeem_code).toBeNull();
      expect((await org.admin.get(`${BASE}/get/${data.id}`)).data.redeem_code).toBe(
        data.redeem_code,
      );
    });
  });

  describe('list', () => {
    const list = (who: Client, body: object = {}) => who.post(`${BASE}/list`, body);

    it('shows what the caller may read, and no error where that is nothing', async () => {
      const to_bob = await give(bob.user_id, label, 'VIEW');
      const to_all = await give('PUBLIC', label, 'VIEW');
      const to_carl = await give(carl.user_id, label, 'VIEW');
      const ids = async (who: Client) =>
        (await list(who, { page_size: 1000, filters: { resource_ids: [label] } })).data.items.map(
          ({ id }: { id: string }) => id,
        );
      expect(await ids(bob)).toEqual([to_bob.id, to_all.id]);
      expect(await ids(new Signer().in(org))).toEqual([to_all.id]);
      expect(await ids(org.admin)).toEqual([to_bob.id, to_all.id, to_carl.id]);
      const none = await list(bob, { filters: { resource_ids: ['DiskID_none'] } });
      expect([none.status, none.data.items, none.data.total]).toEqual([200, [], 0]);
    });

    it('filters by any of the resources, any of the grantees, and both', async () => {
      const a = await give(bob.user_id, label, 'VIEW');
      const b = await give(carl.user_id, label, 'VIEW');
      const c = await give(bob.user_id, 'DISKS', 'VIEW');
      const total = async (filters: object) => (await list(org.admin, { filters })).data;
      const both = { resource_ids: [label, { Table: 'DISKS' }], grantee_ids: [bob.user_id] };
      const found = (await total(both)).items.map(({ id }: { id: string }) => id);
      expect(found).toEqual(expect.arrayContaining([a.id, c.id]));
      expect(found).not.toContain(b.id);
      expect((await total({ resource_ids: [label] })).total).toBe(2);
      expect((await total({ ...both, labels: ['red'] })).total).toBe(0);
    });

    it('has ten a page, and pages by cursor', async () => {
      for (let at = 0; at < 11; at++) await give(`UserID_${at}`, label, 'VIEW');
      const filters = { resource_ids: [label] };
      const first = await list(org.admin, { filters });
      expect(first.data).toMatchObject({ page_size: 10, total: 11, direction: 'ASC' });
      const { data } = await list(org.admin, { filters, cursor_down: first.data.cursor_down });
      expect([data.items.length, data.cursor_down]).toEqual([1, null]);
      const alike = { resource_ids: [label, label], labels: [] };
      const { cursor_down } = first.data;
      expect((await list(org.admin, { filters: alike, cursor_down })).data).toEqual(data);
      const other = await list(org.admin, { cursor_down: first.data.cursor_down });
      expect([other.status, other.err.details[0].pointer]).toEqual([400, '/cursor_down']);
    });

    it('takes no filters, null and empty ones, and refuses 400 bad ones', async () => {
      for (const filters of [undefined, null, '', {}, { resource_ids: [] }])
        expect((await list(org.admin, { filters })).status).toBe(200);
      for (const filters of [
        'text',
        { resource_ids: 'TABLE_DISKS' },
        { resource_ids: ['FolderID_1'] },
        { grantee_ids: ['DiskID_1'] },
        { labels: [7] },
      ])
        expect((await list(org.admin, { filters })).status).toBe(400);
      for (const page_size of [0, 1001]) expect((await list(bob, { page_size })).status).toBe(400);
    });
  });
});
