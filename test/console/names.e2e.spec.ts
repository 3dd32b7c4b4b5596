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
/** A laptop at a zoom of 200 %. */
const ZOOMED = { width: 640, height: 400 };

describeWith('chromium')('names and titles in the console', () => {
  let fake: string;
  let long: string;
  let long_made: number;
  let text_file: string;

  const ui = useConsole(async ({ org: { admin, ids } }) => {
    const create = async (name: string): Promise<string> => {
      const created = await admin.post('/groups/create', { name });
      return created.data.id;
    };
    fake = await create(FAKE);
    long = await create(LONG);
    long_made = (await admin.post('/organization/replay', {})).data.revision;
    const disk = (await admin.post('/disks/list', {})).data.items[0];
    const content = `Invoice ${OVERRIDE}001`;
    const path = `/directory/content/${disk.root_folder}/invoice.txt`;
    const put = await admin.send('PUT', path, content, { 'content-type': 'text/plain' });
    text_file = put.data.file.id;
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
      [`record/${text_file}`, 'pre', 'Invoice ⟨U+202E⟩001'],
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
    for (const view of [{}, { viewport: PHONE }])
      for (const path of [
        `record/${long}`,
        'state/groups',
        `access?what=${long}`,
        `evidence?at=r${long_made}`,
        'compare',
      ]) {
        await ui.open(path, view);
        const name = ui.page.getByText(LONG).filter({ visible: true }).first();
        await name.waitFor();
        expect([path, await ui.page.evaluate(WIDER)]).toEqual([path, []]);
      }
  });

  it('have room at a zoom of 200 %: the header scrolls away', async () => {
    await ui.open('history', { viewport: ZOOMED });
    await ui.page.locator('main ol button').first().waitFor();
    await ui.page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const end = 'document.querySelector("header").getBoundingClientRect().bottom';
    expect(await ui.page.evaluate(end)).toBeLessThan(0);
    expect(await ui.page.evaluate('document.documentElement.style.scrollPaddingTop')).toBe('8px');
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

/** Elements that are wider than they have room for: the page, and what is scrolled sideways. */
const WIDER = `[document.documentElement, ...document.querySelectorAll('main *')]
  .filter((element, at) => at === 0 || getComputedStyle(element).overflowX === 'auto')
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ outerHTML }) => outerHTML.slice(0, 100))`;

/** True if the element with the focus is in the main part and begins above the end of the header. */
const HIDDEN = `(() => {
  const element = document.activeElement;
  if (!element.closest('main')) return false;
  const header = document.querySelector('header').getBoundingClientRect();
  return element.getBoundingClientRect().top < header.bottom;
})()`;
