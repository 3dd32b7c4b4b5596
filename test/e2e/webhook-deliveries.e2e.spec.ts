import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { allIn } from '../support/planted.js';
import { Receiver } from '../support/receiver.js';
import { TestService } from '../support/service.js';

describe('deliveries over HTTP', () => {
  let service: TestService;
  let receiver: Receiver;
  let org: Organization;
  let bob: Client;
  let now_ms = Date.now();

  beforeAll(async () => {
    const webhook_limits = { replay_max_events: 3 };
    service = await TestService.start({}, { webhook_limits, clock: () => now_ms });
    receiver = await Receiver.start();
    org = await service.organization('Bob');
    bob = org.members[0]!;
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });
  beforeEach(() => {
    receiver.status = 200;
  });

  const post = (path: string, body: object = {}, who = org.admin) => who.post(path, body);
  const idle = () => service.server.webhooks.idle();
  /** A webhook with a path of its own. */
  const hook = async (event: string, alt_index: string, more: object = {}): Promise<any> => {
    const path = `/${randomUUID()}`;
    const body = { event, alt_index, url: receiver.url(path), ...more };
    return { path, ...(await post('/webhooks/create', body)).data };
  };
  const mail = (more: object = {}) => post('/organization/inbox', { payload: { n: 1 }, ...more });
  const attempts = async (id: string, more: object = {}): Promise<any> =>
    (await post('/webhooks/deliveries', { id, ...more })).data;

  it('arrive signed as in Standard Webhooks, with the plain signature beside', async () => {
    const hooked = await hook('org.inbox.new_mail', 'INBOX_NEW_MAIL', { signature: 'by hand' });
    await mail({ topic: 'orders', payload: { text: 'ünï' } });
    await idle();
    const [received] = receiver.at(hooked.path);
    expect(received!.headers).toMatchObject({
      'content-type': 'application/json',
      signature: 'by hand',
    });
    expect(new Webhook(hooked.secret).verify(received!.text, received!.headers)).toEqual({
      event: 'org.inbox.new_mail',
      timestamp_ms: now_ms,
      nonce: expect.any(Number),
      webhook_id: hooked.id,
      webhook_alt_index: 'INBOX_NEW_MAIL',
      payload: {
        after: {
          type: 'org_inbox_new_notif',
          drive_id: org.drive_id,
          topic: 'orders',
          payload: { text: 'ünï' },
        },
      },
    });
  });

  it('are signed under both secrets after a rotation, under the first no more after two', async () => {
    const hooked = await hook('org.inbox.new_mail', 'INBOX_NEW_MAIL');
    const rotate = async (): Promise<string> =>
      (await post('/webhooks/update', { id: hooked.id, rotate_secret: true })).data.secret;
    const arrived = async () => {
      await mail();
      await idle();
      return receiver.at(hooked.path).at(-1)!;
    };
    const second = await rotate();
    const one = await arrived();
    for (const secret of [hooked.secret, second])
      expect(() => new Webhook(secret).verify(one.text, one.headers)).not.toThrow();
    const third = await rotate();
    const two = await arrived();
    for (const secret of [second, third])
      expect(() => new Webhook(secret).verify(two.text, two.headers)).not.toThrow();
    expect(() => new Webhook(hooked.secret).verify(two.text, two.headers)).toThrow('No matching');
  });

  it('report invites, labels, superswaps and every change', async () => {
    const group = (await post('/groups/create', { name: 'Sales' })).data;
    const label = (await post('/labels/create', { value: randomUUID() })).data;
    const hooks = {
      made: await hook('group.invite.created', group.id),
      changed: await hook('group.invite.updated', group.id),
      added: await hook('label.added', label.id),
      removed: await hook('label.removed', label.id),
      swapped: await hook('org.superswap_user', 'SUPERSWAP_USER'),
      all: await hook('drive.state_diffs', 'STATE_DIFFS'),
    };
    const invite = (await post('/groups/invites/create', { group_id: group.id, role: 'MEMBER' }))
      .data;
    await post('/groups/invites/update', { id: invite.id, note: 'soon', role: 'MEMBER' });
    const pin = { label_id: label.id, resource_id: group.id };
    await post('/labels/pin', { ...pin, add: true });
    await post('/labels/pin', { ...pin, add: true });
    await post('/labels/pin', { ...pin, add: false });
    const contact = (await post('/contacts/create', { id: `UserID_${randomUUID()}` })).data;
    const new_user_id = `UserID_${randomUUID()}`;
    await post('/organization/superswap_user', { current_user_id: contact.id, new_user_id });
    await idle();
    const payloads = (name: keyof typeof hooks) =>
      receiver.at(hooks[name].path).map(({ body }) => body.payload);
    expect(payloads('made')).toEqual([
      {
        after: expect.objectContaining({
          type: 'group_invite',
          group: expect.objectContaining({ id: group.id }),
          group_invite: expect.objectContaining({ id: invite.id, redeem_code: null }),
        }),
      },
    ]);
    expect(payloads('changed')).toMatchObject([
      { before: { group_invite: { note: '' } }, after: { group_invite: { note: 'soon' } } },
    ]);
    const labelled = { type: 'label', ...pin, label_value: label.value };
    expect(payloads('added')).toEqual([{ after: { ...labelled, add: true } }]);
    expect(payloads('removed')).toEqual([{ after: { ...labelled, add: false } }]);
    expect(payloads('swapped')).toEqual([
      {
        before: { type: 'superswap_userid', content: contact.id },
        after: { type: 'superswap_userid', content: new_user_id },
      },
    ]);
    const types = payloads('all').map(({ after }: any) => after.data.type);
    expect(types).toEqual([
      'GroupInviteCreated',
      'GroupInviteUpdated',
      'LabelPinned',
      'LabelUnpinned',
      'ContactCreated',
      'UserSuperswapped',
    ]);
    expect(JSON.stringify(receiver.got)).not.toContain(invite.redeem_code);
  });

  it('are retried, remembered and shown page by page', async () => {
    const { id, path } = await hook('org.inbox.new_mail', `topic-${randomUUID()}`);
    const topic = (await org.admin.get(`/webhooks/get/${id}`)).data.alt_index;
    receiver.status = 503;
    await mail({ topic });
    await idle();
    expect((await attempts(id)).items).toEqual([
      {
        delivery_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        event: 'org.inbox.new_mail',
        revision: expect.any(Number),
        nonce: expect.any(Number),
        attempt: 1,
        timestamp_ms: now_ms,
        status: 503,
        latency_ms: expect.any(Number),
        outcome: 'failed',
        reason: null,
      },
    ]);
    receiver.status = 200;
    now_ms += 5_000;
    service.server.webhooks.wake();
    await idle();
    await mail({ topic });
    await idle();
    const outcomes = ({ items }: any) => items.map((item: any) => [item.outcome, item.attempt]);
    const all = await attempts(id);
    expect(all).toMatchObject({ total: 3, page_size: 50, direction: 'ASC', cursor_down: null });
    expect(outcomes(all)).toEqual([
      ['failed', 1],
      ['delivered', 2],
      ['delivered', 1],
    ]);
    const ids = receiver.at(path).map(({ headers }) => headers['webhook-id']);
    expect(ids[1]).toBe(ids[0]);
    const paged = { page_size: 2, direction: 'DESC' };
    const first = await attempts(id, paged);
    expect([first.cursor_up, outcomes(first)]).toEqual([
      null,
      outcomes(all).toReversed().slice(0, 2),
    ]);
    const second = await attempts(id, { ...paged, cursor_down: first.cursor_down });
    expect([second.cursor_down, outcomes(second)]).toEqual([null, [['failed', 1]]]);
    expect((await attempts(id, { ...paged, cursor_up: second.cursor_up })).items).toEqual(
      first.items,
    );
    const other = await post('/webhooks/deliveries', { id, cursor_down: first.cursor_down });
    expect([other.status, other.err.details[0].pointer]).toEqual([400, '/cursor_down']);
  });

  it('are shown to holders of VIEW', async () => {
    const { id } = await hook('org.inbox.new_mail', 'nobody writes');
    const asked = (body: object, who: Client) => post('/webhooks/deliveries', body, who);
    expect((await asked({ id }, bob)).err.type).toBe('permission.denied');
    await given(service, org, granted(org, bob.user_id, id, 'VIEW'));
    expect((await asked({ id }, bob)).data.items).toEqual([]);
    expect((await asked({ id: 'WebhookID_none' }, bob)).err.type).toBe('webhook.not-found');
    expect((await asked({}, bob)).err.details[0].pointer).toBe('/id');
    expect((await asked({ id, page_size: 1001 }, bob)).status).toBe(400);
  });

  describe('again', () => {
    const again = (body: object, who = org.admin) => post('/webhooks/replay', body, who);
    let head: number;
    let id: string;
    let path: string;

    beforeAll(async () => {
      for (let n = 0; n < 3; n++) await mail({ topic: 'again', payload: n });
      head = Number((await mail({ topic: 'another' })).headers.get('drive-revision'));
      ({ id, path } = await hook('org.inbox.new_mail', 'again'));
    });

    it('go out also for events older than the webhook', async () => {
      const range = { id, from_revision: head - 2, to_revision: head };
      const { status, data } = await again(range);
      expect([status, data]).toEqual([200, { ...range, queued: 2 }]);
      await idle();
      await again(range);
      await idle();
      const received = receiver.at(path);
      expect(received.map(({ body }) => body.payload.after.payload)).toEqual([1, 2, 1, 2]);
      expect(received.map(({ body }) => body.notes)).toContain('Sent again on request');
      const ids = received.map(({ headers }) => headers['webhook-id']);
      expect(ids.slice(2)).toEqual(ids.slice(0, 2));
      expect(new Set(received.map(({ body }) => body.nonce)).size).toBe(4);
    });

    it('are only counted in a dry run', async () => {
      const before = receiver.at(path).length;
      const range = { id, from_revision: head - 2, to_revision: head };
      const { body } = await org.admin.post('/webhooks/replay', range, { 'dry-run': 'true' });
      expect(body.ok).toMatchObject({
        data: { queued: 2 },
        dry_run: { events: [{ type: 'WebhookReplayed', data: { queued: 2 } }] },
      });
      await idle();
      expect(receiver.at(path)).toHaveLength(before);
    });

    it('go out once under an Idempotency-Key, and are on record', async () => {
      const before = receiver.at(path).length;
      const range = { id, from_revision: head - 2, to_revision: head };
      const once = (body: object, key = 'once') =>
        org.admin.post('/webhooks/replay', body, { 'idempotency-key': key });
      const [first, second] = await Promise.all([once(range), once(range)]);
      await idle();
      const third = await once(range);
      await idle();
      expect([first, second, third].map(({ status, data }) => [status, data])).toEqual(
        Array.from({ length: 3 }, () => [200, { ...range, queued: 2 }]),
      );
      const repeated = [first!, second!, third].filter(({ headers }) =>
        headers.has('idempotent-replayed'),
      );
      expect(repeated).toHaveLength(2);
      expect(receiver.at(path)).toHaveLength(before + 2);
      expect((await once({ ...range, to_revision: head - 1 })).status).toBe(422);
      const asked = { resource_id: id, types: ['WebhookReplayed'] };
      const { items } = (await org.admin.post('/organization/history', asked)).data;
      expect(items[0]).toMatchObject({ command: 'ReplayWebhook', data: { queued: 2 } });
      expect(items[0].summary).toMatch(/sent revisions \d+ to \d+ again$/);
    });

    it('take a range within bounds', async () => {
      const asked = async (from_revision: unknown, to_revision: unknown) => {
        const { status, err } = await again({ id, from_revision, to_revision });
        return [status, err?.type, err?.details[0]?.pointer];
      };
      expect(await asked(0, 2)).toEqual([200, undefined, undefined]);
      expect(await asked(0, 3)).toEqual([400, 'request.invalid', '/to_revision']);
      expect(await asked(2, 1)).toEqual([400, 'request.invalid', '/from_revision']);
      expect(await asked(-1, 1)).toEqual([400, 'request.invalid', '/from_revision']);
      expect(await asked(1, undefined)).toEqual([400, 'request.invalid', '/to_revision']);
      expect(await asked(9_998, 9_999)).toEqual([404, 'point.out-of-range', '/to_revision']);
      await idle();
    });

    it('need EDIT, a webhook, and one that is on', async () => {
      const range = { id, from_revision: 0, to_revision: 1 };
      expect((await again(range, bob)).err.type).toBe('permission.denied');
      const missing = await again({ ...range, id: 'WebhookID_none' });
      expect([missing.status, missing.err.type]).toEqual([404, 'webhook.not-found']);
      await post('/webhooks/update', { id, active: false });
      const off = await again(range);
      expect([off.status, off.err.type]).toEqual([400, 'webhook.inactive']);
    });
  });

  it('are counted in /metrics, and quarantined ones are named in /ready', async () => {
    const { body: figures } = await service.client().get('/metrics');
    for (const line of [
      /^drive_workspace_webhook_attempts_total\{outcome="delivered"\} [1-9]/m,
      /^drive_workspace_webhook_attempts_total\{outcome="failed"\} [1-9]/m,
      /^drive_workspace_webhook_attempts_total\{outcome="quarantined"\} 0$/m,
      /^drive_workspace_webhook_deliveries_waiting 0$/m,
      /^drive_workspace_webhook_deliveries_quarantined 0$/m,
      /^drive_workspace_webhook_reactors_quarantined 0$/m,
    ])
      expect(figures).toMatch(line);
    const { jobs } = service.server.stores.side;
    expect((await service.client().get('/ready')).body.quarantined_webhooks).toEqual([]);
    await jobs.quarantine(org.drive_id, 'for this test');
    const { status, body } = await service.client().get('/ready');
    expect([status, body.quarantined_webhooks]).toEqual([200, [org.drive_id]]);
    const { id } = await hook('org.inbox.new_mail', 'goes on');
    expect((await org.admin.get(`/webhooks/get/${id}`)).status).toBe(200);
    expect((await service.client().get('/ready')).body.quarantined_webhooks).toEqual([]);
  });

  it('are not repeated by reindex, replay or a restart, and wait sealed meanwhile', async () => {
    const { path } = await hook('org.inbox.new_mail', 'sealed');
    const text = randomUUID();
    await mail({ topic: 'sealed', payload: 'first' });
    await idle();
    await post('/organization/reindex');
    await post('/organization/replay', { verify: true });
    receiver.status = 500;
    await mail({ topic: 'sealed', payload: text });
    await idle();
    await service.server.close();
    const stored = (await allIn(service.data_dir)).filter(({ where }) =>
      where.startsWith('jobs.db'),
    );
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.filter(({ bytes }) => bytes.includes(text))).toEqual([]);
    receiver.status = 200;
    now_ms += 5_000;
    await service.restart();
    await idle();
    const payloads = receiver.at(path).map(({ body }) => body.payload.after.payload);
    expect(payloads).toEqual(['first', text, text]);
  });
});

describe('webhooks in production', () => {
  it('are sent to no private address, neither given nor resolved', async () => {
    const service = await TestService.start({ PRODUCTION: 'true' });
    const receiver = await Receiver.start();
    const org = await service.organization();
    const hook = (url: string) =>
      org.admin.post('/webhooks/create', { event: 'org.inbox.new_mail', alt_index: 'x', url });
    const { status, err } = await hook(receiver.url());
    expect([status, err.type, err.details[0].pointer]).toEqual([400, 'request.invalid', '/url']);
    const { id } = (await hook('https://hook.example/')).data;
    const change = await org.admin.post('/webhooks/update', { id, url: 'http://169.254.169.254/' });
    expect([change.status, change.err.details[0].pointer]).toEqual([400, '/url']);
    const before = (await org.admin.post('/organization/replay')).data.revision;
    const made = { event: 'org.inbox.new_mail', alt_index: 'x', url: receiver.url() };
    for (const command of [
      { path: 'webhooks/create', body: made },
      { path: 'webhooks/update', body: { id, url: 'http://[::1]/' } },
    ]) {
      const commands = [{ path: 'groups/create', body: {} }, command];
      const together = await org.admin.post('/transaction', { commands });
      const { index, type, details } = together.err;
      expect([together.status, index, type]).toEqual([400, 1, 'request.invalid']);
      expect(details[0].pointer).toBe('/url');
    }
    expect((await org.admin.post('/organization/replay')).data.revision).toBe(before);
    // As if the name had led elsewhere when the webhook was made.
    await given(service, org, {
      type: 'WebhookUpdated',
      data: { webhook_id: id, url: receiver.url('/rebound') },
    });
    await org.admin.post('/organization/inbox', { topic: 'x' });
    await service.server.webhooks.idle();
    const { data } = await org.admin.post('/webhooks/deliveries', { id });
    expect(data.items).toMatchObject([
      { outcome: 'failed', status: null, reason: 'the address is not public' },
    ]);
    const tested = await org.admin.post('/webhooks/test', { id });
    const error = 'the address is not public';
    expect(tested.data).toMatchObject({ status: null, error });
    expect(receiver.got).toEqual([]);
    await service.stop();
    await receiver.stop();
  });
});
