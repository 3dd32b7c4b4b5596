import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import type { ApiError } from '../platform/errors.js';
import { type Caller, LongQueries } from './long-queries.js';

const LIMITS = {
  long_questions_per_caller: 2,
  long_questions_per_drive: 3,
  feeds_per_caller: 1,
  feeds_per_drive: 2,
  feeds_max: 3,
  folded_events_per_caller: 100,
  folded_events_per_drive: 150,
  rate_limits: true,
  rate_limit_window_ms: 60_000,
};

/** A request as far as limits look at it. */
function caller(user_id: string, headers: Record<string, string> = {}) {
  const raw = Object.assign(new EventEmitter(), { writableFinished: false, destroyed: false });
  const reply = { raw, request: { ip: '192.0.2.1' }, getHeader: (name: string) => headers[name] };
  return { drive_id: 'DriveID_a', user_id, reply: reply as unknown as Caller['reply'], raw };
}

function refusal(task: () => unknown): ApiError {
  try {
    task();
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('it was allowed');
}

describe('limits of long queries', () => {
  let long_queries: LongQueries;
  beforeEach(() => {
    long_queries = new LongQueries(LIMITS);
  });
  const begun = (user_id: string) => {
    const query = long_queries.queryOf(caller(user_id));
    query.begin();
    return query;
  };

  it('bound concurrent queries of a caller, and admit another when one ends', () => {
    const [first] = [begun('ann'), begun('ann')];
    const error = refusal(() => begun('ann'));
    expect(error).toMatchObject({ status: 429, type: 'rate.limited' });
    expect(error.headers).toEqual({
      'Retry-After': '1',
      RateLimit: '"caller-questions";r=0;t=1',
      'RateLimit-Policy': '"caller-questions";q=2;qu="concurrent-requests"',
    });
    first!.end();
    first!.end();
    begun('ann');
    expect(refusal(() => begun('ann')).status).toBe(429);
  });

  it('count a query once, however often it folds', () => {
    const query = begun('ann');
    query.begin();
    begun('ann');
    expect(refusal(() => begun('ann')).status).toBe(429);
  });

  it('bound concurrent queries of an organization, and add the policy to the headers', () => {
    for (const user_id of ['ann', 'bob', 'cid']) begun(user_id);
    const known = { ratelimit: '"client";r=9;t=60', 'ratelimit-policy': '"client";q=10;w=60' };
    const error = refusal(() => long_queries.begin(caller('dan', known)));
    expect(error.headers).toMatchObject({
      RateLimit: '"client";r=9;t=60, "drive-questions";r=0;t=1',
      'RateLimit-Policy': '"client";q=10;w=60, "drive-questions";q=3;qu="concurrent-requests"',
    });
  });

  it('refuse the next query when earlier ones have folded too many events', () => {
    const query = begun('ann');
    query.folded(99);
    begun('ann').end();
    query.folded(500);
    const error = refusal(() => begun('ann'));
    expect(error.headers).toEqual({
      'Retry-After': '60',
      RateLimit: '"caller-events";r=0;t=60',
      'RateLimit-Policy': '"caller-events";q=100;w=60',
    });
    // All callers together exceed the limit of the organization.
    expect(refusal(() => begun('bob')).headers['RateLimit-Policy']).toBe(
      '"drive-events";q=150;w=60',
    );
    expect(refusal(() => long_queries.openFeed(caller('ann'))).status).toBe(429);
  });

  it('admit queries again after the window although the clock was set back', () => {
    jest.useFakeTimers({ now: 10_000_000 });
    try {
      begun('ann').folded(100);
      expect(refusal(() => begun('ann')).headers).toMatchObject({ 'Retry-After': '60' });
      jest.setSystemTime(10_000_000 - 3_600_000);
      jest.advanceTimersByTime(60_000);
      begun('ann');
    } finally {
      jest.useRealTimers();
    }
  });

  it('count no events if rate limits are off', () => {
    long_queries = new LongQueries({ ...LIMITS, rate_limits: false });
    begun('ann').folded(10_000);
    expect(() => begun('ann')).not.toThrow();
  });

  it('bound the open feeds of a caller, of an organization and of the process', () => {
    const close = long_queries.openFeed(caller('ann'));
    expect(refusal(() => long_queries.openFeed(caller('ann'))).headers['RateLimit-Policy']).toBe(
      '"caller-feeds";q=1;qu="concurrent-requests"',
    );
    long_queries.openFeed(caller('bob'));
    expect(refusal(() => long_queries.openFeed(caller('cid'))).headers['RateLimit-Policy']).toBe(
      '"drive-feeds";q=2;qu="concurrent-requests"',
    );
    close();
    long_queries.openFeed(caller('ann'));
    const elsewhere = (user_id: string) => ({ ...caller(user_id), drive_id: 'DriveID_b' });
    const closeOther = long_queries.openFeed(elsewhere('ann'));
    expect(refusal(() => long_queries.openFeed(elsewhere('bob'))).headers['RateLimit-Policy']).toBe(
      '"feeds";q=3;qu="concurrent-requests"',
    );
    closeOther();
    long_queries.openFeed(elsewhere('bob'));
  });

  it('identify callers without an identity by their address', () => {
    for (const _ of [1, 2]) begun('');
    expect(refusal(() => begun('')).status).toBe(429);
    begun('ann');
  });

  it('abort a query when its client disconnects before the response', () => {
    const one = caller('ann');
    const query = long_queries.queryOf(one);
    expect(query.signal.aborted).toBe(false);
    one.raw.emit('close');
    expect(query.signal.aborted).toBe(true);
    const other = caller('ann');
    const answered = long_queries.queryOf(other);
    other.raw.writableFinished = true;
    other.raw.emit('close');
    expect(answered.signal.aborted).toBe(false);
  });
});
