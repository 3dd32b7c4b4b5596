import type { Page } from 'playwright-core';
import { describeWith } from '../support/needs.js';
import type { Tab } from './browser.js';
import { consoleFor, type ConsoleUnderTest, WALK_MS } from './console.js';

describeWith('chromium')('the history in the console', () => {
  let ui: ConsoleUnderTest;
  let tab: Tab;
  let page: Page;

  consoleFor(
    (started) => void (ui = started),
    () => tab,
  );

  async function open(path: string): Promise<void> {
    tab = await ui.open(path);
    ({ page } = tab);
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const all = async (body: object = {}): Promise<any[]> =>
    (await ui.org.admin.post('/organization/history', { ...body, page_size: 1000 })).data.items;
  /** Summaries on the page, from the top. The mark in a shortened hash is no part of what is copied. */
  const shown = async (): Promise<string[]> =>
    (await page.locator('main ol button[title^="Go to"]').allInnerTexts()).map((text) =>
      text.replaceAll('…', ''),
    );
  const untilShown = async (expected: readonly { summary: string }[]): Promise<void> => {
    const summaries = expected.map(({ summary }) => summary);
    await page.getByRole('heading', { name: new RegExp(`^${expected.length} events?$`) }).waitFor();
    expect(await shown()).toEqual(summaries);
  };

  it(
    'lists who did what, when and why; a click leads to the point',
    async () => {
      const events = await all();
      await open('history');
      await untilShown(events);
      await page.getByText('Reason: Left the company').waitFor();
      const renamed = events.find(({ type }) => type === 'GroupUpdated')!;
      await button(renamed.summary).click();
      await page.waitForURL(new RegExp(`at=r${renamed.revision}$`));
      await untilShown(events.filter(({ revision }) => revision <= renamed.revision));
      expect(await page.locator('main li[aria-current]').innerText()).toContain(renamed.summary);
      await page.getByRole('switch').click();
      await untilShown(events);
      const time = page.locator('main li[aria-current] time');
      expect([await time.innerText(), await time.getAttribute('title')]).toEqual([
        '23 Jun 2026, 10:01:00',
        '2026-06-23 08:01:00.000 UTC',
      ]);
    },
    WALK_MS,
  );

  it(
    'shows the details of an event, with links',
    async () => {
      const [renamed] = await all({ types: ['GroupUpdated'] });
      await open(`history?at=r${renamed.revision}`);
      await button(`Details of revision ${renamed.revision}`).click();
      const details = page.locator('main li[aria-current]');
      await details.getByText('Reports monthly').waitFor();
      expect(await details.innerText()).toContain(renamed.hash);
      await details.getByRole('link', { name: renamed.correlation_id }).click();
      await page.waitForURL(/request=/);
      await untilShown([renamed]);
      await details.getByRole('link', { name: 'Ada Lovelace' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
      expect(page.url()).toContain(`at=r${renamed.revision}`);
    },
    WALK_MS,
  );

  it(
    'filters by person, kind, reason and record, with links that can be shared',
    async () => {
      await open('history');
      await page.getByRole('combobox', { name: 'Person' }).fill('bob');
      await page.getByRole('option', { name: 'Bob Hopper' }).click();
      await untilShown(await all({ actor: ui.org.people.bob.user_id }));
      await button('Remove filters').click();
      await page.getByLabel('Reason contains').fill('ticket 101');
      await untilShown(await all({ reason: 'Ticket 101' }));
      const address = page.url();
      await page.getByLabel('Reason contains').fill('');
      await page.getByLabel('ID of a record').fill(ui.org.ids.budget);
      await untilShown(await all({ resource_id: ui.org.ids.budget }));
      await page.getByLabel('ID of a record').fill('GroupID_none');
      await page.getByRole('alert').waitFor();
      await page.goto(address);
      await untilShown(await all({ reason: 'Ticket 101' }));
      await page.goto(ui.address('history?kind=GroupCreated,LabelCreated'));
      await untilShown(await all({ types: ['GroupCreated', 'LabelCreated'] }));
      await page.goto(ui.address(`history?kind=LabelCreated&person=${ui.org.people.bob.user_id}`));
      await page.getByText('No events match the filters.').waitFor();
      expect(page.url()).toContain('person=');
    },
    WALK_MS,
  );
});
