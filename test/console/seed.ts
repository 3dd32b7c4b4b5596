import { Client, type Organization, organizationOf } from '../support/client.js';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
/** A Monday, in the morning. */
export const BEGIN = Date.UTC(2026, 5, 1, 8);

/** A clock that tests move. */
export class Clock {
  now = BEGIN;

  readonly read = (): number => this.now;

  /** Moves to a time of a day; each command afterwards is a minute later. */
  day(day: number, minutes = 0): void {
    this.now = BEGIN + day * DAY_MS + minutes * MINUTE_MS;
  }
}

/** A small organization over six weeks, with people, groups, files and grants. */
export interface Seeded extends Organization {
  readonly link: string;
  readonly people: Readonly<Record<'ada' | 'bob' | 'carol' | 'dan', Client>>;
  readonly ids: Readonly<Record<'finance' | 'reports' | 'budget' | 'picture' | 'label', string>>;
}

/** Makes the organization by commands alone; the clock stands at the end of its history afterwards. */
export async function seed(url: string, clock: Clock): Promise<Seeded> {
  clock.day(0);
  const members = ['Bob Hopper', 'Carol Shaw', 'Dan Rivers'].map((name) => ({ name }));
  const spawned = await new Client(url).post('/v1/factory/quickstart', {
    org_name: 'Northwind Research',
    admin: { name: 'Ada Lovelace' },
    members,
  });
  const org = organizationOf(url, spawned.data);
  const [bob, carol, dan] = org.members as [Client, Client, Client];
  const ada = org.admin;
  const run = async (who: Client, path: string, body: object, reason?: string): Promise<any> => {
    clock.now += MINUTE_MS;
    const headers: Record<string, string> = reason ? { 'audit-reason': reason } : {};
    const { status, data, err } = await who.post(path, body, headers);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(err)}`);
    return data;
  };
  const act = async (who: Client, action: string, payload: object): Promise<any> => {
    clock.now += MINUTE_MS;
    const answer = await who.post('/directory/action', { actions: [{ action, payload }] });
    const [{ response, success }] = answer.body;
    if (!success) throw new Error(`${action}: ${JSON.stringify(response)}`);
    return response.result;
  };
  const upload = async (who: Client, id: string, type: string, content: string): Promise<void> => {
    clock.now += MINUTE_MS;
    await who.send('PUT', `/directory/content/${id}`, content, { 'content-type': type });
  };

  clock.day(1);
  const finance = await run(ada, '/groups/create', { name: 'Finance' }, 'Ticket 101: new teams');
  const design = await run(ada, '/groups/create', { name: 'Design' }, 'Ticket 101: new teams');
  for (const [group, who, role] of [
    [finance, bob, 'ADMIN'],
    [finance, carol, 'MEMBER'],
    [design, dan, 'MEMBER'],
  ] as const)
    await run(ada, '/groups/invites/create', { group_id: group.id, invitee_id: who.user_id, role });

  clock.day(3);
  const disk = (await run(ada, '/disks/list', {})).items[0];
  const in_folder = { disk_id: disk.id, disk_type: disk.disk_type };
  const makeFolder = (name: string, parent: string, more = {}) =>
    act(ada, 'CREATE_FOLDER', { name, parent_folder_uuid: parent, ...in_folder, ...more });
  const makeFile = (who: Client, name: string, parent: string) =>
    act(who, 'CREATE_FILE', {
      ...{ name, extension: name.split('.').at(-1), file_size: 0, ...in_folder },
      parent_folder_uuid: parent,
    });
  // Otherwise everyone would have the rights that the disk gives them.
  const closed = { has_sovereign_permissions: true };
  const reports = (await makeFolder('Reports', disk.root_folder, closed)).folder;
  const year = (await makeFolder('2026', reports.id)).folder;
  await makeFolder('Archive', disk.root_folder);
  const grant = await run(ada, '/permissions/directory/create', {
    ...{ resource_id: reports.id, granted_to: finance.id, inheritable: true },
    permission_types: ['VIEW', 'EDIT', 'UPLOAD'],
  });

  clock.day(4);
  const budget = (await makeFile(bob, 'budget.txt', year.id)).file;
  await upload(bob, budget.id, 'text/plain', 'Travel: 10,000\nHardware: 4,000\n');
  const picture = (await makeFile(ada, 'plan.svg', year.id)).file;
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#3b5bdb"/></svg>';
  await upload(ada, picture.id, 'image/svg+xml', svg);

  clock.day(8);
  const label = await run(ada, '/labels/create', { value: 'confidential', color: '#C92A2A' });
  await run(ada, '/labels/pin', { label_id: label.id, resource_id: budget.id, add: true });
  await run(ada, '/webhooks/create', {
    ...{ name: 'To the archive', event: 'file.updated', alt_index: 'ALL_FILES' },
    url: 'https://archive.example/hook',
  });
  await run(ada, '/permissions/system/create', {
    ...{ resource_id: 'TABLE_CONTACTS', granted_to: dan.user_id, permission_types: ['VIEW'] },
  });

  clock.day(15);
  await upload(bob, budget.id, 'text/plain', 'Travel: 25,000\nHardware: 4,000\n');
  await run(ada, '/organization/bookmarks', {
    name: 'before-review',
    note: 'State given to the auditors',
  });

  clock.day(22);
  await run(
    ada,
    '/groups/update',
    { id: finance.id, name: 'Finance and Control', public_note: 'Reports monthly' },
    'Ticket 140: reorganization',
  );
  await run(
    ada,
    '/permissions/directory/delete',
    { permission_id: grant.id },
    'Ticket 140: reorganization',
  );

  clock.day(30);
  await run(ada, '/contacts/update', {
    id: carol.user_id,
    name: 'Carol Shaw-Lee',
    email: 'carol@northwind.example',
  });
  await run(ada, '/contacts/delete', { id: dan.user_id }, 'Left the company');

  clock.day(42);
  const ids = {
    ...{ finance: finance.id, reports: reports.id, budget: budget.id, picture: picture.id },
    label: label.id,
  };
  return { ...org, link: spawned.data.admin.auto_login_url, people: { ada, bob, carol, dan }, ids };
}
