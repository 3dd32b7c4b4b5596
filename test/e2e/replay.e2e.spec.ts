import { jest } from '@jest/globals';
import { Client, type Organization } from '../support/client.js';
import { replicas, withoutPresence } from '../support/replicas.js';
import { indexText } from '../../libs/event-store/event-index.js';
import { makeDisk, makeFolder } from '../support/directory.js';
import { TestService } from '../support/service.js';

describe('replay over HTTP', () => {
  let service: TestService;
  let org: Organization;
  const recorded: { revision: number; state_hash: string; log_root: string }[] = [];

  const replay = async (body: object = {}): Promise<any> => {
    const { status, data, err } = await org.admin.post('/organization/replay', body);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };

  beforeAll(async () => {
    service = await TestService.start({}, { limits: { snapshot_every_events: 5 } });
    org = await service.organization('Bob');
    for (let at = 0; at < 12; at++) {
      await org.admin.post('/groups/create', { name: `Group ${at}` });
      const { revision, state_hash, log_root } = await replay();
      recorded.push({ revision, state_hash, log_root });
    }
  });
  afterAll(() => service.stop());

  it('shows the current state: counts of every family, last event, hashes', async () => {
    const now = await replay();
    expect(now.counts).toMatchObject({ organization: 1, contacts: 2, groups: 13, files: 0 });
    expect(now.state).toEqual({});
    expect(now.last_event).toMatchObject({
      revision: now.revision,
      type: 'GroupCreated',
      command: 'CreateGroup',
      allowed_by: ['OWNER'],
      actor: { user_id: org.admin.user_id, via: 'API_KEY' },
      resource_count: 2,
      hash: now.chain_hash,
    });
    expect(now.state_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(now.verified).toBeNull();
  });

  it('gives every past point the hash it had when it was live, verified or not', async () => {
    for (const { revision, state_hash, log_root } of recorded)
      for (const verify of [false, true])
        expect(await replay({ revision, verify })).toMatchObject({
          revision,
          state_hash,
          log_root,
          verified: verify || null,
        });
  });

  it('gives the same after a restart', async () => {
    await service.restart();
    org = reached(org, service.url);
    for (const { revision, state_hash } of recorded)
      expect((await replay({ revision })).state_hash).toBe(state_hash);
  });

  it('finds the point of a time, and names the range of times', async () => {
    const { last_event } = await replay({ revision: 5 });
    const at = await replay({ at_ms: last_event.timestamp_ms });
    expect(at.revision).toBeGreaterThanOrEqual(5);
    expect(at.at_ms).toBe(last_event.timestamp_ms);
    const early = await org.admin.post('/organization/replay', { at_ms: 1 });
    expect([early.status, early.err.type]).toEqual([404, 'point.out-of-range']);
    expect(early.err.details[0].reason).toMatch(/^must be from \d+ to \d+$/);
  });

  it.each([
    [{ revision: 1, at_ms: 1 }, 400],
    [{ at_ms: Date.now() + 3_600_000 }, 400],
    [{ revision: 100_000 }, 404],
    [{ revision: 'x' }, 400],
    [{ include: ['nonsense'] }, 400],
    [{ include: ['groups', 'contacts'], cursor_down: 'x' }, 400],
    [{ include: ['groups'], cursor_down: 'x' }, 400],
  ])('refuses %j with %i', async (body, status) => {
    expect((await org.admin.post('/organization/replay', body)).status).toBe(status);
  });

  it('shows included families in pages, as their get shows them to the owner', async () => {
    const first = await replay({ include: ['groups'], page_size: 5 });
    expect(first.state.groups).toMatchObject({ total: 13, page_size: 5, cursor_up: null });
    const cursor_down = first.state.groups.cursor_down;
    // A cursor names a position, not a point: others may write between two pages.
    expect((await org.admin.post('/labels/create', { value: 'meanwhile' })).status).toBe(200);
    const next = await replay({ include: ['groups'], page_size: 5, cursor_down });
    expect(next.state.groups.items[0].name).toBe('Group 4');
    const { data } = await org.admin.get(`/groups/get/${next.state.groups.items[0].id}`);
    expect(ignoringPresence(next.state.groups.items[0])).toEqual(ignoringPresence(data));
    const all = await replay({ include: ['ALL'] });
    expect(Object.keys(all.state)).toHaveLength(17);
    expect(all.state.api_keys.items[0].value).toMatch(/^sk_/);
  });

  it('shows one past record, and 404 where it did not exist', async () => {
    const { state } = await replay({ include: ['groups'], page_size: 1000 });
    const { id } = state.groups.items.at(-1);
    const { revision } = recorded.at(-1)!;
    expect((await replay({ record_id: id, revision })).state.groups.items[0].id).toBe(id);
    const body = { record_id: id, revision: revision - 1 };
    expect((await org.admin.post('/organization/replay', body)).status).toBe(404);
  });

  it('shows the organization as itself and as the drive it knows', async () => {
    const { state } = await replay({ record_id: org.drive_id });
    expect(Object.keys(state)).toEqual(['organization', 'drives']);
    const { data } = await org.admin.get(`/drives/get/${org.drive_id}`);
    expect(state.drives.items).toEqual([data]);
  });

  it('is for the owner and holders of VIEW on AUDIT only', async () => {
    expect((await org.members[0]!.post('/organization/replay')).status).toBe(403);
  });

  it('leaves no event behind', async () => {
    const { revision } = await replay();
    expect((await replay({ verify: true })).revision).toBe(revision);
  });
});

describe('reindex over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => org.admin.post('/groups/create', { name: `G~${at}` })),
    );
  });
  afterAll(() => service.stop());

  it('leaves lists, searches and hashes as they were, and one event', async () => {
    const lists = async () => ({
      groups: (await org.admin.post('/groups/list', { page_size: 1000 })).body,
      search: (await org.admin.post('/organization/search', { query: 'g~1' })).body,
    });
    const before = await lists();
    const { data } = await org.admin.post('/organization/reindex', { force: true });
    expect(data).toMatchObject({ success: true, events_folded: data.revision + 1 });
    expect(data.indexed_count).toBeGreaterThan(40);
    expect(withoutPresence(await lists())).toEqual(withoutPresence(before));
    const { data: now } = await org.admin.post('/organization/replay', { verify: true });
    expect(now.last_event.type).toBe('ReadModelsRebuilt');
    expect(now.revision).toBe(data.revision + 1);
  });

  it('answers history from a rebuilt index', async () => {
    const { drives, stores } = service.server;
    const history = async (): Promise<number> =>
      (await org.admin.post('/organization/history', { types: ['GroupCreated'] })).data.total;
    const total = await history();
    expect(total).toBe(40);
    // An index that has lost everything and does not know it.
    const { index } = stores.side;
    await drives.indexer.flush();
    const position = await index.position(org.drive_id);
    await index.drop(org.drive_id);
    await index.append(org.drive_id, indexText([]), position!);
    expect(await history()).toBe(0);
    await org.admin.post('/organization/reindex');
    expect(await history()).toBe(total);

    await index.drop(org.drive_id);
    await index.append(org.drive_id, indexText([]), position!);
    const { data } = await org.admin.post('/organization/reindex', { async: true });
    const job = async () =>
      (await org.admin.get(`/organization/reindex/${data.job_id}`)).data.state as string;
    while ((await job()) === 'RUNNING');
    expect([await job(), await history()]).toEqual(['DONE', total]);
  });

  it('runs during commands, and none is lost', async () => {
    const [rebuilt, ...created] = await Promise.all([
      org.admin.post('/organization/reindex'),
      ...Array.from({ length: 100 }, (_, at) =>
        org.admin.post('/groups/create', { name: `During ${at}` }),
      ),
    ]);
    expect(rebuilt!.status).toBe(200);
    expect(created.every(({ status }) => status === 200)).toBe(true);
    const { data } = await org.admin.post('/groups/list', { filters: 'during ', page_size: 1 });
    expect(data.total).toBe(100);
  });

  it('runs in the background on request, one at a time, and shows its progress', async () => {
    const [first, second] = await Promise.all([
      org.admin.post('/organization/reindex', { async: true }),
      org.admin.post('/organization/reindex', { async: true }),
    ]);
    expect(first.data.job_id).toBe(second.data.job_id);
    const job = () => org.admin.get(`/organization/reindex/${first.data.job_id}`);
    let { data } = await job();
    while (data.state === 'RUNNING') ({ data } = await job());
    expect(data).toMatchObject({ state: 'DONE', percent: 100, error: null });
  });

  it('is refused to callers whose condition fails, also beside a running one', async () => {
    const [joined, ...refused] = await Promise.all([
      org.admin.post('/organization/reindex'),
      org.admin.post('/organization/reindex', {}, { 'If-Match': '*' }),
      org.admin.post('/organization/reindex', { async: true }, { 'If-Match': '*' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([412, 412]);
    expect(joined).toMatchObject({ status: 200, data: { success: true } });
  });

  it('is for the owner and holders of EDIT on DRIVES only', async () => {
    expect((await org.members[0]!.post('/organization/reindex')).status).toBe(403);
    const unknown = '/organization/reindex/ReindexJobID_x';
    expect((await org.admin.get(unknown)).status).toBe(404);
    expect((await org.members[0]!.get(unknown)).status).toBe(403);
  });

  it('is known to the next process, which reports interrupted jobs', async () => {
    const { data } = await org.admin.post('/organization/reindex');
    const { drives, stores } = service.server;
    const heard_ms = drives.role.follows ? 0 : Date.now();
    const { rebuilds } = stores.side.jobs;
    const done = (await rebuilds.find(org.drive_id, data.job_id))!;
    const left = { ...done, job_id: 'ReindexJobID_left', heard_ms, finished_ms: null };
    await rebuilds.begin(left, { from_ms: Infinity, to_ms: Infinity });
    await service.restart();
    const admin = new Client(`${service.url}/v1/drive/${org.drive_id}`, org.admin.token);
    const told = async (job_id: string) =>
      (await admin.get(`/organization/reindex/${job_id}`)).data;
    expect(await told(data.job_id)).toMatchObject({ state: 'DONE', error: null });
    expect((await told(left.job_id)).state).toBe('FAILED');
  });
});

describe('a reindex whose caller loses the right meanwhile', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    // From now on all requests go to one process, in which the start is held.
    replicas.forget(service.url);
  });
  afterAll(() => service.stop());

  it('is refused to that caller, and not to the one who joined it', async () => {
    const [member] = org.members;
    const { data } = await org.admin.post('/permissions/system/create', {
      resource_id: 'TABLE_DRIVES',
      granted_to: member!.user_id,
      permission_types: ['EDIT'],
    });
    const begun = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const { rebuilds } = service.server.stores.side.jobs;
    const trim = rebuilds.trim.bind(rebuilds);
    jest.spyOn(rebuilds, 'trim').mockImplementationOnce(async (before_ms) => {
      begun.resolve();
      await taken.promise;
      return trim(before_ms);
    });
    const began = member!.post('/organization/reindex');
    await Promise.race([begun.promise, began]);
    const joined = org.admin.post('/organization/reindex');
    await org.admin.post('/permissions/system/delete', { permission_id: data.id });
    taken.resolve();
    expect([(await began).status, (await joined).status]).toEqual([403, 200]);
  });
});

describe('search over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('~Zephyrine for All');
    for (const name of ['Alpha ~Finance', '~Finance', '~finance two', '~Other'])
      await org.admin.post('/groups/create', { name });
  });
  afterAll(() => service.stop());

  const search = (body: object, client = org.admin) => client.post('/organization/search', body);
  const titles = (answer: any): string[] => answer.data.items.map((hit: any) => hit.title);

  it('finds substrings in any case, with scores and orders', async () => {
    const found = await search({ query: '~FINANCE', sort_by: 'SCORE', direction: 'DESC' });
    expect(found.data.items.map((hit: any) => hit.score)).toEqual([1, 0.75, 0.5]);
    const sorted = await search({ query: '~finance', sort_by: 'ALPHABETICAL' });
    expect(titles(sorted)).toEqual(['Alpha ~Finance', '~Finance', '~finance two']);
    expect(sorted.data.items[0]).toMatchObject({ category: 'GROUPS', metadata: null });
  });

  it('narrows by category', async () => {
    expect(titles(await search({ query: '~zephyr', categories: ['CONTACTS'] }))).toEqual([
      '~Zephyrine for All',
    ]);
    for (const categories of [['GROUPS'], ['FILES'], ['FOLDERS', 'PURCHASES']])
      expect((await search({ query: '~zephyr', categories })).data.items).toEqual([]);
    expect((await search({ query: '~zephyr', categories: ['METADATA'] })).data.total).toBe(1);
  });

  it('shows and counts only what the caller may view', async () => {
    const { data } = await search({ query: 'for all' }, org.members[0]!);
    expect(data.items.map((hit: any) => hit.title).toSorted()).toEqual([
      'Group for All',
      '~Zephyrine for All',
    ]);
    expect(data.total).toBe(2);
  });

  it('pages through everything once', async () => {
    const seen: string[] = [];
    let cursor_down: string | null = null;
    do {
      const answer: any = await search({ query: '~', page_size: 1, cursor_down });
      seen.push(...answer.data.items.map((hit: any) => hit.resource_id));
      cursor_down = answer.data.cursor_down;
    } while (cursor_down);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength((await search({ query: '~' })).data.total);
  });

  it.each([
    [{}],
    [{ query: '   ' }],
    [{ query: 'x'.repeat(257) }],
    [{ query: 'x', categories: ['NONE'] }],
    [{ query: 'x', sort_by: 'SIZE' }],
  ])('refuses %j', async (body) => {
    expect((await search(body)).status).toBe(400);
  });

  it('takes a query of exactly 256 characters', async () => {
    expect((await search({ query: 'x'.repeat(256) })).status).toBe(200);
  });
});

describe('GET /organization/snapshot', () => {
  it('is refused beyond a number of records', async () => {
    const service = await TestService.start();
    try {
      const org = await service.organization();
      const disk = await makeDisk(org);
      const { id } = await makeFolder(org.admin, disk, 'copied');
      const place = { parent_folder_uuid: id, disk_id: disk.id };
      const files = Array.from({ length: 99 }, (_, nth) => ({
        action: 'CREATE_FILE',
        payload: { name: `${nth}.txt`, extension: 'txt', file_size: 1, ...place },
      }));
      await org.admin.post('/directory/action', { actions: files });
      const dumped = () => org.admin.get('/organization/snapshot');
      expect((await dumped()).data.files).toHaveLength(99);
      const payload = { id, destination_folder_id: disk.root_folder };
      const copies = Array.from({ length: 100 }, () => ({ action: 'COPY_FOLDER', payload }));
      for (let nth = 0; nth < 2; nth++)
        await org.admin.post('/directory/action', { actions: copies });
      expect((await dumped()).err).toMatchObject({
        code: 413,
        type: 'organization.snapshot-too-large',
      });
    } finally {
      await service.stop();
    }
  });
});

/** The same organization reached at another URL, as after a restart on another port. */
function reached(org: Organization, url: string): Organization {
  const base = `${url}/v1/drive/${org.drive_id}`;
  const moved = (client: Client): Client => new Client(base, client.token, client.user_id);
  return {
    ...org,
    admin: moved(org.admin),
    members: org.members.map(moved),
    as: (token, user_id) => new Client(base, token, user_id),
  };
}

function ignoringPresence(group: any): any {
  const member_previews = group.member_previews.map((member: any) => ({
    ...member,
    last_online_ms: 0,
  }));
  return { ...group, member_previews };
}
