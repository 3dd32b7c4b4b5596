import { type Tab, TestBrowser } from '../console/browser.js';
import { describeWith } from '../support/needs.js';
import { TestService } from '../support/service.js';

describeWith('chromium')('the page of the API document', () => {
  let service: TestService;
  let browser: TestBrowser;
  let tab: Tab;

  beforeAll(async () => {
    service = await TestService.start();
    browser = await TestBrowser.start();
  });
  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
  });
  beforeEach(async () => {
    tab = await browser.tab();
    await tab.page.goto(`${service.url}/docs`);
    await tab.page.getByText('Create an organization; no token is needed.').waitFor();
  });
  afterEach(() => browser.closeTabs());

  it('groups operations by task', async () => {
    const { tag_groups } = await document();
    const tasks = tab.page.locator('h2.task');
    expect(await tasks.allTextContents()).toEqual(tag_groups.map(({ name }) => name));
    expect(tab.complaints).toEqual([]);
  });

  it('searches operations by words', async () => {
    await tab.page.getByRole('searchbox').fill('group list');
    const paths = tab.page.locator('.opblock-summary-path');
    await tab.page.getByText('List groups', { exact: true }).waitFor();
    for (const path of await paths.allTextContents()) expect(path).toMatch(/list/);
    expect(await tab.page.locator('h2.task').allTextContents()).toEqual(['People']);
    await tab.page.getByRole('searchbox').fill('');
    await tab.page.getByText('For operators and load balancers.').waitFor();
    expect(tab.complaints).toEqual([]);
  });

  it('sends requests with the values shown', async () => {
    const { page } = tab;
    await page.getByRole('searchbox').fill('createOrganization');
    await page.getByText('Create an organization with an admin').click();
    await page.getByRole('button', { name: 'Execute' }).click();
    const status = page.locator('.live-responses-table .response-col_status').last();
    await status.waitFor();
    expect((await status.textContent())!.trim()).toMatch(/^200/);
    expect(tab.complaints).toEqual([]);
  });

  async function document(): Promise<{ tag_groups: { name: string }[] }> {
    const response = await fetch(`${service.url}/openapi.json`);
    return { tag_groups: ((await response.json()) as any)['x-tagGroups'] };
  }
});
