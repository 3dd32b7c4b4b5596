import { Client, type Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { Planted } from '../support/planted.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

describe('history over HTTP', () => {
  let service: TestService;
  let org: Organization;
  const send = (body: object = {}, client = org.admin) =>
    client.post('/organization/history', body);
  const history = async (body: object = {}, client = org.admin): Promise<any> => {
    const { status, data, err } = await send(body, client);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };
  const group = async (name: string, headers = {}, client = org.admin): Promise<string> =>
    (await client.post('/groups/create', { name }, headers)).data.id;
  const types = (page: any): string[] => page.items.map(({ type }: any) => type);

  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    org = await service.organization('Bob', 'Audrey');
  });
  afterAll(() => service.stop());

  it('shows actor, action, time and changes, newest first', async () => {
    const id = await group('Finance');
    const [bob] = org.members;
    await org.admin.post('/groups/invites/create', {
      group_id: id,
      invitee_id: bob!.user_id,
      role: 'ADMIN',
    });
    await org.admin.post('/groups/update', { id, name: 'Money', public_note: 'ours' });
    const { items, direction, total } = await history({ resource_id: id });
    expect([direction, total]).toEqual(['DESC', 2]);
    expect(items[0]).toMatchObject({
      type: 'GroupUpdated',
      command: 'UpdateGroup',
      actor: { user_id: org.admin.user_id, via: 'API_KEY' },
      allowed_by: ['OWNER'],
      resource_ids: [id],
      resource_count: 1,
      data: { group_id: id, name: 'Money', public_note: 'ours' },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(items[0].summary).toBe(`${items[0].actor_name} renamed the group Finance to Money`);
    expect(items[0].changes).toEqual(
      expect.arrayContaining([
        { resource_id: id, field: 'name', before: 'Finance', after: 'Money' },
        { resource_id: id, field: 'public_note', before: '', after: 'ours' },
      ]),
    );
    expect(items[1].changes).toContainEqual({
      resource_id: id,
      field: 'name',
      before: null,
      after: 'Finance',
    });
    const [invited] = (await history({ command: 'CreateInvite' })).items;
    expect(invited.summary).toBe(`${invited.actor_name} made Bob an admin of Finance`);
  });

  it('shows the same event as replay does', async () => {
    await group('A');
    const [last] = (await history({ page_size: 1 })).items;
    const { data } = await org.admin.post('/organization/replay', {});
    expect(last).toMatchObject(data.last_event);
  });

  it('shows the change of the record that was asked for, however many the event changed', async () => {
    const former = `UserID_${'f'.repeat(27)}`;
    const grants = Array.from({ length: 120 }, (_, nth) =>
      granted(org, former, `GroupID_${String(nth).padStart(3, '0')}`, 'VIEW'),
    );
    await given(service, org, ...grants);
    const [bob] = org.members;
    const swap = { current_user_id: former, new_user_id: `UserID_${'g'.repeat(27)}` };
    expect((await org.admin.post('/organization/superswap_user', swap)).status).toBe(200);
    await given(service, org, granted(org, bob!.user_id, 'TABLE_PERMISSIONS', 'VIEW'));
    for (const grant of [grants[0]!, grants.at(-1)!]) {
      const resource_id = (grant.data as { permission_id: string }).permission_id;
      for (const client of [org.admin, bob!]) {
        const { items } = await history({ resource_id, types: ['UserSuperswapped'] }, client);
        expect(items[0].resource_ids).toContain(resource_id);
        expect(items[0].resource_count).toBeGreaterThanOrEqual(120);
        expect(items[0].changes).toContainEqual({
          resource_id,
          field: 'granted_to',
          before: swap.current_user_id,
          after: swap.new_user_id,
        });
      }
      const { items } = await history({ resource_id, types: ['UserSuperswapped'] });
      expect(items[0].resource_ids).toHaveLength(100);
    }
  });

  it('finds by type, actor, command, request, grant, reason and time, and by all together', async () => {
    const [bob] = org.members;
    const grant = granted(org, bob!.user_id, 'TABLE_GROUPS', 'CREATE');
    await given(service, org, grant);
    const headers = { 'x-request-id': 'request-7', 'audit-reason': 'Ticket 12: new team' };
    const id = await group('Of Bob', headers, bob);
    await group('Of admin');
    const only = async (body: object): Promise<void> => {
      const { items, total } = await history(body);
      expect([items.length, total, items[0].resource_ids[0]]).toEqual([1, 1, id]);
    };
    await only({ actor: bob!.user_id });
    await only({ correlation_id: 'request-7' });
    await only({ reason: 'TICKET 12' });
    await only({ allowed_by: (grant.data as { permission_id: string }).permission_id });
    await only({ resource_id: id });
    await only({ actor: bob!.user_id, types: ['GroupCreated', 'GroupUpdated'], reason: 'team' });
    expect((await history({ command: 'CreateGroup' })).total).toBe(2);
    expect((await history({ types: ['GroupCreated'] })).total).toBe(2);
    expect((await history({ actor: bob!.user_id, types: ['DiskCreated'] })).items).toEqual([]);
    const [item] = (await history({ resource_id: id })).items;
    const at = item.timestamp_ms;
    const within = await history({ from_ms: at, to_ms: at, page_size: 1000 });
    expect(within.items.map(({ event_id }: any) => event_id)).toContain(item.event_id);
    const outside = [await history({ from_ms: at + 60_000 }), await history({ to_ms: 1 })];
    expect(outside.map(({ total }) => total)).toEqual([0, 0]);
  });

  it('reads a reason beyond ASCII as UTF-8, or else as Latin-1, of 512 characters at most', async () => {
    const given_as = async (reason: string, encoding: BufferEncoding): Promise<unknown> => {
      const header = Buffer.from(reason, encoding).toString('latin1');
      const { status, data } = await org.admin.post(
        '/groups/create',
        {},
        { 'Audit-Reason': header },
      );
      return status === 200 ? (await history({ resource_id: data.id })).items[0].reason : status;
    };
    expect(await given_as('Prüfung ✓', 'utf8')).toBe('Prüfung ✓');
    expect(await given_as('Prüfung', 'latin1')).toBe('Prüfung');
    expect(await given_as('ü'.repeat(512), 'utf8')).toBe('ü'.repeat(512));
    expect(await given_as('ü'.repeat(513), 'utf8')).toBe(400);
  });

  it('finds notices of the inbox, which leave no record, by type and id', async () => {
    const payload = { amount: 12 };
    const { data } = await org.admin.post('/organization/inbox', { topic: 'invoice', payload });
    for (const body of [{ types: ['InboxNotified'] }, { resource_id: data.inbox_notif_id }]) {
      const { items } = await history(body);
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({ data: { topic: 'invoice', payload }, resource_ids: [] });
      expect(items[0].summary).toMatch(/put a notice into the inbox on invoice$/);
    }
  });

  it('follows a person through superswaps, by either id', async () => {
    const [bob] = org.members;
    await bob!.post('/contacts/update', { id: bob!.user_id, name: 'Bobby' });
    const swap = { current_user_id: bob!.user_id, new_user_id: 'UserID_robert' };
    await org.admin.post('/organization/superswap_user', swap);
    await org.admin.post('/contacts/update', { id: 'UserID_robert', public_note: 'hi' });
    const before = await history({ resource_id: bob!.user_id });
    const after = await history({ resource_id: 'UserID_robert' });
    expect(before.items).toEqual(after.items);
    expect(types(after)).toEqual(
      expect.arrayContaining(['ContactUpdated', 'UserSuperswapped', 'MemberJoined']),
    );
    const acted = await history({ actor: 'UserID_robert', types: ['ContactUpdated'] });
    expect(acted.items[0].actor).toMatchObject({ user_id: bob!.user_id });
  });

  it('of a contact has nothing of another one whose id a superswap once connected with its own', async () => {
    const { admin } = org;
    const [one, two] = ['UserID_one', 'UserID_two'];
    const contact = (id: string, name: string) =>
      admin.post('/contacts/create', { id, name, email: `${name}@example.com` });
    await admin.post('/contacts/create', { id: one, name: 'Old', is_placeholder: false });
    const swap = { current_user_id: one, new_user_id: two };
    expect((await admin.post('/organization/superswap_user', swap)).status).toBe(200);
    await admin.post('/contacts/delete', { id: two });
    expect((await contact(one, 'first')).status).toBe(200);
    expect((await contact(two, 'second')).status).toBe(200);
    await admin.post('/contacts/update', { id: one, public_note: 'of the first' });
    const key = { name: 'Key', user_id: two };
    const { data } = await admin.post('/api_keys/create', key);
    const reader = new Client(admin.base, data.value);
    for (const page of [
      await history({ resource_id: two }, reader),
      await history({ resource_id: two }),
    ]) {
      expect(types(page)).toContain('ContactCreated');
      expect(JSON.stringify(page)).not.toMatch(/of the first|first@example/);
    }
  });

  it('of a contact has nothing of a deleted one whose id a superswap once connected with its own', async () => {
    const { admin } = org;
    const [one, two] = ['UserID_first', 'UserID_then'];
    await admin.post('/contacts/create', { id: one, name: 'Old', is_placeholder: false });
    const swap = { current_user_id: one, new_user_id: two };
    expect((await admin.post('/organization/superswap_user', swap)).status).toBe(200);
    await admin.post('/contacts/update', { id: two, public_note: 'of the deleted' });
    await admin.post('/contacts/delete', { id: two });
    expect((await admin.post('/contacts/create', { id: one, name: 'New' })).status).toBe(200);
    const { data } = await admin.post('/api_keys/create', { name: 'Key', user_id: one });
    const reader = new Client(admin.base, data.value);
    expect((await send({ resource_id: two }, reader)).status).toBe(403);
    const own = await history({ resource_id: one }, reader);
    expect(types(own)).toContain('ContactCreated');
    expect(JSON.stringify(own)).not.toContain('of the deleted');
    // Of a deleted contact auditors see all, by both of its ids.
    const audited = await history({ resource_id: two });
    expect(JSON.stringify(audited)).toContain('of the deleted');
  });

  it('masks secrets and opens what is personal', async () => {
    const planted = new Planted();
    const { data: contact } = await org.admin.post('/contacts/create', {
      name: 'Carol',
      email: 'carol@example.com',
      is_placeholder: true,
      secret_entropy: 'some entropy of hers',
    });
    planted.known('code', contact.redeem_code);
    const { data: disk } = await org.admin.post('/disks/create', {
      name: 'D',
      disk_type: 'LOCAL_SSD',
      auth_json: planted.text('auth_json'),
    });
    const { data: key } = await org.admin.post('/api_keys/create', { name: 'K' });
    planted.known('key', key.value);
    const answer = await send({ page_size: 1000 });
    const created = answer.data.items.find(({ type }: any) => type === 'ContactCreated');
    expect(created.data).toMatchObject({
      email: 'carol@example.com',
      redeem_code: '***',
      redeem_digest: '***',
    });
    const made = answer.data.items.find(({ type }: any) => type === 'DiskCreated');
    expect(made.changes).toContainEqual({
      resource_id: disk.id,
      field: 'auth_json',
      before: null,
      after: '***',
    });
    expect(planted.foundIn(Buffer.from(JSON.stringify(answer.body)))).toEqual([]);
  });

  it('gives in pages the whole stream, both ways, and back', async () => {
    for (let at = 0; at < 12; at++) await group(`G${at}`);
    const { data: now } = await org.admin.post('/organization/replay', { hash: false });
    const revisions = Array.from({ length: now.revision + 1 }, (_, at) => at);
    for (const direction of ['ASC', 'DESC']) {
      const pages: any[] = [];
      let cursor_down: string | null = null;
      do {
        const page = await history({ direction, page_size: 4, cursor_down });
        expect(page.total).toBe(revisions.length);
        pages.push(page);
        ({ cursor_down } = page);
      } while (cursor_down);
      const seen = pages.flatMap(({ items }) => items.map(({ revision }: any) => revision));
      expect(seen).toEqual(direction === 'ASC' ? revisions : revisions.toReversed());
      expect(pages[0].cursor_up).toBeNull();
      for (let at = pages.length - 1; at > 0; at--) {
        const { cursor_up } = pages[at];
        const back = await history({ direction, page_size: 4, cursor_up });
        expect(back).toEqual(pages[at - 1]);
      }
    }
  });

  it('pages neither repeat nor skip while others write', async () => {
    for (let at = 0; at < 6; at++) await group(`G${at}`);
    const first = await history({ page_size: 3 });
    await group('Meanwhile');
    const second = await history({ page_size: 3, cursor_down: first.cursor_down });
    expect(second.items[0].revision).toBe(first.items[2].revision - 1);
    const newer = await history({ page_size: 3, cursor_up: first.cursor_down });
    expect(newer.items.map(({ revision }: any) => revision)).toEqual(
      [3, 2, 1].map((above) => first.items[2].revision + above),
    );
    expect(newer.cursor_up).toBeNull();
  });

  it('is the same after a restart and after a rebuild', async () => {
    await group('A');
    const before = await history({ types: ['GroupCreated'] });
    await service.restart();
    const client = Object.assign(org.as(org.admin.token), {
      base: `${service.url}/v1/drive/${org.drive_id}`,
    });
    expect(await history({ types: ['GroupCreated'] }, client)).toEqual(before);
    await client.post('/organization/reindex');
    expect(await history({ types: ['GroupCreated'] }, client)).toEqual(before);
    expect(types(await history({ page_size: 1 }, client))).toEqual(['ReadModelsRebuilt']);
  });

  describe('for callers who are not auditors', () => {
    let bob: Client;
    let id: string;
    beforeEach(async () => {
      bob = org.members[0]!;
      id = await group('Finance');
      await org.admin.post('/groups/update', { id, private_note: 'a secret of admins' });
      await org.admin.post('/groups/update', { id, public_note: 'for all members' });
    });
    const join = () =>
      org.admin.post('/groups/invites/create', {
        group_id: id,
        invitee_id: bob.user_id,
        role: 'MEMBER',
      });

    it('is nothing but the history of records they may read', async () => {
      const audrey = org.members[1]!;
      expect((await send({}, bob)).status).toBe(403);
      expect((await send({ resource_id: id }, bob)).status).toBe(403);
      expect((await send({ resource_id: 'GroupID_none' }, bob)).status).toBe(403);
      expect((await send({ resource_id: 'nonsense' }, bob)).status).toBe(403);
      expect((await send({ resource_id: org.admin.user_id }, bob)).status).toBe(403);
      expect((await send({}, org.as())).status).toBe(401);
      await join();
      expect((await history({ resource_id: id }, bob)).total).toBe(3);
      expect((await history({ resource_id: bob.user_id }, bob)).total).toBeGreaterThan(0);
      await given(service, org, granted(org, audrey.user_id, 'TABLE_AUDIT', 'VIEW'));
      expect((await history({}, audrey)).total).toBeGreaterThan(5);
    });

    it('shows of data and changes what concerns the record, as get shows it to them', async () => {
      await join();
      const { items } = await history({ resource_id: id }, bob);
      const [second, first, created] = items;
      expect(second.changes).toContainEqual({
        resource_id: id,
        field: 'public_note',
        before: '',
        after: 'for all members',
      });
      expect(second.data).toMatchObject({ group_id: id, public_note: 'for all members' });
      expect(first.data).toEqual({ group_id: id });
      expect(first.changes.map(({ field }: any) => field)).not.toContain('private_note');
      expect(created.resource_ids).toEqual([id]);
      expect(created.changes.every((change: any) => change.resource_id === id)).toBe(true);
      expect(JSON.stringify(items)).not.toContain('a secret of admins');
      const [full] = (await history({ resource_id: id })).items;
      expect(full.summary).toBe(second.summary);
    });

    it('shows of the organization what its reads show', async () => {
      const audrey = org.members[1]!;
      await given(service, org, granted(org, bob.user_id, 'TABLE_DRIVES', 'VIEW'));
      const next_owner_id = audrey.user_id;
      await org.admin.post('/organization/update_allowed_domains', {
        allowed_domains: 'secret.example',
      });
      await org.admin.post('/organization/transfer_ownership', { next_owner_id });
      await org.admin.post('/drives/update', { id: org.drive_id, name: 'Renamed' });
      const of_organization = { resource_id: org.drive_id };
      const { items } = await history(of_organization, bob);
      expect(items[0].changes).toMatchObject([{ field: 'name', after: 'Renamed' }]);
      const text = JSON.stringify(items);
      for (const hidden of [
        'secret.example',
        next_owner_id,
        'Audrey',
        'pending_',
        'everyone',
        'spawn_note',
      ])
        expect(text).not.toContain(hidden);
      const audited = JSON.stringify((await history(of_organization)).items);
      for (const shown of ['secret.example', next_owner_id, 'Audrey', 'pending_'])
        expect(audited).toContain(shown);
    });

    it('names other records only to callers who may read them', async () => {
      const { data: label } = await org.admin.post('/labels/create', { value: 'hush-hush' });
      await join();
      await org.admin.post('/labels/pin', { label_id: label.id, resource_id: id, add: true });
      const audited = (await history({ resource_id: id, types: ['LabelPinned'] })).items;
      expect(audited[0].summary).toContain('hush-hush');
      const { items } = await history({ resource_id: id, types: ['LabelPinned'] }, bob);
      expect(items[0].summary).toContain('another record (labels)');
    });

    it('shows former ids of a contact to those who see them in it, and to others one contact', async () => {
      const [, audrey] = org.members;
      const former = audrey!.user_id;
      await given(service, org, granted(org, bob.user_id, 'TABLE_CONTACTS', 'VIEW'));
      await audrey!.post('/contacts/update', { id: former, public_note: 'hello' });
      const swap = { current_user_id: former, new_user_id: 'UserID_audrey' };
      expect((await org.admin.post('/organization/superswap_user', swap)).status).toBe(200);
      for (const resource_id of [former, 'UserID_audrey']) {
        const { items } = await history({ resource_id }, bob);
        expect(JSON.stringify(items)).not.toContain(former);
        expect(types({ items })).toEqual(expect.arrayContaining(['UserSuperswapped']));
        const updated = items.find(({ type }: any) => type === 'ContactUpdated');
        expect(updated).toMatchObject({
          actor: { user_id: 'UserID_audrey' },
          resource_ids: ['UserID_audrey'],
          changes: [{ resource_id: 'UserID_audrey', field: 'public_note', after: 'hello' }],
        });
      }
      const own = await history({ resource_id: 'UserID_audrey' }, audrey);
      expect(JSON.stringify(own.items)).toContain(former);
    });

    it('begins with the current holder of an id; what was another person’s is for auditors', async () => {
      const reused = 'UserID_reused';
      const one = { id: reused, is_placeholder: false };
      const made = async (path: string, body: object) => {
        const { status, data } = await org.admin.post(path, body);
        expect(status).toBe(200);
        return data;
      };
      await made('/contacts/create', { ...one, name: 'First', email: 'first@private.example' });
      await made('/contacts/delete', { id: reused });
      await made('/contacts/create', { ...one, name: 'Second' });
      const key = await made('/api_keys/create', { name: 'k', user_id: reused });
      const own = await history({ resource_id: reused, direction: 'ASC' }, org.as(key.value));
      expect(types(own)).toEqual(['ContactCreated']);
      expect(own.total).toBe(1);
      expect(JSON.stringify(own)).not.toMatch(/first/i);
      const all = await history({ resource_id: reused, direction: 'ASC' });
      expect(types(all).slice(0, 2)).toEqual(['ContactCreated', 'ContactDeleted']);
    });

    it('names no former id of others who appear in the history of a record', async () => {
      const [, audrey] = org.members;
      const former = audrey!.user_id;
      await given(service, org, granted(org, former, 'TABLE_GROUPS', 'CREATE'));
      const made = await group('Made', {}, audrey);
      const invite = { group_id: made, invitee_id: bob.user_id, role: 'MEMBER' };
      expect((await audrey!.post('/groups/invites/create', invite)).status).toBe(200);
      const swap = { current_user_id: former, new_user_id: 'UserID_audrey' };
      await org.admin.post('/organization/superswap_user', swap);
      const { items } = await history({ resource_id: made, direction: 'ASC' }, bob);
      expect(JSON.stringify(items)).not.toContain(former);
      expect(items[0]).toMatchObject({ type: 'GroupCreated', actor: { user_id: 'UserID_audrey' } });
      expect(items.at(-1).summary).toMatch(/ did something of the type UserSuperswapped$/);
      const by = (actor: string, reader?: Client) => history({ resource_id: made, actor }, reader);
      expect(types(await by('UserID_audrey', bob))).toContain('GroupCreated');
      expect((await by(former, bob)).items).toEqual([]);
      const audited = (await history({ resource_id: made })).items;
      expect(audited.at(0).summary).toContain(former);
      expect(types(await by(former))).toContain('GroupCreated');
    });

    it('names no former id of a contact that was redeemed with a note', async () => {
      await given(service, org, granted(org, bob.user_id, 'TABLE_CONTACTS', 'VIEW'));
      const { data: placeholder } = await org.admin.post('/contacts/create', { name: 'Seat' });
      const [created] = (await history({ resource_id: placeholder.id }, bob)).items;
      expect(created.data.from_placeholder_user_id).toBe('');
      const newcomer = new Signer();
      const redeem = {
        current_user_id: placeholder.id,
        new_user_id: newcomer.user_id,
        redeem_code: placeholder.redeem_code,
        note: 'hello',
      };
      expect((await newcomer.in(org).post('/contacts/redeem', redeem)).status).toBe(200);
      const { items } = await history({ resource_id: newcomer.user_id }, bob);
      expect(items[0]).toMatchObject({ type: 'ContactRedeemed' });
      expect(items[0].changes).toContainEqual(expect.objectContaining({ after: 'hello' }));
      expect(JSON.stringify(items)).not.toContain(placeholder.id);
    });

    it('summarizes only events that changed something of the record that they may see', async () => {
      const [, audrey] = org.members;
      const table = [bob, audrey!].map(({ user_id }) =>
        granted(org, user_id, 'TABLE_CONTACTS', 'VIEW', 'CREATE'),
      );
      for (const grant of table) await given(service, org, grant);
      const made = { id: 'UserID_made', name: 'Made' };
      expect((await audrey!.post('/contacts/create', made)).status).toBe(200);
      const swap = { current_user_id: audrey!.user_id, new_user_id: 'UserID_audrey' };
      await org.admin.post('/organization/superswap_user', swap);
      const [swapped] = (await history({ resource_id: made.id }, bob)).items;
      expect(swapped).toMatchObject({ type: 'UserSuperswapped', data: {}, changes: [] });
      expect(JSON.stringify(swapped)).not.toContain(audrey!.user_id);
    });

    it('shows deleted records to callers with the permission on the table', async () => {
      await org.admin.post('/groups/delete', { id });
      expect((await send({ resource_id: id }, bob)).status).toBe(403);
      await given(service, org, granted(org, bob.user_id, 'TABLE_GROUPS', 'VIEW'));
      const { items } = await history({ resource_id: id }, bob);
      expect(items[0]).toMatchObject({ type: 'GroupDeleted' });
      expect(items[0].summary).toMatch(/deleted the group Finance$/);
    });
  });

  it.each([
    [{ page_size: 0 }, '/page_size'],
    [{ page_size: 1001 }, '/page_size'],
    [{ direction: 'UP' }, '/direction'],
    [{ resource_id: '' }, '/resource_id'],
    [{ resource_id: 'x'.repeat(257) }, '/resource_id'],
    [{ actor: 'Bob' }, '/actor'],
    [{ types: 'GroupCreated' }, '/types'],
    [{ types: [''] }, '/types/0'],
    [{ types: Array.from({ length: 101 }, (_, at) => `T${at}`) }, '/types'],
    [{ command: 'x'.repeat(129) }, '/command'],
    [{ correlation_id: 'x'.repeat(129) }, '/correlation_id'],
    [{ allowed_by: 'x'.repeat(257) }, '/allowed_by'],
    [{ reason: 'x'.repeat(513) }, '/reason'],
    [{ from_ms: 'soon' }, '/from_ms'],
    [{ from_ms: 2, to_ms: 1 }, '/to_ms'],
    [{ cursor_down: 'x' }, '/cursor_down'],
  ])('refuses %j', async (body, pointer) => {
    const { status, err } = await send(body);
    expect([status, err.details[0].pointer]).toEqual([400, pointer]);
  });

  it('takes a cursor for its own filters and direction only', async () => {
    const { cursor_down } = await history({ page_size: 1 });
    expect((await send({ page_size: 1, cursor_down, direction: 'ASC' })).status).toBe(400);
    expect((await send({ page_size: 1, cursor_down, command: 'CreateGroup' })).status).toBe(400);
    expect((await send({ page_size: 2, cursor_down })).status).toBe(200);
  });

  it('takes an empty list of types and an empty reason as none', async () => {
    await org.admin.post('/groups/create');
    const { total } = await history({});
    expect((await history({ types: [], reason: '' })).total).toBe(total);
    expect((await history({ types: ['GroupCreated'], reason: '' })).total).toBe(1);
  });

  it('takes texts of exactly the limit', async () => {
    const body = {
      resource_id: 'x'.repeat(256),
      command: 'x'.repeat(128),
      correlation_id: 'x'.repeat(128),
      allowed_by: 'x'.repeat(256),
      reason: 'x'.repeat(512),
      types: Array.from({ length: 100 }, (_, at) => `T${at}`),
    };
    // They are well-formed, and unknown.
    const { status, err } = await send(body);
    expect([status, err.type]).toEqual([404, 'id.unknown']);
    expect((await history({ reason: body.reason })).items).toEqual([]);
  });
});
