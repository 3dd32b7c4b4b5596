import type { Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';

describe('bookmarks over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    org = await service.organization('Bob', 'Audrey');
  });
  afterAll(() => service.stop());

  const create = (body: object, client = org.admin) => client.post('/organization/bookmarks', body);
  const replay = (body: object, client = org.admin) => client.post('/organization/replay', body);
  const group = (name: string) => org.admin.post('/groups/create', { name });

  it('name a point that replay finds, also after later events', async () => {
    const { data: before } = await replay({});
    const made = await create({ name: 'before', note: 'first' });
    expect([made.status, made.data]).toEqual([
      200,
      {
        name: 'before',
        revision: before.revision,
        at_ms: expect.any(Number),
        note: 'first',
        created_by: org.admin.user_id,
        created_at: made.data.at_ms,
      },
    ]);
    expect(made.headers.get('Drive-Revision')).toBe(String(before.revision + 1));
    await group('Later');
    const { data: found } = await replay({ at: '@before' });
    expect(found).toMatchObject({ revision: before.revision, at_ms: made.data.at_ms });
    expect(found.state_hash).toBe(before.state_hash);
  });

  it('take any form of point, another name included', async () => {
    const { data: start } = await replay({ revision: 0 });
    expect((await create({ name: 'a', revision: 0 })).data).toMatchObject({
      revision: 0,
      at_ms: start.at_ms,
    });
    expect((await create({ name: 'b', at: '@a' })).data).toMatchObject({ revision: 0 });
    const at_ms = (await create({ name: 'c', at_ms: String(Date.now()) })).data.at_ms;
    expect(at_ms).toBeGreaterThanOrEqual(start.at_ms);
  });

  it('stay usable after a restart, by auditors too, and are shown by replay', async () => {
    await create({ name: 'kept', note: 'a note' });
    const audrey = org.members[1]!;
    await given(service, org, granted(org, audrey.user_id, 'TABLE_AUDIT', 'VIEW'));
    const { data } = await replay({ at: '@kept' }, audrey);
    expect(data.counts.bookmarks).toBe(0);
    const now = await replay({ include: ['bookmarks'] }, audrey);
    expect(now.data.state.bookmarks.items).toMatchObject([{ name: 'kept', note: 'a note' }]);
    const one = await replay({ record_id: 'kept' });
    expect(one.data.state.bookmarks.total).toBe(1);
    await service.restart();
    const reached = org.as(org.admin.token);
    Object.assign(reached, { base: `${service.url}/v1/drive/${org.drive_id}` });
    expect((await replay({ at: '@kept' }, reached)).data.revision).toBe(data.revision);
  });

  it('are listed in pages, filtered by name and note', async () => {
    for (const name of ['q1', 'q2', 'q3']) await create({ name, note: `End of ${name}` });
    const list = (body: object) => org.admin.post('/organization/bookmarks/list', body);
    const first = await list({ page_size: 2 });
    expect(first.data).toMatchObject({ total: 3, items: [{ name: 'q1' }, { name: 'q2' }] });
    const next = await list({ page_size: 2, cursor_down: first.data.cursor_down });
    expect(next.data).toMatchObject({ items: [{ name: 'q3' }], cursor_down: null });
    expect((await list({ filters: 'END OF Q2' })).data.total).toBe(1);
  });

  it('give up their name when deleted', async () => {
    await create({ name: 'gone' });
    const remove = (name: string) => org.admin.post('/organization/bookmarks/delete', { name });
    expect((await remove('gone')).data).toEqual({ name: 'gone', deleted: true });
    const again = await remove('gone');
    expect([again.status, again.err.type]).toEqual([404, 'bookmark.not-found']);
    const asked = await replay({ at: '@gone' });
    expect([asked.status, asked.err.type]).toEqual([404, 'bookmark.not-found']);
    expect(asked.err.details).toEqual([{ pointer: '/at', reason: 'names no bookmark' }]);
    expect((await create({ name: 'gone' })).status).toBe(200);
  });

  it('refuse a name in use', async () => {
    await create({ name: 'taken' });
    const { status, err } = await create({ name: 'taken', revision: 0 });
    expect([status, err.type]).toEqual([409, 'bookmark.exists']);
    expect(err.details[0].pointer).toBe('/name');
  });

  it('are listed for auditors, who may not create or delete them', async () => {
    await create({ name: 'kept', note: 'a note' });
    const [, audrey] = org.members;
    const list = () => audrey!.post('/organization/bookmarks/list', {});
    expect((await list()).status).toBe(403);
    await given(service, org, granted(org, audrey!.user_id, 'TABLE_AUDIT', 'VIEW'));
    const owners = await org.admin.post('/organization/bookmarks/list', {});
    expect((await list()).data).toEqual(owners.data);
    expect(owners.data.items).toMatchObject([{ name: 'kept', note: 'a note' }]);
    expect((await create({ name: 'mine' }, audrey)).status).toBe(403);
    const deleted = await audrey!.post('/organization/bookmarks/delete', { name: 'kept' });
    expect(deleted.status).toBe(403);
  });

  it('are refused to all other callers', async () => {
    const [bob] = org.members;
    const bodies = [
      ['/organization/bookmarks', { name: 'x', revision: 1_000_000 }],
      ['/organization/bookmarks/list', {}],
      ['/organization/bookmarks/delete', { name: 'x' }],
    ] as const;
    for (const [path, body] of bodies) {
      expect((await bob!.post(path, body)).status).toBe(403);
      expect((await org.as().post(path, body)).status).toBe(401);
    }
  });

  it('take names and notes of exactly the limit', async () => {
    const body = { name: 'a'.repeat(64), note: 'n'.repeat(8192) };
    expect((await create(body)).status).toBe(200);
  });

  it.each([
    [{}, 400, '/name'],
    [{ name: '' }, 400, '/name'],
    [{ name: 'a'.repeat(65) }, 400, '/name'],
    [{ name: 'Year' }, 400, '/name'],
    [{ name: 'a b' }, 400, '/name'],
    [{ name: '@a' }, 400, '/name'],
    [{ name: 'a', note: 'n'.repeat(8193) }, 400, '/note'],
    [{ name: 'a', revision: 'x' }, 400, '/revision'],
    [{ name: 'a', at: 'x' }, 400, '/at'],
    [{ name: 'a', revision: 0, at_ms: 1 }, 400, '/revision'],
    [{ name: 'a', revision: 0, at: '@b' }, 400, '/at'],
    [{ name: 'a', at_ms: 9_999_999_999_999 }, 400, '/at_ms'],
    [{ name: 'a', at_ms: 1 }, 404, '/at_ms'],
    [{ name: 'a', revision: 1_000_000 }, 404, '/revision'],
    [{ name: 'a', at: '@unknown' }, 404, '/at'],
  ])('refuse %j with %i', async (body, status, pointer) => {
    const answer = await create(body);
    expect(answer.status).toBe(status);
    expect(answer.err.details[0].pointer).toBe(pointer);
  });
});
