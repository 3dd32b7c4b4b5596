import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describeWith } from '../support/needs.js';
import type { Tab } from './browser.js';
import { useConsole } from './console.js';

/** Bytes that the first load may transfer. */
const FIRST_LOAD_BYTES = 300_000;

describeWith('chromium')('every page of the console', () => {
  const ui = useConsole();

  /** Pages by name: an address, and a text that is there once the page is. */
  const PAGES: readonly [string, () => string, string][] = [
    ['state-contacts', () => 'state/contacts', 'Carol Shaw-Lee'],
    ['state-groups', () => 'state/groups?at=r26', 'Finance and Control'],
    ['state-invites', () => 'state/group_invites', 'Invited by'],
    ['state-permissions', () => 'state/system_permissions?at=r26', 'Contacts (table)'],
    ['state-labels', () => 'state/labels', 'confidential'],
    ['state-empty', () => 'state/purchases', 'There were no such records'],
    ['state-files', () => 'state/files', 'Show trash'],
    ['state-folder', () => `state/files/${ui.org.ids.reports}?at=r25`, '2026'],
    ['record-group', () => `record/${ui.org.ids.finance}?at=r26`, 'Changed by the event'],
    ['record-file', () => `record/${ui.org.ids.budget}`, 'Travel: 25,000'],
    ['record-absent', () => `record/${ui.org.ids.finance}?at=r1`, 'Not there at this point'],
    ['history', () => 'history?at=r26', 'Ticket 101'],
    [
      'view-as',
      () => `state/contacts?at=r25&as=${ui.org.people.bob.user_id}&kind=GroupCreated`,
      '1 record',
    ],
    ['compare', () => 'compare?with=r24&at=r27', '3 records'],
    [
      'access-why',
      () => `access?who=${ui.org.people.bob.user_id}&what=${ui.org.ids.budget}&at=r26`,
      'which contains',
    ],
    ['access-who', () => `access?what=${ui.org.ids.reports}&at=r26`, 'As a member of'],
    ['access-reach', () => `access?who=${ui.org.people.bob.user_id}&at=r26`, 'Reports'],
    ['evidence', () => `evidence?record=${ui.org.ids.finance}&at=r26`, 'Root of the log'],
    ['operations', () => 'operations', 'The read model is up to date.'],
    ['unknown', () => 'nothing', 'This page does not exist.'],
  ];

  it('is walked', async () => {
    const routes = await readFile('apps/console/src/routes.tsx', 'utf8');
    const paths = [...routes.matchAll(/^ +page\('([^']+)'/gm)].map(([, path]) => path);
    expect(paths.length).toBe(routes.split('import(').length - 1);
    const walked = new Set(PAGES.map(([, path]) => /^\w+/.exec(path())![0]));
    expect([...walked]).toEqual(expect.arrayContaining(paths));
  });

  it.each(PAGES)(
    '%s can be used by keyboard, and has nothing that axe finds serious, in light and dark, on a laptop and a phone',
    async (name, path, text) => {
      const ready = ({ page }: Tab) => page.getByText(text).first().waitFor();
      const tab = await ui.open(path());
      await ready(tab);
      const seen = await focusedIn(tab.page);
      const bad = seen.filter((at) => /^(?:hidden|nameless)/.test(at));
      expect([name, bad]).toEqual([name, []]);
      // All of them, and nothing holds the focus.
      expect([name, seen.length]).toEqual([name, await tab.page.evaluate<number>(FOCUSABLE)]);
      expect(seen[0]).toContain('Skip to content');
      expect(await ui.inspect(name, path(), ready, tab)).toEqual([]);
    },
  );

  it('loads little at first', async () => {
    const tab = await ui.browser.tab();
    await tab.page.goto(ui.org.link);
    await tab.page.getByText('Ada Lovelace').first().waitFor();
    const bytes = await tab.page.evaluate<number>(LOADED_BYTES);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
    expect(tab.complaints).toEqual([]);
  });
});

/** What the Tab key leads to, from the beginning of the page to its end. */
async function focusedIn(page: Page): Promise<string[]> {
  await page.evaluate('document.body.focus()');
  const seen: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<string>(FOCUSED);
    if (at === 'the end' || seen.includes(at)) return seen;
    seen.push(at);
  }
}

/** What has the focus: its name and place, or what is wrong with it. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return 'the end';
  const { width, height, x, y } = element.getBoundingClientRect();
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText;
  const all = [...document.querySelectorAll('*')];
  if (width === 0 || height === 0) return 'hidden ' + element.outerHTML;
  if (!label?.trim()) return 'nameless ' + element.outerHTML;
  return all.indexOf(element) + ' ' + label.trim();
})()`;

const FOCUSABLE = `[...document.querySelectorAll(
  'a[href], button, input, select, textarea, [tabindex]',
)].filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility()).length`;

/** Compressed bytes of the page, its scripts and its styles. */
const LOADED_BYTES = `performance.getEntries()
  .filter(({ entryType, name }) => entryType === 'navigation' || name.includes('/console/assets/'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;
