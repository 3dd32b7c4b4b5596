import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

/** The width of an A4 sheet between margins of 14 mm. */
const SHEET = { width: 688, height: 1000 };

describeWith('chromium')('pages of the console on paper', () => {
  const ui = useConsole();

  /** Opens a page in dark colors, and shows it as it is printed. */
  async function print(
    path: string,
    text: string,
    isThere = async (): Promise<void> => {},
  ): Promise<string> {
    await ui.open(path, { colors: 'dark' });
    await ui.page.getByText(text).first().waitFor();
    await isThere();
    await ui.page.setViewportSize(SHEET);
    await ui.page.emulateMedia({ media: 'print' });
    // Only what is printed has an inner text.
    return (await ui.page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
  }

  it('are printed in light colors; the screen stays dark', async () => {
    await ui.open('history', { colors: 'dark' });
    await ui.page.getByText('Ticket 101').first().waitFor();
    const colors = 'getComputedStyle(document.body).color';
    await ui.page.evaluate(`addEventListener('beforeprint', () => (window.printed = ${colors}))`);
    const dark = await ui.page.evaluate(colors);
    await ui.page.pdf({ format: 'A4' });
    expect(await ui.page.evaluate('window.printed')).toBe('rgb(31, 35, 41)');
    expect(await ui.page.evaluate(colors)).toBe(dark);
    expect(dark).not.toBe('rgb(31, 35, 41)');
    await ui.page.emulateMedia({ media: 'print' });
    expect(await ui.page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    );
  });

  it('say of which organization, point and view they are', async () => {
    const bob = ui.org.people.bob.user_id;
    const text = await print(`record/${ui.org.ids.budget}?at=r24&as=${bob}`, 'budget.txt');
    expect(text).toContain(`Organization Northwind Research (${ui.org.drive_id})`);
    expect(text).toMatch(/Point in time \d+ Jun 2026, [\d:]+ · r24, \d+ Jun 2026, [\d:]+: \w+/);
    expect(text).toContain(`View as Bob Hopper (${bob})`);
    expect(text).toContain('Time zone Europe/Berlin');
    expect(text).toContain(`Address ${ui.page.url()}`);
  });

  it('say when they were printed, however long they were open', async () => {
    await print('state/contacts', 'Dan Rivers');
    await ui.page.evaluate('Date.now = () => Date.UTC(2030, 0, 2, 12)');
    await ui.page.evaluate("dispatchEvent(new Event('beforeprint'))");
    const head = await ui.page.locator('dl', { hasText: 'Address' }).first().innerText();
    expect(head.replaceAll(/\s+/g, ' ')).toContain('Printed 2 Jan 2030, 13:00:00');
  });

  it('have a history without what people press, with the filters that are set and with whole hashes', async () => {
    // The head of the page has the texts of the event at the point before the list is there.
    const text = await print('history?family=folders&at=r24', 'Bob Hopper uploaded', () =>
      ui.page.getByRole('combobox', { name: 'Family' }).waitFor(),
    );
    expect(text).not.toMatch(/Skip to content|Operations|View as|Remove filters|Kind of event/);
    expect(text).toContain('Family');
    expect(await ui.page.getByRole('combobox', { name: 'Family' }).inputValue()).not.toBe('');
    const hash = ui.page
      .locator('main [title]')
      .filter({ hasText: /^[0-9a-f]{8}/ })
      .first();
    expect(await hash.innerText()).toMatch(/^[0-9a-f]{64}$/);
    expect(await ui.page.getByRole('banner').isVisible()).toBe(false);
    expect(await ui.page.locator('button[aria-expanded]').filter({ visible: true }).count()).toBe(
      0,
    );
  });

  it.each([
    ['compare?with=r24&at=r27', '3 records', 'Compare with: r24 and'],
    ['state/directory_permissions?at=r25', 'From the start', 'Granted by'],
    ['evidence', 'Root of the log', 'Hash of the state'],
    ['history', 'Ticket 101', 'Reason: Ticket 101'],
    ['access?what=TABLE_CONTACTS', 'Owns the organization', 'Owns the organization'],
  ])('%s fits on a sheet', async (path, shown, text) => {
    expect(await print(path, shown)).toContain(text);
    expect(await ui.page.evaluate(CUT_OFF)).toEqual([]);
  });
});

/** Elements that are wider than the sheet, or have more content than they show. */
const CUT_OFF = `[...document.querySelectorAll('main *')]
  .filter((element) => element.checkVisibility() && element.clientWidth > 1)
  .filter((element) => !element.matches('input, .visually-hidden'))
  .filter((element) =>
    element.getBoundingClientRect().right > document.documentElement.clientWidth + 1 ||
    (getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth))
  .map(({ outerHTML }) => outerHTML.slice(0, 200))`;
