import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('the history in the console', () => {
  const ui = useConsole();

  async function open(path: string): Promise<void> {
    await ui.open(path);
    await ui.page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  }
  const button = (name: string | RegExp) => ui.page.getByRole('button', { name });
  const all = async (body: object = {}): Promise<any[]> =>
    (await ui.org.admin.post('/organization/history', { ...body, page_size: 1000 })).data.items;
  /** Summaries on the page, from the top. The mark in a shortened hash is no part of what is copied. */
  const shown = async (): Promise<string[]> =>
    (await ui.page.locator('main ol button[title^="Go to"]').allInnerTexts()).map((text) =>
      text.replaceAll('…', ''),
    );
  const untilShown = async (expected: readonly { summary: string }[]): Promise<void> => {
    const summaries = expected.map(({ summary }) => summary);
    await ui.page
      .getByRole('heading', { name: new RegExp(`^${expected.length} events?$`) })
      .waitFor();
    expect(await shown()).toEqual(summaries);
  };

  it('lists who did what, when and why; a click leads to the point', async () => {
    const events = await all();
    await open('history');
    await untilShown(events);
    await ui.page.getByText('Reason: Left the company').waitFor();
    const renamed = events.find(({ type }) => type === 'GroupUpdated')!;
    await button(renamed.summary).click();
    await ui.page.waitForURL(new RegExp(`at=r${renamed.revision}$`));
    await untilShown(events.filter(({ revision }) => revision <= renamed.revision));
    expect(await ui.page.locator('main li[aria-current]').innerText()).toContain(renamed.summary);
    await ui.page.getByRole('switch').click();
    await untilShown(events);
    const time = ui.page.locator('main li[aria-current] time');
    expect([await time.innerText(), await time.getAttribute('title')]).toEqual([
      '23 Jun 2026, 10:01:00',
      '2026-06-23 08:01:00.000 UTC',
    ]);
  });

  it('says that nothing is found only once that is the answer, as do other lists', async () => {
    await open('history?reason=nobody');
    const main = ui.page.getByRole('main');
    await main.getByText('No events match the filters.').waitFor();
    const releaseHistory = await ui.hold('**/organization/history');
    await ui.page.getByRole('textbox', { name: 'Reason contains' }).fill('Ticket 101');
    await main.getByText('Loading').waitFor();
    expect(await main.getByText('No events match the filters.').count()).toBe(0);
    releaseHistory();
    await main.getByText('Reason: Ticket 101').first().waitFor();
    await ui.page.goto(ui.address('compare?with=r3&at=r4&of=webhooks'));
    const records = ui.page.getByRole('region', { name: 'Records' });
    await records.getByText('Nothing differs between the two points.').waitFor();
    const releaseDifferences = await ui.hold('**/organization/compare');
    await records.getByRole('button', { name: 'All (' }).click();
    await records.and(ui.page.locator('[aria-busy=true]')).getByText('Loading').waitFor();
    expect(await records.getByText('Nothing differs').count()).toBe(0);
    releaseDifferences();
    await records.and(ui.page.locator('[aria-busy=false]')).getByRole('listitem').first().waitFor();
  });

  it('shows the details of an event, with links', async () => {
    const [renamed] = await all({ types: ['GroupUpdated'] });
    await open(`history?at=r${renamed.revision}`);
    await button(`Details of revision ${renamed.revision}`).click();
    const details = ui.page.locator('main li[aria-current]');
    await details.getByText('Reports monthly').waitFor();
    expect(await details.innerText()).toContain(renamed.hash);
    await details.getByRole('link', { name: renamed.correlation_id }).click();
    await ui.page.waitForURL(/request=/);
    await untilShown([renamed]);
    await details.getByRole('link', { name: 'Ada Lovelace' }).first().click();
    await ui.page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    expect(ui.page.url()).toContain(`at=r${renamed.revision}`);
  });

  it('shows each filter once', async () => {
    await open('history?family=groups');
    await ui.page.getByRole('heading', { name: /^\d+ events$/ }).waitFor();
    const families = ui.page.getByRole('combobox', { name: 'Family' });
    expect(await families.count()).toBe(1);
    expect(await button('Filter events').count()).toBe(0);
    await ui.page.getByRole('link', { name: 'State', exact: true }).click();
    await ui.page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    expect(await families.count()).toBe(1);
  });

  it('filters by person, kind, reason and record, with links that can be shared', async () => {
    await open('history');
    await ui.page.getByRole('combobox', { name: 'Person' }).fill('bob');
    await ui.page.getByRole('option', { name: 'Bob Hopper' }).click();
    await untilShown(await all({ actor: ui.org.people.bob.user_id }));
    await button('Remove filters').click();
    await ui.page.getByLabel('Reason contains').fill('ticket 101');
    await untilShown(await all({ reason: 'Ticket 101' }));
    const address = ui.page.url();
    await ui.page.getByLabel('Reason contains').fill('');
    await ui.page.getByLabel('ID of a record').fill(ui.org.ids.budget);
    await untilShown(await all({ resource_id: ui.org.ids.budget }));
    await ui.page.getByLabel('ID of a record').fill('GroupID_none');
    await ui.page.getByRole('alert').waitFor();
    await ui.page.goto(address);
    await untilShown(await all({ reason: 'Ticket 101' }));
    await ui.page.goto(ui.address('history?kind=GroupCreated,LabelCreated'));
    await untilShown(await all({ types: ['GroupCreated', 'LabelCreated'] }));
    await ui.page.goto(ui.address(`history?kind=LabelCreated&person=${ui.org.people.bob.user_id}`));
    await ui.page.getByText('No events match the filters.').waitFor();
    expect(ui.page.url()).toContain('person=');
  });

  it('begins at the first page at another point and with another filter', async () => {
    for (let at = 0; at < 40; at++) {
      ui.clock.now += 1;
      expect((await ui.org.admin.post('/labels/create', { value: `tag-${at}` })).status).toBe(200);
    }
    const events = await all();
    await open('history');
    await button('Next page').click();
    await ui.page.waitForURL(/down=/);
    const old = events.at(-2)!;
    await button(old.summary).first().click();
    await untilShown(events.slice(-2));
    expect(new URL(ui.page.url()).search).toBe(`?at=r${old.revision}`);
    await button('Back to now').click();
    await button('Next page').click();
    await ui.page.waitForURL(/down=/);
    await ui.page.getByRole('combobox', { name: 'Family' }).click();
    await ui.page.getByRole('option', { name: 'Bookmarks' }).click();
    await untilShown(events.filter(({ type }) => type.startsWith('Bookmark')));
  });
});
