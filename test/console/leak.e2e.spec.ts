import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { type RunningDemo, startDemo } from '../../apps/demo/start.js';
import { describeWith } from '../support/needs.js';
import { buildServer } from '../support/processes.js';
import { type Tab, TestBrowser } from './browser.js';

/** Folder for pictures of the walk, if they are wanted. */
const PICTURES = process.env.CONSOLE_PICTURES;

/** The investigation of docs/demo.md, by clicks alone: after the sign-in no address is entered. */
describeWith('chromium')('the leak of the demo', () => {
  let folder: string;
  let demo: RunningDemo;
  let browser: TestBrowser;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    await buildServer();
    folder = await mkdtemp(join(tmpdir(), 'drive-leak-'));
    const options = { logger: new JsonLogger('silent') };
    demo = await startDemo({ folder, seed: 1, port: 0, progress() {}, options });
    browser = await TestBrowser.start();
  });
  afterAll(async () => {
    await browser?.stop();
    await demo?.server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
  const region = (name: string) => page.getByRole('region', { name });
  const picture = async (name: string): Promise<void> => {
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `leak-${name}.png`) });
  };
  async function choose(field: string, text: string, option: RegExp): Promise<void> {
    await page.getByRole('combobox', { name: field }).fill(text);
    await page.getByRole('option', { name: option }).first().click();
  }
  const chain = async (): Promise<string> => {
    const found = page.getByRole('list', { name: /^Chain that gives VIEW/ }).first();
    // names are asked for after the chain is shown
    await found.getByText('Henrik Aas').first().waitFor();
    return (await found.innerText()).replaceAll(/\s+/g, ' ');
  };

  it('is found by clicking', async () => {
    tab = await browser.tab();
    ({ page } = tab);
    await page.goto(demo.login_link);
    await page.getByRole('button', { name: 'Halden Instruments' }).waitFor();

    // Who could read the draft when the newspaper printed it?
    await page.getByRole('button', { name: /^Choose a point in time/ }).click();
    await page.getByText('Bookmark', { exact: true }).click();
    await page.getByRole('button', { name: /@leak-published/ }).click();
    await go('Access');
    await choose('File, folder', 'term-sheet', /^term-sheet/);
    const holders = region('Who could reach it');
    await holders.getByRole('link', { name: 'Amara Okafor' }).waitFor();
    const who = await holders.getByRole('row').allInnerTexts();
    expect(who.join('\n')).toMatch(/Mei Chen[\s\S]*Directly|As a member of/);
    expect(who.join('\n')).not.toContain('Jonas Weber');
    await picture('who');

    // Who came to the advisers' group, and who left it?
    await go('History');
    await page.getByRole('combobox', { name: 'Kind of event' }).fill('invite');
    await page.getByRole('option', { name: /^Group invite created/i }).click();
    const invited = page.getByRole('button', {
      name: 'Marta Kowalska made Jonas Weber a member of Heron Advisers',
    });
    await invited.click();
    await page.waitForURL(/at=r\d+/);
    await picture('history');

    // Could he read the draft then, why, and for how long?
    await go('Access');
    await choose('Person', 'Jonas', /^Jonas Weber/);
    await choose('File, folder', 'term-sheet', /^term-sheet/);
    const because = await chain();
    expect(because).toContain('Jonas Weber is a member of (invite) Heron Advisers');
    expect(because).toContain('granted by Henrik Aas');
    await page.getByRole('button', { name: /^VIEW from .* to / }).waitFor();
    await picture('why');

    // Who let Marta Kowalska invite him?
    await choose('Person', 'Marta', /^Marta Kowalska/);
    await choose('File, folder', 'Heron Advisers', /^Heron Advisers/);
    const grants = page.getByRole('list', { name: /INVITE/ }).first();
    await grants.getByText('Ingrid Solberg').first().waitFor();
    expect((await grants.innerText()).replaceAll(/\s+/g, ' ')).toContain(
      'granted by Ingrid Solberg',
    );
    await grants.getByRole('link', { name: /INVITE/ }).click();
    await region('History of this record').getByText('Henrik is travelling').waitFor();

    // What Jonas Weber saw on that evening.
    await page.getByRole('button', { name: 'View as', exact: true }).click();
    await choose('Person', 'Jonas', /^Jonas Weber/);
    await page.getByRole('button', { name: 'As Jonas Weber' }).waitFor();
    await go('State');
    await page.getByRole('link', { name: /^Files and folders/ }).click();
    await page.getByRole('link', { name: 'Show shared items' }).first().click();
    const table = page.getByRole('table');
    await table.getByRole('link', { name: 'Project Heron' }).click();
    await table.getByRole('link', { name: 'term-sheet.md' }).click();
    await page.getByText('Price: 41 million, cash').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([
      'term-sheet.md',
    ]);
    await picture('content');
    expect(tab.complaints).toEqual([]);
  });
});
