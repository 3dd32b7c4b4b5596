import { createHmac } from 'node:crypto';
import { canonicalJson, sha256Hex } from '../../libs/engine/proofs/hashing.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { type Answer, Client, type Organization } from '../support/client.js';
import { act, makeDisk, makeFile, makeFolder } from '../support/directory.js';
import { TestService } from '../support/service.js';

let keys = 0;
const newKey = (): string => `key-${++keys}`;

describe('Idempotency-Key over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob', 'Cleo');
  });
  afterAll(() => service.stop());

  const revision = async (): Promise<number> =>
    (await org.admin.post('/organization/replay')).data.revision;
  const under = (key: string, path: string, body: object = {}, who: Client = org.admin) =>
    who.post(path, body, { 'Idempotency-Key': key });
  /** Sends the same twice; the second must say so, and do nothing. */
  const twice = async (path: string, body: object, who?: Client): Promise<[Answer, Answer]> => {
    const key = newKey();
    const first = await under(key, path, body, who);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    const before = await revision();
    const second = await under(key, path, body, who);
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(second.headers.get('drive-revision')).toBe(first.headers.get('drive-revision'));
    expect(await revision()).toBe(before);
    return [first, second];
  };
  const made = async (path: string, body: object): Promise<any> =>
    (await org.admin.post(path, body)).data;

  it('stores no digest that a guess at the body could be tested against', async () => {
    const key = 'a key that nobody guesses'.replaceAll(' ', '-');
    const body = { id: 'UserID_guessed', email: 'ann@example.com' };
    expect((await under(key, '/contacts/create', body)).status).toBe(200);
    const path = `/v1/drive/${org.drive_id}/contacts/create`;
    const guess = `${path}\n${canonicalJson(body)}`;
    const stored = await service.server.stores.events.readAll(-1, 1000);
    const metadata = stored.map((one) => one.metadata).join('\n');
    expect(metadata).toContain(createHmac('sha256', key).update(guess).digest('hex'));
    expect(metadata).not.toContain(sha256Hex(guess));
    expect(metadata).not.toContain(key);
  });

  it.each([
    ['/groups/create', { name: 'Once' }],
    ['/disks/create', { name: 'Once', disk_type: 'LOCAL_SSD' }],
    ['/labels/create', { value: 'once' }],
    ['/organization/inbox', { topic: 'once' }],
    ['/organization/update_allowed_domains', { allowed_domains: 'once.example' }],
    ['/organization/shortlink', { original_url: 'https://once.example' }],
  ])('%s is done once, its generated ids the same', async (path, body) => {
    const [first, second] = await twice(path, body);
    expect(second.body).toEqual(first.body);
  });

  it('answers updates and deletions as they were, after the record was changed or deleted', async () => {
    const { id } = await made('/groups/create', { name: 'First' });
    const key = newKey();
    const body = { id, name: 'Second' };
    const first = await under(key, '/groups/update', body);
    await org.admin.post('/groups/update', { id, name: 'Third' });
    expect((await under(key, '/groups/update', body)).body).toEqual(first.body);
    const [gone, gone_again] = await twice('/groups/delete', { id });
    expect(gone_again.body).toEqual(gone.body);
    expect((await under(key, '/groups/update', body)).body).toEqual(first.body);
  });

  it('masks keys and codes that are shown once', async () => {
    const [key, key_again] = await twice('/api_keys/create', { name: 'Once' });
    expect(key_again.data).toEqual({ ...key.data, value: `sk_...${key.data.value.slice(-4)}` });
    const { id: group_id } = await made('/groups/create', {});
    const [invite, invite_again] = await twice('/groups/invites/create', {
      group_id,
      role: 'MEMBER',
    });
    expect(invite_again.data).toEqual({ ...invite.data, redeem_code: '***' });
    const hook = {
      event: 'org.inbox.new_mail',
      alt_index: 'INBOX_NEW_MAIL',
      url: 'https://hook.example/',
    };
    const [webhook, webhook_again] = await twice('/webhooks/create', hook);
    expect(webhook.data.secret).toMatch(/^whsec_/);
    expect(webhook_again.data.secret).toBe('***');
  });

  it('answers a placeholder that redeemed itself, under its earlier id', async () => {
    const contact = await made('/contacts/create', { is_placeholder: true, name: 'Pat' });
    const key = await made('/api_keys/create', { name: 'Pat', user_id: contact.id });
    const pat = org.as(key.value, contact.id);
    const body = {
      current_user_id: contact.id,
      new_user_id: 'UserID_pat-in-person',
      redeem_code: contact.redeem_code,
    };
    const [first, second] = await twice('/contacts/redeem', body, pat);
    expect(second.data.contact.id).toBe('UserID_pat-in-person');
    expect(second.data).toEqual({ ...first.data, contact: expect.anything(), api_key: '***' });
  });

  it('runs a rebuild once', async () => {
    const [first, second] = await twice('/organization/reindex', {});
    expect(second.data).toEqual({ ...first.data, duration_ms: 0 });
    const key = newKey();
    const job = await under(key, '/organization/reindex', { async: true });
    const at = `/organization/reindex/${job.data.job_id}`;
    let state = 'RUNNING';
    while (state === 'RUNNING') ({ state } = (await org.admin.get(at)).data);
    const again = await under(key, '/organization/reindex', { async: true });
    expect(again.data).toMatchObject({ job_id: job.data.job_id, state: 'DONE', percent: 100 });
    expect((await under(key, '/organization/reindex', {})).status).toBe(422);
  });

  it('runs a rebuild once for all requests while it runs, and answers with its job', async () => {
    const key = newKey();
    const before = await revision();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => under(key, '/organization/reindex', {})),
    );
    expect(new Set(answers.map(({ data }) => data.job_id)).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(3);
    expect(await revision()).toBe(before + 1);
  });

  it('refuses 422 another body or path under the same key, and does nothing', async () => {
    const key = newKey();
    const { data } = await under(key, '/groups/create', { name: 'A' });
    const before = await revision();
    const others: [string, object][] = [
      ['/groups/create', { name: 'B' }],
      ['/groups/create', {}],
      ['/groups/delete', { id: data.id }],
    ];
    for (const [path, body] of others) {
      const { status, err } = await under(key, path, body);
      expect([status, err.type]).toEqual([422, 'request.idempotency-key-reused']);
    }
    expect(await revision()).toBe(before);
    expect((await under(key, '/groups/create', { name: 'A' })).status).toBe(200);
  });

  it('applies to a list of actions as a whole, failed ones included', async () => {
    const disk = await makeDisk(org);
    const place = { disk_id: disk.id, parent_folder_uuid: disk.root_folder };
    const create = (name: string) => ({ action: 'CREATE_FOLDER', payload: { name, ...place } });
    const missing = { action: 'UPDATE_FOLDER', payload: { id: 'FolderID_none', name: 'N' } };
    const actions = [create('A'), missing, create('B')];
    const key = newKey();
    const first = await under(key, '/directory/action', { actions });
    await org.admin.post('/groups/create');
    const again = await under(key, '/directory/action', { actions });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('drive-revision')).toBe(first.headers.get('drive-revision'));
    expect(again.body).toEqual(first.body);
    expect(new Set(first.body.map(({ id }: any) => id)).size).toBe(3);
    const { status, err } = await under(key, '/directory/action', { actions: [create('C')] });
    expect([status, err.type]).toEqual([422, 'request.idempotency-key-reused']);
  });

  it('takes members of the body in any order as the same', async () => {
    const key = newKey();
    const first = await under(key, '/groups/create', { name: 'A', public_note: 'n' });
    const again = await under(key, '/groups/create', { public_note: 'n', name: 'A' });
    expect(again.body).toEqual(first.body);
  });

  it('keeps the keys of two callers and of two organizations apart', async () => {
    const key = newKey();
    await under(key, '/organization/shortlink', { original_url: 'https://a.example' });
    const bobs = await under(
      key,
      '/organization/shortlink',
      { original_url: 'https://b.example' },
      org.members[0],
    );
    expect([bobs.status, bobs.headers.get('idempotent-replayed')]).toEqual([200, null]);
    const other = await service.organization();
    const theirs = await under(key, '/groups/create', {}, other.admin);
    expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  it('does not remember what was refused', async () => {
    const key = newKey();
    const body = { id: 'GroupID_idempotent-late', name: 'Late' };
    expect((await under(key, '/groups/update', body)).status).toBe(404);
    await org.admin.post('/groups/create', { id: body.id });
    const second = await under(key, '/groups/update', body);
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  it('has one effect when many arrive together', async () => {
    const key = newKey();
    const before = await revision();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => under(key, '/groups/create', { name: 'Race' })),
    );
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(11);
    expect(await revision()).toBe(before + 1);
  });

  it('survives a restart', async () => {
    const key = newKey();
    const first = await under(key, '/groups/create', { name: 'Durable' });
    await service.restart();
    const { token, user_id } = org.admin;
    const admin = new Client(`${service.url}/v1/drive/${org.drive_id}`, token, user_id);
    const again = await under(key, '/groups/create', { name: 'Durable' }, admin);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });
});

describe('Idempotency-Key of a large deletion', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start({ BATCH_MAX_BYTES: '16384' });
    org = await service.organization();
  });
  afterAll(() => service.stop());

  it.each([true, false])(
    'changes nothing of it, however many items the answer names (permanent: %s)',
    async (permanent) => {
      const disk = await makeDisk(org);
      const { id } = await makeFolder(org.admin, disk, 'Full');
      const inner = await makeFolder(org.admin, disk, 'Inner');
      const within = { parent_folder_uuid: inner.id };
      for (let nth = 0; nth < 40; nth++) await makeFile(org.admin, disk, `${nth}.txt`, within);
      const copy = { id: inner.id, destination_folder_id: id };
      // The ids alone are longer than one append.
      for (let nth = 0; nth < 10; nth++)
        await act(org.admin, 'COPY_FOLDER', { ...copy, file_conflict_resolution: 'KEEP_BOTH' });
      const actions = [{ action: 'DELETE_FOLDER', payload: { id, permanent } }];
      const under = (): Promise<Answer> =>
        org.admin.post('/directory/action', { actions }, { 'Idempotency-Key': `k-${permanent}` });
      const first = await under();
      const { result } = first.body[0].response;
      expect([result.deleted_files.length, result.deleted_folders.length]).toEqual([400, 10]);
      const last = await org.admin.post('/groups/create');
      const again = await under();
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('drive-revision')).toBe(first.headers.get('drive-revision'));
      expect(again.body).toEqual(first.body);
      const next = await org.admin.post('/groups/create');
      const revisions = [last, next].map(({ headers }) => Number(headers.get('drive-revision')));
      expect(revisions[1]).toBe(revisions[0]! + 1);
    },
  );
});

describe('the form of an Idempotency-Key', () => {
  let service: TestService;
  let org: Organization;
  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization();
  });
  afterAll(() => service.stop());
  const send = (key: string) => org.admin.post('/groups/create', {}, { 'Idempotency-Key': key });

  it('is 1 to 255 visible ASCII characters', async () => {
    expect((await send('k')).status).toBe(200);
    expect((await send('~'.repeat(255))).status).toBe(200);
    for (const bad of ['k'.repeat(256), 'two words', 'clé'])
      expect((await send(bad)).err).toMatchObject({ code: 400, type: 'request.invalid-header' });
  });
});

describe('an Idempotency-Key', () => {
  it('is known after a restart that begins with a snapshot', async () => {
    const every = { SNAPSHOT_AFTER_EVENTS: '100', SNAPSHOT_EVERY_EVENTS: '100' };
    const service = await TestService.start(every);
    try {
      const org = await service.organization();
      const create = (who = org.admin): Promise<Answer> =>
        who.post('/groups/create', { name: 'Once' }, { 'Idempotency-Key': 'once' });
      const first = await create();
      const { snapshots } = service.server.stores.side;
      await eventually(async () => {
        await org.admin.post('/groups/create', { name: 'Another' });
        return (await snapshots.list(org.drive_id)).length > 0;
      });
      await service.restart();
      const base = `${service.url}/v1/drive/${org.drive_id}`;
      const again = await create(new Client(base, org.admin.token));
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.data.id).toBe(first.data.id);
    } finally {
      await service.stop();
    }
  });
});
