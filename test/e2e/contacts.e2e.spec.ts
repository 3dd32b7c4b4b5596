import type { Answer, Client } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import {
  service,
  org,
  bob,
  carol,
  newUser,
  create,
  typeOf,
  blame,
  setUp,
} from './setup/contacts.js';

const PHRASE =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

describe('contacts over HTTP', () => {
  setUp();

  describe('get', () => {
    it('is not online since before it was created again', async () => {
      const { admin, members } = await service.organization('Dora');
      const [dora] = members;
      const { user_id: id } = dora!;
      // Each process knows of the calls to itself at once, so Dora asks herself.
      const lastOnline = async (by: Client): Promise<number> =>
        (await by.get(`/contacts/get/${id}`)).data.last_online_ms;
      expect(await lastOnline(dora!)).toBeGreaterThan(0);
      expect((await admin.post('/contacts/delete', { id })).status).toBe(200);
      expect((await admin.post('/contacts/create', { id, name: 'Dora' })).status).toBe(200);
      expect(await lastOnline(admin)).toBe(0);
    });

    it('shows the caller and contacts that the caller may VIEW, and answers the same 403 for all others', async () => {
      const get = (id: string, who: Client) => who.get(`/contacts/get/${id}`);
      expect((await get(bob.user_id, bob)).data).toMatchObject({ name: 'Bob', redeem_code: '' });
      expect((await get(bob.user_id, org.admin)).data.name).toBe('Bob');
      for (const id of [bob.user_id, newUser()])
        expect(typeOf(await get(id, carol))).toEqual([403, 'permission.denied']);
      expect(typeOf(await get(newUser(), org.admin))).toEqual([404, 'contact.not-found']);
      expect((await get('GroupID_x', org.admin)).status).toBe(400);
    });

    it('redacts', async () => {
      const { id } = await create({ private_note: 'p', notifications_url: 'https://n.example' });
      await given(service, org, granted(org, bob.user_id, id, 'VIEW'));
      const seen = (await bob.get(`/contacts/get/${id}`)).data;
      expect(seen).toMatchObject({ private_note: '', notifications_url: '', redeem_code: '' });
      const whole = (await org.admin.get(`/contacts/get/${id}`)).data;
      expect(whole).toMatchObject({ private_note: 'p', notifications_url: 'https://n.example' });
      expect(whole.redeem_code).toMatch(/^RedeemTokenID_/);
    });

    it('shows when a contact was last seen', async () => {
      const { data } = await org.admin.get(`/contacts/get/${org.admin.user_id}`);
      expect(data.last_online_ms).toBeGreaterThan(0);
    });
  });

  describe('list', () => {
    const list = (body: object = {}, who = org.admin) => who.post('/contacts/list', body);
    const names = ({ data }: Answer) => data.items.map((contact: any) => contact.name);

    it('shows all contacts to the owner, and others only themselves', async () => {
      expect(names(await list())).toEqual(expect.arrayContaining(['Admin', 'Bob', 'Carol']));
      const own = await list({}, bob);
      expect(names(own)).toEqual(['Bob']);
      expect(own.data.total).toBe(1);
    });

    it('filters by name, email, principal and id', async () => {
      const { id } = await create({ name: 'Dave ~', email: 'dave@d.example' });
      for (const filters of ['DAVE ~', 'd.EXAMPLE', id.slice(7, 30), id])
        expect(names(await list({ filters }))).toEqual(['Dave ~']);
      expect(names(await list({ filters: 'no body' }))).toEqual([]);
    });

    it('pages both ways', async () => {
      const first = (await list({ page_size: 2, direction: 'DESC' })).data;
      const cursor = { page_size: 2, direction: 'DESC', cursor: first.cursor };
      const second = (await list(cursor)).data;
      expect([...first.items, ...second.items]).toHaveLength(3);
      expect(second.cursor_down).toBeNull();
      const up = { page_size: 2, direction: 'DESC', cursor_up: second.cursor_up };
      expect((await list(up)).data.items).toEqual(first.items);
    });
  });

  describe('update', () => {
    const update = (body: object, who = org.admin) => who.post('/contacts/update', body);

    it('changes what is given; null clears texts and leaves the name', async () => {
      const address = `0x${'a'.repeat(40)}`;
      const { id } = await create({
        name: 'Dave',
        email: 'd@d.example',
        avatar: 'https://a.example',
        evm_public_address: address,
        private_note: 'p',
        external_id: 'e',
      });
      const nulls = { name: null, email: null, avatar: null, private_note: null };
      const { data } = await update({ id, ...nulls, external_id: null, public_note: 'n' });
      expect(data).toMatchObject({
        name: 'Dave',
        email: '',
        avatar: '',
        private_note: '',
        external_id: null,
        public_note: 'n',
        evm_public_address: address,
      });
    });

    it('lets people change their own fields only', async () => {
      const id = bob.user_id;
      expect((await update({ id, name: 'Robert' }, bob)).data.name).toBe('Robert');
      expect(typeOf(await update({ id, private_note: 'x' }, bob))).toEqual([
        403,
        'permission.denied',
      ]);
      expect(typeOf(await update({ id: carol.user_id, name: 'x' }, bob))).toEqual([
        403,
        'permission.denied',
      ]);
    });

    it('shows a new name wherever the contact is named', async () => {
      await update({ id: bob.user_id, name: 'Robert' });
      const { data } = await org.admin.post('/groups/list');
      const previews = data.items[0].member_previews.map((member: any) => member.name);
      expect(previews).toContain('Robert');
      expect(previews).not.toContain('Bob');
    });

    it('refuses 400 an empty change, 404 an unknown contact, 403 callers who may not see it', async () => {
      const { id } = await create();
      expect(typeOf(await update({ id }))).toEqual([400, 'request.nothing-to-update']);
      const ignored = { id, seed_phrase: PHRASE };
      expect(typeOf(await update(ignored))).toEqual([400, 'request.nothing-to-update']);
      const unknown = { id: newUser(), name: 'x' };
      expect(typeOf(await update(unknown))).toEqual([404, 'contact.not-found']);
      expect(typeOf(await update(unknown, bob))).toEqual([403, 'permission.denied']);
      expect(blame(await update({ name: 'x' }))).toEqual([400, '/id']);
    });

    it.each([
      ['name', 256],
      ['public_note', 8192],
      ['private_note', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      const id = bob.user_id;
      expect((await update({ id, [field]: 'x'.repeat(limit) })).status).toBe(200);
      expect(blame(await update({ id, [field]: 'x'.repeat(limit + 1) }))).toEqual([
        400,
        `/${field}`,
      ]);
    });
  });

  describe('delete', () => {
    const remove = (id: string, who = org.admin) => who.post('/contacts/delete', { id });

    it('ends the contact, its memberships and its tokens', async () => {
      const id = bob.user_id;
      expect((await remove(id)).data).toEqual({ id, deleted: true });
      expect((await bob.post('/groups/list')).status).toBe(401);
      expect(typeOf(await org.admin.get(`/contacts/get/${id}`))).toEqual([
        404,
        'contact.not-found',
      ]);
      const { data } = await org.admin.post('/groups/list');
      expect(data.items[0].member_count).toBe(2);
    });

    it('refuses 400 the owner’s, 403 others in the same way, 404 an unknown one', async () => {
      expect(typeOf(await remove(org.admin.user_id))).toEqual([400, 'contact.owner-undeletable']);
      for (const id of [carol.user_id, newUser()])
        expect(typeOf(await remove(id, bob))).toEqual([403, 'permission.denied']);
      expect(typeOf(await remove(newUser()))).toEqual([404, 'contact.not-found']);
      expect(blame(await org.admin.post('/contacts/delete'))).toEqual([400, '/id']);
    });
  });

  it('still knows everything after a restart, codes included', async () => {
    const placeholder = await create({ is_placeholder: true, private_note: 'p' });
    const before = (await org.admin.get(`/contacts/get/${placeholder.id}`)).body;
    await service.restart();
    const url = `/v1/drive/${org.drive_id}/contacts/get/${placeholder.id}`;
    const headers = { authorization: `Bearer ${org.admin.token}` };
    expect((await service.client().get(url, headers)).body).toEqual(before);
  });
});
