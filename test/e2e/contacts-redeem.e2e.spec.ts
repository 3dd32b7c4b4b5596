import { randomUUID } from 'node:crypto';
import type { Client } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { Signer } from '../support/signer.js';
import {
  service,
  org,
  bob,
  carol,
  newUser,
  post,
  create,
  typeOf,
  blame,
  setUp,
} from './setup/contacts.js';

describe('redeeming contacts over HTTP', () => {
  setUp();

  describe('redeem', () => {
    const redeem = (placeholder: any, new_user_id: string, who: Client, more: object = {}) =>
      who.post('/contacts/redeem', {
        current_user_id: placeholder.id,
        new_user_id,
        redeem_code: placeholder.redeem_code,
        ...more,
      });

    it('gives a placeholder to the caller, with a working key', async () => {
      const placeholder = await create({ is_placeholder: true, name: 'Dave', public_note: 'old' });
      const signer = new Signer();
      const { status, data } = await redeem(placeholder, signer.user_id, signer.in(org), {
        note: 'new',
      });
      expect(status).toBe(200);
      expect(data.contact).toMatchObject({
        id: signer.user_id,
        name: 'Dave',
        public_note: 'new\nold',
        redeem_code: '',
        from_placeholder_user_id: placeholder.id,
        past_user_ids: [placeholder.id],
      });
      expect(data.contact.group_previews).toMatchObject([{ group_name: 'Group for All' }]);
      const by_key = org.as(data.api_key);
      expect((await by_key.get(`/contacts/get/${signer.user_id}`)).data.name).toBe('Dave');
      const old = await org.admin.get(`/contacts/get/${placeholder.id}`);
      expect(typeOf(old)).toEqual([404, 'contact.not-found']);
      expect(typeOf(await post({ id: placeholder.id }))).toEqual([409, 'user.former-id']);
      const again = await redeem(placeholder, newUser(), signer.in(org));
      expect(typeOf(again)).toEqual([400, 'redeem.code-invalid']);
    });

    it('tells when the placeholder was last seen, as later reads do', async () => {
      const placeholder = await create({ is_placeholder: true });
      const key = await org.admin.post('/api_keys/create', {
        name: 'for the placeholder',
        user_id: placeholder.id,
      });
      const by_key = org.as(key.data.value);
      expect((await by_key.get('/organization/whoami')).status).toBe(200);
      const user_id = newUser();
      const { data } = await redeem(placeholder, user_id, by_key);
      const { last_online_ms } = (await org.admin.get(`/contacts/get/${user_id}`)).data;
      expect(last_online_ms).toBeGreaterThan(0);
      // Another process may not know of the last call yet.
      expect(data.contact.last_online_ms).toBeGreaterThanOrEqual(last_online_ms);
    });

    it('answers every bad code in the same words', async () => {
      const placeholder = await create({ is_placeholder: true });
      const id = newUser();
      const tries: [any, object][] = [
        [placeholder, { redeem_code: `RedeemTokenID_${randomUUID()}` }],
        [placeholder, { redeem_code: 'no code' }],
        [placeholder, { redeem_code: '' }],
        [placeholder, { redeem_code: null }],
        [placeholder, { redeem_code: 5 }],
        [placeholder, { redeem_code: undefined }],
        [{ id: newUser(), redeem_code: placeholder.redeem_code }, {}],
        [{ id: org.admin.user_id, redeem_code: placeholder.redeem_code }, {}],
        [{ id: bob.user_id, redeem_code: placeholder.redeem_code }, {}],
      ];
      for (const [current, more] of tries) {
        const { status, err } = await redeem(current, id, bob, more);
        expect([status, err.type, err.message, err.details]).toEqual([
          400,
          'redeem.code-invalid',
          'The redeem code is wrong, already used, or cannot be redeemed now.',
          [{ pointer: '/redeem_code', reason: 'does not redeem this user' }],
        ]);
      }
    });

    it('refuses 400 the same id twice, 409 a contact and an id in use', async () => {
      const placeholder = await create({ is_placeholder: true });
      expect(typeOf(await redeem(placeholder, placeholder.id, bob))).toEqual([
        400,
        'request.same-user',
      ]);
      expect(typeOf(await redeem(placeholder, bob.user_id, bob))).toEqual([409, 'contact.exists']);
      const known = newUser();
      await given(service, org, granted(org, known, 'TABLE_DISKS', 'VIEW'));
      expect(typeOf(await redeem(placeholder, known, bob))).toEqual([409, 'user.in-use']);
      expect((await redeem(placeholder, newUser(), bob)).status).toBe(200);
    });

    it('gives the contact to exactly one of two concurrent callers', async () => {
      const placeholder = await create({ is_placeholder: true });
      const answers = await Promise.all(
        [newUser(), newUser()].map((id) => redeem(placeholder, id, bob)),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    });

    it('is too late once the contact has signed in, unless it is a placeholder', async () => {
      const [early, explicit] = [new Signer(), new Signer()];
      const contact = await create({ id: early.user_id });
      const placeholder = await create({ id: explicit.user_id, is_placeholder: true });
      for (const signer of [early, explicit]) await signer.in(org).post('/groups/list');
      expect(typeOf(await redeem(contact, newUser(), bob))).toEqual([400, 'redeem.code-invalid']);
      expect((await redeem(placeholder, newUser(), bob)).status).toBe(200);
      expect((await org.admin.get(`/contacts/get/${early.user_id}`)).data.redeem_code).toBe('');
    });

    it('takes a note of exactly 8192 characters and no more', async () => {
      const placeholder = await create({ is_placeholder: true });
      const noted = (length: number) =>
        redeem(placeholder, newUser(), bob, { note: 'x'.repeat(length) });
      expect(blame(await noted(8193))).toEqual([400, '/note']);
      expect((await noted(8192)).status).toBe(200);
    });

    it('never splits a character where note and public note together are too long', async () => {
      const placeholder = await create({ is_placeholder: true, public_note: '😀'.repeat(4096) });
      const { data } = await redeem(placeholder, newUser(), bob, { note: 'hell' });
      expect(data.contact.public_note).toBe(`hell\n${'😀'.repeat(4093)}`);
    });

    it('refuses 400 ids of other kinds and 401 without a token', async () => {
      const placeholder = await create({ is_placeholder: true });
      expect(blame(await redeem(placeholder, 'GroupID_x', bob))).toEqual([400, '/new_user_id']);
      expect(blame(await redeem({ id: 'x' }, newUser(), bob))).toEqual([400, '/current_user_id']);
      expect((await redeem(placeholder, newUser(), org.as())).status).toBe(401);
    });
  });

  describe('helpers/generate-auto-login-link', () => {
    const link = (body: object, who: Client) =>
      who.post('/contacts/helpers/generate-auto-login-link', body);

    it('creates a link that signs the contact in, under both names', async () => {
      const body = { user_id: bob.user_id, profile_api_key: bob.token };
      for (const who of [bob, org.admin]) {
        const { data } = await link(body, who);
        expect(data.user_id).toBe(bob.user_id);
        expect(data.auto_login_link).toBe(data.auto_login_url);
        expect(data.full_login_instructions).toContain(data.auto_login_url);
        expect(data.full_login_instructions).toContain('Test Org');
        const token = new URL(data.auto_login_url).searchParams.get('token')!;
        expect(JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))).toEqual({
          org_name: 'Test Org',
          org_id: org.drive_id,
          org_host: service.server.drives.settings.host_url,
          profile_id: bob.user_id,
          profile_name: 'Bob',
          profile_api_key: bob.token,
        });
      }
    });

    it('refuses 403 strangers and foreign keys, 404 unknown contacts and keys', async () => {
      const user_id = bob.user_id;
      const key = bob.token!;
      expect(typeOf(await link({ user_id, profile_api_key: key }, carol))).toEqual([
        403,
        'permission.denied',
      ]);
      expect(typeOf(await link({ user_id, profile_api_key: carol.token }, bob))).toEqual([
        403,
        'permission.denied',
      ]);
      expect(typeOf(await link({ user_id, profile_api_key: 'nonsense' }, bob))).toEqual([
        404,
        'api-key.not-found',
      ]);
      const unknown = { user_id: newUser(), profile_api_key: key };
      expect(typeOf(await link(unknown, org.admin))).toEqual([404, 'contact.not-found']);
      expect(blame(await link({ user_id }, bob))).toEqual([400, '/profile_api_key']);
      expect(blame(await link({ profile_api_key: key }, bob))).toEqual([400, '/user_id']);
    });

    it('takes a key of at most 4096 characters', async () => {
      const user_id = bob.user_id;
      const ask = (length: number) => link({ user_id, profile_api_key: 'x'.repeat(length) }, bob);
      expect((await ask(4096)).status).toBe(404);
      expect(blame(await ask(4097))).toEqual([400, '/profile_api_key']);
    });
  });
});
