import type { Locator } from 'playwright-core';
import { describeWith } from '../support/needs.js';
import { PHONE } from './browser.js';
import { useConsole } from './console.js';

/** Turns what follows from right to left. */
const OVERRIDE = '\u202E';
const FAKE = `Invoices ${OVERRIDE}fdp.`;
const SHOWN = 'Invoices ⟨U+202E⟩fdp.';
const REASON = `Ticket ${OVERRIDE}202`;
const SHOWN_REASON = 'Ticket ⟨U+202E⟩202';
const LONG = 'W'.repeat(250);

describeWith('chromium')('names and titles in the console', () => {
  let fake: string;
  let long: string;

  const ui = useConsole(async ({ org: { admin, ids } }) => {
    const create = async (name: string): Promise<string> => {
      const created = await admin.post('/groups/create', { name });
      return created.data.id;
    };
    fake = await create(FAKE);
    long = await create(LONG);
    const reason = { 'audit-reason': Buffer.from(REASON).toString('latin1') };
    const label = { id: ids.label, value: 'restricted' };
    await admin.post('/labels/update', label, reason);
  });

  it('show direction controls, and keep their direction to themselves', async () => {
    for (const [path, selector, shown] of [
      [`record/${fake}`, 'h1 bdi', SHOWN],
      [`record/${fake}`, 'dd bdi', SHOWN],
      ['state/groups', 'td bdi', SHOWN],
      ['history', 'main ol button', SHOWN],
      ['history', 'main ol p bdi', SHOWN_REASON],
    ] as const) {
      await ui.open(path);
      await ui.page.locator(selector).filter({ hasText: shown }).first().waitFor();
      expect([path, await ui.page.locator('body').innerText()]).toEqual([
        path,
        expect.not.stringContaining(OVERRIDE),
      ]);
    }
    await ui.open(`evidence?record=${fake}`);
    const field = ui.page.getByRole('combobox', { name: 'Record to prove' });
    await expectValue(field, SHOWN);
  });

  it('wrap if they are long, on a phone, too', async () => {
    for (const view of [{}, { viewport: PHONE }]) {
      await ui.open(`record/${long}`, view);
      await ui.page.getByRole('heading', { level: 1, name: LONG }).waitFor();
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await ui.page.evaluate(wider)).toBe(0);
    }
  });

  it('are in the title of the tab', async () => {
    await ui.open('history');
    await expectTitle('History – Northwind Research – Drive console');
    await ui.page.goto(ui.address('state/groups'));
    await expectTitle('Groups – Northwind Research – Drive console');
    await ui.page.goto(ui.address(`record/${ui.org.ids.finance}`));
    await expectTitle('Finance and Control – Northwind Research – Drive console');
    await ui.page.goto(ui.address(`record/${fake}`));
    await expectTitle(`${SHOWN} – Northwind Research – Drive console`);
    await ui.page.goto(`${ui.service.url}/console`);
    await expectTitle('Sign in – Drive console');
  });

  it('stay in the field of a chosen record', async () => {
    await ui.open(`evidence?record=${ui.org.ids.finance}`);
    const field = ui.page.getByRole('combobox', { name: 'Record to prove' });
    await expectValue(field, 'Finance and Control');
    // A search would follow shortly after.
    await ui.page.waitForTimeout(1_000);
    expect(await field.inputValue()).toBe('Finance and Control');
  });

  it('are not hidden below the header when they have the focus', async () => {
    await ui.open('history');
    await ui.page.locator('main ol button').first().waitFor();
    const links = ui.page.locator('main a[href], main button');
    await ui.page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await links.last().focus();
    for (let key = 0; key < 60; key++) {
      await ui.page.keyboard.press('Shift+Tab');
      expect(await ui.page.evaluate(HIDDEN)).toBe(false);
    }
  });

  const expectTitle = async (title: string) => {
    await ui.page.waitForFunction((text) => (globalThis as any).document.title === text, title);
    expect(await ui.page.title()).toBe(title);
  };
  const expectValue = async (field: Locator, value: string) => {
    const handle = await field.elementHandle();
    await ui.page.waitForFunction(
      ([element, text]: any) => element.value === text,
      [handle, value],
    );
  };
});

/** True if the element with the focus is in the main part and begins above the end of the header. */
const HIDDEN = `(() => {
  const element = document.activeElement;
  if (!element.closest('main')) return false;
  const header = document.querySelector('header').getBoundingClientRect();
  return element.getBoundingClientRect().top < header.bottom;
})()`;
