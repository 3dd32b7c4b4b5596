import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Client } from '../support/client.js';
import { buildServer } from '../support/processes.js';
import { TestService } from '../support/service.js';
import { PHONE, type Tab, TestBrowser, type View } from './browser.js';
import { Clock, seed, type Seeded } from './seed.js';

/** Folder for pictures of pages, if they are wanted. */
const PICTURES = process.env.CONSOLE_PICTURES;

/** A service with the seeded organization, and a browser. */
export class ConsoleUnderTest {
  service!: TestService;
  browser!: TestBrowser;
  org!: Seeded;
  readonly clock = new Clock();
  /** The tab that was opened last. */
  tab?: Tab;
  /** What a tab keeps once a link has signed it in. */
  private readonly sessions = new Map<string, string>();

  get page(): Page {
    return this.tab!.page;
  }

  async start(): Promise<void> {
    await buildServer();
    this.service = await TestService.start({ DEFAULT_DISK: 'Files' }, { clock: this.clock.read });
    this.org = await seed(this.service.url, this.clock);
    this.browser = await TestBrowser.start();
  }

  async stop(): Promise<void> {
    await this.browser?.stop();
    await this.service?.stop();
  }

  /** The address of a page of the organization. */
  address(path: string): string {
    return `${this.service.url}/console/${this.org.drive_id}/${path}`;
  }

  /** A link that signs a person in. */
  async linkOf(person: Client, key = person.token): Promise<string> {
    const body = { user_id: person.user_id, profile_api_key: key };
    const { data } = await person.post('/contacts/helpers/generate-auto-login-link', body);
    return data.auto_login_url;
  }

  /** A new tab, signed in by a link, at a page of the organization. */
  async open(path: string, view: View = {}, link = this.org.link): Promise<Tab> {
    const session = this.sessions.get(link) ?? (await this.signIn(link));
    const tab = await this.browser.tab(view);
    this.tab = tab;
    await tab.context.addInitScript(fillStorage, session);
    await tab.page.goto(this.address(path));
    return tab;
  }

  /** Holds requests of the page until the returned function is called. */
  async hold(url: string): Promise<() => void> {
    const held = Promise.withResolvers<void>();
    await this.page.route(url, async (route) => {
      await held.promise;
      await route.continue();
    });
    return held.resolve;
  }

  /** Signs in by a link, once for all tabs. */
  private async signIn(link: string): Promise<string> {
    const { page, context } = await this.browser.tab();
    await page.goto(link);
    await page.getByRole('button', { name: 'Northwind Research' }).waitFor();
    const session = await page.evaluate<string>('JSON.stringify(sessionStorage)');
    await context.close();
    this.sessions.set(link, session);
    return session;
  }

  /**
   * Looks at a page in both widths and color schemes: what axe finds serious, whether the page is wider than the
   * screen or has something that must be scrolled sideways, and what the browser complains about.
   * Pictures, if wanted, are of the whole page.
   * @param ready resolves once the page shows what it should
   * @param first a tab that shows the page on a laptop, in light
   */
  async inspect(
    name: string,
    path: string,
    ready: (tab: Tab) => Promise<void>,
    first: Tab,
  ): Promise<string[]> {
    const found: string[] = [];
    let tab = first;
    for (const view of [{}, { colors: 'dark' }, { viewport: PHONE }] as const) {
      if ('colors' in view) {
        await tab.page.emulateMedia({ colorScheme: view.colors });
        await tab.page
          .locator(`html[data-mantine-color-scheme=${view.colors}]`)
          .waitFor({ state: 'attached' });
      } else if ('viewport' in view) {
        tab = await this.open(path, view);
        await ready(tab);
      }
      if (PICTURES) {
        mkdirSync(PICTURES, { recursive: true });
        const width = 'viewport' in view ? 390 : 1280;
        const suffix = 'colors' in view ? '-dark' : '';
        await tab.page.screenshot({
          path: join(PICTURES, `${name}-${width}${suffix}.png`),
          fullPage: true,
        });
      }
      // Other colors change nothing that other rules look at.
      const rules = 'colors' in view ? ['color-contrast'] : undefined;
      found.push(...(await tab.seriousFindings(rules)), ...tab.complaints);
      const overflow =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      const wider = await tab.page.evaluate<number>(overflow);
      if (wider > 0) found.push(`${name} is ${wider} px wider than the screen`);
      for (const element of await tab.page.evaluate<string[]>(SCROLLED_SIDEWAYS))
        found.push(`${name} is scrolled sideways: ${element}`);
    }
    await this.browser.closeTabs();
    return found;
  }
}

/**
 * A console that is started before the specs of a block and stopped afterwards. After each spec all tabs are closed; it
 * fails if the browser complained in the last one.
 * @param prepare runs once, before the specs
 */
export function useConsole(
  prepare?: (started: ConsoleUnderTest) => Promise<void>,
): ConsoleUnderTest {
  const ui = new ConsoleUnderTest();
  beforeAll(async () => {
    await ui.start();
    await prepare?.(ui);
  });
  afterAll(() => ui.stop());
  afterEach(async () => {
    const { complaints = [], not_loaded = [] } = ui.tab ?? {};
    await ui.browser.closeTabs();
    if (complaints.length > 0) throw new Error([...complaints, ...not_loaded].join('\n'));
  });
  return ui;
}

/** Fills the storage of a new tab; what is in it already stays. Pages without an origin have none. */
function fillStorage(session: string): void {
  const tab = globalThis as unknown as { origin: string; sessionStorage: Storage };
  if (tab.origin === 'null' || tab.sessionStorage.length > 0) return;
  for (const [name, value] of Object.entries(JSON.parse(session) as Record<string, string>))
    tab.sessionStorage.setItem(name, value);
}

/** Elements whose content is wider than they are. */
const SCROLLED_SIDEWAYS = `[...document.querySelectorAll('main *')]
  .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ outerHTML }) => outerHTML.slice(0, 200))`;
