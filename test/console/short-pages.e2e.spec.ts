import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

/** Records that the server answers at once in this spec. */
const MOST_ON_PAGES = 3;

describeWith('chromium')('the console, if pages end early because their records are long', () => {
  const ui = useConsole(async ({ org: { admin }, clock }) => {
    for (let at = 0; at < 20; at++) {
      clock.now += 1;
      await admin.post('/api_keys/create', { name: `job-${String(at).padStart(2, '0')}` });
    }
    for (let at = 0; at < 4; at++) {
      clock.now += 1;
      await admin.post('/disks/create', { name: `Disk ${at}`, disk_type: 'LOCAL_SSD' });
      const { data } = await admin.post('/organization/replay', {});
      const bookmark = { name: `mark-${at}`, revision: data.revision };
      await admin.post('/organization/bookmarks', bookmark);
    }
  });

  async function open(path: string): Promise<void> {
    const { page } = await ui.open('operations');
    await page.route(/\/(list|replay|history)(\?|$)/, async (route) => {
      const body = route.request().postDataJSON() ?? {};
      const page_size = Math.min(body.page_size ?? MOST_ON_PAGES, MOST_ON_PAGES);
      await route.continue({ postData: { ...body, page_size } });
    });
    await page.goto(ui.address(path));
  }
  const rows = () => ui.page.getByRole('table').getByRole('row');

  it('searches and sorts all records of a family', async () => {
    await open('state/api_keys');
    await ui.page.getByText(/^3 of \d+ records$/).waitFor();
    await ui.page.getByRole('searchbox', { name: 'Search' }).fill('job-19');
    await ui.page.getByText('1 record', { exact: true }).waitFor();
    expect(await rows().last().innerText()).toContain('job-19');
    await ui.page.goto(ui.address('state/api_keys?sort=-name'));
    await ui.page.getByText(/^\d+ records$/).waitFor();
    const names = (await rows().allInnerTexts()).filter((text) => text.includes('job-'));
    expect(names).toHaveLength(20);
    expect(names[0]).toContain('job-19');
  });

  it('steps to every event of the history', async () => {
    const { data } = await ui.org.admin.post('/organization/history', {
      ...{ direction: 'ASC', page_size: 1000 },
    });
    const summaryOf = (revision: number): string => data.items[revision].summary;
    const line = () => ui.page.locator('p[aria-live]');
    const says = (revision: number) =>
      line()
        .filter({ hasText: `r${revision}` })
        .filter({ hasText: summaryOf(revision) })
        .waitFor();
    const step = (name: string) => ui.page.getByRole('button', { name, exact: true }).click();
    await open('state?at=r30');
    await says(30);
    for (let revision = 29; revision > 24; revision--) {
      await step('Previous event');
      await says(revision);
    }
    await step('First event');
    await says(0);
    for (let revision = 1; revision < 6; revision++) {
      await step('Next event');
      await says(revision);
    }
    await ui.page.waitForURL(/at=r5$/);
    expect(await line().innerText()).toContain(summaryOf(5));
  });

  it('shows all disks and bookmarks', async () => {
    await open('state/files');
    const disks = ui.page.getByRole('table', { name: 'Disks' });
    await disks.getByRole('link', { name: 'Disk 3', exact: true }).waitFor();
    await disks.getByRole('link', { name: 'Disk 3', exact: true }).click();
    const tree = ui.page.getByRole('navigation', { name: 'Folders' });
    await tree.getByRole('link', { name: 'Disk 3', exact: true }).waitFor();
    await ui.page.goto(ui.address('operations'));
    await disks.getByRole('link', { name: 'Disk 3', exact: true }).waitFor();
    await ui.page.getByRole('button', { name: /^Choose a point in time/ }).click();
    await ui.page.getByText('Bookmark', { exact: true }).click();
    for (const at of [0, 1, 2, 3])
      await ui.page.getByRole('button', { name: new RegExp(`^@mark-${at}`) }).waitFor();
    expect(await disks.getByRole('row').count()).toBe(6);
  });

  it('says how many disks there are if they are too many to show', async () => {
    await open('state/files');
    await ui.page.route('**/disks/list*', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json.ok.data.total = 1203;
      await route.fulfill({ response, json });
    });
    await ui.page.reload();
    await ui.page.getByText(/^\d of 1,203 records$/).waitFor();
    await ui.page.goto(ui.address('operations'));
    await ui.page.getByText(/^\d of 1,203 records$/).waitFor();
    await ui.page.goto(ui.address('state/files'));
    await ui.page.getByRole('table').getByRole('link', { name: 'Disk 0', exact: true }).click();
    await ui.page.getByText(/^and 1198 more$/).waitFor();
    expect(await ui.page.getByRole('navigation', { name: 'Folders' }).isVisible()).toBe(true);
  });
});
