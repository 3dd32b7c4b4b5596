import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildServer } from '../support/processes.js';
import { TestService } from '../support/service.js';
import { PHONE, type Tab, TestBrowser, type View } from './browser.js';
import { Clock, seed, type Seeded } from './seed.js';

/** Time for a build of the service and the console, on a busy machine. */
export const START_MS = 300_000;
/** Time for a walk through pages. */
export const WALK_MS = 120_000;

/** Folder for pictures of pages, if they are wanted. */
const PICTURES = process.env.CONSOLE_PICTURES;

/** A service with the seeded organization, and a browser. */
export class ConsoleUnderTest {
  private constructor(
    readonly service: TestService,
    readonly browser: TestBrowser,
    readonly clock: Clock,
    readonly org: Seeded,
  ) {}

  static async start(): Promise<ConsoleUnderTest> {
    await buildServer();
    const clock = new Clock();
    const service = await TestService.start({ DEFAULT_DISK: 'Files' }, { clock: clock.read });
    const org = await seed(service.url, clock);
    return new ConsoleUnderTest(service, await TestBrowser.start(), clock, org);
  }

  async stop(): Promise<void> {
    await this.browser.stop();
    await this.service.stop();
  }

  /** The address of a page of the organization. */
  address(path: string): string {
    return `${this.service.url}/console/${this.org.drive_id}/${path}`;
  }

  /** A new tab, signed in by a link, at a page of the organization. */
  async open(path: string, view: View = {}, link = this.org.link): Promise<Tab> {
    const tab = await this.browser.tab(view);
    await tab.page.goto(link);
    await tab.page.getByRole('button', { name: 'Northwind Research' }).waitFor();
    await tab.page.goto(this.address(path));
    return tab;
  }

  /**
   * Looks at a page in both widths and color schemes: what axe finds serious, whether the page is wider than the
   * screen or has something that must be scrolled sideways, and what the browser complains about.
   * Pictures, if wanted, are of the whole page.
   * @param ready resolves once the page shows what it should
   */
  async inspect(name: string, path: string, ready: (tab: Tab) => Promise<void>): Promise<string[]> {
    const found: string[] = [];
    for (const view of [{}, { colors: 'dark' }, { viewport: PHONE }] as const) {
      const tab = await this.open(path, view);
      await ready(tab);
      if (PICTURES) {
        mkdirSync(PICTURES, { recursive: true });
        const width = 'viewport' in view ? 390 : 1280;
        const suffix = 'colors' in view ? '-dark' : '';
        await tab.page.screenshot({
          path: join(PICTURES, `${name}-${width}${suffix}.png`),
          fullPage: true,
        });
      }
      found.push(...(await tab.seriousFindings()), ...tab.complaints);
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
 * Starts a console before the specs of a block and stops it afterwards. After each spec all tabs are closed; it fails if
 * the browser complained in its tab.
 */
export function consoleFor(
  use: (started: ConsoleUnderTest) => void | Promise<void>,
  tabOf: () => Tab,
): void {
  let ui: ConsoleUnderTest | undefined;
  beforeAll(async () => {
    ui = await ConsoleUnderTest.start();
    await use(ui);
  }, START_MS);
  afterAll(() => ui?.stop());
  afterEach(async () => {
    const { complaints } = tabOf();
    await ui!.browser.closeTabs();
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
  });
}

/** Elements whose content is wider than they are. */
const SCROLLED_SIDEWAYS = `[...document.querySelectorAll('main *')]
  .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ outerHTML }) => outerHTML.slice(0, 200))`;
