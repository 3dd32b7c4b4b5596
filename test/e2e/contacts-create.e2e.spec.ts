import { deriveIdentity } from '../../libs/identity/derive.js';
import { given, granted } from '../support/facts.js';
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

const PHRASE =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

describe('creating contacts over HTTP', () => {
  setUp();

  describe('create', () => {
    it('answers 200 with the whole record, and shows the code to its creator', async () => {
      const id = newUser();
      const { status, data } = await post({ id, email: 'd@d.example', public_note: 'n' });
      expect(status).toBe(200);
      expect(data).toEqual({
        id,
        name: id,
        avatar: '',
        email: 'd@d.example',
        notifications_url: '',
        public_note: 'n',
        private_note: '',
        evm_public_address: '',
        icp_principal: id.slice(7),
        seed_phrase: '',
        secret_entropy: '',
        from_placeholder_user_id: '',
        redeem_code: expect.stringMatching(/^RedeemTokenID_/),
        created_at: expect.any(Number),
        last_online_ms: 0,
        external_id: null,
        external_payload: null,
        permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
        labels: [],
        group_previews: [
          {
            group_id: expect.stringMatching(/^GroupID_/),
            invite_id: expect.stringMatching(/^GroupInviteID_/),
            is_admin: false,
            group_name: 'Group for All',
            group_avatar: '',
          },
        ],
        group_count: 1,
        past_user_ids: [],
      });
    });

    it('derives id and address from a phrase or a secret, and forgets it', async () => {
      const from_phrase = await deriveIdentity({ seed_phrase: PHRASE });
      const phrase = await org.admin.post('/contacts/create', { seed_phrase: PHRASE });
      expect(phrase.data).toMatchObject({
        id: from_phrase.user_id,
        evm_public_address: from_phrase.evm_public_address,
        seed_phrase: '',
      });
      const from_secret = await deriveIdentity({ secret_entropy: 's' });
      const secret = await org.admin.post('/contacts/create', { secret_entropy: 's' });
      expect(secret.data).toMatchObject({
        id: from_secret.user_id,
        evm_public_address: from_secret.evm_public_address,
        secret_entropy: '',
      });
    });

    it('takes a phrase with the id and address it stands for, and no others', async () => {
      const { user_id: id, evm_public_address } = await deriveIdentity({ seed_phrase: PHRASE });
      const seed_phrase = PHRASE;
      expect(blame(await post({ seed_phrase }))).toEqual([400, '/id']);
      const foreign = `0x${'0'.repeat(40)}`;
      expect(blame(await post({ id, seed_phrase, evm_public_address: foreign }))).toEqual([
        400,
        '/evm_public_address',
      ]);
      const lower_case = evm_public_address.toLowerCase();
      const { data } = await post({ id, seed_phrase, evm_public_address: lower_case });
      expect(data).toMatchObject({ id, evm_public_address });
    });

    it('creates a placeholder without id and secret', async () => {
      for (const is_placeholder of [true, null, undefined]) {
        const { data } = await org.admin.post('/contacts/create', { name: 'P', is_placeholder });
        expect(data.id).toMatch(/^UserID_[a-z0-9-]+$/);
        expect(data.from_placeholder_user_id).toBe(data.id);
        expect(data.redeem_code).toMatch(/^RedeemTokenID_/);
      }
      const named = await org.admin.post('/contacts/create', { is_placeholder: false });
      expect(blame(named)).toEqual([400, '/id']);
    });

    it('gives no code where none is wanted, or the drive knows the id', async () => {
      expect((await create({ is_placeholder: false })).redeem_code).toBe('');
      const id = newUser();
      await given(service, org, granted(org, id, 'TABLE_DISKS', 'VIEW'));
      expect(typeOf(await post({ id, is_placeholder: true }))).toEqual([409, 'user.in-use']);
      expect((await create({ id })).redeem_code).toBe('');
    });

    it.each([
      ['name', 256],
      ['public_note', 8192],
      ['private_note', 8192],
      ['external_id', 256],
      ['external_payload', 8192],
    ])('takes a %s of exactly %i characters and no more', async (field, limit) => {
      expect((await post({ [field]: 'x'.repeat(limit) })).status).toBe(200);
      const { status, err } = await post({ [field]: 'x'.repeat(limit + 1) });
      expect(status).toBe(400);
      expect(err.details).toMatchObject([{ pointer: `/${field}`, limit }]);
    });

    it.each([
      ['avatar', 2048, 'https://a.example/'],
      ['notifications_url', 256, 'https://n.example/'],
    ])('takes an %s of exactly %i characters and no more', async (field, limit, url) => {
      expect((await post({ [field]: url.padEnd(limit, 'x') })).status).toBe(200);
      expect(blame(await post({ [field]: url.padEnd(limit + 1, 'x') }))).toEqual([
        400,
        `/${field}`,
      ]);
    });

    it('takes an email of exactly 256 characters and no more', async () => {
      const host = '@d.example';
      expect((await post({ email: 'x'.repeat(256 - host.length) + host })).status).toBe(200);
      expect(blame(await post({ email: 'x'.repeat(257 - host.length) + host }))).toEqual([
        400,
        '/email',
      ]);
    });

    it('takes a secret of exactly 256 characters and no more', async () => {
      const secret = (length: number) =>
        org.admin.post('/contacts/create', { secret_entropy: 'x'.repeat(length) });
      expect((await secret(256)).status).toBe(200);
      expect(blame(await secret(257))).toEqual([400, '/secret_entropy']);
      expect(blame(await secret(0))).toEqual([400, '/secret_entropy']);
    });

    it.each([
      ['/id', { id: 'GroupID_x' }],
      ['/id', { id: 'UserID_' }],
      ['/id', { id: `UserID_${'x'.repeat(129)}` }],
      ['/name', { name: '' }],
      ['/avatar', { avatar: 'javascript:alert(1)' }],
      ['/avatar', { avatar: '/relative.png' }],
      ['/notifications_url', { notifications_url: 'no url' }],
      ['/email', { email: 'd@d' }],
      ['/email', { email: 'd d@d.example' }],
      ['/evm_public_address', { evm_public_address: `0x${'a'.repeat(39)}` }],
      ['/evm_public_address', { evm_public_address: `0x${'g'.repeat(40)}` }],
      ['/is_placeholder', { is_placeholder: 1 }],
      ['/secret_entropy', { secret_entropy: 's' }],
      ['/seed_phrase', { seed_phrase: 'abandon abandon abandon' }],
    ])('refuses 400 blaming %s for %j', async (pointer, body) => {
      expect(blame(await post(body))).toEqual([400, pointer]);
    });

    it('refuses 400 a secret together with a phrase', async () => {
      const both = { secret_entropy: 's', seed_phrase: PHRASE };
      expect(blame(await org.admin.post('/contacts/create', both))).toEqual([
        400,
        '/secret_entropy',
      ]);
    });

    it('refuses 403 without CREATE, whether the id is taken or not', async () => {
      for (const id of [newUser(), bob.user_id])
        expect(typeOf(await post({ id }, carol))).toEqual([403, 'permission.denied']);
      await given(service, org, granted(org, carol.user_id, 'TABLE_CONTACTS', 'CREATE'));
      const { status, data } = await post({}, carol);
      expect(status).toBe(200);
      expect(data.redeem_code).toMatch(/^RedeemTokenID_/);
    });

    it('refuses 409 the id of a contact, but accepts the id of a deleted one', async () => {
      const { id } = await create();
      expect(typeOf(await post({ id }))).toEqual([409, 'contact.exists']);
      await org.admin.post('/contacts/delete', { id });
      expect((await post({ id })).status).toBe(200);
    });
  });
});
