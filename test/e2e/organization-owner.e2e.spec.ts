import { event } from '../../libs/domain/foundation/events.js';
import { factoryCommands } from '../../libs/domain/factory/commands.js';
import { sha256Hex } from '../../libs/engine/proofs/hashing.js';
import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

const DAY_MS = 24 * 3_600_000;

describe('who owns an organization, over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let shift_ms = 0;

  beforeAll(async () => {
    service = await TestService.start({}, { clock: () => Date.now() + shift_ms });
  });
  beforeEach(async () => {
    shift_ms = 0;
    org = await service.organization('Bob', 'Eve');
    bob = org.members[0]!;
  });
  afterAll(() => service.stop());

  describe('transfer_ownership', () => {
    const transfer = (body: object, client = org.admin) =>
      client.post('/organization/transfer_ownership', body);
    const isOwner = async (client: Client): Promise<boolean> =>
      (await client.get('/organization/whoami')).data.is_owner;

    it('takes two steps, a day apart', async () => {
      const body = { next_owner_id: bob.user_id };
      const first = await transfer(body);
      expect([first.status, first.data.status]).toEqual([200, 'REQUESTED']);
      expect((await transfer(body)).data).toEqual(first.data);
      expect(await isOwner(bob)).toBe(false);
      shift_ms = DAY_MS + 1000;
      const second = await transfer(body);
      expect(second.data.status).toBe('COMPLETED');
      expect(second.data.ready_ms).toBeGreaterThanOrEqual(first.data.ready_ms);
      expect([await isOwner(org.admin), await isOwner(bob)]).toEqual([false, true]);
      expect((await transfer(body)).status).toBe(403);
    });

    it('creates the contact of a new owner who had none', async () => {
      const signer = new Signer();
      await transfer({ next_owner_id: signer.user_id });
      shift_ms = DAY_MS + 1000;
      await transfer({ next_owner_id: signer.user_id });
      const client = signer.in(org, Date.now() + shift_ms);
      const { data } = await client.get('/organization/whoami');
      expect(data).toMatchObject({ is_owner: true, nickname: signer.user_id });
    });

    it('is cancelled, and then nothing is pending: 400', async () => {
      await transfer({ next_owner_id: bob.user_id });
      expect((await transfer({ cancel: true })).data).toEqual({
        status: 'CANCELLED',
        ready_ms: -1,
      });
      const { status, err } = await transfer({ cancel: true });
      expect([status, err.type]).toEqual([400, 'transfer.none-pending']);
    });

    it('lapses after a week', async () => {
      await transfer({ next_owner_id: bob.user_id });
      shift_ms = 8 * DAY_MS + 1000;
      expect((await transfer({ next_owner_id: bob.user_id })).data.status).toBe('REQUESTED');
    });

    it('refuses 400 the owner, no user, both forms and ids that are not a user’s', async () => {
      const owner = await transfer({ next_owner_id: org.admin.user_id });
      expect([owner.status, owner.err.type]).toEqual([400, 'transfer.already-owner']);
      for (const body of [
        {},
        { cancel: false },
        { next_owner_id: bob.user_id, cancel: true },
        { next_owner_id: 'GroupID_x' },
        { next_owner_id: bob.user_id, cancel: 1 },
      ])
        expect((await transfer(body)).status).toBe(400);
    });

    it('refuses 403 everybody else, and 409 a former id', async () => {
      expect((await transfer({ next_owner_id: bob.user_id }, bob)).status).toBe(403);
      await org.admin.post('/organization/superswap', {
        current_user_id: bob.user_id,
        new_user_id: 'UserID_bob2',
      });
      const { status, err } = await transfer({ next_owner_id: bob.user_id });
      expect([status, err.type]).toEqual([409, 'user.former-id']);
    });
  });

  describe('superswap_user', () => {
    const swap = (current_user_id: unknown, new_user_id: unknown, client = org.admin) =>
      client.post('/organization/superswap_user', { current_user_id, new_user_id });

    it.each(['superswap_user', 'superswap'])(
      'by %s moves keys, memberships and grants',
      async (path) => {
        const signer = new Signer();
        await given(service, org, granted(org, bob.user_id, org.drive_id, 'VIEW'));
        const { status, data } = await org.admin.post(`/organization/${path}`, {
          current_user_id: bob.user_id,
          new_user_id: signer.user_id,
        });
        expect(status).toBe(200);
        // Contact, api key, invite in the Group for All, and the grant.
        expect(data).toEqual({ success: true, message: expect.any(String), updated_count: 4 });
        for (const part of [bob.user_id, signer.user_id, '4']) expect(data.message).toContain(part);
        const by_key = await bob.get('/organization/whoami');
        expect(by_key.data).toMatchObject({ userID: signer.user_id, nickname: 'Bob' });
        const by_signature = await signer.in(org).get('/organization/about');
        expect(by_signature.data.owner).toBe(org.admin.user_id);
      },
    );

    it('lets the owner swap their own id and keep access', async () => {
      const { status } = await swap(org.admin.user_id, 'UserID_fresh');
      expect(status).toBe(200);
      const { data } = await org.admin.get('/organization/whoami');
      expect(data).toMatchObject({ userID: 'UserID_fresh', is_owner: true });
    });

    it('can be taken back', async () => {
      await swap(bob.user_id, 'UserID_bob2');
      expect((await swap('UserID_bob2', bob.user_id)).status).toBe(200);
      expect((await bob.get('/organization/whoami')).data.userID).toBe(bob.user_id);
    });

    it('refuses 400 two equal ids and what is no user', async () => {
      const equal = await swap(bob.user_id, bob.user_id);
      expect([equal.status, equal.err.type]).toEqual([400, 'request.same-user']);
      for (const [current, next, pointer] of [
        [undefined, 'UserID_x', '/current_user_id'],
        [bob.user_id, undefined, '/new_user_id'],
        ['GroupID_x', 'UserID_x', '/current_user_id'],
        [bob.user_id, `UserID_${'x'.repeat(129)}`, '/new_user_id'],
      ]) {
        const { status, err } = await swap(current, next);
        expect([status, err.details[0].pointer]).toEqual([400, pointer]);
      }
      expect((await swap(bob.user_id, `UserID_${'x'.repeat(128)}`)).status).toBe(200);
    });

    it('refuses 403 all other callers, 404 an unknown id, 409 current or former ids of others', async () => {
      expect((await swap(bob.user_id, 'UserID_x', bob)).status).toBe(403);
      const unknown = await swap('UserID_unknown', 'UserID_x');
      expect([unknown.status, unknown.err.type]).toEqual([404, 'superswap.not-found']);
      const eve = org.members[1]!.user_id;
      const used = await swap(bob.user_id, eve);
      expect([used.status, used.err.type]).toEqual([409, 'user.in-use']);
      await swap(eve, 'UserID_eve2');
      const former = await swap(bob.user_id, eve);
      expect([former.status, former.err.type]).toEqual([409, 'user.former-id']);
    });
  });

  describe('redeem', () => {
    const CODE = 'RedeemTokenID_the-code';

    /** An organization as a gift card makes it: there, but without a key. */
    async function spawned(name: string): Promise<Organization> {
      const drive_id = `DriveID_${name}`;
      const request = {
        credential: { kind: 'factory' },
        correlation_id: 'spec',
        reason: null,
        idempotency: null,
      } as const;
      await service.server.drives.commands.spawn(
        drive_id,
        {
          definition: factoryCommands.SpawnDrive,
          command: {
            drive_id,
            organization_name: 'Gift',
            owner_id: 'UserID_owner',
            owner_name: 'Olga',
            spawn_note: 'a gift',
            fresh: {
              subject_key_id: `subject-${name}`,
              spawn_redeem_code: CODE,
              spawn_redeem_digest: sha256Hex(CODE),
              everyone_group_id: `GroupID_${name}`,
              everyone_invite_id: `GroupInviteID_${name}`,
              everyone_permission_id: `SystemPermissionID_${name}`,
            },
          },
        },
        { definition: factoryCommands.NameDrive, command: { drive_id } },
        request,
      );
      const client = (token?: string): Client =>
        Object.assign(org.as(token), { base: `${service.url}/v1/drive/${drive_id}` });
      return { drive_id, admin: client(), members: [], as: client };
    }

    it('gives the owner’s first key for the code, once; a dummy token is ignored', async () => {
      const gift = await spawned('gift1');
      const { status, data } = await gift.as('dummy').post('/organization/redeem', {
        redeem_code: ` ${CODE} `,
      });
      expect(status).toBe(200);
      const { host_url } = service.server.drives.settings;
      expect(data).toEqual({
        drive_id: gift.drive_id,
        host_url,
        api_key: expect.any(String),
        note: 'a gift',
        admin_login_password: `${gift.drive_id}:${data.api_key}@${host_url}`,
        auto_login_url: expect.stringContaining('/auto-login?token='),
      });
      const token = new URL(data.auto_login_url).searchParams.get('token')!;
      expect(JSON.parse(Buffer.from(token, 'base64url').toString())).toEqual({
        org_name: 'Gift',
        org_id: gift.drive_id,
        org_host: host_url,
        profile_id: 'UserID_owner',
        profile_name: 'Olga',
        profile_api_key: data.api_key,
      });
      const who = await gift.as(data.api_key).get('/organization/whoami');
      expect(who.data).toMatchObject({ userID: 'UserID_owner', is_owner: true, nickname: 'Olga' });
      const again = await gift.as().post('/organization/redeem', { redeem_code: CODE });
      expect([again.status, again.err.type]).toEqual([400, 'redeem.code-invalid']);
    });

    it('gives one key for two concurrent requests', async () => {
      const gift = await spawned('gift2');
      const both = await Promise.all(
        [1, 2].map(() => gift.as().post('/organization/redeem', { redeem_code: CODE })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    });

    it('refuses 400 a missing, blank or wrong code, and a code of an active organization', async () => {
      const gift = await spawned('gift3');
      for (const redeem_code of [undefined, null, '', '  ', 7, `${CODE}x`, 'x'.repeat(257)])
        expect((await gift.as().post('/organization/redeem', { redeem_code })).status).toBe(400);
      const { status } = await org.as().post('/organization/redeem', { redeem_code: CODE });
      expect(status).toBe(400);
    });

    it('ends once the organization has another owner', async () => {
      const gift = await spawned('gift4');
      await given(
        service,
        gift,
        event('OwnershipTransferred', {
          old_owner_id: 'UserID_owner',
          new_owner_id: 'UserID_next',
          subject_key_id: 'subject-next',
          everyone_invite_id: 'GroupInviteID_next',
        }),
      );
      const { status } = await gift.as().post('/organization/redeem', { redeem_code: CODE });
      expect(status).toBe(400);
    });
  });
});
