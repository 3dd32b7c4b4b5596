import type { Answer, Client, Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

interface Step {
  path: string;
  body?: object;
  if_match?: string;
}

describe('POST /transaction', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
  });
  afterAll(() => service.stop());

  const point = async (): Promise<unknown> => {
    const { revision, state_hash } = (await org.admin.post('/organization/replay')).data;
    return { revision, state_hash };
  };
  const run = (
    commands: readonly Step[],
    headers: Record<string, string> = {},
    who: Client = org.admin,
  ): Promise<Answer> => who.post('/transaction', { commands }, headers);
  const create = (name: string): Step => ({ path: 'groups/create', body: { name } });
  /** Runs what must be refused, and makes sure that nothing came of it. */
  const refused = async (commands: readonly Step[], who?: Client) => {
    const before = await point();
    const { status, err } = await run(commands, {}, who);
    expect(await point()).toEqual(before);
    return { status, type: err.type, index: err.index, details: err.details };
  };

  it('does commands of several families in order, in one write, with references to earlier results', async () => {
    const before: any = await point();
    const { status, data, headers } = await run([
      create('Team'),
      { path: 'contacts/create', body: { is_placeholder: true, name: 'Tess' } },
      {
        path: 'groups/invites/create',
        body: { group_id: '$0.id', invitee_id: '$1.id', role: 'MEMBER' },
      },
      {
        path: 'permissions/system/create',
        body: { resource_id: '$0.id', granted_to: '$2.group_id', permission_types: ['VIEW'] },
      },
      { path: 'groups/update', body: { id: '$3.permission.granted_to', name: 'Team $0.id' } },
    ]);
    expect(status).toBe(200);
    const [group, contact, invite, grant, updated] = data.results;
    expect(invite).toMatchObject({ group_id: group.id, invitee_name: 'Tess' });
    expect(grant).toMatchObject({ resource_id: group.id, granted_to: group.id });
    expect(updated).toMatchObject({ id: group.id, name: 'Team $0.id', member_count: 2 });
    expect(contact.id).toMatch(/^UserID_/);
    const { revision }: any = await point();
    expect(headers.get('drive-revision')).toBe(String(revision));
    expect(revision - before.revision).toBeGreaterThanOrEqual(5);
  });

  it('stops at the first refusal: nothing is stored, its status, error and index are answered', async () => {
    const update = { path: 'groups/update', body: { id: 'GroupID_none', name: 'N' } };
    expect(await refused([create('A'), create('B'), update, create('C')])).toMatchObject({
      status: 404,
      type: 'group.not-found',
      index: 2,
    });
  });

  it('checks each body as its route does', async () => {
    const bad = { path: 'groups/create', body: { name: '' } };
    expect(await refused([create('A'), bad])).toMatchObject({
      status: 400,
      type: 'request.invalid',
      index: 1,
      details: [{ pointer: '/name' }],
    });
    const both = { path: 'organization/shortlink', body: {} };
    expect(await refused([both])).toMatchObject({ status: 400, index: 0 });
  });

  it('takes what names no field for a text', async () => {
    const names = ['$5.00', '$0', '$0.', '$0.1st'];
    const { status, data } = await run(names.map((name) => create(name)));
    expect(status).toBe(200);
    expect(data.results.map(({ name }: any) => name)).toEqual(names);
  });

  it.each(['$1.id', '$0.none', '$0.id.deeper', '$7.id'])('refuses 400 %s', async (reference) => {
    const body = { id: reference, name: 'N' };
    expect(await refused([create('A'), { path: 'groups/update', body }])).toMatchObject({
      status: 400,
      index: 1,
      details: [{ pointer: '/commands/1/body' }],
    });
  });

  it.each([
    'groups/list',
    'groups/validate',
    'groups/get/GroupID_a',
    'permissions/system/check',
    'organization/replay',
    'organization/search',
    'organization/reindex',
    'directory/action',
    'contacts/erase',
    'webhooks/replay',
    'webhooks/deliveries',
    'webhooks/test',
    'transaction',
    'groups/none',
    '/groups/create',
    'constructor',
  ])('takes no %s', async (path) => {
    const body = { user_id: org.admin.user_id, group_id: 'GroupID_a', query: 'q' };
    const { status, type, index } = await refused([create('A'), { path, body }]);
    expect([status, type, index]).toEqual([400, 'request.invalid', 1]);
  });

  it('accepts every command', async () => {
    const { body } = await service.client().get('/openapi.json');
    const prefix = '/v1/drive/{organization_id}/';
    const reads =
      /\/(list|content|uploads|versions|validate|check|search|replay|action|reindex|erase|transaction|history|compare|explain|who|reach|check_many|access_timeline|access_diff|external_id|timeline|record_proof|verify|deliveries|webhooks\/test|helpers\/.*|raw_.*)$/;
    const paths = Object.keys(body.paths)
      .filter((path) => path.startsWith(prefix) && body.paths[path].post)
      .map((path) => path.slice(prefix.length))
      .filter((path) => !path.includes('{') && !reads.test(`/${path}`));
    expect(paths.length).toBeGreaterThan(30);
    const unknown: string[] = [];
    for (const path of paths) {
      // Whatever the command makes of this body, it must be known as one; the last one undoes all.
      const { err } = await run([
        { path, body: {} },
        { path: 'groups/create', body: { id: 'x' } },
      ]);
      const is_unknown = err.details.some(({ pointer }: any) => pointer === '/commands/0/path');
      if (is_unknown) unknown.push(path);
    }
    expect(unknown).toEqual([]);
  });

  it('takes 1 to 100 commands', async () => {
    const many = (length: number) => Array.from({ length }, (_, at) => create(`Many ${at}`));
    expect((await run([])).status).toBe(400);
    expect((await run(many(100))).data.results).toHaveLength(100);
    expect((await run(many(101))).status).toBe(400);
  });

  it('refuses 413 more than one append holds', async () => {
    const commands = Array.from({ length: 66 }, (_, at) => ({
      path: 'groups/create',
      body: { name: `Large ${at}`, public_note: 'x'.repeat(8_000) },
    }));
    const { status, type } = await refused(commands);
    expect([status, type]).toEqual([413, 'request.events-too-large']);
  });

  it('applies each command’s rules about callers', async () => {
    const [bob] = org.members;
    const link = { path: 'organization/shortlink', body: { original_url: 'https://a.example' } };
    expect(await refused([link, create('No')], bob)).toMatchObject({ status: 403, index: 1 });
    expect((await run([link, link], {}, bob)).status).toBe(200);
    expect((await run([create('A')], {}, org.as())).status).toBe(401);
    const redeem = { path: 'organization/redeem', body: { redeem_code: 'wrong' } };
    expect(await refused([redeem])).toMatchObject({ status: 400, type: 'redeem.code-invalid' });
  });

  it('checks if_match of each command, also against earlier ones', async () => {
    const made = await org.admin.post('/groups/create', { name: 'Matched' });
    const tag = made.headers.get('etag')!;
    const rename = (if_match: string): Step => ({
      path: 'groups/update',
      body: { id: made.data.id, name: 'New' },
      if_match,
    });
    expect(await refused([rename(tag), rename(tag)])).toMatchObject({ status: 412, index: 1 });
    expect(await refused([rename('x')])).toMatchObject({ status: 400, index: 0 });
    expect((await run([rename(tag), rename('*')])).status).toBe(200);
  });

  it('refuses 412 If-Match for the whole, which names no one record, after all else', async () => {
    const before = await point();
    const any = { 'If-Match': '*' };
    const { status, err } = await run([create('Unmatched')], any);
    expect([status, err.type]).toEqual([412, 'request.precondition-failed']);
    const unknown = { path: 'groups/delete', body: { id: 'GroupID_none' } };
    expect((await run([create('Unmatched'), unknown], any)).status).toBe(404);
    expect((await run([create('Unmatched')], { ...any, 'Dry-Run': 'true' })).status).toBe(412);
    expect(await point()).toEqual(before);
  });

  it('is tried out by Dry-Run as a whole', async () => {
    const before: any = await point();
    const invite = { path: 'groups/invites/create', body: { group_id: '$0.id', role: 'MEMBER' } };
    const { status, body } = await run([create('Tried'), invite], { 'Dry-Run': 'true' });
    expect(await point()).toEqual(before);
    expect(status).toBe(200);
    expect(body.ok.data.results[0].id).toMatch(/^GroupID_preview-/);
    expect(body.ok.data.results[1].group_id).toBe(body.ok.data.results[0].id);
    const { revision, events } = body.ok.dry_run;
    expect(revision).toBe(before.revision);
    expect(events.map((event: any) => event.type)).toEqual(['GroupCreated', 'GroupInviteCreated']);
    const unknown = { path: 'groups/delete', body: { id: 'GroupID_none' } };
    const refusal = await run([create('Tried'), unknown], { 'Dry-Run': 'true' });
    expect([refusal.status, refusal.err.index]).toEqual([404, 1]);
  });

  it('is done once under an Idempotency-Key, and repeated as a whole', async () => {
    const commands = [
      create('Once'),
      { path: 'api_keys/create', body: { name: 'Once' } },
      { path: 'contacts/create', body: { is_placeholder: true, name: 'Once' } },
      { path: 'groups/update', body: { id: '$0.id', name: 'Twice' } },
    ];
    const headers = { 'Idempotency-Key': 'transaction-1', 'Audit-Reason': 'all at once' };
    const first = await run(commands, headers);
    expect(first.status).toBe(200);
    const before = await point();
    const second = await run(commands, headers);
    expect(await point()).toEqual(before);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const ids = ({ data }: Answer) => data.results.map(({ id }: { id: string }) => id);
    expect(ids(second)).toEqual(ids(first));
    expect(second.data.results[0].name).toBe('Once');
    expect(second.data.results[1].value).toMatch(/^sk_\.\.\./);
    expect((await run(commands.slice(1, 2), headers)).status).toBe(422);
  });

  it('resolves references in fields that the body declares, and leaves all others alone', async () => {
    const nothing = { name: 'Plain', unknown: '$9.id', deeper: { id: '$0.none' } };
    const inbox = { topic: '$0.name', payload: { id: '$0.id', all: ['$0.name'] } };
    const { status, data } = await run([
      { path: 'groups/create', body: nothing },
      { path: 'organization/inbox', body: inbox },
    ]);
    expect(status).toBe(200);
    const { id } = data.results[0];
    const { revision }: any = await point();
    const { items } = (await org.admin.post('/organization/history', { page_size: 1 })).data;
    expect(items[0]).toMatchObject({
      revision,
      data: { topic: 'Plain', payload: { id, all: ['Plain'] } },
    });
  });

  describe('with bounds', () => {
    const LIMIT = 20_000;
    let bounded: TestService;
    let small: Organization;

    beforeAll(async () => {
      bounded = await TestService.start({
        BODY_LIMIT_BYTES: String(LIMIT),
        TRANSACTION_ANSWER_BYTES: '60000',
      });
      small = await bounded.organization('Bob');
    });
    afterAll(() => bounded.stop());

    const noted = (length: number): Step => ({
      path: 'groups/create',
      body: { name: 'Noted', public_note: 'n'.repeat(length) },
    });
    const revision = async (): Promise<number> =>
      (await small.admin.post('/organization/replay')).data.revision;
    const send = async (commands: readonly Step[], headers: Record<string, string> = {}) => {
      const before = await revision();
      const { status, err } = await run(commands, headers, small.admin);
      if (status !== 200) expect(await revision()).toBe(before);
      return { status, type: err?.type, index: err?.index, details: err?.details };
    };
    const inbox = (...references: string[]): Step => ({
      path: 'organization/inbox',
      body: { payload: references },
    });

    it('counts what references stand for as the body that they become', async () => {
      const references = (count: number): string[] => Array<string>(count).fill('$0.public_note');
      expect((await send([noted(2_000), inbox(...references(7))])).status).toBe(200);
      const beyond = await send([noted(2_000), inbox(...references(10))]);
      expect(beyond).toMatchObject({
        status: 413,
        type: 'request.too-large',
        index: 1,
        details: [{ pointer: '/commands/1/body', limit: LIMIT }],
      });
      expect(await send([noted(2_000), inbox(...references(10))], { 'Dry-Run': 'true' })).toEqual(
        beyond,
      );
    });

    it('counts the bodies of all commands together', async () => {
      const four = inbox(...Array<string>(4).fill('$0.public_note'));
      expect((await send([noted(2_000), four, four])).status).toBe(200);
      expect(await send([noted(2_000), four, four, four])).toMatchObject({ status: 413, index: 3 });
    });

    it('refuses 413 more results than an answer may hold', async () => {
      const { data } = await run([noted(4_000)], {}, small.admin);
      const body = { id: data.results[0].id, name: 'Again' };
      const touch = (count: number): Step[] =>
        Array.from({ length: count }, () => ({ path: 'groups/update', body }));
      expect((await send(touch(10))).status).toBe(200);
      const refusal = await send(touch(20));
      expect(refusal).toMatchObject({ status: 413, type: 'transaction.answer-too-large' });
      expect(refusal.details).toEqual([
        {
          pointer: `/commands/${refusal.index}`,
          reason: expect.stringContaining('60000'),
          limit: 60_000,
        },
      ]);
      expect(await send(touch(20), { 'Dry-Run': 'true' })).toEqual(refusal);
    });
  });
});
