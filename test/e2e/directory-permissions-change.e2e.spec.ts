import type { Answer, Client } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { Signer } from '../support/signer.js';
import {
  BASE,
  service,
  org,
  bob,
  carl,
  root,
  trash,
  create,
  give,
  setUp,
} from './setup/directory-permissions.js';

const DAY_MS = 86_400_000;

describe('directory permissions over HTTP: update, delete, check and redeem', () => {
  setUp();

  describe('update', () => {
    const update = (who: Client, id: string, body: object = {}): Promise<Answer> =>
      who.post(`${BASE}/update`, { id, permission_types: ['VIEW'], ...body });

    it('replaces the types; null clears texts and keeps the rest', async () => {
      const { data } = await create(org.admin, { note: 'n', metadata: {}, expiry_date_ms: 9 });
      const { data: changed } = await update(org.admin, data.id, {
        permission_types: ['UPLOAD'],
        note: null,
        metadata: null,
        begin_date_ms: null,
        expiry_date_ms: null,
        inheritable: null,
        resource_id: root,
        granted_to: carl.user_id,
      });
      expect(changed.permission).toMatchObject({
        permission_types: ['UPLOAD'],
        note: '',
        metadata: null,
        expiry_date_ms: 9,
        resource_id: trash,
        granted_to: bob.user_id,
      });
      expect(changed.last_modified_at).toBeGreaterThanOrEqual(data.last_modified_at);
    });

    it('refuses 400 without id or types, and a window that ends before it begins', async () => {
      const { id } = await give(bob.user_id, 'VIEW');
      expect((await update(org.admin, 'SystemPermissionID_1')).status).toBe(400);
      for (const permission_types of [undefined, null, [], ['CREATE']])
        expect((await update(org.admin, id, { permission_types })).status).toBe(400);
      const { err } = await update(org.admin, id, { begin_date_ms: 5, expiry_date_ms: 4 });
      expect(err.details[0].pointer).toBe('/expiry_date_ms');
      expect((await update(org.admin, id, { note: 'x'.repeat(8193) })).status).toBe(400);
    });

    it('answers 404 to callers who may not read it, 403 to callers who may not change it', async () => {
      const { id } = await give(bob.user_id, 'VIEW');
      expect((await update(carl, id)).err.type).toBe('permission.not-found');
      expect((await update(bob, id)).err.type).toBe('permission.denied');
      expect((await update(org.admin, 'DirectoryPermissionID_x')).status).toBe(404);
    });

    it('binds everybody but the owner to the ceiling and PUBLIC to its limits', async () => {
      const body = { permission_types: ['MANAGE'], expiry_date_ms: Date.now() + DAY_MS };
      await create(org.admin, body);
      const of_carl = await create(org.admin, { ...body, granted_to: carl.user_id });
      const { err } = await update(bob, of_carl.data.id, { expiry_date_ms: -1 });
      expect(err.type).toBe('permission.ceiling');
      const { id } = await give('PUBLIC', 'VIEW');
      const wide = await update(bob, id, { permission_types: ['EDIT'] });
      expect([wide.status, wide.err.type]).toEqual([403, 'permission.public-too-wide']);
    });
  });

  describe('delete', () => {
    it('accepts the permission under either name and deletes it', async () => {
      for (const name of ['permission_id', 'id']) {
        const { id } = await give(bob.user_id, 'VIEW');
        const { data } = await org.admin.post(`${BASE}/delete`, { [name]: id });
        expect(data).toEqual({ deleted_id: id });
        expect((await org.admin.post(`${BASE}/delete`, { [name]: id })).status).toBe(404);
      }
    });

    it('lets the grantee give it up, refuses 403 to other readers and 404 to the rest', async () => {
      const { id } = await give(bob.user_id, 'VIEW');
      const body = { permission_id: id };
      expect((await carl.post(`${BASE}/delete`, body)).status).toBe(404);
      await give(carl.user_id, 'VIEW');
      expect((await carl.post(`${BASE}/delete`, body)).status).toBe(403);
      expect((await bob.post(`${BASE}/delete`, body)).status).toBe(200);
    });

    it('refuses 400 without an id', async () => {
      for (const body of [{}, { permission_id: 'GroupID_1' }]) {
        const { status, err } = await org.admin.post(`${BASE}/delete`, body);
        expect([status, err.details[0].pointer]).toEqual([400, '/permission_id']);
      }
    });
  });

  describe('check', () => {
    const check = (who: Client, grantee_id: unknown, resource_id: unknown = trash) =>
      who.post(`${BASE}/check`, { resource_id, grantee_id });

    it('shows effective types, groups included, and all six of the owner', async () => {
      await give(bob.user_id, 'MANAGE', 'VIEW');
      await give('PUBLIC', 'UPLOAD');
      expect((await check(bob, bob.user_id)).data).toEqual({
        resource_id: trash,
        grantee_id: bob.user_id,
        permissions: ['VIEW', 'UPLOAD', 'MANAGE'],
      });
      expect((await check(carl, carl.user_id, root)).data.permissions).toEqual([
        'VIEW',
        'UPLOAD',
        'EDIT',
      ]);
      expect((await check(bob, org.admin.user_id)).data.permissions).toHaveLength(6);
      expect((await check(new Signer().in(org), 'PUBLIC')).data.permissions).toEqual(['UPLOAD']);
    });

    it('shows what a placeholder would grant', async () => {
      const { data } = await create(org.admin, { granted_to: null, permission_types: ['EDIT'] });
      expect((await check(org.admin, data.granted_to)).data.permissions).toEqual(['EDIT']);
    });

    it('refuses 403 queries about others without VIEW, existing or not', async () => {
      expect((await check(carl, bob.user_id)).err.type).toBe('permission.denied');
      expect((await check(carl, bob.user_id, 'FolderID_unknown')).status).toBe(403);
      expect((await check(bob, bob.user_id, 'FileID_unknown')).data.permissions).toEqual([]);
      expect((await check(carl, bob.user_id, root)).data.permissions).toContain('VIEW');
    });

    it('refuses 400 other resources and grantees, 401 without a token', async () => {
      for (const [grantee, resource] of [
        [undefined, trash],
        ['DiskID_1', trash],
        [bob.user_id, 'TABLE_DISKS'],
        [bob.user_id, null],
      ])
        expect((await check(org.admin, grantee, resource)).status).toBe(400);
      expect((await check(org.as(), bob.user_id)).status).toBe(401);
    });
  });

  describe('redeem', () => {
    const redeem = (who: Client, permission: any, body: object = {}): Promise<Answer> =>
      who.post(`${BASE}/redeem`, {
        permission_id: permission.id,
        user_id: bob.user_id,
        redeem_code: permission.redeem_code,
        ...body,
      });
    const waiting = async (body: object = {}): Promise<any> =>
      (await create(org.admin, { granted_to: null, note: 'before', ...body })).data;

    it('gives the grant to the named user, once, whichever caller sends the code', async () => {
      const permission = await waiting();
      const { data } = await redeem(new Signer().in(org), permission, { note: 'after' });
      expect(data.permission).toMatchObject({
        granted_to: bob.user_id,
        from_placeholder_grantee: permission.granted_to,
        redeem_code: null,
        note: 'after',
      });
      expect((await bob.get(`${BASE}/get/${permission.id}`)).status).toBe(200);
      expect((await redeem(carl, permission)).err.type).toBe('redeem.not-redeemable');
    });

    it('succeeds for exactly one of many concurrent callers', async () => {
      const permission = await waiting();
      const all = await Promise.all(
        Array.from({ length: 8 }, (_, at) => redeem(carl, permission, { user_id: `UserID_${at}` })),
      );
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('refuses 404 unknown ones, 400 wrong codes, named grantees and other times', async () => {
      const unknown = await redeem(carl, { id: 'DirectoryPermissionID_x', redeem_code: 'c' });
      expect([unknown.status, unknown.err.type]).toEqual([404, 'permission.not-found']);
      const wrong = await redeem(carl, await waiting(), { redeem_code: 'RedeemTokenID_x' });
      expect([wrong.status, wrong.err.type]).toEqual([400, 'redeem.code-invalid']);
      const named = await redeem(carl, { ...(await give(bob.user_id, 'VIEW')), redeem_code: 'c' });
      expect([named.status, named.err.type]).toEqual([400, 'redeem.not-redeemable']);
      for (const times of [{ expiry_date_ms: 1 }, { begin_date_ms: Date.now() + DAY_MS }]) {
        const { status, err } = await redeem(carl, await waiting(times));
        expect([status, err.type]).toEqual([400, 'redeem.not-redeemable']);
      }
    });

    it('refuses 409 a former id of a superswapped contact', async () => {
      const other = await service.organization('Old');
      const [old] = other.members as [Client];
      await other.admin.post('/organization/superswap_user', {
        current_user_id: old.user_id,
        new_user_id: 'UserID_new',
      });
      const { data: disk } = await other.admin.post('/disks/create', {
        name: 'D',
        disk_type: 'LOCAL_SSD',
      });
      const { data } = await create(other.admin, {
        resource_id: disk.root_folder,
        granted_to: null,
      });
      const { status, err } = await redeem(other.admin, data, { user_id: old.user_id });
      expect([status, err.type]).toEqual([409, 'user.former-id']);
    });

    it('refuses 400 bad fields, and takes a note of exactly 8192 characters', async () => {
      const permission = await waiting();
      for (const body of [
        { permission_id: 'SystemPermissionID_1' },
        { user_id: undefined },
        { user_id: 'PUBLIC' },
        { redeem_code: undefined },
        { note: 'x'.repeat(8193) },
      ])
        expect((await redeem(carl, permission, body)).status).toBe(400);
      expect((await redeem(carl, permission, { note: 'x'.repeat(8192) })).status).toBe(200);
    });
  });

  it('lets EDIT and DELETE on PERMISSIONS change what its holder may read', async () => {
    const { id } = await give(carl.user_id, 'VIEW');
    const editor = new Signer();
    await given(service, org, granted(org, editor.user_id, id, 'VIEW', 'EDIT', 'DELETE'));
    const client = editor.in(org);
    const body = { id, permission_types: ['VIEW'], note: 'by the editor' };
    expect((await client.post(`${BASE}/update`, body)).data.note).toBe('by the editor');
    const wider = await client.post(`${BASE}/update`, { ...body, permission_types: ['EDIT'] });
    expect(wider.err.type).toBe('permission.ceiling');
    expect((await client.post(`${BASE}/delete`, { permission_id: id })).status).toBe(200);
  });
});
