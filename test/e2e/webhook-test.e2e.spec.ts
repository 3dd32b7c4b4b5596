import { Webhook } from 'standardwebhooks';
import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { Receiver } from '../support/receiver.js';
import { TestService } from '../support/service.js';

describe('testing a webhook over HTTP', () => {
  let service: TestService;
  let receiver: Receiver;
  let org: Organization;
  let bob: Client;
  let hooks = 0;

  beforeAll(async () => {
    service = await TestService.start();
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
  const test = (id: string, who = org.admin) => post('/webhooks/test', { id }, who);
  /** A webhook on all changes of state with a path of its own. */
  const hook = async (more: object = {}, who = org.admin): Promise<any> => {
    const path = `/tested-${(hooks += 1)}`;
    const all = { event: 'drive.state_diffs', alt_index: 'STATE_DIFFS' };
    const body = { ...all, url: receiver.url(path), active: false, ...more };
    return { path, ...(await post('/webhooks/create', body, who)).data };
  };
  const revision = async (): Promise<number> =>
    (await post('/organization/replay')).data.revision as number;

  it('sends a marked example, signed like a delivery, and answers with status and latency', async () => {
    const { id, path, secret } = await hook({ signature: 'by hand' });
    const { status, data } = await test(id);
    expect([status, data]).toEqual([
      200,
      { status: 200, latency_ms: expect.any(Number), error: null },
    ]);
    const [received, ...more] = receiver.at(path);
    expect(more).toEqual([]);
    expect(received!.headers['signature']).toBe('by hand');
    expect(new Webhook(secret).verify(received!.text, received!.headers)).toMatchObject({
      event: 'drive.state_diffs',
      nonce: 0,
      webhook_id: id,
      webhook_alt_index: 'STATE_DIFFS',
      payload: { after: { type: 'state_diffs', data: { type: 'InboxNotified' } } },
      notes: expect.stringMatching(/^Test on request/),
    });
    for (const own of [org.drive_id, org.admin.user_id]) expect(received!.text).not.toContain(own);
  });

  it('shows of a change the members that a real delivery shows', async () => {
    const { id, path } = await hook({ active: true });
    await post('/groups/create', { name: 'Watched' });
    await idle();
    await test(id);
    const [real, example] = receiver.at(path).map(({ body }) => body.payload.after.data);
    expect(real.type).toBe('GroupCreated');
    expect(Object.keys(example).sort()).toEqual(Object.keys(real).sort());
    expect(Object.keys(example.actor).sort()).toEqual(Object.keys(real.actor).sort());
  });

  it('is one attempt, whatever is answered, and stores nothing', async () => {
    const { id, path } = await hook();
    receiver.status = 503;
    const before = await revision();
    expect((await test(id)).data).toMatchObject({ status: 503, error: null });
    await idle();
    expect(receiver.at(path)).toHaveLength(1);
    expect(await revision()).toBe(before);
    expect((await post('/webhooks/deliveries', { id })).data.items).toEqual([]);
  });

  it('says why there was no answer', async () => {
    const gone = await Receiver.start();
    const url = gone.url();
    await gone.stop();
    const { id } = await hook({ url });
    const error = 'the connection was refused';
    expect((await test(id)).data).toMatchObject({ status: null, error });
  });

  it('needs EDIT and a webhook', async () => {
    const { id, path } = await hook();
    await given(service, org, granted(org, bob.user_id, id, 'VIEW'));
    const denied = await test(id, bob);
    expect([denied.status, denied.err.type]).toEqual([403, 'permission.denied']);
    expect(receiver.at(path)).toEqual([]);
    await given(service, org, granted(org, bob.user_id, id, 'EDIT'));
    expect((await test(id, bob)).data.status).toBe(200);
    const missing = await test('WebhookID_none');
    expect([missing.status, missing.err.type]).toEqual([404, 'webhook.not-found']);
    expect((await post('/webhooks/test')).err.details[0].pointer).toBe('/id');
    expect((await test(id, org.as())).status).toBe(401);
  });

  it('takes no Dry-Run and no as_of, and sends nothing then', async () => {
    const { id, path } = await hook();
    const tried = await org.admin.post('/webhooks/test', { id }, { 'dry-run': 'true' });
    expect([tried.status, tried.err.type]).toEqual([400, 'request.invalid-header']);
    const past = await org.admin.post('/webhooks/test?as_of=r1', { id });
    expect([past.status, past.err.type]).toEqual([400, 'request.no-past']);
    expect(receiver.at(path)).toEqual([]);
  });

  it('sends nothing to a paused webhook', async () => {
    await given(
      service,
      org,
      granted(org, bob.user_id, 'TABLE_WEBHOOKS', 'CREATE'),
      granted(org, bob.user_id, 'TABLE_AUDIT', 'VIEW'),
    );
    const { id, path } = await hook({ active: true }, bob);
    expect((await test(id)).data.status).toBe(200);
    await post('/contacts/delete', { id: bob.user_id });
    const { data } = await org.admin.get(`/webhooks/get/${id}`);
    expect(data.paused_reason).toBe('CREATOR_DELETED');
    const { status, err } = await test(id);
    expect([status, err.type]).toEqual([400, 'webhook.paused']);
    await idle();
    const tests = receiver.at(path).filter(({ body }) => body.nonce === 0);
    expect(tests).toHaveLength(1);
  });
});
