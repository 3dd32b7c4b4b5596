import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { COMBINATION } from '../support/combination.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

describe('organization over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;

  beforeAll(async () => {
    service = await TestService.start({
      PUBLIC_URL: 'https://api.example',
      FRONTEND_URL: 'https://web.example',
    });
    org = await service.organization('Bob');
    bob = org.members[0]!;
  });
  afterAll(() => service.stop());

  const frontend = () =>
    `https://web.example/org/${org.drive_id}__${Buffer.from('https://api.example').toString('base64url')}`;

  describe('about', () => {
    it('shows the owner everything', async () => {
      const { status, data } = await org.admin.get('/organization/about');
      expect(status).toBe(200);
      expect(data).toEqual({
        organization_name: 'Test Org',
        organization_id: org.drive_id,
        owner: org.admin.user_id,
        host: 'https://api.example',
        frontend_url: frontend(),
        canister_id: org.drive_id.slice('DriveID_'.length),
        version: expect.stringMatching(/^\d+\.\d+/),
        gas_cycles: '0',
        daily_idle_cycle_burn_rate: '0',
        controllers: [],
        external_id: '',
        email: null,
      });
    });

    it('is redacted for members and strangers, whole with VIEW on DRIVES', async () => {
      for (const client of [bob, new Signer().in(org)]) {
        const { data } = await client.get('/organization/about');
        expect(data).toMatchObject({
          organization_name: 'REDACTED',
          owner: 'REDACTED',
          canister_id: 'REDACTED',
          organization_id: org.drive_id,
        });
      }
      const viewer = new Signer();
      await given(service, org, granted(org, viewer.user_id, org.drive_id, 'VIEW'));
      const { data } = await viewer.in(org).get('/organization/about');
      expect(data.owner).toBe(org.admin.user_id);
    });
  });

  describe('whoami', () => {
    it('knows owner, member and anonymous', async () => {
      expect((await org.admin.get('/organization/whoami')).data).toEqual({
        userID: org.admin.user_id,
        driveID: org.drive_id,
        nickname: 'Admin',
        icp_principal: org.admin.user_id.slice('UserID_'.length),
        evm_public_address: null,
        is_owner: true,
        drive_nickname: 'Test Org',
      });
      expect((await bob.get('/organization/whoami')).data).toMatchObject({
        userID: bob.user_id,
        nickname: 'Bob',
        is_owner: false,
      });
      const signer = new Signer();
      expect((await signer.in(org).get('/organization/whoami')).data).toMatchObject({
        userID: signer.user_id,
        nickname: 'Anonymous User',
        evm_public_address: null,
      });
    });
  });

  describe('update_allowed_domains', () => {
    const update = (allowed_domains: unknown, client = org.admin) =>
      client.post('/organization/update_allowed_domains', { allowed_domains });

    it.each([
      ['example.com', 'example.com'],
      [['a.example', '*.b.example'], 'a.example,*.b.example'],
      ['', 'empty'],
      [[], 'empty'],
    ])('takes %p and names it', async (allowed_domains, named) => {
      const { status, data } = await update(allowed_domains);
      expect([status, data.success]).toEqual([200, true]);
      expect(data.message).toContain(named);
    });

    it.each([undefined, null, 7, {}, [7], ['a.example', ''], 'no domain', 'http://a.example'])(
      'refuses 400 %p',
      async (allowed_domains) => {
        const { status, err } = await update(allowed_domains);
        expect([status, err.details[0].pointer]).toEqual([400, '/allowed_domains']);
      },
    );

    it('takes 256 characters and no more, joined ones too', async () => {
      const parts = (length: number) => {
        const long = [1, 2, 3].map((at) => `${at}`.repeat(63));
        return [...long, 'b'.repeat(length - 3 * 64 - 2), 'c'];
      };
      for (const as of [(list: string[]) => list, (list: string[]) => list.join(',')]) {
        expect((await update(as(parts(256)))).status).toBe(200);
        const { status, err } = await update(as(parts(257)));
        expect([status, err.details]).toMatchObject([400, [{ limit: 256 }]]);
      }
    });

    it('is the owner’s alone: 403', async () => {
      const { status, err } = await update('example.com', bob);
      expect([status, err.type]).toEqual([403, 'permission.denied']);
    });
  });

  describe('inbox', () => {
    const notify = (body: object, client = org.admin) => client.post('/organization/inbox', body);

    it('takes anything in and says when', async () => {
      const { status, data } = await notify({ topic: 'mail', payload: { deep: [1, null] } });
      expect(status).toBe(200);
      expect(data).toEqual({
        inbox_notif_id: expect.stringMatching(/^InboxNotifID_/),
        drive_id: org.drive_id,
        timestamp_ms: expect.any(Number),
        note: expect.any(String),
      });
    });

    it.each([[null], [0], [''], [false], [[]], [undefined]])(
      'takes the payload %p',
      async (payload) => {
        expect((await notify({ payload, topic: null, drive_id: org.drive_id })).status).toBe(200);
      },
    );

    it('takes 64 KiB of JSON in UTF-8 and not one byte more', async () => {
      for (const [text, rest] of [
        ['x', ''],
        ['é', 'x'],
      ] as const) {
        const fits = text.repeat((65_536 - 2) / Buffer.byteLength(text));
        expect((await notify({ payload: fits })).status).toBe(200);
        const { status, err } = await notify({ payload: fits + (rest || text) });
        expect([status, err.details]).toMatchObject([
          400,
          [{ pointer: '/payload', limit: 65_536 }],
        ]);
      }
    });

    it('takes a topic of 256 characters and no more', async () => {
      expect((await notify({ topic: 'x'.repeat(256) })).status).toBe(200);
      const { status, err } = await notify({ topic: 'x'.repeat(257) });
      expect([status, err.details[0].pointer]).toEqual([400, '/topic']);
    });

    it('refuses 400 another drive’s id', async () => {
      const { status, err } = await notify({ drive_id: 'DriveID_other' });
      expect([status, err.details[0].pointer]).toEqual([400, '/drive_id']);
    });

    it('refuses 403 without CREATE on INBOX, which PUBLIC may hold', async () => {
      const { status, err } = await notify({}, bob);
      expect([status, err.type]).toEqual([403, 'permission.denied']);
      const open = await service.organization();
      await given(service, open, granted(open, 'PUBLIC', 'TABLE_INBOX', 'CREATE'));
      expect((await notify({}, new Signer().in(open))).status).toBe(200);
      expect((await notify({}, open.as())).status).toBe(401);
    });
  });

  describe('shortlink', () => {
    const shortlink = (body: object, client = bob) => client.post('/organization/shortlink', body);
    const original_url = 'https://target.example/path?q=1#f';

    it('creates a link that every caller may follow, without a token too', async () => {
      const { status, data } = await shortlink({ original_url });
      expect(status).toBe(200);
      expect(data).toEqual({
        slug: expect.stringMatching(/^[A-Za-z0-9_-]{16,64}$/),
        original_url,
        shortlink_url: `${frontend()}/to/${data.slug}`,
      });
      for (const client of [org.as(), bob, new Signer().in(org)])
        expect((await shortlink({ slug: data.slug }, client)).data).toEqual(data);
      const second = await shortlink({ original_url });
      expect(second.data.slug).not.toBe(data.slug);
    });

    it('removes it for its creator, the owner and holders of EDIT on DRIVES', async () => {
      const editor = new Signer();
      await given(service, org, granted(org, editor.user_id, 'TABLE_DRIVES', 'EDIT'));
      for (const client of [bob, org.admin, editor.in(org)]) {
        const { slug } = (await shortlink({ original_url })).data;
        const stranger = await shortlink({ slug, original_url }, new Signer().in(org));
        expect([stranger.status, stranger.err.type]).toEqual([403, 'permission.denied']);
        const removed = await shortlink({ slug, original_url }, client);
        expect(removed.data).toMatchObject({
          slug,
          original_url: 'https://web.example/not-found',
        });
        const followed = await shortlink({ slug });
        expect([followed.status, followed.err.type]).toEqual([404, 'shortlink.not-found']);
        expect((await shortlink({ slug, original_url }, client)).status).toBe(404);
      }
    });

    it('follows a link with any token', async () => {
      const { slug } = (await shortlink({ original_url })).data;
      for (const token of ['nonsense', (await service.organization()).admin.token])
        expect((await shortlink({ slug }, org.as(token))).data.original_url).toBe(original_url);
    });

    it('refuses 401 to create or remove without a token, 403 to create without a contact', async () => {
      const { slug } = (await shortlink({ original_url })).data;
      expect((await shortlink({ original_url }, org.as())).status).toBe(401);
      expect((await shortlink({ slug, original_url }, org.as())).status).toBe(401);
      const { status, err } = await shortlink({ original_url }, new Signer().in(org));
      expect([status, err.type]).toEqual([403, 'permission.denied']);
    });

    it('refuses 400 neither, and URLs that are no plain web address', async () => {
      for (const body of [{}, { slug: '', original_url: '' }, { slug: null }])
        expect((await shortlink(body)).status).toBe(400);
      for (const bad of [
        'javascript:alert(1)',
        'data:text/html,x',
        'ftp://a.example',
        '//a.example',
        '/path',
        'https://user@a.example',
        'https://user:secret@a.example',
        7,
      ]) {
        const { status, err } = await shortlink({ original_url: bad });
        expect([status, err.details[0].pointer]).toEqual([400, '/original_url']);
      }
    });

    it('takes a URL of 4096 and a slug of 64 characters and no more', async () => {
      const url = (length: number) => 'https://a.example/'.padEnd(length, 'x');
      expect((await shortlink({ original_url: url(4096) })).status).toBe(200);
      expect((await shortlink({ original_url: url(4097) })).status).toBe(400);
      expect((await shortlink({ slug: 'x'.repeat(64) })).status).toBe(404);
      expect((await shortlink({ slug: 'x'.repeat(65) })).status).toBe(400);
    });
  });

  it('answers 401 without a token', async () => {
    for (const path of [
      'transfer_ownership',
      'update_allowed_domains',
      'superswap_user',
      'superswap',
      'inbox',
    ])
      expect((await org.as().post(`/organization/${path}`)).status).toBe(401);
    for (const path of ['about', 'whoami'])
      expect((await org.as().get(`/organization/${path}`)).status).toBe(401);
  });

  it('answers 404 for an unknown and 400 for a malformed organization', async () => {
    const client = service.client();
    for (const [drive_id, status] of [
      ['DriveID_unknown', 404],
      ['DriveID_x', 400],
    ])
      expect((await client.post(`/v1/drive/${drive_id}/organization/redeem`)).status).toBe(status);
  });

  it('counts requests against the limits, but not update_allowed_domains', async () => {
    const limited = await TestService.start({ RATE_LIMITS: 'on', RATE_LIMIT_CLIENT: '2' });
    try {
      const { admin } = await limited.organization();
      // While a store that is shared takes too long, each process counts for itself, beside what is in the store.
      const most = COMBINATION?.replica ? 7 : 3;
      const untilRefused = async (): Promise<number[]> => {
        const statuses: number[] = [];
        while (statuses.length < most && statuses.at(-1) !== 429)
          statuses.push((await admin.get('/organization/about')).status);
        return statuses;
      };
      const statuses = await untilRefused();
      expect(statuses.slice(0, 2)).toEqual([200, 200]);
      expect(statuses.at(-1)).toBe(429);
      const body = { allowed_domains: 'a.example' };
      const unlimited = await admin.post('/organization/update_allowed_domains', body);
      expect(unlimited.status).toBe(200);
      expect((await untilRefused()).at(-1)).toBe(429);
    } finally {
      await limited.stop();
    }
  });
});
