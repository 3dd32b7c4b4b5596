import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { TestBrowser } from '../../console/browser.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Bench, Line, Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { percentile } from '../harness/statistics.js';
import { copyOf, type Dataset, dataset } from '../seed/datasets.js';
import { longDriveOrder } from '../seed/orders.js';

const FAMILIES = ['contacts', 'groups'] as const;
/** Steps before those that count: the browser and the server compile on the way. */
const WARM_UP = 5;
const STEPS = 30;
const JUMPS = 10;
/** Pause before each key or jump, as of a reader: the console merges steps that come quicker. */
const PAUSE_MS = 400;
const GIVE_UP_MS = 30_000;
const MOST_STEP_MS = 200;
const MOST_JUMP_MS = 1_000;

/**
 * The console's timeline over 100,000 events, in Chromium: from the arrow key, or from a change of the address, until
 * the event and the table of that point have been painted.
 */
export const row: Row = {
  name: 'console',
  is_by_hand: true,
  async run(bench): Promise<readonly Line[]> {
    await buildConsole();
    // Started first: without Chromium nothing is seeded.
    const browser = await TestBrowser.start();
    try {
      const seeded = await dataset(longDriveOrder({ is_quick: true }), bench);
      const service = await startService(bench, await copyOf(seeded, bench));
      try {
        const { page } = await browser.tab();
        await page.goto(signInLink(service.port, seeded));
        await page.waitForURL(/\/state/);
        const lines: Line[] = [];
        for (const family of FAMILIES)
          lines.push(...(await measure(bench, page, seeded, service.port, family)));
        return lines;
      } finally {
        await service.stop();
      }
    } finally {
      await browser.stop();
    }
  },
};

async function measure(
  { is_quick, progress }: Bench,
  page: Page,
  { drive_id, events }: Dataset,
  port: number,
  family: string,
): Promise<Line[]> {
  const middle = Math.floor(events / 2);
  await page.goto(`http://127.0.0.1:${port}/console/${drive_id}/state/${family}?at=r${middle}`);
  await page.evaluate(shown(middle));
  progress(`steps on the page of ${family}`);
  const steps: number[] = [];
  for (let nth = 1 - WARM_UP; nth <= (is_quick ? 10 : STEPS); nth++) {
    const taken = await timed(page, middle + WARM_UP + nth, 'key');
    if (nth > 0) steps.push(taken);
  }
  progress(`far jumps on the page of ${family}`);
  const random = new Random(11);
  const jumps: number[] = [];
  for (let nth = 0; nth < JUMPS; nth++) {
    const revision = 1_000 + random.below(events - 2_000);
    jumps.push(await timed(page, revision, 'address'));
  }
  const of = `${show(events)} events, page of ${family}, in Chromium`;
  return [
    lineOf(`console: a step by arrow key, ${of}`, steps, MOST_STEP_MS),
    lineOf(`console: a far jump, ${of}`, jumps, MOST_JUMP_MS),
  ];
}

function lineOf(what: string, taken: readonly number[], most_ms: number): Line {
  const [p50_ms, longest_ms] = [percentile(taken, 0.5), percentile(taken, 1)];
  return {
    what,
    target: `longest ≤ ${show(most_ms)} ms`,
    measured: `p50 ${show(p50_ms)} ms, longest ${show(longest_ms)} ms (${taken.length} times)`,
    reference: '',
    holds: longest_ms <= most_ms,
    figures: { p50_ms, longest_ms, times: taken.length },
  };
}

/** How the page is moved to another point; the page's own events say when it began. */
type Move = 'key' | 'address';

/** Moves the page to a revision; ms until it has painted the event and the table of that point. */
async function timed(page: Page, revision: number, move: Move): Promise<number> {
  await page.waitForTimeout(PAUSE_MS);
  await page.evaluate(`performance.clearResourceTimings();
    globalThis.began = new Promise((resolve) => addEventListener(
      '${move === 'key' ? 'keydown' : 'popstate'}',
      ({ timeStamp }) => resolve(timeStamp),
      { capture: true, once: true },
    ));
    globalThis.taken = ${shown(revision)}.then(async (at) => at - (await began));
    undefined`);
  if (move === 'key') await page.keyboard.press('ArrowRight');
  else
    await page.evaluate(`(() => {
      const address = new URL(location.href);
      address.searchParams.set('at', 'r${revision}');
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    })()`);
  return page.evaluate<number>('taken');
}

/**
 * A program of the page: resolves to the time after the frame in which the line of the event names the revision, the
 * table's answer as of it has arrived, and the table no longer shows rows of another point.
 */
function shown(revision: number): string {
  return `new Promise((resolve, reject) => {
    const until = performance.now() + ${GIVE_UP_MS};
    const name = 'r' + (${revision}).toLocaleString('en-GB');
    const isShown = () =>
      document.querySelector('p[aria-live] span')?.textContent === name &&
      document.querySelector('main table')?.getAttribute('aria-busy') === 'false' &&
      performance.getEntriesByType('resource').some(({ name }) => /\\/list\\?as_of=r${revision}\\b/.test(name));
    const look = () => {
      if (isShown()) requestAnimationFrame(resolve);
      else if (performance.now() > until) reject(new Error('revision ${revision} was not shown'));
      else requestAnimationFrame(look);
    };
    look();
  })`;
}

/** A link that signs the owner in. */
function signInLink(port: number, { drive_id, owner }: Dataset): string {
  const link = JSON.stringify({ org_id: drive_id, profile_api_key: owner.token });
  return `http://127.0.0.1:${port}/auto-login?token=${Buffer.from(link).toString('base64url')}`;
}

/** Compiles the page if its sources changed. */
async function buildConsole(): Promise<void> {
  const [code] = await once(spawn('npm', ['run', '-s', 'build'], { stdio: 'inherit' }), 'close');
  if (code !== 0) throw new Error(`npm run build ended with ${code}`);
}
