import type { Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { Planted } from '../support/planted.js';
import { TestService } from '../support/service.js';

describe('compare over HTTP', () => {
  let service: TestService;
  let org: Organization;
  const revision = async (): Promise<number> =>
    (await org.admin.post('/organization/replay', { hash: false })).data.revision;
  const send = (body: object, client = org.admin) => client.post('/organization/compare', body);
  const compare = async (body: object): Promise<any> => {
    const { status, data, err } = await send(body);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };
  const group = async (name: string): Promise<string> =>
    (await org.admin.post('/groups/create', { name })).data.id;

  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    org = await service.organization('Bob', 'Audrey');
  });
  afterAll(() => service.stop());

  it('shows what was created, updated and deleted, by field, and by which events', async () => {
    const kept = await group('Kept');
    const doomed = await group('Doomed');
    const from = await revision();
    await org.admin.post('/groups/update', { id: kept, name: 'Renamed' });
    await org.admin.post('/groups/update', { id: kept, public_note: 'a note' });
    const made = await group('Made');
    await org.admin.post('/groups/delete', { id: doomed });
    const brief = await group('Brief');
    await org.admin.post('/groups/delete', { id: brief });
    const data = await compare({ from: { revision: from }, include: ['groups'] });
    expect(data.from.revision).toBe(from);
    expect(data.to.revision).toBe(from + 6);
    expect(data.counts).toEqual({ groups: { CREATED: 1, UPDATED: 1, DELETED: 1 } });
    const rows = new Map<string, any>(data.items.map((row: any) => [row.resource_id, row]));
    expect([...rows.keys()].toSorted()).toEqual([kept, doomed, made].toSorted());
    expect(rows.get(kept)).toEqual({
      family: 'groups',
      resource_id: kept,
      name: 'Renamed',
      change: 'UPDATED',
      fields: expect.arrayContaining([
        { field: 'name', before: 'Kept', after: 'Renamed' },
        { field: 'public_note', before: '', after: 'a note' },
      ]),
      revisions: [from + 1, from + 2],
    });
    expect(rows.get(made)).toMatchObject({ change: 'CREATED', revisions: [from + 3] });
    expect(rows.get(made).fields).toContainEqual({ field: 'name', before: null, after: 'Made' });
    expect(rows.get(doomed)).toMatchObject({ change: 'DELETED', name: 'Doomed' });
    expect(rows.get(doomed).fields).toContainEqual({
      field: 'name',
      before: 'Doomed',
      after: null,
    });
  });

  it('is empty for one point, and turns around with the points', async () => {
    const from = await revision();
    const id = await group('New');
    expect((await compare({ from: {} })).items).toEqual([]);
    const same = await compare({ from: { revision: from }, to: { revision: from } });
    expect([same.items, same.total, same.counts.groups]).toEqual([
      [],
      0,
      { CREATED: 0, UPDATED: 0, DELETED: 0 },
    ]);
    const back = await compare({ from: {}, to: { revision: from }, include: ['groups'] });
    expect(back.items).toMatchObject([{ resource_id: id, change: 'DELETED', name: 'New' }]);
  });

  it('takes times and bookmarks', async () => {
    await org.admin.post('/organization/bookmarks', { name: 'start' });
    await group('After');
    const { data: now } = await org.admin.post('/organization/replay', { hash: false });
    const to = { at_ms: now.at_ms };
    const data = await compare({ from: { at: '@start' }, to, include: ['groups', 'bookmarks'] });
    expect(data.items).toMatchObject([
      { family: 'groups', name: 'After', change: 'CREATED' },
      { family: 'bookmarks', name: 'start', change: 'CREATED' },
    ]);
  });

  it('masks secrets, shows that they changed, and opens personal fields', async () => {
    const planted = new Planted();
    const auth = (name: string) =>
      JSON.stringify({
        endpoint: 'https://s3.example',
        access_key: 'a',
        secret_key: planted.text(name),
        bucket: 'c',
        region: 'd',
      });
    const { data: disk } = await org.admin.post('/disks/create', {
      name: 'Safe',
      disk_type: 'AWS_BUCKET',
      auth_json: auth('first'),
    });
    const from = await revision();
    await org.admin.post('/disks/update', { id: disk.id, name: 'Safe', auth_json: auth('second') });
    const { data: contact } = await org.admin.post('/contacts/create', {
      name: 'Carol',
      email: 'carol@example.com',
      is_placeholder: true,
      secret_entropy: 'some entropy of hers',
    });
    planted.known('code', contact.redeem_code);
    const answer = await send({ from: { revision: from } });
    const { items } = answer.data;
    expect(items).toContainEqual(
      expect.objectContaining({
        resource_id: disk.id,
        fields: [{ field: 'auth_json', before: '***', after: '***' }],
      }),
    );
    const carol = items.find((row: any) => row.resource_id === contact.id);
    expect(carol.name).toBe('Carol');
    expect(carol.fields).toEqual(
      expect.arrayContaining([
        { field: 'email', before: null, after: 'carol@example.com' },
        { field: 'redeem_code', before: null, after: '***' },
      ]),
    );
    const fields = items.flatMap((row: any) => row.fields.map(({ field }: any) => field));
    expect(fields.filter((field: string) => /digest|subject_key/.test(field))).toEqual([]);
    expect(planted.foundIn(Buffer.from(JSON.stringify(answer.body)))).toEqual([]);
  });

  it('shows a superswap as one user deleted and another created', async () => {
    const from = await revision();
    const [bob] = org.members;
    await org.admin.post('/organization/superswap_user', {
      current_user_id: bob!.user_id,
      new_user_id: 'UserID_robert',
    });
    const data = await compare({ from: { revision: from } });
    expect(data.counts.contacts).toEqual({ CREATED: 1, UPDATED: 0, DELETED: 1 });
    expect(data.counts.superswaps.CREATED).toBe(1);
    const invite = data.items.find((row: any) => row.family === 'group_invites');
    expect(invite.fields).toEqual([
      { field: 'invitee_id', before: bob!.user_id, after: 'UserID_robert' },
    ]);
  });

  it('is paged, in both directions, and continues while others write', async () => {
    const from = await revision();
    for (let at = 0; at < 7; at++) await group(`G${at}`);
    const body = { from: { revision: from }, include: ['groups'], page_size: 3 };
    const all = await compare({ ...body, page_size: 1000 });
    const to = { revision: all.to.revision };
    for (const direction of ['ASC', 'DESC']) {
      const seen: any[] = [];
      let cursor_down: string | null = null;
      let page: any;
      do {
        page = await compare({ ...body, to, direction, cursor_down });
        seen.push(...page.items);
        ({ cursor_down } = page);
      } while (cursor_down);
      expect(direction === 'ASC' ? seen : seen.toReversed()).toEqual(all.items);
      expect(page.items).toHaveLength(1);
      const before = await compare({ ...body, to, direction, cursor_up: page.cursor_up });
      expect(before.items).toEqual(seen.slice(3, 6));
      const first = await compare({ ...body, direction, cursor_up: before.cursor_up });
      expect([first.items, first.cursor_up]).toEqual([seen.slice(0, 3), null]);
    }
    const first = await compare(body);
    await group('Meanwhile');
    const second = await compare({ ...body, cursor_down: first.cursor_down });
    expect(second.items[0].resource_id > first.items[2].resource_id).toBe(true);
  });

  it('is for the owner and holders of VIEW on AUDIT only', async () => {
    const audrey = org.members[1]!;
    expect((await send({ from: { revision: 0 } }, audrey)).status).toBe(403);
    expect((await send({ from: { revision: 0 } }, org.as())).status).toBe(401);
    await given(service, org, granted(org, audrey.user_id, 'TABLE_AUDIT', 'VIEW'));
    expect((await send({ from: { revision: 0 } }, audrey)).status).toBe(200);
  });

  it.each([
    [{}, 400, '/from'],
    [{ from: null }, 400, '/from'],
    [{ from: { revision: 'x' } }, 400, '/from/revision'],
    [{ from: { revision: 0, at_ms: 1 } }, 400, '/from/revision'],
    [{ from: { revision: 0 }, to: { at_ms: 9_999_999_999_999 } }, 400, '/to/at_ms'],
    [{ from: { revision: 0 }, include: ['nonsense'] }, 400, '/include/0'],
    [{ from: { revision: 0 }, page_size: 0 }, 400, '/page_size'],
    [{ from: { revision: 0 }, page_size: 1001 }, 400, '/page_size'],
    [{ from: { revision: 0 }, direction: 'UP' }, 400, '/direction'],
    [{ from: { revision: 0 }, cursor_down: 'x' }, 400, '/cursor_down'],
    [{ from: { revision: 100_000 } }, 404, '/from/revision'],
    [{ from: { at_ms: 1 } }, 404, '/from/at_ms'],
    [{ from: { revision: 0 }, to: { at: '@none' } }, 404, '/to/at'],
  ])('refuses %j with %i', async (body, status, pointer) => {
    const answer = await send(body);
    expect([answer.status, answer.err.details[0].pointer]).toEqual([status, pointer]);
  });
});
