import { jest } from '@jest/globals';
import { MemoryRateLimits, RateGate } from './rate-limit.js';

const WINDOW_MS = 60_000;

describe('rate limits', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('allows exactly the limit, refuses the next request, and starts again with a new window', async () => {
    const limits = new MemoryRateLimits(WINDOW_MS);
    expect(await limits.take('a', 2)).toEqual({ allowed: true, remaining: 1, reset_s: 60 });
    jest.advanceTimersByTime(10_000);
    expect(await limits.take('a', 2)).toEqual({ allowed: true, remaining: 0, reset_s: 50 });
    expect(await limits.take('a', 2)).toEqual({ allowed: false, remaining: 0, reset_s: 50 });
    expect(await limits.take('b', 2)).toMatchObject({ allowed: true });
    jest.advanceTimersByTime(50_000);
    expect(await limits.take('a', 2)).toEqual({ allowed: true, remaining: 1, reset_s: 60 });
  });

  it('asks nobody to wait longer than a window, and ends it in time, although the clock was set back', async () => {
    const limits = new MemoryRateLimits(WINDOW_MS);
    await limits.take('a', 1);
    jest.setSystemTime(1_000_000 - 600_000);
    expect(await limits.take('a', 1)).toEqual({ allowed: false, remaining: 0, reset_s: 60 });
    jest.advanceTimersByTime(WINDOW_MS);
    expect(await limits.take('a', 1)).toEqual({ allowed: true, remaining: 0, reset_s: 60 });
  });

  it('counts one request as several', async () => {
    const limits = new MemoryRateLimits(WINDOW_MS, 1);
    expect(await limits.take('a', 5, 3)).toMatchObject({ allowed: true, remaining: 2 });
    expect(await limits.take('a', 5, 3)).toMatchObject({ allowed: false, remaining: 0 });
    expect(limits.size).toBe(1);
    const gate = new RateGate(limits, WINDOW_MS);
    const checks = [{ policy: 'client', key: 'b', limit: 5 }];
    expect((await gate.pass(checks, 4)).headers['RateLimit']).toBe('"client";r=1;t=60');
    expect((await gate.pass(checks, 2)).error).toBeDefined();
  });

  it('holds a bounded number of keys and evicts the oldest first', async () => {
    const limits = new MemoryRateLimits(WINDOW_MS, 3);
    for (const key of ['a', 'b', 'c']) await limits.take(key, 1);
    expect(await limits.take('b', 1)).toMatchObject({ allowed: false });
    await limits.take('d', 1);
    expect(limits.size).toBe(3);
    expect(await limits.take('b', 1)).toMatchObject({ allowed: false });
    expect(await limits.take('a', 1)).toMatchObject({ allowed: true });
  });

  it('evicts keys whose window has ended', async () => {
    const limits = new MemoryRateLimits(WINDOW_MS);
    for (let index = 0; index < 50; index += 1) await limits.take(`k${index}`, 1);
    jest.advanceTimersByTime(WINDOW_MS);
    await limits.take('new', 1);
    expect(limits.size).toBe(1);
  });

  it('writes the headers as named structured items', async () => {
    const gate = new RateGate(new MemoryRateLimits(WINDOW_MS), WINDOW_MS);
    const checks = [
      { policy: 'client', key: '::1', limit: 1 },
      { policy: 'drive', key: 'DriveID_a', limit: 5 },
    ];
    expect(await gate.pass(checks)).toEqual({
      headers: {
        RateLimit: '"client";r=0;t=60, "drive";r=4;t=60',
        'RateLimit-Policy': '"client";q=1;w=60, "drive";q=5;w=60',
      },
    });
    const refused = await gate.pass(checks);
    expect(refused.headers['RateLimit']).toBe('"client";r=0;t=60');
    expect(refused.error).toMatchObject({
      status: 429,
      type: 'rate.limited',
      headers: { 'Retry-After': '60' },
    });
  });

  it('does not count a refused client against a shared limit', async () => {
    const gate = new RateGate(new MemoryRateLimits(WINDOW_MS), WINDOW_MS);
    const pass = (client: string) =>
      gate.pass([
        { policy: 'client', key: client, limit: 1 },
        { policy: 'drive', key: 'd', limit: 2 },
      ]);
    for (let call = 0; call < 5; call += 1) await pass('greedy');
    expect((await pass('modest')).error).toBeUndefined();
    expect((await pass('third')).error?.type).toBe('rate.limited');
  });

  it('accepts every request when switched off', async () => {
    const gate = new RateGate(null, WINDOW_MS);
    expect(await gate.pass([{ policy: 'client', key: 'a', limit: 0 }])).toEqual({ headers: {} });
  });
});
