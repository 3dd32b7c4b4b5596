import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import type { Organization } from '../support/client.js';
import { describeWith } from '../support/needs.js';
import { buildServer } from '../support/processes.js';
import { TestService } from '../support/service.js';
import { PHONE, type Tab, TestBrowser } from './browser.js';

describeWith('chromium')('signing in to the console', () => {
  let service: TestService;
  let browser: TestBrowser;
  let org: Organization;
  let tab: Tab;
  const lines: string[] = [];

  beforeAll(async () => {
    await buildServer();
    const logger = new JsonLogger('debug', { write: (line) => lines.push(line) });
    service = await TestService.start({ LOG_LEVEL: 'debug' }, { logger });
    org = await service.organization('Bob');
    browser = await TestBrowser.start();
  });
  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
  });
  beforeEach(async () => {
    tab = await browser.tab();
  });
  afterEach(() => browser.closeTabs());

  async function linkOf(token: string | undefined): Promise<string> {
    const { admin } = org;
    const body = { user_id: admin.user_id, profile_api_key: admin.token };
    const { data } = await admin.post('/contacts/helpers/generate-auto-login-link', body);
    const url = new URL(data.auto_login_url);
    const link = JSON.parse(Buffer.from(url.searchParams.get('token')!, 'base64url').toString());
    const other = JSON.stringify({ ...link, profile_api_key: token });
    url.searchParams.set('token', Buffer.from(other).toString('base64url'));
    return url.href;
  }
  const home = () => `${service.url}/console/${org.drive_id}/state/contacts`;
  /** Whatever the browser keeps of where it was. */
  const addresses = () => tab.page.evaluate('[location.href, document.referrer, history.length]');
  const form = () => tab.page.getByRole('button', { name: 'Sign in', exact: true });
  /** What the fields contain. */
  const typed = () =>
    Promise.all(
      ['Key or sign-in link', 'Organization'].map((name) =>
        tab.page.getByRole('textbox', { name }).inputValue(),
      ),
    );

  it('by a link, which leaves no key in the address, in the log or after the tab', async () => {
    const { page } = tab;
    await page.goto(await linkOf(org.admin.token));
    await page.getByRole('button', { name: 'Test Org' }).waitFor();
    await page.waitForURL(home());
    expect(await addresses()).toEqual([home(), '', 2]);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(org.admin.token);
    const log = lines.join('');
    expect(log).toContain('"/auto-login"');
    expect(log).not.toContain(new URL(await linkOf(org.admin.token)).searchParams.get('token'));
    expect(log).not.toContain(org.admin.token);
    await page.reload();
    await page.getByRole('button', { name: 'Test Org' }).waitFor();
    await page.goBack();
    expect(page.url()).not.toContain('token');
    const other = await tab.context.newPage();
    await other.goto(home());
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  it('by a key, to the page of the address; organizations have names', async () => {
    const { page } = tab;
    const address = `${service.url}/console/${org.drive_id}/history?at=r2`;
    await page.goto(address);
    expect(await page.getByRole('textbox', { name: 'Organization' }).inputValue()).toBe(
      org.drive_id,
    );
    await form().click();
    await page.getByText('Paste a key or a sign-in link.').waitFor();
    await page.getByRole('textbox', { name: 'Key or sign-in link' }).fill(org.admin.token!);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await form().waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(org.admin.token);
    await page.getByRole('button', { name: 'Test Org', exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'Organization' }).inputValue()).toBe(
      org.drive_id,
    );
    await page.getByRole('button', { name: 'Forget Test Org' }).click();
    expect(await page.getByRole('button', { name: 'Test Org', exact: true }).count()).toBe(0);
    expect(tab.complaints).toEqual([]);
  });

  it('by the key of another person, who sees nothing that the first one saw', async () => {
    const { page } = tab;
    await page.goto(await linkOf(org.admin.token));
    const people = page.getByRole('main').getByRole('row');
    const bob = page.getByRole('main').getByRole('link', { name: 'Bob', exact: true });
    await bob.waitFor();
    expect(await people.count()).toBe(3);
    await page.getByRole('button', { name: 'Test Org' }).click();
    await page.getByRole('menuitem', { name: 'Sign in to another organization' }).click();
    await page.getByRole('textbox', { name: 'Key or sign-in link' }).fill(org.members[0]!.token!);
    await page.getByRole('textbox', { name: 'Organization' }).fill(org.drive_id);
    await form().click();
    await page.getByRole('button', { name: 'Signed in as Bob' }).waitFor();
    await bob.waitFor();
    expect(await people.count()).toBe(2);
  });

  it('by a link only once: not again after signing out', async () => {
    const { page } = tab;
    await page.goto(await linkOf(org.admin.token));
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await form().waitFor();
    expect(await typed()).toEqual(['', '']);
  });

  it('not by a key that is revoked, a link that is cut off, or to no organization', async () => {
    const { page } = tab;
    const made = await org.admin.post('/api_keys/create', { name: 'k' });
    await org.admin.post('/api_keys/update', { id: made.data.id, is_revoked: true });
    await page.goto(await linkOf(made.data.value));
    await page.getByText('The key is not valid for this organization').waitFor();
    // The address has lost the link: what it contained can be tried again.
    expect(await typed()).toEqual([made.data.value, org.drive_id]);
    await page.goto((await linkOf(org.admin.token)).slice(0, -9));
    await page.getByText('This sign-in link is not valid').waitFor();
    await page.getByRole('textbox', { name: 'Key or sign-in link' }).fill(org.admin.token!);
    await page.getByRole('textbox', { name: 'Organization' }).fill('DriveID_none');
    await form().click();
    await page.getByText('There is no organization with this ID on this server').waitFor();
    expect(page.url()).toBe(`${service.url}/console`);
    expect(await typed()).toEqual([org.admin.token, 'DriveID_none']);
    await page.getByRole('textbox', { name: 'Organization' }).fill(org.drive_id);
    await form().click();
    await page.waitForURL(home());
    expect(tab.complaints).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds serious, in %s',
    async (colors) => {
      for (const viewport of [undefined, PHONE]) {
        tab = await browser.tab({ colors, ...(viewport && { viewport }) });
        await tab.page.goto(`${service.url}/console`);
        await form().waitFor();
        expect(await tab.seriousFindings()).toEqual([]);
        await form().click();
        await tab.page.getByText('Paste a key or a sign-in link.').waitFor();
        expect(await tab.seriousFindings()).toEqual([]);
      }
    },
  );
});
