import { randomUUID } from 'node:crypto';
import type { Answer, Client, Organization } from '../support/client.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

const BASE = '/permissions/system';
const DAY_MS = 86_400_000;

describe('system permissions over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let carl: Client;
  /** A record of its own for every test; nobody has anything on the table. */
  let label: string;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob', 'Carl');
    [bob, carl] = org.members as [Client, Client];
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    label = `LabelID_${randomUUID()}`;
  });

  const create = (who: Client, body: object = {}): Promise<Answer> =>
    who.post(`${BASE}/create`, {
      resource_id: label,
      granted_to: bob.user_id,
      permission_types: ['EDIT'],
      ...body,
    });
  const give = async (to: string, resource_id: string, ...permission_types: string[]) =>
    (await create(org.admin, { granted_to: to, resource_id, permission_types })).data;

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

    it('makes a placeholder with a code where no grantee is given', async () => {
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
    ])('takes a %s of exactly %i characters and not one more', async (field, limit) => {
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
      const other = await list(org.admin, { cursor_down: first.data.cursor_down });
      expect([other.status, other.err.details[0].pointer]).toEqual([400, '/cursor_down']);
    });

    it('takes no filters, null and empty ones, and refuses 400 bad ones', async () => {
      for (const filters of [undefined, null, {}, { resource_ids: [] }])
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

  describe('update', () => {
    const update = (who: Client, id: string, body: object = { note: 'n' }): Promise<Answer> =>
      who.post(`${BASE}/update`, { id, ...body });

    it('changes what is given; null clears texts and keeps the rest', async () => {
      const { data } = await create(org.admin, { note: 'n', external_id: 'e' });
      const { data: changed } = await update(org.admin, data.id, {
        permission_types: ['VIEW'],
        resource_id: null,
        granted_to: null,
        note: null,
        external_id: null,
      });
      expect(changed.permission).toMatchObject({
        permission_types: ['VIEW'],
        resource_id: label,
        granted_to: bob.user_id,
        note: '',
        external_id: null,
      });
    });

    it('moves the grant, and gives placeholders fresh codes', async () => {
      const { id, redeem_code } = (await create(org.admin, { granted_to: null })).data;
      const granted_to = `PlaceholderPermissionGranteeID_${randomUUID()}`;
      const waiting = await update(org.admin, id, { granted_to, resource_id: 'DISKS' });
      expect(waiting.data).toMatchObject({ granted_to, resource_id: 'TABLE_DISKS' });
      expect(waiting.data.redeem_code).toMatch(/^RedeemTokenID_/);
      expect(waiting.data.redeem_code).not.toBe(redeem_code);
      const named = await update(org.admin, id, { granted_to: carl.user_id });
      expect(named.data).toMatchObject({ granted_to: carl.user_id, redeem_code: null });
    });

    it('refuses 400 an empty change and bad fields, 404 a directory permission’s id', async () => {
      const { id } = await give(bob.user_id, label, 'EDIT');
      const empty = await update(org.admin, id, {});
      expect([empty.status, empty.err.type]).toEqual([400, 'request.nothing-to-update']);
      for (const body of [
        { resource_id: 'FileID_1' },
        { granted_to: 'x' },
        { permission_types: [] },
        { begin_date_ms: 9, expiry_date_ms: 9 },
        { note: 'x'.repeat(8193) },
      ])
        expect((await update(org.admin, id, body)).status).toBe(400);
      expect((await update(org.admin, 'DirectoryPermissionID_1')).status).toBe(404);
      expect((await update(org.admin, 'GroupID_1')).status).toBe(400);
      const group = await update(org.admin, id, { granted_to: 'GroupID_unknown' });
      expect([group.status, group.err.type]).toEqual([404, 'group.not-found']);
    });

    it('answers 404 to those who may not read it, 403 to those who may not change it', async () => {
      const { id } = await give(bob.user_id, label, 'EDIT');
      expect((await update(carl, id)).err.type).toBe('permission.not-found');
      expect((await update(bob, id)).err.type).toBe('permission.denied');
    });

    it('binds EDIT on PERMISSIONS to the ceiling and PUBLIC to its limits', async () => {
      const { id } = await give(carl.user_id, label, 'VIEW');
      await give(bob.user_id, id, 'VIEW', 'EDIT');
      expect((await update(bob, id)).status).toBe(200);
      const moved = await update(bob, id, { granted_to: bob.user_id });
      expect([moved.status, moved.err.type]).toEqual([403, 'permission.ceiling']);
      await give(bob.user_id, label, 'VIEW', 'DELETE');
      const wide = { granted_to: 'PUBLIC', permission_types: ['DELETE'] };
      expect((await update(bob, id, wide)).err.type).toBe('permission.public-too-wide');
      expect((await update(bob, id, { granted_to: 'PUBLIC' })).status).toBe(200);
    });
  });

  describe('delete', () => {
    it('takes the permission under either name, and it is gone', async () => {
      for (const name of ['permission_id', 'id']) {
        const { id } = await give(bob.user_id, label, 'VIEW');
        const { data } = await org.admin.post(`${BASE}/delete`, { [name]: id });
        expect(data).toEqual({ deleted_id: id });
        expect((await org.admin.post(`${BASE}/delete`, { [name]: id })).status).toBe(404);
      }
      expect((await org.admin.post(`${BASE}/delete`)).status).toBe(400);
    });

    it('lets the grantee give it up, refuses 403 to other readers and 404 to the rest', async () => {
      const { id } = await give(bob.user_id, label, 'VIEW');
      const body = { permission_id: id };
      expect((await carl.post(`${BASE}/delete`, body)).status).toBe(404);
      await give(carl.user_id, id, 'VIEW');
      expect((await carl.post(`${BASE}/delete`, body)).status).toBe(403);
      expect((await bob.post(`${BASE}/delete`, body)).status).toBe(200);
    });
  });

  describe('check', () => {
    const check = (who: Client, grantee_id: unknown, resource_id: unknown = label) =>
      who.post(`${BASE}/check`, { resource_id, grantee_id });

    it('tells the types of table and record, and all five of the owner', async () => {
      const disk = `DiskID_${randomUUID()}`;
      await give(bob.user_id, disk, 'EDIT');
      expect((await check(bob, bob.user_id, { Record: disk })).data).toEqual({
        resource_id: disk,
        grantee_id: bob.user_id,
        permissions: ['VIEW', 'EDIT'],
      });
      const table = await check(bob, bob.user_id, 'DISKS');
      expect(table.data).toMatchObject({ resource_id: 'TABLE_DISKS', permissions: ['VIEW'] });
      expect((await check(org.admin, org.admin.user_id)).data.permissions).toHaveLength(5);
    });

    it('refuses 403 to ask about others without VIEW on target or PERMISSIONS', async () => {
      const stranger = new Signer();
      const client = stranger.in(org);
      expect((await check(client, bob.user_id)).err.type).toBe('permission.denied');
      expect((await check(client, stranger.user_id)).data.permissions).toEqual([]);
      expect((await check(client, 'PUBLIC')).status).toBe(200);
      await give(stranger.user_id, label, 'VIEW');
      expect((await check(client, bob.user_id)).status).toBe(200);
    });

    it('refuses 400 other resources and grantees, 401 without a token', async () => {
      for (const [grantee, resource] of [
        [undefined, label],
        ['DiskID_1', label],
        [bob.user_id, 'FolderID_1'],
        [bob.user_id, null],
      ])
        expect((await check(org.admin, grantee, resource)).status).toBe(400);
      expect((await check(org.as(), 'PUBLIC')).status).toBe(401);
    });
  });

  describe('redeem', () => {
    const redeem = (permission: any, body: object = {}): Promise<Answer> =>
      new Signer().in(org).post(`${BASE}/redeem`, {
        permission_id: permission.id,
        user_id: bob.user_id,
        redeem_code: permission.redeem_code,
        ...body,
      });
    const waiting = async (body: object = {}): Promise<any> =>
      (await create(org.admin, { granted_to: null, note: 'before', ...body })).data;

    it('gives the grant to the user named, once', async () => {
      const permission = await waiting();
      expect((await redeem(permission)).data.permission).toMatchObject({
        granted_to: bob.user_id,
        from_placeholder_grantee: permission.granted_to,
        redeem_code: null,
        note: 'before',
      });
      expect((await redeem(permission)).status).toBe(400);
    });

    it('refuses 404 unknown ones, 400 wrong codes, other times and bad fields', async () => {
      const unknown = await redeem({ id: 'SystemPermissionID_x', redeem_code: 'c' });
      expect([unknown.status, unknown.err.type]).toEqual([404, 'permission.not-found']);
      const wrong = await redeem(await waiting(), { redeem_code: 'RedeemTokenID_x' });
      expect([wrong.status, wrong.err.type]).toEqual([400, 'redeem.code-invalid']);
      for (const times of [{ expiry_date_ms: 1 }, { begin_date_ms: Date.now() + DAY_MS }])
        expect((await redeem(await waiting(times))).err.type).toBe('redeem.not-redeemable');
      for (const body of [
        { permission_id: 'DirectoryPermissionID_1' },
        { user_id: 'GroupID_1' },
        { redeem_code: null },
        { note: 'x'.repeat(8193) },
      ])
        expect((await redeem(await waiting(), body)).status).toBe(400);
    });
  });
});
