import { DailyWork } from './daily-work.js';
import { foundOrganization, Ids, type Organization } from './organization.js';
import { Random } from './random.js';
import { type Leak, leakStory } from './story.js';

export const DAY_MS = 86_400_000;
/** Days of the demo; the last one ends when the demo is created. */
export const DAYS = 182;
/** Things done on a working day. */
const DONE_A_DAY = 40;
const MORNING_MS = 7 * 3_600_000;
const WORKDAY_MS = 10 * 3_600_000;

interface DemoOptions {
  readonly seed: number;
  /** Begin of the day after the last one, ms since 1970. */
  readonly until_ms: number;
  /** Days from the first one; default: all. */
  readonly days?: number;
  readonly setTime: (now_ms: number) => void;
  /** Called with the share that is done, 0 to 1. */
  readonly progress?: (share: number) => void;
}

interface Demo {
  readonly organization: Organization;
  readonly leak: Leak;
}

/**
 * Fills a service with six months of a company, through its own API: the same seed and days give the same events, apart
 * from keys and ids that the service generates.
 */
export async function seedDemo(url: string, options: DemoOptions): Promise<Demo> {
  const { seed, until_ms, setTime, progress, days = DAYS } = options;
  const random = new Random(seed);
  const ids = new Ids();
  const from_ms = until_ms - DAYS * DAY_MS;
  setTime(from_ms + MORNING_MS);
  const organization = await foundOrganization(url, seed, ids);
  const { leak, events } = leakStory(organization, ids);
  const work = new DailyWork(organization, random, ids);
  for (let day = 0; day < days; day++) {
    const begin_ms = from_ms + day * DAY_MS;
    const weekday = new Date(begin_ms).getUTCDay();
    const is_weekend = weekday === 0 || weekday === 6;
    const done = is_weekend ? random.below(3) : DONE_A_DAY + random.below(11) - 5;
    const tasks = [
      ...Array.from({ length: done }, () => {
        const at_ms = begin_ms + MORNING_MS + random.below(WORKDAY_MS);
        return { at_ms, run: (): Promise<unknown> => work.doOne(at_ms) };
      }),
      ...events
        .filter((event) => event.day === day)
        .map(({ time, happen }) => {
          const [hours, minutes] = time.split(':').map(Number) as [number, number];
          return { at_ms: begin_ms + (hours * 60 + minutes) * 60_000, run: happen };
        }),
    ].toSorted((one, other) => one.at_ms - other.at_ms);
    for (const { at_ms, run } of tasks) {
      setTime(Math.max(at_ms, from_ms + MORNING_MS));
      await run();
    }
    progress?.((day + 1) / days);
  }
  setTime(until_ms);
  return { organization, leak };
}
