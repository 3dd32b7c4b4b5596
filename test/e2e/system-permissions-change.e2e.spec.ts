import { randomUUID } from 'node:crypto';
import type { Answer, Client } from '../support/client.js';
import { Signer } from '../support/signer.js';
import { BASE, org, bob, carl, label, create, give, setUp } from './setup/system-permissions.js';

const DAY_MS = 86_400_000;

describe('system permissions over HTTP: update, delete, check and redeem', () => {
  setUp();

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

    it('answers 404 to callers who may not read it, 403 to callers who may not change it', async () => {
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
    it('accepts the permission under either name and deletes it', async () => {
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

    it('shows the types of table and record, and all five of the owner', async () => {
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

    it('refuses 403 queries about others without VIEW on target or PERMISSIONS', async () => {
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
