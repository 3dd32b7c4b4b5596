import type { Client, Organization } from '../support/client.js';
import { act, BUCKET, makeDisk, makeFile } from '../support/directory.js';
import { asThen } from '../support/past.js';
import { TestService } from '../support/service.js';

describe('reads as of a past point', () => {
  let service: TestService;
  let organization: Organization;
  let admin: Client;
  let member: Client;
  let group_id: string;
  /** Revision at which the group had its first name, and what its owner saw. */
  let revision: number;
  let first: any;

  const errorOf = ({ status, err }: { status: number; err: any }) => [
    status,
    err?.type,
    err?.details[0]?.pointer,
  ];

  beforeAll(async () => {
    service = await TestService.start();
    organization = await service.organization('Ann');
    ({ admin } = organization);
    member = organization.members[0]!;
    const made = await admin.post('/groups/create', { name: 'First' });
    group_id = made.data.id;
    revision = Number(made.headers.get('drive-revision'));
    first = asThen((await admin.get(`/groups/get/${group_id}`)).data);
    await admin.post('/organization/bookmarks', { name: 'start', revision });
    await admin.post('/groups/update', { id: group_id, name: 'Second' });
  });

  afterAll(() => service.stop());

  const read = (as_of: string, who = admin) =>
    who.get(`/groups/get/${group_id}?as_of=${encodeURIComponent(as_of)}`);

  it('takes a revision, a time in two forms, and the name of a bookmark', async () => {
    const { data: replayed } = await admin.post('/organization/replay', { revision });
    const at_ms: number = replayed.at_ms;
    for (const as_of of [`r${revision}`, '@start']) {
      const { data, headers } = await read(as_of);
      expect(data).toEqual(first);
      expect(headers.get('drive-revision')).toBe(String(revision));
    }
    for (const as_of of [String(at_ms), new Date(at_ms).toISOString()])
      expect((await read(as_of)).status).toBe(200);
    expect((await admin.get(`/groups/get/${group_id}`)).data.name).toBe('Second');
  });

  it('answers the same for the present revision as the present does', async () => {
    const now = await admin.post('/groups/list');
    const head = now.headers.get('drive-revision');
    const then = await admin.post(`/groups/list?as_of=r${head}`);
    expect(then.data).toEqual(asThen(now.data));
  });

  it('answers as another user would have been answered, 403 and 404 included', async () => {
    const as = (user_id: string, as_of: string) =>
      admin.get(`/groups/get/${group_id}?as_of=${as_of}&as_user=${user_id}`);
    expect(errorOf(await as(member.user_id, `r${revision}`))).toEqual([
      403,
      'permission.denied',
      // The rights that would have sufficed; no field is to blame.
      '',
    ]);
    expect(errorOf(await as(member.user_id, `r${revision - 1}`)).slice(0, 2)).toEqual([
      404,
      'group.not-found',
    ]);
    await admin.post('/permissions/system/create', {
      resource_id: 'TABLE_GROUPS',
      permission_types: ['VIEW'],
      granted_to: member.user_id,
    });
    const now = await member.get(`/groups/get/${group_id}`);
    const head = now.headers.get('drive-revision');
    expect((await as(member.user_id, `r${head}`)).data).toEqual(asThen(now.data));
    expect((await as(member.user_id, `r${revision}`)).status).toBe(403);
  });

  it('requires the current permission to audit', async () => {
    expect(errorOf(await read(`r${revision}`, member)).slice(0, 2)).toEqual([
      403,
      'permission.denied',
    ]);
    const grant = await admin.post('/permissions/system/create', {
      resource_id: 'TABLE_AUDIT',
      permission_types: ['VIEW'],
      granted_to: member.user_id,
    });
    expect((await read(`r${revision}`, member)).data).toEqual(first);
    await admin.post('/permissions/system/delete', { permission_id: grant.data.id });
    expect((await read(`r${revision}`, member)).status).toBe(403);
  });

  it('demands a token also where the present needs none', async () => {
    const slug = (
      await admin.post('/organization/shortlink', { original_url: 'https://a.example/' })
    ).data.slug;
    const anybody = organization.as();
    expect((await anybody.post('/organization/shortlink', { slug })).status).toBe(200);
    const then = await anybody.post(`/organization/shortlink?as_of=r${revision}`, { slug });
    expect([then.status, then.err.type]).toEqual([401, 'token.missing']);
    const found = await admin.post(`/organization/shortlink?as_of=r${revision}`, { slug });
    expect(found.status).toBe(404);
  });

  it('shows the storage of a file’s content; a past state has no signed address', async () => {
    const disk = await makeDisk(organization);
    const raw_url = 'https://a.example/first.txt';
    const file = await makeFile(admin, disk, 'a.txt', { raw_url });
    const then = (await admin.get('/organization/about')).headers.get('drive-revision');
    await act(admin, 'UPDATE_FILE', { id: file.id, raw_url: 'https://a.example/second.txt' });
    const cloud = await makeDisk(organization, {
      disk_type: 'AWS_BUCKET',
      auth_json: JSON.stringify(BUCKET),
    });
    const signed = await makeFile(admin, cloud, 'b.txt');
    const after = (await admin.get('/organization/about')).headers.get('drive-revision');
    const asset = (id: string, query: string, who: Client = admin) =>
      who.get(`/directory/asset/${id}.txt?${query}`);
    const found = await asset(file.id, `as_of=r${then}`);
    expect([found.status, found.headers.get('location')]).toEqual([302, raw_url]);
    expect(found.headers.get('drive-revision')).toBe(then);
    const as_stranger = `as_of=r${then}&as_user=UserID_nobody`;
    expect((await asset(file.id, as_stranger)).status).toBe(403);
    expect((await asset(file.id, `as_of=r${revision}`)).status).toBe(404);
    expect((await asset(file.id, `as_of=r${then}`, member)).status).toBe(403);
    expect((await asset(file.id, `as_of=r${then}`, organization.as())).status).toBe(401);
    expect((await asset(signed.id, '')).status).toBe(302);
    expect((await asset(signed.id, `as_of=r${after}`)).status).toBe(501);
  });

  it.each(['', 'r', 'r-1', '-', 'yesterday', '2026-02-30T00:00:00Z', '@Not-A-Name', 'r12x'])(
    '400 for %s, naming as_of',
    async (as_of) => {
      expect(errorOf(await read(as_of))).toEqual([400, 'request.invalid', '/as_of']);
    },
  );

  it('400 for the future, 404 beyond what the organization has been', async () => {
    const future = String(Date.now() + 60_000);
    expect(errorOf(await read(future))).toEqual([400, 'request.invalid', '/as_of']);
    for (const as_of of ['r100000', '1000', '-1'])
      expect(errorOf(await read(as_of))).toEqual([404, 'point.out-of-range', '/as_of']);
    expect(errorOf(await read('@nowhere'))).toEqual([404, 'bookmark.not-found', '/as_of']);
  });

  it('400 for as_user alone or malformed', async () => {
    const path = `/groups/get/${group_id}`;
    for (const query of [`as_user=${member.user_id}`, `as_of=r${revision}&as_user=Ann`])
      expect(errorOf(await admin.get(`${path}?${query}`))).toEqual([
        400,
        'request.invalid',
        '/as_user',
      ]);
  });

  it('400 for commands, and for questions that name their points themselves; nothing happens', async () => {
    const before = (await admin.get('/organization/about')).headers.get('drive-revision');
    for (const [path, body] of [
      ['/groups/create', { name: 'Third' }],
      ['/organization/shortlink', { original_url: 'https://b.example/' }],
      ['/organization/replay', {}],
      ['/organization/reindex', {}],
    ] as const) {
      const { status, err } = await admin.post(`${path}?as_of=r1`, body);
      expect([path, status, err.type]).toEqual([path, 400, 'request.no-past']);
    }
    // A command that looks at no token looks at none then, either.
    const redeem = { redeem_code: 'RedeemTokenID_x' };
    const { err } = await organization.as('revoked').post('/organization/redeem?as_of=r1', redeem);
    expect([err.code, err.type]).toEqual([400, 'request.no-past']);
    const after = (await admin.get('/organization/about')).headers.get('drive-revision');
    expect(after).toBe(before);
  });

  it('masks secrets and knows of no presence', async () => {
    const { data: invite, headers } = await admin.post('/groups/invites/create', {
      group_id,
      role: 'MEMBER',
    });
    expect(invite.redeem_code).toMatch(/^RedeemTokenID_/);
    const head = headers.get('drive-revision');
    const then = await admin.get(`/groups/invites/get/${invite.id}?as_of=r${head}`);
    expect(then.data).toEqual(asThen(invite));
    const contact = await admin.get(`/contacts/get/${admin.user_id}?as_of=r${head}`);
    expect(contact.data.last_online_ms).toBe(0);
    expect((await admin.get(`/contacts/get/${admin.user_id}`)).data.last_online_ms).toBeGreaterThan(
      0,
    );
  });
});
