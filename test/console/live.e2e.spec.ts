import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('the live feed in the console', () => {
  const ui = useConsole();

  it('shows new events, says that the connection is lost, and resumes without a gap', async () => {
    const { page, context } = await ui.open('history');
    const mark = (text: string) => page.getByRole('status').getByText(text, { exact: true });
    const makeGroup = async (name: string): Promise<void> => {
      ui.clock.now += 1000;
      expect((await ui.org.admin.post('/groups/create', { name })).status).toBe(200);
    };
    const made = (name: string) =>
      page.getByRole('button', { name: `Ada Lovelace made the group ${name}`, exact: true });
    await mark('Live').waitFor();
    await makeGroup('Live One');
    await made('Live One').waitFor();
    await context.setOffline(true);
    await makeGroup('Live Two');
    await mark('Connection lost').waitFor();
    expect(await made('Live Two').count()).toBe(0);
    await context.setOffline(false);
    await mark('Live').waitFor();
    await made('Live Two').waitFor();
    // The past stays as it is.
    await page.getByRole('button', { name: 'Previous event' }).click();
    await page.waitForURL(/at=r/);
    await makeGroup('Live Three');
    await page.getByText('Show 2 later events, too').waitFor();
    expect(await made('Live Three').count()).toBe(0);
  });

  it('comes back after a rate limit; pages are read again regularly meanwhile', async () => {
    const { page } = await ui.open('state/groups');
    await page.clock.install();
    const feed = '**/organization/events*';
    const err = {
      code: 429,
      type: 'rate.limited',
      message: 'Later.',
      request_id: 'r',
      details: [],
    };
    const limited = { status: 429, headers: { 'retry-after': '60' }, json: { err } };
    await page.route(feed, (route) => route.fulfill(limited));
    await page.reload();
    const mark = (text: string) => page.getByRole('status').getByText(text, { exact: true });
    await mark('Connection lost').waitFor();
    const body = { name: 'While the Feed Is Lost' };
    ui.clock.now += 1000;
    expect((await ui.org.admin.post('/groups/create', body)).status).toBe(200);
    await page.clock.fastForward(20_000);
    await page.getByRole('link', { name: body.name }).waitFor();
    await mark('Connection lost').waitFor();
    await page.unroute(feed);
    await page.clock.fastForward(60_000);
    await mark('Live').waitFor();
  });

  it('shows what was erased no longer, at points of the past, too', async () => {
    const { carol } = ui.org.people;
    const { page } = await ui.open(`record/${carol.user_id}?at=r26`);
    const name = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true });
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await name('Carol Shaw').waitFor();
    ui.clock.now += 1000;
    const erased = await ui.org.admin.post('/contacts/erase', { id: carol.user_id });
    expect(erased.status).toBe(200);
    await name('[erased]').waitFor();
    expect(await page.getByText('Carol Shaw').count()).toBe(0);
  });

  it('asks for another key once its key is revoked', async () => {
    const { admin } = ui.org;
    const { data } = await admin.post('/api_keys/create', { name: 'For the console' });
    const { page } = await ui.open('history', {}, await ui.linkOf(admin, data.value));
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    ui.clock.now += 1000;
    const revoked = await admin.post('/api_keys/update', { id: data.id, is_revoked: true });
    expect(revoked.status).toBe(200);
    await page.getByText('Your key is no longer valid').waitFor();
  });

  it('ends with the permission to see events; pages then follow the present without it', async () => {
    const { admin, people } = ui.org;
    const { data: grant } = await admin.post('/permissions/system/create', {
      ...{ resource_id: 'TABLE_AUDIT', granted_to: people.bob.user_id },
      permission_types: ['VIEW'],
    });
    const { page } = await ui.open('state/groups', {}, await ui.linkOf(people.bob));
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    ui.clock.now += 1000;
    await admin.post('/permissions/system/delete', { permission_id: grant.id });
    await page.getByText('Your key may not look at the past.').waitFor();
    expect(await page.getByText('Connection lost').count()).toBe(0);
  });

  it('leaves its connection to others while the page is hidden, and resumes without a gap', async () => {
    const { page } = await ui.open('history');
    const live = page.getByRole('status').getByText('Live', { exact: true });
    await live.waitFor();
    const setVisibility = (state: string): Promise<unknown> =>
      page.evaluate(`(() => {
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      })()`);
    const isFeed = (request: { url(): string }): boolean =>
      request.url().includes('/organization/events');
    const ended = page.waitForEvent('requestfailed', isFeed);
    await setVisibility('hidden');
    await ended;
    ui.clock.now += 1000;
    expect((await ui.org.admin.post('/groups/create', { name: 'Hidden One' })).status).toBe(200);
    const resumed = page.waitForRequest(isFeed);
    await setVisibility('visible');
    await resumed;
    await page.getByRole('button', { name: 'Ada Lovelace made the group Hidden One' }).waitFor();
  });

  it('is not needed: without the permission for it, pages are read again regularly', async () => {
    const { page } = await ui.open('state/groups', {}, await ui.linkOf(ui.org.people.bob));
    await page.clock.install();
    await page.reload();
    await page.getByText('Your key may not look at the past.').waitFor();
    await page.getByRole('link', { name: 'Group for All' }).waitFor();
    ui.clock.now += 1000;
    const { finance } = ui.org.ids;
    const body = { id: finance, name: 'Finance Renamed' };
    expect((await ui.org.admin.post('/groups/update', body)).status).toBe(200);
    await page.clock.fastForward(60_000);
    await page.getByRole('link', { name: 'Finance Renamed' }).waitFor();
    await page.getByText('Your key may not look at the past.').waitFor();
  });
});
