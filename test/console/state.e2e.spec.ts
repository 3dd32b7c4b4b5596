import { readFile } from 'node:fs/promises';
import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('the state at a point, in the console', () => {
  const ui = useConsole();

  async function open(path: string): Promise<void> {
    await ui.open(path);
    await ui.page.getByRole('heading', { level: 1 }).waitFor();
  }
  const link = (name: string | RegExp) => ui.page.getByRole('link', { name, exact: true });
  const button = (name: string) => ui.page.getByRole('button', { name, exact: true });
  /** Texts of the rows of a table; the first ones are the titles of columns. */
  const rows = async (): Promise<string[]> => {
    await ui.page.getByRole('table').first().waitFor();
    return ui.page.getByRole('row').allInnerTexts();
  };
  /** The revision of the first event of a type that concerns a record. */
  const revisionOf = async (type: string, resource_id?: string): Promise<number> => {
    const body = { types: [type], direction: 'ASC', ...(resource_id && { resource_id }) };
    return (await ui.org.admin.post('/organization/history', body)).data.items[0].revision;
  };

  it('shows families with names, members and numbers as they were', async () => {
    const renamed = await revisionOf('GroupUpdated');
    await open(`state/groups?at=r${renamed}`);
    const after = (await rows()).join('\n');
    expect(after).toMatch(
      /Finance and Control\s+Ada Lovelace \(admin\), Bob Hopper \(admin\), Carol/,
    );
    expect(await ui.page.locator('tr[data-marked]').innerText()).toContain('Finance and Control');
    await button('Previous event').click();
    await link('Finance').waitFor();
    expect(await ui.page.getByRole('link', { name: /^Groups/ }).innerText()).toBe('Groups\n3');
    await ui.page.goto(ui.address('state/groups?at=r0'));
    await link('Group for All').waitFor();
    expect(await rows()).toHaveLength(2);
    await ui.page.goto(ui.address('state/labels?at=r0'));
    await ui.page.getByText('There were no such records at this point.').waitFor();
  });

  it.each([
    ['contacts', 'Carol Shaw-Lee'],
    ['group_invites', 'Finance and Control'],
    ['disks', 'LOCAL_SSD'],
    ['directory_permissions', 'Ada Lovelace'],
    ['system_permissions', 'Group for All'],
    ['api_keys', 'Bob Hopper'],
    ['labels', 'confidential'],
    ['webhooks', 'https://archive.example/hook'],
    ['drives', 'Northwind Research'],
    ['bookmarks', 'before-review'],
  ])('has a table of %s', async (family, text) => {
    await open(`state/${family}`);
    expect((await rows()).join('\n')).toContain(text);
  });

  it('searches and sorts, and says so in the address', async () => {
    await open('state/contacts');
    await link('Ada Lovelace').waitFor();
    await button('Name↕')
      .or(ui.page.getByRole('button', { name: /^Name/ }))
      .first()
      .click();
    await ui.page.waitForURL(/sort=name/);
    const names = async (): Promise<string[]> =>
      (await rows()).slice(1).map((row) => row.split('\t')[0]!.trim());
    expect(await names()).toEqual(['Ada Lovelace', 'Bob Hopper', 'Carol Shaw-Lee']);
    await ui.page.getByRole('button', { name: /^Name/ }).click();
    await ui.page.waitForURL(/sort=-name/);
    expect(await names()).toEqual(['Carol Shaw-Lee', 'Bob Hopper', 'Ada Lovelace']);
    await ui.page.getByRole('searchbox', { name: 'Search' }).fill('northwind.example');
    await ui.page.waitForURL(/q=northwind/);
    await link('Bob Hopper').waitFor({ state: 'detached' });
    expect(await names()).toEqual(['Carol Shaw-Lee']);
    await ui.page.getByRole('searchbox', { name: 'Search' }).fill('nobody');
    await ui.page.getByText('Nothing found').waitFor();
    await ui.page.goto(ui.address('state/api_keys?q=carol'));
    expect((await rows()).join('\n')).not.toContain('Bob');
  });

  it('pages through long lists', async () => {
    for (let at = 0; at < 60; at++) {
      ui.clock.now += 1;
      const value = `tag-${String(at).padStart(2, '0')}`;
      expect((await ui.org.admin.post('/labels/create', { value })).status).toBe(200);
    }
    await open('state/labels');
    await ui.page.getByText('50 of 61 records').waitFor();
    await button('Next page').click();
    await link('tag-59').waitFor();
    expect(await link('tag-00').count()).toBe(0);
    await button('Previous page').click();
    await link('tag-00').waitFor();
    await ui.page.getByRole('button', { name: /^Name/ }).click();
    await ui.page.getByText('61 records', { exact: true }).waitFor();
  });

  it('begins at the first page at another point; an address beyond the last page leads to the first', async () => {
    const first = await revisionOf('LabelCreated');
    const { items } = (
      await ui.org.admin.post('/organization/history', { types: ['LabelCreated'], page_size: 100 })
    ).data;
    const { revision } = items.at(-31);
    expect(revision).toBeGreaterThan(first);
    await open('state/labels');
    await button('Next page').click();
    await link('tag-59').waitFor();
    const cursor = new URL(ui.page.url()).searchParams.get('down')!;
    await button('Choose a point in time: Now').click();
    await ui.page.getByText('Revision', { exact: true }).click();
    await ui.page.getByRole('textbox', { name: 'Revision' }).fill(String(revision));
    await ui.page.keyboard.press('Enter');
    await ui.page.getByText('31 records', { exact: true }).waitFor();
    expect(new URL(ui.page.url()).search).toBe(`?at=r${revision}`);
    await ui.page.goto(ui.address(`state/labels?at=r${revision}&down=${cursor}`));
    await ui.page.getByText('There is no such page of this list').waitFor();
    await button('Show the first page').click();
    await ui.page.getByText('31 records', { exact: true }).waitFor();
  });

  it('empties the search box with the search', async () => {
    await open('state/contacts');
    const search = ui.page.getByRole('searchbox', { name: 'Search' });
    await search.fill('bob');
    await ui.page.getByText('1 record', { exact: true }).waitFor();
    await ui.page.getByRole('link', { name: /^Contacts/ }).click();
    await link('Carol Shaw-Lee').waitFor();
    expect(await search.inputValue()).toBe('');
  });

  it('marks a record and versions of the previous point until they are read at the new one', async () => {
    const { budget, finance } = ui.org.ids;
    const renamed = await revisionOf('GroupUpdated');
    await open(`record/${finance}?at=r${renamed}`);
    const name = (text: string) =>
      ui.page.getByRole('heading', { level: 1, name: text, exact: true });
    await name('Finance and Control').waitFor();
    // Steps begin at the event of the point.
    await ui.page.locator('p[aria-live]').getByText(`r${renamed}`, { exact: true }).waitFor();
    const release = await ui.hold('**/groups/get/**');
    await button('Previous event').click();
    await ui.page
      .locator('main [aria-busy=true]')
      .filter({ has: name('Finance and Control') })
      .waitFor();
    release();
    await name('Finance').waitFor();
    await ui.page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
    expect(
      await ui.page
        .locator('main [aria-busy=false]')
        .filter({ has: name('Finance') })
        .count(),
    ).toBe(1);
    const stored = await revisionOf('FileContentStored', budget);
    await ui.page.goto(ui.address(`record/${budget}?at=r${stored}`));
    const versions = (is_busy: boolean) =>
      ui.page
        .getByRole('table', { name: 'Versions' })
        .and(ui.page.locator(`[aria-busy=${is_busy}]`));
    await versions(false).waitFor();
    await ui.page.locator('p[aria-live]').getByText(`r${stored}`, { exact: true }).waitFor();
    const releaseVersions = await ui.hold('**/directory/versions*');
    await button('Next event').click();
    await versions(true).waitFor();
    releaseVersions();
    await versions(false).waitFor();
  });

  it('searches all records of a family that the server does not search', async () => {
    for (let at = 0; at < 60; at++) {
      ui.clock.now += 1;
      const name = `job-${String(at).padStart(2, '0')}`;
      expect((await ui.org.admin.post('/api_keys/create', { name })).status).toBe(200);
    }
    await open('state/api_keys');
    await ui.page.getByText(/^50 of \d+ records$/).waitFor();
    await ui.page.getByRole('searchbox', { name: 'Search' }).fill('job-59');
    await ui.page.getByText('1 record', { exact: true }).waitFor();
    expect((await rows()).join('\n')).toContain('job-59');
  });

  it('searches no family of which it could read a part only, and says so', async () => {
    await ui.open('state/groups');
    await ui.page.route('**/organization/replay', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const { api_keys } = answer.ok.data.state ?? {};
      if (api_keys) api_keys.total = 10_003;
      await route.fulfill({ response, json: answer });
    });
    await ui.page.goto(ui.address('state/api_keys?q=nobody'));
    await ui.page.getByText('50 of 10,003 records', { exact: true }).waitFor();
    await ui.page.getByText('There are too many records to search. All are shown.').waitFor();
    await ui.page.getByText(/^Lists of more than 1,000 .* cannot be searched\.$/).waitFor();
    const search = ui.page.getByRole('searchbox', { name: 'Search' });
    await search.fill('');
    await search.waitFor({ state: 'detached' });
    expect(new URL(ui.page.url()).search).toBe('');
    // Pages read again now and then.
    await ui.page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('leads from disks over folders to a file as it was, with its content', async () => {
    const { budget } = ui.org.ids;
    const replaced = await revisionOf('FileContentStored', budget);
    await open('state/files');
    await ui.page.getByRole('table').getByRole('link', { name: 'Files', exact: true }).click();
    await ui.page.getByRole('table').getByRole('link', { name: 'Reports' }).click();
    const tree = ui.page.getByRole('navigation', { name: 'Folders' });
    await tree.getByRole('link', { name: '2026' }).click();
    await ui.page.getByRole('table').getByRole('link', { name: 'budget.txt' }).click();
    await ui.page.getByText('Travel: 25,000').waitFor();
    await ui.page
      .getByRole('row', { name: /^1\t/ })
      .or(ui.page.getByRole('row').nth(2))
      .first()
      .getByRole('button', { name: 'Show' })
      .click();
    await ui.page.getByText('Travel: 10,000').waitFor();
    const path = ui.page.getByRole('navigation', { name: 'Path' });
    expect((await path.innerText()).split('\n').join('')).toMatch(
      /Disks\/?Reports\/?2026\/?budget\.txt/,
    );
    await ui.page.goto(ui.address(`record/${budget}?at=r${replaced}`));
    await ui.page.getByText('Travel: 10,000').waitFor();
    expect(await ui.page.getByText('Travel: 25,000').count()).toBe(0);
    const [download] = await Promise.all([
      ui.page.waitForEvent('download'),
      button('Download').click(),
    ]);
    expect(download.suggestedFilename()).toBe('budget.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('Travel: 10,000\nHardware: 4,000\n');
    await path.getByRole('link', { name: 'Reports' }).click();
    await ui.page.getByRole('table').getByRole('link', { name: '2026' }).waitFor();
    expect(ui.page.url()).toContain(`at=r${replaced}`);
    await ui.page.goto(ui.address(`record/${ui.org.ids.picture}`));
    const picture = ui.page.getByRole('img', { name: 'plan.svg' });
    await picture.waitFor();
    expect(
      await ui.page.evaluate(
        'document.querySelector("main img").decode().then(() => document.querySelector("main img").naturalWidth > 0)',
      ),
    ).toBe(true);
  });

  it('shows a record with what changed before and after, and its history', async () => {
    const { finance } = ui.org.ids;
    const renamed = await revisionOf('GroupUpdated');
    await open(`record/${finance}?at=r${renamed}`);
    const changes = ui.page.getByRole('region', { name: 'Changed by the event at this point' });
    await changes.waitFor();
    const name = changes
      .getByRole('row')
      .filter({ has: ui.page.getByRole('rowheader', { name: 'Name' }) });
    expect((await name.innerText()).split('\t')).toEqual([
      'Name',
      'Finance',
      'Finance and Control',
    ]);
    const history = ui.page.getByRole('region', { name: 'History of this record' });
    await history.getByRole('button', { name: /made the group Finance$/ }).click();
    await ui.page.getByRole('heading', { level: 1, name: 'Finance', exact: true }).waitFor();
    await history.getByText('Reason: Ticket 101: new teams').waitFor();
    await ui.page.goto(ui.address(`record/${finance}?at=r1`));
    await ui.page.getByText('Not there at this point').waitFor();
    await history.getByRole('button', { name: /made the group Finance$/ }).click();
    await ui.page.getByRole('heading', { level: 1, name: 'Finance', exact: true }).waitFor();
  });

  it('shows all pages as a person saw them then', async () => {
    const { reports } = ui.org.ids;
    const revoked = await revisionOf('DirectoryPermissionDeleted');
    await open(`state/contacts?at=r${revoked - 1}`);
    await link('Carol Shaw').waitFor();
    await button('View as').click();
    await ui.page.getByRole('combobox', { name: 'Person' }).fill('bob');
    await ui.page.getByRole('option', { name: 'Bob Hopper' }).click();
    await button('As Bob Hopper').waitFor();
    await link('Carol Shaw').waitFor({ state: 'detached' });
    expect(await rows()).toHaveLength(2);
    await ui.page.goto(ui.address(`state/files/${reports}${new URL(ui.page.url()).search}`));
    await ui.page.getByRole('table').getByRole('link', { name: '2026' }).waitFor();
    await button('Next event').click();
    await ui.page.getByText('Not visible to this person').waitFor();
    await ui.page.getByRole('link', { name: /^Group invites/ }).click();
    await ui.page.getByText('Not listed for a person').waitFor();
    await button('View as the owner again').click();
    await link('Finance and Control').first().waitFor();
    await button('Back to now').click();
    await button('View as').click();
    await ui.page.getByRole('combobox', { name: 'Person' }).fill('bob');
    await ui.page.getByRole('option', { name: 'Bob Hopper' }).click();
    await ui.page.getByRole('link', { name: /^Contacts/ }).click();
    await link('Bob Hopper').waitFor();
    expect(await rows()).toHaveLength(2);
  });

  it('says what is not allowed, what failed, and that a key has ended', async () => {
    const { bob } = ui.org.people;
    const made = await bob.post('/api_keys/create', { name: 'For the console' });
    await ui.open('state/group_invites', {}, await ui.linkOf(bob, made.data.value));
    await ui.page.getByRole('alert').filter({ hasText: 'Not allowed' }).waitFor();
    await ui.page.route('**/contacts/list', (route) => route.abort());
    await ui.page.getByRole('link', { name: /^Contacts/ }).click();
    await ui.page.getByText('The server does not answer.').waitFor();
    await ui.page.unroute('**/contacts/list');
    await button('Try again').click();
    await link('Bob Hopper').waitFor();
    await bob.post('/api_keys/update', { id: made.data.id, is_revoked: true });
    await ui.page.getByRole('link', { name: /^Groups/ }).click();
    await ui.page.getByText('Your key is no longer valid').waitFor();
    await ui.page.getByRole('textbox', { name: 'Key or sign-in link' }).fill(bob.token!);
    await ui.page.keyboard.press('Enter');
    await link('Group for All').waitFor();
    expect(ui.page.url()).toBe(ui.address('state/groups'));
    ui.tab!.complaints.length = 0;
  });

  it('says in the tree how many folders are in the list only', async () => {
    const { data } = await ui.org.admin.post('/disks/list', {});
    const [{ root_folder, ...disk }] = data.items;
    const action = (_: unknown, at: number) => ({
      action: 'CREATE_FOLDER',
      payload: {
        ...{ name: `Many ${at}`, parent_folder_uuid: root_folder },
        ...{ disk_id: disk.id, disk_type: disk.disk_type },
      },
    });
    for (let part = 0; part < 10; part++) {
      ui.clock.now += 1000;
      const actions = Array.from({ length: 41 }, (_, at) => action(_, part * 100 + at));
      expect((await ui.org.admin.post('/directory/action', { actions })).status).toBe(200);
    }
    await open('state/files');
    await ui.page.getByRole('table').getByRole('link', { name: 'Files', exact: true }).click();
    const tree = ui.page.getByRole('navigation', { name: 'Folders' });
    const folders = (await ui.org.admin.post('/directory/list', { folder_id: root_folder })).data
      .total_folders;
    expect(folders).toBeGreaterThan(400);
    await tree.getByText(`and ${folders - 200} more`, { exact: true }).waitFor();
  });

  it('pages through a folder, each page from its beginning', async () => {
    const { data } = await ui.org.admin.post('/disks/list', {});
    await open(`state/files/${data.items[0].root_folder}`);
    const firstRow = async (): Promise<string> => (await rows())[1]!;
    const firsts = [await firstRow()];
    for (const [direction, page] of [
      ['Next', 1],
      ['Next', 2],
      ['Previous', 1],
      ['Previous', 0],
    ] as const) {
      const before = await firstRow();
      await button(`${direction} page`).click();
      await ui.page
        .getByRole('row')
        .nth(1)
        .filter({ hasNotText: before.split('\t')[0]! })
        .waitFor();
      firsts[page] ??= await firstRow();
      expect([page, await firstRow()]).toEqual([page, firsts[page]]);
      expect(await ui.page.evaluate(FIRST_ROW_IS_IN_VIEW)).toBe(true);
    }
    expect(new Set(firsts).size).toBe(3);
  });
});

/** True if the first row of the table is below the header. */
const FIRST_ROW_IS_IN_VIEW = `(() => {
  const header = document.querySelector('header').getBoundingClientRect();
  const row = document.querySelector('tbody tr').getBoundingClientRect();
  return row.top >= header.bottom && row.bottom <= innerHeight;
})()`;
