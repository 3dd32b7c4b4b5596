import { randomUUID } from 'node:crypto';
import type { Client } from '../support/client.js';
import { Signer } from '../support/signer.js';
import { org, bob, carol, group_id, create, typeOf, setUp } from './setup/invites.js';

describe('redeeming group invites over HTTP', () => {
  setUp();

  const redeem = (who: Client, invite_id: string, redeem_code: string, more: object = {}) =>
    who.post('/groups/invites/redeem', { invite_id, redeem_code, ...more });

  describe('redeem', () => {
    it('makes the caller a member instead of the placeholder, once', async () => {
      const invite = await create({ role: 'ADMIN', note: 'for sales' });
      const { status, data } = await redeem(bob, invite.id, invite.redeem_code, { note: 'hi' });
      expect(status).toBe(200);
      expect(data.invite).toMatchObject({
        id: invite.id,
        invitee_id: bob.user_id,
        from_placeholder_invitee: invite.invitee_id,
        redeem_code: null,
        role: 'ADMIN',
        note: 'hi\nfor sales',
        invitee_name: 'Bob',
      });
      const again = await redeem(carol, invite.id, invite.redeem_code);
      expect(typeOf(again)).toEqual([400, 'redeem.code-invalid']);
    });

    it('admits exactly one of two concurrent callers', async () => {
      const invite = await create();
      const answers = await Promise.all(
        [bob, carol].map((who) => redeem(who, invite.id, invite.redeem_code)),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    });

    it('admits every caller with a key pair by a public invite, which is kept', async () => {
      const invite = await create({ invitee_id: 'PUBLIC' });
      const signer = new Signer();
      const stranger = signer.in(org);
      const { data } = await redeem(stranger, invite.id, 'PUBLIC');
      expect(data.invite).toMatchObject({
        invitee_id: signer.user_id,
        from_placeholder_invitee: invite.id,
        inviter_id: org.admin.user_id,
        invitee_name: signer.user_id,
      });
      const again = await redeem(stranger, invite.id, 'PUBLIC');
      expect(again.data).toEqual(data);
      const contact = (await stranger.get(`/contacts/get/${signer.user_id}`)).data;
      expect(contact.group_previews).toMatchObject([{ group_id, invite_id: data.invite.id }]);
      expect(contact).toMatchObject({ name: signer.user_id, redeem_code: '' });
      expect((await redeem(bob, invite.id, 'PUBLIC')).data.invite.invitee_name).toBe('Bob');
    });

    it('refuses 400 a wrong code, a code that the invite does not have, and an expired invite', async () => {
      const invite = await create();
      const wrong = `RedeemTokenID_${randomUUID()}`;
      expect(typeOf(await redeem(bob, invite.id, wrong))).toEqual([400, 'redeem.code-invalid']);
      expect(typeOf(await redeem(bob, invite.id, 'PUBLIC'))).toEqual([400, 'redeem.code-invalid']);
      const named = await create({ invitee_id: bob.user_id });
      expect(typeOf(await redeem(bob, named.id, wrong))).toEqual([400, 'redeem.code-invalid']);
      const past = await create({ expires_at: 1 });
      expect(typeOf(await redeem(bob, past.id, past.redeem_code))).toEqual([
        400,
        'redeem.not-redeemable',
      ]);
    });

    it('refuses 404 an unknown invite and 401 without a token', async () => {
      const unknown = await redeem(bob, 'GroupInviteID_none', 'PUBLIC');
      expect(typeOf(unknown)).toEqual([404, 'invite.not-found']);
      const { id } = await create({ invitee_id: 'PUBLIC' });
      expect((await redeem(org.as(), id, 'PUBLIC')).status).toBe(401);
    });

    it('takes a note of exactly 512 characters and no more', async () => {
      const invite = await create();
      const noted = (length: number) =>
        redeem(bob, invite.id, invite.redeem_code, { note: 'x'.repeat(length) });
      expect((await noted(513)).err.details).toMatchObject([{ pointer: '/note', limit: 512 }]);
      expect((await noted(512)).status).toBe(200);
    });

    it.each([
      ['/invite_id', { redeem_code: 'PUBLIC' }],
      ['/redeem_code', { invite_id: 'GroupInviteID_x' }],
      ['/redeem_code', { invite_id: 'GroupInviteID_x', redeem_code: 5 }],
    ])('refuses 400 blaming %s for %j', async (pointer, body) => {
      const { status, err } = await bob.post('/groups/invites/redeem', body);
      expect([status, err.details[0].pointer]).toEqual([400, pointer]);
    });
  });

  describe('groups/validate', () => {
    const validate = (body: object, who = bob) => who.post('/groups/validate', body);

    it('shows every caller whether a user is currently a member', async () => {
      const user_id = carol.user_id;
      const question = { user_id, group_id };
      expect((await validate(question)).data).toEqual({ is_member: false, ...question });
      await create({ invitee_id: user_id });
      expect((await validate(question)).data).toEqual({ is_member: true, ...question });
      const owner = { user_id: org.admin.user_id, group_id };
      expect((await validate(owner, new Signer().in(org))).data.is_member).toBe(true);
    });

    it('refuses 404 an unknown group, 400 PUBLIC and missing ids, 401 without a token', async () => {
      const user_id = bob.user_id;
      const unknown = await validate({ user_id, group_id: 'GroupID_none' });
      expect(typeOf(unknown)).toEqual([404, 'group.not-found']);
      const open = await validate({ user_id: 'PUBLIC', group_id });
      expect(open.err.details[0].pointer).toBe('/user_id');
      expect((await validate({ user_id })).err.details[0].pointer).toBe('/group_id');
      expect((await validate({ user_id, group_id }, org.as())).status).toBe(401);
    });
  });
});
