import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { pathOf } from '../support/machine.js';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Less than the time of a test, which then fails with what it waits for. */
const AT_MOST_MS = 300_000;

export const LAPTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

/** How a tab looks at the page. */
export interface View {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colors?: 'light' | 'dark';
}

/** Chromium, with a fresh profile for every tab. */
export class TestBrowser {
  private readonly contexts: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<TestBrowser> {
    // The shell, which has no windows, opens pages in two thirds of the time.
    const executablePath = pathOf('chromium-headless-shell') ?? pathOf('chromium');
    if (executablePath === undefined) throw new Error('chromium is not in PATH');
    return new TestBrowser(await chromium.launch({ executablePath, args: FLAGS }));
  }

  async tab({ viewport = LAPTOP, colors = 'light' }: View = {}): Promise<Tab> {
    const context = await this.browser.newContext({
      viewport,
      colorScheme: colors,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(AT_MOST_MS);
    this.contexts.push(context);
    return new Tab(context, await context.newPage());
  }

  /** Closes all tabs. */
  async closeTabs(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** A tab; it remembers every complaint of the browser. */
export class Tab {
  /** Errors and warnings of the page, requests to other hosts, and breaches of its policy. */
  readonly complaints: string[] = [];
  /** Scripts that could not be loaded, and why. */
  readonly not_loaded: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('console', (message) => {
      // Chromium reports every answer of an error; pages show those to people.
      const is_answer = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !is_answer)
        this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // Closing a page and leaving it abort requests.
      if (reason !== 'net::ERR_ABORTED' && request.resourceType() === 'script')
        this.not_loaded.push(`${request.url()}: ${reason}`);
    });
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1')
        this.complaints.push(`request to ${request.url()}`);
    });
  }

  /**
   * What axe finds that is serious or critical: rule and elements.
   * @param rules names of its rules; by default all
   */
  async seriousFindings(rules?: readonly string[]): Promise<string[]> {
    // By the debugger: the page's policy forbids scripts of others.
    await this.page.evaluate(AXE);
    const options = JSON.stringify(rules ? { runOnly: rules } : {});
    const { violations } = await this.page.evaluate<AxeResults>(`axe.run(${options})`);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }
}
