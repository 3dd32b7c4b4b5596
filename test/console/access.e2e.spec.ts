import { describeWith } from '../support/needs.js';
import { PHONE } from './browser.js';
import { useConsole } from './console.js';
import { DAY_MS } from './seed.js';

describeWith('chromium')('comparing points and asking for access, in the console', () => {
  const ui = useConsole();

  async function open(path: string): Promise<void> {
    await ui.open(path);
    await ui.page.getByRole('heading', { level: 1 }).waitFor();
  }
  const region = (name: string) => ui.page.getByRole('region', { name });
  const link = (name: string) => ui.page.getByRole('link', { name, exact: true });
  const button = (name: string | RegExp) => ui.page.getByRole('button', { name });
  const revisionOf = async (type: string): Promise<number> => {
    const body = { types: [type], direction: 'ASC' };
    return (await ui.org.admin.post('/organization/history', body)).data.items[0].revision;
  };

  it('shows what was created, changed and deleted between two points, and who lost access', async () => {
    const revoked = await revisionOf('DirectoryPermissionDeleted');
    await open(`compare?with=r${revoked - 2}&at=r${revoked}`);
    const records = region('Records');
    await records.getByText('All (2)').waitFor();
    const items = (await records.getByRole('listitem').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' '),
    );
    expect(items[0]).toMatch(/^Changed Group Finance and Control by 1 event/);
    expect(items[0]).toMatch(/Name Finance Finance and Control/);
    expect(items[1]).toMatch(/^Deleted File permission/);
    await records.getByRole('button', { name: /^File permissions \(1\)/ }).click();
    await records.getByText('Changed', { exact: true }).waitFor({ state: 'detached' });
    const access = region('Access gained and lost');
    const bob = access.getByRole('row').filter({ has: ui.page.getByText('Bob Hopper') });
    await bob.getByText('Reports', { exact: true }).first().waitFor();
    expect((await bob.innerText()).split(/\s+/)).toEqual(
      expect.arrayContaining(['VIEW', 'UPLOAD', 'EDIT', 'Reports']),
    );
    await bob.getByRole('link', { name: 'Why' }).click();
    await ui.page.getByText('Had no permission at this point.').waitFor();
    expect(ui.page.url()).toContain(`at=r${revoked}`);
  });

  it('says that it compares backwards, and puts the earlier point first', async () => {
    const revoked = await revisionOf('DirectoryPermissionDeleted');
    await open(`compare?with=r${revoked}&at=r${revoked - 1}`);
    const note = ui.page.getByText('The first point is the later one.');
    await note.waitFor();
    await region('Records').getByText('Created', { exact: true }).waitFor();
    await button('Put the earlier point first').click();
    await region('Records').getByText('Deleted', { exact: true }).waitFor();
    expect(await note.count()).toBe(0);
    const { search } = new URL(ui.page.url());
    expect(search).toContain(`with=r${revoked - 1}`);
    expect(search).toContain(`at=r${revoked}`);
  });

  it('compares with a point that people choose', async () => {
    await open('compare');
    await region('Records')
      .getByText(/^All \(\d+\)/)
      .waitFor();
    await button(/^Compare with/).click();
    await ui.page.getByText('Bookmark', { exact: true }).click();
    await button(/@before-review/).click();
    await button(/^Compare with.*@before-review/).waitFor();
    await region('Records').getByText('Carol Shaw-Lee').first().waitFor();
    await region('Records').getByText('Deleted', { exact: true }).first().waitFor();
    await ui.page.goto(ui.address('compare?with=r3&at=r3'));
    await ui.page.getByText('Both points are the same').waitFor();
    expect(await ui.page.getByRole('region', { name: 'Records' }).count()).toBe(0);
  });

  it('says whether a person could reach a record, why and since when', async () => {
    const { reports, budget } = ui.org.ids;
    const { bob } = ui.org.people;
    const revoked = await revisionOf('DirectoryPermissionDeleted');
    await open(`access?at=r${revoked - 1}`);
    await ui.page.getByRole('combobox', { name: 'Person' }).fill('bob');
    await ui.page.getByRole('option', { name: 'Bob Hopper' }).click();
    await ui.page.getByRole('combobox', { name: 'File, folder' }).fill('budget');
    await ui.page
      .getByRole('option', { name: /budget/ })
      .first()
      .click();
    const chain = ui.page.getByRole('list', { name: /^Chain that gives/ });
    // names of records are asked for after the chain is shown
    for (const name of ['Ada Lovelace', 'Reports', 'budget.txt']) {
      await chain.first().getByText(name).first().waitFor();
    }
    const text = (await chain.first().innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Bob Hopper is a member of (invite) Finance and Control');
    expect(text).toMatch(/granted by Ada Lovelace on Reports which contains budget\.txt/);
    expect(new URL(ui.page.url()).searchParams.get('what')).toBe(budget);
    expect(new URL(ui.page.url()).searchParams.get('who')).toBe(bob.user_id);
    const bar = button(/^VIEW from 5 Jun 2026.* to 23 Jun 2026/);
    await bar.click();
    await ui.page.waitForURL(/at=2026-06-05T/);
    await ui.page.goto(ui.address(`access?what=${reports}&at=r${revoked - 1}`));
    const holders = region('Who could reach it');
    const carol = holders.getByRole('row').filter({ has: ui.page.getByText('Carol Shaw') });
    await carol.getByText('Ada Lovelace').first().waitFor();
    expect((await carol.innerText()).replaceAll(/\s+/g, ' ')).toContain(
      'As a member of Finance and Control, granted by Ada Lovelace',
    );
    await carol.getByRole('link', { name: 'Why' }).click();
    await region('Since when').waitFor();
    await ui.page.goto(ui.address(`access?who=${bob.user_id}&at=r${revoked - 1}`));
    const reached = region('What the person could reach');
    await reached
      .getByRole('row')
      .filter({ has: ui.page.getByText('Reports') })
      .waitFor();
    await link('Access').click();
    await ui.page.getByText('Choose a person to see').waitFor();
  });

  it('says in words when each of several grants applied', async () => {
    const { admin, ids, people } = ui.org;
    const { now } = ui.clock;
    for (const [begin, end] of [
      [-1, 6],
      [0, 3],
    ] as const) {
      ui.clock.now += 1000;
      expect(
        await admin.post('/permissions/directory/create', {
          ...{ resource_id: ids.picture, granted_to: people.carol.user_id },
          permission_types: ['VIEW'],
          ...{ begin_date_ms: now + begin * DAY_MS, expiry_date_ms: now + end * DAY_MS },
        }),
      ).toMatchObject({ status: 200 });
    }
    await open(`access?what=${ids.picture}`);
    const carol = region('Who could reach it').getByRole('row', { name: /Carol/ });
    await carol.getByText('Ada Lovelace').first().waitFor();
    expect((await carol.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /from 12 Jul 2026, [\d:]+ until 19 Jul 2026, [\d:]+ Directly, .* until 16 Jul 2026/,
    );
  });

  it('shows no answer of another point while the one of the point is read', async () => {
    const { ids, people } = ui.org;
    const revoked = await revisionOf('DirectoryPermissionDeleted');
    await open(`access?who=${people.bob.user_id}&what=${ids.reports}&at=r${revoked - 1}`);
    await region('May').getByText('VIEW').waitFor();
    // Steps begin at the event of the point.
    await ui.page
      .locator('p[aria-live]')
      .getByText(`r${revoked - 1}`, { exact: true })
      .waitFor();
    const held = Promise.withResolvers<void>();
    await ui.page.route('**/organization/explain', async (route) => {
      await held.promise;
      await route.continue();
    });
    const asked = ui.page.waitForRequest('**/organization/explain');
    await button('Next event').click();
    await asked;
    expect(await region('May').count()).toBe(0);
    held.resolve();
    await region('May').getByText('Had no permission at this point.').waitFor();
  });

  it('shows people without the permission for the past since when they can reach something', async () => {
    const { ids, people } = ui.org;
    await ui.open(
      `access?who=${people.bob.user_id}&what=${ids.reports}`,
      {},
      await ui.linkOf(people.bob),
    );
    const bar = region('Since when').getByRole('button', { name: /^VIEW from 4 Jun 2026/ });
    await bar.waitFor();
    expect(await bar.isEnabled()).toBe(false);
  });

  it('says in words from when and until when a grant, a membership and access applied, also on a phone', async () => {
    const { admin, ids, people } = ui.org;
    const { now } = ui.clock;
    const grant = (granted_to: string, begin: number, end: number) => ({
      ...{ resource_id: ids.reports, granted_to, permission_types: ['VIEW'] },
      ...{ begin_date_ms: now + begin * DAY_MS, expiry_date_ms: now + end * DAY_MS },
    });
    const { bob, carol } = people;
    const group = (await admin.post('/groups/create', { name: 'Guests' })).data.id;
    for (const body of [grant(bob.user_id, -1, 5), grant(bob.user_id, 2, 9), grant(group, 0, 3)])
      expect(await admin.post('/permissions/directory/create', body)).toMatchObject({
        status: 200,
      });
    await admin.post('/groups/invites/create', {
      ...{ group_id: group, invitee_id: carol.user_id, role: 'MEMBER' },
      ...{ active_from: now - DAY_MS, expires_at: now + 4 * DAY_MS },
    });
    await ui.open(`access?what=${ids.reports}`, { viewport: PHONE });
    const words = async (place: ReturnType<typeof region>) =>
      (await place.innerText()).replaceAll(/\s+/g, ' ');
    const begun = /from 12 Jul 2026, \d\d:\d\d:\d\d until 18 Jul 2026/;
    const holders = region('Who could reach it');
    await holders.getByText('until').first().waitFor();
    expect(await words(holders)).toMatch(begun);
    // Groups have no details.
    expect(await holders.locator('td:empty').filter({ visible: true }).count()).toBe(0);
    await holders.getByRole('row', { name: /Bob/ }).getByRole('link', { name: 'Why' }).click();
    await region('Since when').getByRole('time').first().waitFor();
    expect(await words(region('Why'))).toMatch(begun);
    expect(await words(region('Grants that had no effect'))).toMatch(
      /from 15 Jul 2026, [\d:]+ until 22 Jul 2026, [\d:]+: It had not begun/,
    );
    expect(await words(region('Since when'))).toMatch(
      /4 Jun 2026, [\d:]+ – 23 Jun 2026, [\d:]+ 13 Jul 2026, [\d:]+ – now/,
    );
    await ui.page.goto(ui.address(`access?who=${carol.user_id}&what=${ids.reports}`));
    await region('Why').getByText('12 Jul 2026').waitFor();
    expect(await words(region('Why'))).toMatch(
      /\(invite from 12 Jul 2026, [\d:]+ until 17 Jul 2026, [\d:]+\)/,
    );
    await ui.page.goto(ui.address(`record/${group}`));
    const members = region('Members');
    await members.getByText('until').waitFor();
    expect(await words(members)).toMatch(/from 12 Jul 2026, [\d:]+ until 17 Jul 2026/);
    await ui.page.goto(ui.address('state/directory_permissions'));
    await ui.page.getByRole('cell', { name: /18 Jul 2026/ }).waitFor();
  });

  it('says that everyone holds a grant to everyone', async () => {
    const { admin, ids, people } = ui.org;
    const body = { resource_id: ids.picture, granted_to: 'PUBLIC', permission_types: ['VIEW'] };
    const made = await admin.post('/permissions/directory/create', body);
    expect(made).toMatchObject({ status: 200 });
    await open(`access?who=${people.bob.user_id}&what=${ids.picture}`);
    const chain = region('Why').getByRole('list').filter({ hasText: 'As everyone' });
    for (const name of ['Bob Hopper', 'Ada Lovelace', 'plan.svg'])
      await chain.getByText(name).waitFor();
    expect((await chain.innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'Bob Hopper As everyone is granted VIEW granted by Ada Lovelace on plan.svg',
    );
    // Specs below count on it.
    const { id } = made.data;
    await admin.post('/permissions/directory/delete', { permission_id: id });
  });

  it('leads from a former id of a person to the new one', async () => {
    const { admin, ids } = ui.org;
    const mia = (await admin.post('/contacts/create', { name: 'Mia Stone' })).data;
    const grant = { resource_id: ids.picture, granted_to: mia.id, permission_types: ['VIEW'] };
    await admin.post('/permissions/directory/create', grant);
    const { revision } = (await admin.post('/organization/replay', {})).data;
    const identity = await admin.post('/contacts/helpers/generate-crypto-identity', {});
    const swap = { current_user_id: mia.id, new_user_id: identity.data.user_id };
    expect(await admin.post('/organization/superswap_user', swap)).toMatchObject({ status: 200 });
    await open(`access?who=${mia.id}&what=${ids.picture}&at=r${revision}`);
    const note = ui.page.getByRole('alert').filter({ hasText: 'This ID was replaced at' });
    await note.waitFor();
    await region('May').getByText('VIEW').waitFor();
    await button('Back to now').click();
    await region('May').getByText('The person did not exist at this point.').waitFor();
    await note.getByRole('link', { name: `Mia Stone (${swap.new_user_id})` }).click();
    await region('May').getByText('VIEW').waitFor();
    await note.waitFor({ state: 'detached' });
  });

  it('says that a record or a person did not exist', async () => {
    const { ids, people } = ui.org;
    const { bob } = people;
    const before = (await revisionOf('GroupCreated')) - 1;
    await open(`access?what=${ids.budget}&at=r${before}`);
    const no_record = ui.page.getByText('The record did not exist at this point.');
    await no_record.waitFor();
    await ui.page.goto(ui.address(`access?who=${bob.user_id}&what=${ids.budget}&at=r${before}`));
    await no_record.waitFor();
    await link('Show the history').click();
    await ui.page.getByText('Not there at this point').waitFor();
    expect(ui.page.url()).toContain(`record/${ids.budget}`);
    const no_person = ui.page.getByText('The person did not exist at this point.');
    for (const path of [`who=${bob.user_id}`, `who=${bob.user_id}&what=TABLE_CONTACTS`]) {
      await ui.page.goto(ui.address(`access?${path}&at=r0`));
      await no_person.waitFor();
    }
  });

  it('follows the time: a grant that expires is no longer shown now', async () => {
    const { admin, ids, people } = ui.org;
    ui.clock.now += 1000;
    const expiry_date_ms = ui.clock.now + DAY_MS;
    const eve = (await admin.post('/contacts/create', { name: 'Eve' })).data;
    for (const [granted_to, expires] of [
      [people.bob.user_id, expiry_date_ms],
      [eve.id, expiry_date_ms + DAY_MS],
    ]) {
      const when = { granted_to, expiry_date_ms: expires };
      const body = { resource_id: ids.picture, permission_types: ['VIEW'], ...when };
      expect(await admin.post('/permissions/directory/create', body)).toMatchObject({
        status: 200,
      });
    }
    await open(`access?who=${people.bob.user_id}&what=${ids.picture}`);
    await ui.page.clock.install();
    await ui.page.reload();
    await region('May').getByText('VIEW').waitFor();
    await region('Since when').getByText('now').first().waitFor();
    ui.clock.now = expiry_date_ms + 1000;
    await ui.page.clock.fastForward(60_000);
    await ui.page.getByText('Had no permission at this point.').waitFor();
    await region('Since when').getByText('now').waitFor({ state: 'detached' });
    await ui.page.goto(ui.address(`access?what=${ids.picture}`));
    const holder = region('Who could reach it').getByRole('row', { name: /Eve/ });
    await holder.waitFor();
    ui.clock.now += DAY_MS;
    await ui.page.clock.fastForward(60_000);
    await holder.waitFor({ state: 'detached' });
  });

  it('leads to the beginning of an interval, and names what the chosen person could not see', async () => {
    const { admin, ids, people } = ui.org;
    const begin_date_ms = ui.clock.now + DAY_MS;
    const grant = { resource_id: ids.picture, granted_to: people.bob.user_id, begin_date_ms };
    const body = { ...grant, permission_types: ['VIEW'] };
    expect(await admin.post('/permissions/directory/create', body)).toMatchObject({ status: 200 });
    ui.clock.now = begin_date_ms + 1000;
    const { bob, carol } = people;
    await open(`access?who=${bob.user_id}&what=${ids.picture}&as=${carol.user_id}`);
    await region('Why').getByRole('link', { name: 'Bob Hopper' }).waitFor();
    await button(/^VIEW from/)
      .last()
      .click();
    await ui.page.waitForURL(/at=/);
    await region('May').getByText('VIEW').waitFor();
    expect(Date.parse(new URL(ui.page.url()).searchParams.get('at')!)).toBe(begin_date_ms);
  });
});
