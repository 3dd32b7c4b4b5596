import { jest } from '@jest/globals';
import type { WindowCount, WindowCounts } from '../../../libs/event-store/leases.js';
import { SharedRateLimits } from './shared-rate-limits.js';

const WINDOW_MS = 60_000;

/** Counts as a store would, and fails or hangs when told to. */
class Counts implements WindowCounts {
  readonly asked: string[] = [];
  answer: 'right' | 'error' | 'never' = 'right';
  private readonly windows = new Map<string, { count: number; end_ms: number }>();

  async add(key: string): Promise<WindowCount> {
    this.asked.push(key);
    if (this.answer === 'error') throw new Error('no primary');
    if (this.answer === 'never') return new Promise(() => {});
    let window = this.windows.get(key);
    if (!window || window.end_ms <= Date.now())
      window = { count: 0, end_ms: Date.now() + WINDOW_MS };
    window.count += 1;
    this.windows.set(key, window);
    return { count: window.count, rest_ms: window.end_ms - Date.now() };
  }
}

describe('rate limits of several processes', () => {
  let counts: Counts;

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    counts = new Counts();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('allow exactly the limit in total, and start again with a new window', async () => {
    const [one, two] = [1, 2].map(() => new SharedRateLimits(counts, WINDOW_MS));
    expect(await one!.take('a', 2)).toEqual({ allowed: true, remaining: 1, reset_s: 60 });
    jest.advanceTimersByTime(10_000);
    expect(await two!.take('a', 2)).toEqual({ allowed: true, remaining: 0, reset_s: 50 });
    expect(await one!.take('a', 2)).toEqual({ allowed: false, remaining: 0, reset_s: 50 });
    expect(await two!.take('b', 2)).toMatchObject({ allowed: true });
    jest.advanceTimersByTime(50_000);
    expect(await one!.take('a', 2)).toEqual({ allowed: true, remaining: 1, reset_s: 60 });
  });

  it('do not query the store about a key over its limit until its window ends', async () => {
    const limits = new SharedRateLimits(counts, WINDOW_MS);
    for (let call = 0; call < 5; call += 1) await limits.take('a', 1);
    expect(counts.asked).toHaveLength(2);
    jest.advanceTimersByTime(20_000);
    expect(await limits.take('a', 1)).toEqual({ allowed: false, remaining: 0, reset_s: 40 });
    expect(counts.asked).toHaveLength(2);
  });

  it('ask the store again after the window although the clock was set back', async () => {
    const limits = new SharedRateLimits(counts, WINDOW_MS);
    for (let call = 0; call < 2; call += 1) await limits.take('a', 1);
    jest.setSystemTime(1_000_000 - 600_000);
    jest.advanceTimersByTime(WINDOW_MS);
    await limits.take('a', 1);
    expect(counts.asked).toHaveLength(3);
  });

  it('hold a bounded number of refused keys', async () => {
    const limits = new SharedRateLimits(counts, WINDOW_MS, { max_keys: 1 });
    for (const key of ['a', 'b', 'a'])
      expect(await limits.take(key, 0)).toMatchObject({ allowed: false });
    expect(counts.asked).toEqual(['a', 'b', 'a']);
    await limits.take('a', 0);
    expect(counts.asked).toEqual(['a', 'b', 'a']);
  });

  it('count per process while the store fails, and report the failure once', async () => {
    const report = jest.fn();
    const limits = new SharedRateLimits(counts, WINDOW_MS, { report, rest_ms: 5_000 });
    counts.answer = 'error';
    expect(await limits.take('a', 2)).toEqual({ allowed: true, remaining: 1, reset_s: 60 });
    expect(await limits.take('a', 2)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limits.take('a', 2)).toMatchObject({ allowed: false });
    expect(report).toHaveBeenCalledTimes(1);
    expect(counts.asked).toHaveLength(1);
    counts.answer = 'right';
    jest.advanceTimersByTime(5_000);
    expect(await limits.take('a', 2)).toMatchObject({ allowed: true });
    expect(counts.asked).toHaveLength(2);
  });

  it('report simultaneous failures as one', async () => {
    const report = jest.fn();
    const limits = new SharedRateLimits(counts, WINDOW_MS, { report });
    counts.answer = 'error';
    await Promise.all(['a', 'b', 'c'].map((key) => limits.take(key, 1)));
    expect(report).toHaveBeenCalledTimes(1);
  });

  it('wait for a hanging store only up to the limit', async () => {
    const limits = new SharedRateLimits(counts, WINDOW_MS, { answer_within_ms: 250 });
    counts.answer = 'never';
    const taking = limits.take('a', 1);
    await jest.advanceTimersByTimeAsync(250);
    expect(await taking).toMatchObject({ allowed: true });
    expect(await limits.take('a', 1)).toMatchObject({ allowed: false });
    expect(counts.asked).toHaveLength(1);
  });
});
