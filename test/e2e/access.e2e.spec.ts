import { jest } from '@jest/globals';
import { Access } from '../../libs/domain/access/access.js';
import type { Client, Organization } from '../support/client.js';
import { act } from '../support/directory.js';
import { TestService } from '../support/service.js';

const LATER = 4_102_444_800_000;
const ALL_DIRECTORY = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'];
const ALL_SYSTEM = ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'];

/** Bodies that name nothing wrong, for the errors that all questions have in common. */
const WELL_FORMED = {
  explain: { grantee_id: 'PUBLIC', resource_id: 'TABLE_GROUPS' },
  who: { resource_id: 'TABLE_GROUPS' },
  reach: { grantee_id: 'PUBLIC' },
  check_many: {
    checks: [{ grantee_id: 'PUBLIC', resource_id: 'GROUPS', permission_type: 'VIEW' }],
  },
  access_timeline: { grantee_id: 'PUBLIC', resource_id: 'TABLE_GROUPS' },
  access_diff: { from: { revision: 0 } },
};

describe('access questions over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let ada: Client;
  let bob: Client;
  let eve: Client;
  let shift_ms = 0;
  let disk: { id: string; root_folder: string; trash_folder: string };

  const ask = async (question: string, body: object, client = ada): Promise<any> => {
    const { status, data, err } = await client.post(`/organization/${question}`, body);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };
  const refusal = async (question: string, body: object, client = ada) => {
    const { status, err } = await client.post(`/organization/${question}`, body);
    return [status, err?.type, err?.details?.[0]?.pointer];
  };
  const create = async (path: string, body: object, client = ada): Promise<any> => {
    const { status, data, err } = await client.post(`${path}/create`, body);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };
  const grant = (body: object) => create('/permissions/directory', body);
  const systemGrant = (body: object) => create('/permissions/system', body);
  const now = async (): Promise<number> =>
    (await ada.post('/organization/replay', { hash: false })).data.revision;

  beforeAll(async () => {
    service = await TestService.start({}, { clock: () => Date.now() + shift_ms });
    org = await service.organization('Bob', 'Eve');
    ada = org.admin;
    [bob, eve] = org.members as [Client, Client];
    disk = await create('/disks', { name: 'Files', disk_type: 'BROWSER_CACHE' });
  });
  afterAll(() => service.stop());

  describe('all of them', () => {
    it('say what they take where a resource or a revision is none', async () => {
      const body = { grantee_id: bob.user_id, resource_id: 'nothing', revision: 'last' };
      const { err } = await ada.post('/organization/explain', body);
      const said = err.details.map(({ pointer, reason }: any) => `${pointer} ${reason}`);
      expect(said.sort()).toEqual([
        '/resource_id must be the id of a file, a folder or another record, or a system table',
        '/revision must be a revision, as a number or a string of digits',
      ]);
    });

    const questions = Object.entries(WELL_FORMED);

    it.each(questions)('%s needs a token', async (question, body) => {
      expect((await org.as().post(`/organization/${question}`, body)).status).toBe(401);
    });

    it.each(questions)('%s about others needs VIEW on AUDIT', async (question, body) => {
      expect(await refusal(question, body, bob)).toEqual([403, 'permission.denied', '']);
      const audit = { resource_id: 'AUDIT', granted_to: bob.user_id, permission_types: ['VIEW'] };
      const { id } = await systemGrant(audit);
      await ask(question, body, bob);
      await ada.post('/permissions/system/delete', { permission_id: id });
      expect((await refusal(question, body, bob))[0]).toBe(403);
    });

    it('hide times of revisions and bookmarks from callers who are not auditors', async () => {
      const self = { grantee_id: eve.user_id, resource_id: 'GROUPS' };
      const checks = [{ ...self, permission_type: 'VIEW' }];
      for (const [question, body] of [
        ['explain', self],
        ['reach', { grantee_id: eve.user_id }],
        ['check_many', { checks }],
      ] as const) {
        const own = await ask(question, { ...body, revision: 1 }, eve);
        expect([own.revision, own.at_ms]).toEqual([1, null]);
        const audited = await ask(question, { ...body, revision: 1 });
        expect(audited).toMatchObject({ ...own, at_ms: expect.any(Number) });
        await ada.post('/organization/bookmarks', { name: 'known' });
        const [known, unknown] = await Promise.all(
          ['@known', '@unknown'].map((at) => refusal(question, { ...body, at }, eve)),
        );
        expect(known).toEqual([404, 'bookmark.not-found', '/at']);
        expect(unknown).toEqual(known);
      }
      const points = { from: { revision: 0 }, to: { revision: 1 } };
      const { from, to } = await ask('access_diff', { ...points, grantee_id: eve.user_id }, eve);
      expect([from, to]).toEqual([
        { revision: 0, at_ms: null },
        { revision: 1, at_ms: null },
      ]);
    });

    it.each(questions.filter(([name]) => !name.startsWith('access_')))(
      '%s accepts a past point, and only an existing one',
      async (question, body) => {
        const past = await ask(question, { ...body, revision: '0' });
        expect(past.revision).toBe(0);
        const never = await refusal(question, { ...body, revision: 1_000_000 });
        expect(never).toEqual([404, 'point.out-of-range', '/revision']);
        const both = await refusal(question, { ...body, revision: 0, at_ms: 0 });
        expect(both.slice(0, 2)).toEqual([400, 'request.invalid']);
        const unnamed = await refusal(question, { ...body, at: '@nowhere' });
        expect(unnamed).toEqual([404, 'bookmark.not-found', '/at']);
        const future = await refusal(question, { ...body, at_ms: LATER });
        expect(future).toEqual([400, 'request.invalid', '/at_ms']);
      },
    );

    it.each([
      ['explain', { grantee_id: 'nobody' }, '/grantee_id'],
      ['explain', { resource_id: 'DriveThing_1' }, '/resource_id'],
      ['explain', { resource_id: undefined }, '/resource_id'],
      ['who', { resource_id: 'nothing' }, '/resource_id'],
      ['who', { permission_type: 'MANAGE' }, '/permission_type'],
      ['who', { page_size: 1001 }, '/page_size'],
      ['who', { cursor_down: 'x' }, '/cursor_down'],
      ['reach', { grantee_id: undefined }, '/grantee_id'],
      ['reach', { families: ['cars'] }, '/families/0'],
      ['reach', { permission_type: 'FLY' }, '/permission_type'],
      ['reach', { collapse: 'no' }, '/collapse'],
      ['reach', { cursor_up: 'x' }, '/cursor_up'],
      ['check_many', { checks: [] }, '/checks'],
      ['access_timeline', { grantee_id: undefined }, '/grantee_id'],
      ['access_timeline', { resource_id: 7 }, '/resource_id'],
      ['access_diff', { from: undefined }, '/from'],
      ['access_diff', { from: { revision: 1_000_000 } }, '/from/revision'],
      ['access_diff', { to: { at: '@nowhere' } }, '/to/at'],
      ['access_diff', { cursor: 'x' }, '/cursor'],
    ] as const)('%s refuses %j', async (question, wrong, pointer) => {
      const refused = await refusal(question, { ...WELL_FORMED[question], ...wrong });
      expect([400, 404]).toContain(refused[0]);
      expect(refused[2]).toBe(pointer);
    });
  });

  describe('explain', () => {
    it('names the grant, how it reached the grantee and what did not count', async () => {
      const group = await create('/groups', { name: 'Design' });
      const invite = await create('/groups/invites', {
        group_id: group.id,
        invitee_id: bob.user_id,
        role: 'MEMBER',
      });
      const other = await create('/groups', { name: 'Others' });
      const folder_id = disk.trash_folder;
      const on = { resource_id: folder_id };
      const wanted = { VIEW: ['VIEW'], EDIT: ['EDIT'] };
      const by_group = await grant({ ...on, granted_to: group.id, permission_types: wanted.VIEW });
      const everybodys = await grant({
        ...on,
        granted_to: 'PUBLIC',
        permission_types: wanted.VIEW,
      });
      const own = { ...on, granted_to: bob.user_id, permission_types: wanted.EDIT };
      const later = await grant({ ...own, begin_date_ms: LATER });
      const over = await grant({ ...own, expiry_date_ms: 1 });
      const placeholder = await grant({ ...on, permission_types: wanted.EDIT });
      const others = await grant({ ...on, granted_to: other.id, permission_types: wanted.EDIT });
      const question = { grantee_id: bob.user_id, resource_id: folder_id };

      const told = await ask('explain', question);
      expect(told).toMatchObject({ ...question, permissions: ['VIEW'], revision: await now() });
      expect(told.because.VIEW).toEqual([
        {
          permission_id: by_group.id,
          granted_by: ada.user_id,
          resource_id: folder_id,
          begin_date_ms: 0,
          expiry_date_ms: -1,
          via: group.id,
          invite_id: invite.id,
          inherited_from: null,
        },
        expect.objectContaining({ permission_id: everybodys.id, via: 'PUBLIC', invite_id: null }),
      ]);
      const reasons = told.denied.map((one: any) => [one.permission_id, one.reason]);
      expect(Object.fromEntries(reasons)).toEqual({
        [later.id]: 'NOT_BEGUN',
        [over.id]: 'EXPIRED',
        [placeholder.id]: 'NOT_REDEEMED',
        [others.id]: 'NOT_A_MEMBER',
      });

      // Bob asks about himself; VIEW lets him see all that is placed on the folder.
      const { at_ms: _, ...rest } = told;
      expect(await ask('explain', question, bob)).toMatchObject(rest);
      await ada.post('/permissions/directory/delete', { permission_id: by_group.id });
      await ada.post('/permissions/directory/delete', { permission_id: everybodys.id });
      const blind = await ask('explain', question, bob);
      expect(blind.permissions).toEqual([]);
      expect(blind.denied.map((one: any) => one.permission_id).sort()).toEqual(
        [later.id, over.id].sort(),
      );
    });

    it('names ownership, and permissions that a table grants on its records', async () => {
      const grantee_id = ada.user_id;
      const owners = await ask('explain', { grantee_id, resource_id: disk.root_folder });
      expect(owners.permissions).toEqual(ALL_DIRECTORY);
      expect(owners.because.MANAGE[0]).toMatchObject({ permission_id: null, via: 'OWNER' });
      const members = await ask('explain', { grantee_id: bob.user_id, resource_id: disk.id });
      expect(members.permissions).toEqual(['VIEW']);
      expect(members.because.VIEW[0]).toMatchObject({
        resource_id: 'TABLE_DISKS',
        inherited_from: null,
      });
    });

    it('answers for what is unknown as if nothing were granted there', async () => {
      const question = { grantee_id: bob.user_id, resource_id: 'FolderID_unknown' };
      const { permissions, because, denied } = await ask('explain', question, bob);
      expect([permissions, because, denied]).toEqual([[], {}, []]);
    });
  });

  describe('who', () => {
    it('lists users, groups and PUBLIC in pages, for callers who may VIEW the resource', async () => {
      const { items, total } = await ask('who', { resource_id: disk.root_folder }, bob);
      const everyone = items.find(({ grantee_id }: any) => grantee_id.startsWith('GroupID_'));
      const people = [ada, bob, eve].map(({ user_id }) => user_id);
      expect(items.map(({ grantee_id }: any) => grantee_id)).toEqual(
        [everyone.grantee_id, ...people].sort(),
      );
      expect(total).toBe(4);
      const bobs = items.find(({ grantee_id }: any) => grantee_id === bob.user_id);
      expect(bobs.types).toEqual(['VIEW', 'UPLOAD', 'EDIT']);
      expect(bobs.because.EDIT[0].via).toBe(everyone.grantee_id);

      const paged: string[] = [];
      for (let cursor_down: string | null = null, at = 0; at === 0 || cursor_down; at++) {
        const body = { resource_id: disk.root_folder, page_size: 3, cursor_down };
        const page = await ask('who', body);
        paged.push(...page.items.map(({ grantee_id }: any) => grantee_id));
        ({ cursor_down } = page);
      }
      expect(paged).toEqual(items.map(({ grantee_id }: any) => grantee_id));
      const managers = { resource_id: disk.root_folder, permission_type: 'MANAGE' };
      expect((await ask('who', managers)).items).toHaveLength(1);
    });

    it('as of a past point lists the holders at that point', async () => {
      const body = { resource_id: 'CONTACTS', revision: await now() };
      const granted = { granted_to: eve.user_id, permission_types: ['VIEW'] };
      const { id } = await systemGrant({ resource_id: 'TABLE_CONTACTS', ...granted });
      const holds = async (question: object) =>
        (await ask('who', question)).items.map(({ grantee_id }: any) => grantee_id);
      expect(await holds({ resource_id: 'CONTACTS' })).toContain(eve.user_id);
      expect(await holds(body)).not.toContain(eve.user_id);
      await ada.post('/permissions/system/delete', { permission_id: id });
    });
  });

  describe('reach', () => {
    it('collapses to the topmost resources, and lists every resource on request', async () => {
      const { items } = await ask('reach', { grantee_id: bob.user_id }, bob);
      expect(items.map((row: any) => [row.path, row.family, row.types])).toEqual([
        [`${disk.id}::/`, 'folders', ['VIEW', 'UPLOAD', 'EDIT']],
        ['TABLE_DISKS', 'tables', ['VIEW']],
      ]);
      expect(items[0]).toMatchObject({ types_below: ['VIEW', 'UPLOAD', 'EDIT'], cuts: [] });
      const disks = { grantee_id: bob.user_id, collapse: false, families: ['disks'] };
      const every = await ask('reach', disks);
      expect(every.items).toEqual([
        expect.objectContaining({ resource_id: disk.id, path: `TABLE_DISKS/${disk.id}` }),
      ]);
      const covered = await ask('reach', { grantee_id: bob.user_id, families: ['disks'] });
      expect(covered.items.map(({ path }: any) => path)).toEqual(['TABLE_DISKS']);
      const typed = { grantee_id: bob.user_id, permission_type: 'UPLOAD' };
      expect((await ask('reach', typed)).items).toHaveLength(1);
    });

    it('of the owner is everything, in pages both ways', async () => {
      const grantee_id = ada.user_id;
      const all = await ask('reach', { grantee_id, page_size: 1000 });
      const paths = all.items.map(({ path }: any) => path);
      expect(paths).toEqual(paths.toSorted());
      expect(paths).toContain(`${disk.id}::.trash/`);
      expect(all.items.at(-1)).toMatchObject({ types: ALL_SYSTEM });
      const first = await ask('reach', { grantee_id, page_size: 5 });
      const { cursor_down } = first;
      const second = await ask('reach', { grantee_id, page_size: 5, cursor_down });
      expect([...first.items, ...second.items]).toEqual(all.items.slice(0, 10));
      const back = { grantee_id, page_size: 5, cursor_up: second.cursor_up };
      expect((await ask('reach', back)).items).toEqual(first.items);
      const elsewhere = { grantee_id: bob.user_id, page_size: 5, cursor_down };
      expect(await refusal('reach', elsewhere)).toEqual([400, 'request.invalid', '/cursor_down']);
    });
  });

  describe('check_many', () => {
    const viewDisks = { resource_id: 'TABLE_DISKS', permission_type: 'VIEW' };

    it('answers in order, for as many as 1,000 and no more', async () => {
      const check = { ...viewDisks, grantee_id: bob.user_id };
      const edit = { ...check, permission_type: 'EDIT' };
      const own = { ...check, resource_id: disk.root_folder, permission_type: 'UPLOAD' };
      const { results } = await ask('check_many', { checks: [check, edit, own] }, bob);
      expect(results).toEqual([true, false, true]);
      const most = { checks: Array.from({ length: 1000 }, () => check) };
      expect((await ask('check_many', most)).results).toHaveLength(1000);
      const more = { checks: [...most.checks, check] };
      expect(await refusal('check_many', more)).toEqual([400, 'request.invalid', '/checks']);
    });

    it('finds the types of one grantee on one resource once', async () => {
      const typesOf = jest.spyOn(Access.prototype, 'systemTypes');
      const check = { ...viewDisks, grantee_id: bob.user_id };
      const edit = { ...check, permission_type: 'EDIT' };
      const eves = { ...check, grantee_id: eve.user_id };
      const checks = Array.from({ length: 100 }, () => [check, edit, eves]).flat();
      const { results } = await ask('check_many', { checks });
      expect(results.slice(-3)).toEqual([true, false, true]);
      expect(typesOf).toHaveBeenCalledTimes(2);
      typesOf.mockRestore();
    });

    it('refuses a type that the resource does not have, and all types without the permission', async () => {
      const alien = { ...viewDisks, grantee_id: bob.user_id, permission_type: 'MANAGE' };
      const pointer = '/checks/0/permission_type';
      expect((await refusal('check_many', { checks: [alien] }))[2]).toBe(pointer);
      const own = { ...viewDisks, grantee_id: bob.user_id };
      const others = { ...own, grantee_id: eve.user_id, resource_id: 'TABLE_GROUPS' };
      expect((await refusal('check_many', { checks: [own, others] }, bob))[0]).toBe(403);
    });
  });

  describe('access_timeline and access_diff', () => {
    it('lists below a changed folder what was moved into it and did not change', async () => {
      const folder = async (name: string) => {
        const place = { disk_id: disk.id, parent_folder_uuid: disk.root_folder };
        const { result } = await act(ada, 'CREATE_FOLDER', { name, ...place });
        return result.folder.id as string;
      };
      const [target, moved] = [await folder('target'), await folder('moved')];
      const { id: permission_id } = await grant({
        ...{ resource_id: target, granted_to: eve.user_id },
        ...{ permission_types: ['INVITE'], inheritable: true },
      });
      const from = { revision: await now() };
      await ada.post('/permissions/directory/delete', { permission_id });
      await act(ada, 'MOVE_FOLDER', { id: moved, destination_folder_id: target });
      const { items } = await ask('access_diff', { from, grantee_id: eve.user_id });
      expect(items).toMatchObject([
        { resource_root: target, lost: ['INVITE'], lost_below: ['INVITE'], except: [moved] },
      ]);
    });

    it('names the events that changed what decides, no renamed groups, notes and labels', async () => {
      const { id: group_id } = await create('/groups', { name: 'Deciding' });
      const { id } = await create('/groups/invites', {
        ...{ group_id, invitee_id: eve.user_id, role: 'MEMBER' },
      });
      const { id: permission_id } = await systemGrant({
        ...{ resource_id: 'TABLE_PURCHASES', granted_to: group_id, permission_types: ['INVITE'] },
      });
      const from = { revision: await now() };
      await ada.post('/groups/update', { id: group_id, name: 'Renamed' });
      await ada.post('/permissions/system/update', { id: permission_id, note: 'a note' });
      await ada.post('/groups/invites/update', { id, note: 'another note' });
      await ada.post('/groups/invites/delete', { id });
      const removed = await now();
      await ada.post('/groups/update', { id: group_id, name: 'Renamed again' });
      const { items } = await ask('access_diff', { from, grantee_id: eve.user_id });
      expect(items).toMatchObject([
        { resource_root: 'TABLE_PURCHASES', lost: ['INVITE'], revisions: [removed] },
      ]);
    });

    it('passes the change of a group on to its invites', async () => {
      const { id } = await create('/groups', { name: 'Passed on' });
      const from = { revision: await now() };
      await systemGrant({ resource_id: id, granted_to: eve.user_id, permission_types: ['VIEW'] });
      const { items } = await ask('access_diff', { from, grantee_id: eve.user_id });
      expect(items).toMatchObject([
        { resource_root: id, gained: ['VIEW'], gained_below: ['VIEW'], except: [] },
      ]);
    });

    it('show when a user gained and lost a permission, by which grant and which events', async () => {
      const before = await now();
      const granted = { granted_to: eve.user_id, permission_types: ['VIEW', 'EDIT'] };
      const { id } = await systemGrant({ resource_id: 'TABLE_LABELS', ...granted });
      const begun = await now();
      await ada.post('/permissions/system/update', { id, permission_types: ['EDIT'] });
      const ended = await now();
      const question = { grantee_id: eve.user_id, resource_id: 'LABELS' };
      const { intervals, interval_count } = await ask('access_timeline', question, eve);
      expect(interval_count).toBe(2);
      expect(intervals).toMatchObject([
        { permission_type: 'VIEW', from_revision: begun, to_revision: ended },
        { permission_type: 'EDIT', from_revision: begun, to_revision: -1, to_ms: -1 },
      ]);
      expect(intervals[0].because).toMatchObject([{ permission_id: id, via: 'DIRECT' }]);

      const span = { from: { revision: before }, to: { revision: begun } };
      const gained = await ask('access_diff', { ...span, ...question });
      expect(gained).toMatchObject({ total: 1, from: span.from, to: span.to });
      expect(gained.items[0]).toMatchObject({
        grantee_id: eve.user_id,
        resource_root: 'TABLE_LABELS',
        gained: ['VIEW', 'EDIT'],
        lost: [],
        revisions: [begun],
        because: { VIEW: [{ permission_id: id }] },
      });
      const back = { from: span.to, to: span.from };
      const lost = await ask('access_diff', back);
      expect(lost.items).toMatchObject([{ gained: [], lost: ['VIEW', 'EDIT'] }]);
      const since = { from: { revision: begun }, grantee_id: eve.user_id };
      expect((await ask('access_diff', since, eve)).items).toMatchObject([
        { gained: [], lost: ['VIEW'], because: { VIEW: [{ permission_id: id }] } },
      ]);
      const same = { from: { revision: begun }, to: { revision: begun } };
      expect((await ask('access_diff', same)).items).toEqual([]);
    });

    it('know windows that no event opens or closes', async () => {
      const soon = Date.now() + shift_ms + 60_000;
      const granted = { granted_to: eve.user_id, permission_types: ['CREATE'] };
      const window = { begin_date_ms: soon, expiry_date_ms: soon + 60 };
      await systemGrant({ resource_id: 'TABLE_WEBHOOKS', ...granted, ...window });
      const revision = await now();
      const question = { grantee_id: eve.user_id, resource_id: 'WEBHOOKS' };
      const check = { ...question, permission_type: 'CREATE' };
      const heldAt = async (at: object) =>
        (await ask('check_many', { checks: [check], ...at })).results[0];
      shift_ms += 120_000;
      expect(await heldAt({ revision })).toBe(false);
      expect(await heldAt({ at_ms: soon - 1 })).toBe(false);
      expect(await heldAt({ at_ms: soon })).toBe(true);
      expect(await heldAt({ at_ms: soon + 60 })).toBe(false);
      const { intervals } = await ask('access_timeline', question);
      expect(intervals).toMatchObject([
        { permission_type: 'CREATE', from_ms: soon, to_ms: soon + 60, from_revision: revision },
      ]);
      const span = { from: { at_ms: soon - 1 }, to: { at_ms: soon } };
      const { items } = await ask('access_diff', { ...span, ...question });
      expect(items).toMatchObject([{ gained: ['CREATE'], revisions: [] }]);
    });

    it('follow people through superswaps, and groups through their members', async () => {
      const team = await service.organization('Carl');
      const carl = team.members[0]!;
      const owner = team.admin;
      const group = await create('/groups', { name: 'Crew' }, owner);
      const member = { group_id: group.id, invitee_id: carl.user_id, role: 'MEMBER' };
      const invite = await create('/groups/invites', member, owner);
      const labels = { resource_id: 'TABLE_LABELS', granted_to: group.id };
      await create('/permissions/system', { ...labels, permission_types: ['VIEW'] }, owner);
      const revisionOf = async () =>
        (await owner.post('/organization/replay', { hash: false })).data.revision;
      const held = await revisionOf();
      const new_user_id = 'UserID_carla';
      const swap = { current_user_id: carl.user_id, new_user_id };
      expect((await owner.post('/organization/superswap_user', swap)).status).toBe(200);
      const swapped = await revisionOf();
      await owner.post('/groups/invites/delete', { id: invite.id });
      const left = await revisionOf();

      const question = { grantee_id: new_user_id, resource_id: 'LABELS' };
      const { intervals } = await ask('access_timeline', question, owner);
      expect(intervals).toMatchObject([
        { permission_type: 'VIEW', from_revision: held, to_revision: left },
      ]);
      expect(intervals[0].because).toMatchObject([{ via: group.id, invite_id: invite.id }]);
      const then = await ask('explain', { ...question, revision: held }, owner);
      expect(then.permissions).toEqual(['VIEW']);
      const former = { ...question, grantee_id: carl.user_id };
      expect((await ask('explain', former, owner)).permissions).toEqual([]);
      const over_swap = { from: { revision: held }, to: { revision: swapped } };
      expect((await ask('access_diff', over_swap, owner)).items).toEqual([]);
      const leaving = { from: { revision: swapped }, to: { revision: left } };
      expect((await ask('access_diff', leaving, owner)).items).toMatchObject([
        { grantee_id: new_user_id, lost: ['VIEW'], revisions: [left] },
      ]);
      // Between two points before the swap the current id stands for the person too.
      const before = { from: { revision: held - 1 }, to: { revision: held } };
      const gaining = await ask('access_diff', { ...before, ...question }, owner);
      expect(gaining.items).toMatchObject([
        { grantee_id: carl.user_id, gained: ['VIEW'], revisions: [held] },
      ]);
      expect(gaining.existed).toBeUndefined();
      const back = { from: before.to, to: before.from };
      const losing = await ask('access_diff', { ...back, grantee_id: new_user_id }, owner);
      expect(losing.items).toMatchObject([{ resource_root: 'TABLE_LABELS', lost: ['VIEW'] }]);
    });

    it('follow a contact as a resource through superswaps', async () => {
      const team = await service.organization('Carl', 'Dora');
      const [carl, dora] = team.members as [Client, Client];
      const owner = team.admin;
      const on_carl = {
        resource_id: carl.user_id,
        granted_to: dora.user_id,
        permission_types: ['VIEW'],
      };
      const { headers } = await owner.post('/permissions/system/create', on_carl);
      const held = Number(headers.get('drive-revision'));
      const new_user_id = 'UserID_caroline';
      const swap = { current_user_id: carl.user_id, new_user_id };
      expect((await owner.post('/organization/superswap_user', swap)).status).toBe(200);
      const span = { from: { revision: held - 1 }, to: { revision: held } };
      const gaining = await ask('access_diff', { ...span, resource_id: new_user_id }, owner);
      expect(gaining.items).toMatchObject([{ grantee_id: dora.user_id, gained: ['VIEW'] }]);
      expect(gaining.existed).toBeUndefined();
    });
  });
});
