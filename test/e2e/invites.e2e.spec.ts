import { randomUUID } from 'node:crypto';
import { given, granted } from '../support/facts.js';
import {
  service,
  org,
  bob,
  carol,
  group_id,
  post,
  create,
  typeOf,
  setUp,
} from './setup/invites.js';

describe('group invites over HTTP', () => {
  setUp();

  describe('create', () => {
    it('answers 200 with the whole record of a placeholder', async () => {
      const { status, data } = await post({ note: 'welcome' });
      expect(status).toBe(200);
      expect(data).toEqual({
        id: expect.stringMatching(/^GroupInviteID_/),
        group_id,
        inviter_id: org.admin.user_id,
        invitee_id: expect.stringMatching(/^PlaceholderGroupInviteeID_/),
        role: 'MEMBER',
        note: 'welcome',
        active_from: 0,
        expires_at: -1,
        created_at: expect.any(Number),
        last_modified_at: data.created_at,
        redeem_code: expect.stringMatching(/^RedeemTokenID_/),
        from_placeholder_invitee: null,
        labels: [],
        external_id: null,
        external_payload: null,
        group_name: 'Finance',
        group_avatar: '',
        invitee_name: 'Awaiting Anon',
        invitee_avatar: null,
        permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
      });
    });

    it('makes a named user a member immediately', async () => {
      const invite = await create({ invitee_id: bob.user_id, role: 'ADMIN' });
      expect(invite).toMatchObject({ invitee_name: 'Bob', redeem_code: null });
      const { data } = await bob.get(`/groups/get/${group_id}`);
      expect(data.admin_invites).toContain(invite.id);
    });

    it('reads times from digits, and null and 0 as never', async () => {
      const from = await create({ active_from: '1700000000000', expires_at: '1800000000000' });
      expect(from).toMatchObject({ active_from: 1700000000000, expires_at: 1800000000000 });
      expect(await create({ active_from: null, expires_at: null })).toMatchObject({
        active_from: 0,
        expires_at: -1,
      });
      expect((await create({ expires_at: 0 })).expires_at).toBe(-1);
      expect((await create({ expires_at: '-1' })).expires_at).toBe(-1);
    });

    it.each([
      ['note', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      expect((await post({ [field]: 'x'.repeat(limit) })).status).toBe(200);
      const { status, err } = await post({ [field]: 'x'.repeat(limit + 1) });
      expect(status).toBe(400);
      expect(err.details).toMatchObject([{ pointer: `/${field}`, limit }]);
    });

    it('takes an id of exactly 128 characters behind its prefix and no more', async () => {
      const id = `GroupInviteID_${randomUUID()}`.padEnd(14 + 128, 'x');
      expect((await create({ id })).id).toBe(id);
      expect((await post({ id: `${id}x` })).err.details[0].pointer).toBe('/id');
    });

    it.each([
      ['/group_id', { group_id: undefined }],
      ['/group_id', { group_id: 'GroupInviteID_x' }],
      ['/invitee_id', { invitee_id: 'GroupID_x' }],
      ['/invitee_id', { invitee_id: 'public' }],
      ['/role', { role: undefined }],
      ['/role', { role: null }],
      ['/role', { role: 'OWNER' }],
      ['/role', { role: 'ADMIN', invitee_id: 'PUBLIC' }],
      ['/active_from', { active_from: 'soon' }],
      ['/active_from', { active_from: 1.5 }],
      ['/expires_at', { expires_at: -2 }],
      ['/expires_at', { expires_at: true }],
      ['/expires_at', { active_from: 5, expires_at: 5 }],
      ['/note', { note: 7 }],
    ])('refuses 400 blaming %s for %j', async (pointer, body) => {
      const { status, err } = await post(body);
      expect(status).toBe(400);
      expect(err.details).toMatchObject([{ pointer }]);
    });

    it('lets a window end one millisecond after it begins', async () => {
      expect((await post({ active_from: 5, expires_at: 6 })).status).toBe(200);
    });

    it('refuses 404 an unknown group, 403 a stranger, 400 an id used before', async () => {
      expect(typeOf(await post({ group_id: 'GroupID_none' }))).toEqual([404, 'group.not-found']);
      expect(typeOf(await post({}, bob))).toEqual([403, 'permission.denied']);
      const { id } = await create();
      expect(typeOf(await post({ id }))).toEqual([400, 'request.id-in-use']);
    });

    it('is open to INVITE on the group, but not for admins', async () => {
      await given(service, org, granted(org, bob.user_id, group_id, 'INVITE'));
      expect((await post({}, bob)).data.redeem_code).toMatch(/^RedeemTokenID_/);
      expect(typeOf(await post({ role: 'ADMIN' }, bob))).toEqual([403, 'permission.denied']);
    });
  });

  describe('get', () => {
    it('shows an invite to its invitee, without the code of others', async () => {
      const { id } = await create({ invitee_id: bob.user_id });
      const { data } = await bob.get(`/groups/invites/get/${id}`);
      expect(data).toMatchObject({ id, permission_previews: ['VIEW'] });
      expect(typeOf(await carol.get(`/groups/invites/get/${id}`))).toEqual([
        403,
        'permission.denied',
      ]);
    });

    it('hides a code from holders of VIEW, but not that of a public invite', async () => {
      await given(service, org, granted(org, bob.user_id, group_id, 'VIEW'));
      const coded = await create();
      const open = await create({ invitee_id: 'PUBLIC' });
      const seen = async (id: string) =>
        (await bob.get(`/groups/invites/get/${id}`)).data.redeem_code;
      expect(await seen(coded.id)).toBeNull();
      expect(await seen(open.id)).toBe('PUBLIC');
    });

    it('answers 404 for unknown ids and 400 for other kinds', async () => {
      const unknown = await org.admin.get('/groups/invites/get/GroupInviteID_none');
      expect(typeOf(unknown)).toEqual([404, 'invite.not-found']);
      expect((await org.admin.get(`/groups/invites/get/${group_id}`)).status).toBe(400);
    });
  });

  describe('list', () => {
    const list = (body: object = {}, who = org.admin) =>
      who.post('/groups/invites/list', { group_id, ...body });

    it('shows members every invite of the group, expired ones too', async () => {
      await create({ invitee_id: bob.user_id });
      await create({ invitee_id: carol.user_id, expires_at: 1 });
      await create();
      const { data } = await list({}, bob);
      expect(data.total).toBe(4);
      expect(data.items.map((invite: any) => invite.invitee_name)).toEqual([
        'Admin',
        'Bob',
        'Carol',
        'Awaiting Anon',
      ]);
      expect(data.items[3].redeem_code).toBeNull();
      expect((await list()).data.items[3].redeem_code).toMatch(/^RedeemTokenID_/);
    });

    it('filters by note, invitee and name, whatever the case', async () => {
      await create({ invitee_id: bob.user_id, note: 'Sales 100%' });
      await create({ invitee_id: 'PUBLIC' });
      await create({ invitee_id: 'UserID_stranger' });
      const found = async (filters: string) =>
        (await list({ filters })).data.items.map((invite: any) => invite.invitee_id);
      expect(await found('sales 100%')).toEqual([bob.user_id]);
      await org.admin.post('/contacts/update', { id: bob.user_id, name: 'Bob Ö.' });
      expect(await found('BOB ö')).toEqual([bob.user_id]);
      expect(await found(bob.user_id.slice(7, 20))).toEqual([bob.user_id]);
      expect(await found('public')).toEqual(['PUBLIC']);
      expect(await found('unknown user')).toEqual(['UserID_stranger']);
      expect(await found('%')).toEqual([bob.user_id]);
      expect(await found('no where')).toEqual([]);
    });

    it('pages by cursors that belong to the group', async () => {
      for (let at = 0; at < 4; at++) await create();
      const first = (await list({ page_size: 2 })).data;
      const second = (await list({ page_size: 2, cursor_down: first.cursor_down })).data;
      const back = (await list({ page_size: 2, cursor_up: second.cursor_up })).data;
      expect(back.items).toEqual(first.items);
      expect(first).toMatchObject({ total: 5, cursor_up: null });
      const other = (await org.admin.post('/groups/create', {})).data.id;
      const foreign = await list({ group_id: other, cursor_down: first.cursor_down });
      expect(foreign.err.details[0].pointer).toBe('/cursor_down');
    });

    it('refuses 400 without a group, 404 an unknown one, 403 strangers', async () => {
      expect((await list({ group_id: undefined })).err.details[0].pointer).toBe('/group_id');
      expect(typeOf(await list({ group_id: 'GroupID_none' }))).toEqual([404, 'group.not-found']);
      expect(typeOf(await list({}, bob))).toEqual([403, 'permission.denied']);
    });

    it('takes filters of exactly 256 characters and no more', async () => {
      expect((await list({ filters: 'x'.repeat(256) })).status).toBe(200);
      expect((await list({ filters: 'x'.repeat(257) })).status).toBe(400);
    });
  });

  describe('update', () => {
    const update = (body: object, who = org.admin) => who.post('/groups/invites/update', body);

    it('changes what is given; null clears texts and leaves role and times', async () => {
      const { id } = await create({ note: 'n', external_id: 'e', expires_at: 1_900_000_000_000 });
      const nulls = { note: null, external_id: null, role: null, expires_at: null };
      const { data } = await update({ id, ...nulls, active_from: '5' });
      expect(data).toMatchObject({
        note: '',
        external_id: null,
        role: 'MEMBER',
        active_from: 5,
        expires_at: 1_900_000_000_000,
      });
      expect(data.redeem_code).toMatch(/^RedeemTokenID_/);
    });

    it('refuses 400 an empty change and a window that ends too early', async () => {
      const { id } = await create({ active_from: 10 });
      expect(typeOf(await update({ id, role: null }))).toEqual([400, 'request.nothing-to-update']);
      expect((await update({ id, expires_at: 10 })).err.details[0].pointer).toBe('/expires_at');
      expect((await update({ id, expires_at: 11 })).status).toBe(200);
    });

    it('refuses 400 a public invite with the role ADMIN', async () => {
      const { id } = await create({ invitee_id: 'PUBLIC' });
      expect((await update({ id, role: 'ADMIN' })).err.details[0].pointer).toBe('/role');
    });

    it('refuses 403 the invitee, and 404 an unknown invite', async () => {
      const { id } = await create({ invitee_id: bob.user_id });
      expect(typeOf(await update({ id, note: 'x' }, bob))).toEqual([403, 'permission.denied']);
      const unknown = { id: 'GroupInviteID_none', note: 'x' };
      expect(typeOf(await update(unknown))).toEqual([404, 'invite.not-found']);
      expect((await update({ note: 'x' })).err.details[0].pointer).toBe('/id');
    });

    it.each([
      ['note', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      const { id } = await create();
      expect((await update({ id, [field]: 'x'.repeat(limit) })).status).toBe(200);
      expect((await update({ id, [field]: 'x'.repeat(limit + 1) })).status).toBe(400);
    });
  });

  describe('delete', () => {
    const remove = (id: string, who = org.admin) => who.post('/groups/invites/delete', { id });

    it('lets a member leave with all invites', async () => {
      const { id } = await create({ invitee_id: bob.user_id });
      const other = await create({ invitee_id: bob.user_id, role: 'ADMIN' });
      expect((await remove(id, bob)).data).toEqual({ id, deleted: true });
      expect((await org.admin.get(`/groups/invites/get/${other.id}`)).status).toBe(404);
      expect((await bob.get(`/groups/get/${group_id}`)).status).toBe(403);
    });

    it('refuses 403 strangers and 404 a deleted invite', async () => {
      const { id } = await create({ invitee_id: bob.user_id });
      expect(typeOf(await remove(id, carol))).toEqual([403, 'permission.denied']);
      await remove(id);
      expect(typeOf(await remove(id))).toEqual([404, 'invite.not-found']);
    });
  });
});
