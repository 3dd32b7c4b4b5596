import type { FastifyReply } from 'fastify';
import type { LongQuery } from '../../../libs/engine/tasks/long-query.js';
import { ApiError } from '../platform/errors.js';
import type { Settings } from '../platform/settings/settings.js';
import { EventWindows } from './event-windows.js';

/** The caller of a long query or live feed. */
export interface Caller {
  readonly drive_id: string;
  /** `''` for callers without an identity. */
  readonly user_id: string;
  readonly reply: FastifyReply;
}

/** One limit that applies to a request. */
interface Bound {
  /** Name of the policy in the headers. */
  readonly policy: string;
  readonly limit: number;
  readonly message: string;
}

type Limits = Pick<
  Settings,
  | 'long_questions_per_caller'
  | 'long_questions_per_drive'
  | 'feeds_per_caller'
  | 'feeds_per_drive'
  | 'feeds_max'
  | 'folded_events_per_caller'
  | 'folded_events_per_drive'
  | 'rate_limits'
  | 'rate_limit_window_ms'
>;

/**
 * Limits long queries and live feeds of each caller and of all callers of an organization together, and live feeds of
 * the process: how many run concurrently, and how many events they fold in a window. A small request may fold a whole
 * stream.
 */
export class LongQueries {
  private readonly long_queries = new Counts();
  private readonly feeds = new Counts();
  private readonly events: EventWindows;

  constructor(private readonly limits: Limits) {
    this.events = new EventWindows(limits.rate_limit_window_ms);
  }

  /** The long query of a request, to be passed to its handler. */
  queryOf(caller: Caller): RequestQuery {
    return new RequestQuery(this, caller);
  }

  /** Counts a running query; returns the function that ends it. @throws ApiError 429 at a limit */
  begin(caller: Caller): () => void {
    const { limits } = this;
    this.checkEvents(caller);
    return this.acquire(caller, this.long_queries, [
      {
        policy: 'caller-questions',
        limit: limits.long_questions_per_caller,
        message: 'This caller has too many running queries of past states; retry.',
      },
      {
        policy: 'drive-questions',
        limit: limits.long_questions_per_drive,
        message: 'This organization has too many running queries of past states; retry.',
      },
    ]);
  }

  /** Counts an open live feed; returns the function that closes it. @throws ApiError 429 at a limit */
  openFeed(caller: Caller): () => void {
    const { limits } = this;
    this.checkEvents(caller);
    return this.acquire(caller, this.feeds, [
      {
        policy: 'caller-feeds',
        limit: limits.feeds_per_caller,
        message: 'This caller has too many open live feeds.',
      },
      {
        policy: 'drive-feeds',
        limit: limits.feeds_per_drive,
        message: 'This organization has too many open live feeds.',
      },
      {
        policy: 'feeds',
        limit: limits.feeds_max,
        message: 'There are too many open live feeds.',
      },
    ]);
  }

  /** Counts events folded for a caller. A running query may exceed the limit; the next query is then refused. */
  folded(caller: Caller, events: number): void {
    for (const key of keysOf(caller)) this.events.add(key, events);
  }

  private checkEvents(caller: Caller): void {
    const { limits } = this;
    if (!limits.rate_limits) return;
    const bounds = [
      ['caller-events', limits.folded_events_per_caller],
      ['drive-events', limits.folded_events_per_drive],
    ] as const;
    for (const [at, key] of keysOf(caller).entries()) {
      const [policy, limit] = bounds[at]!;
      const wait_s = this.events.secondsToWait(key, limit);
      if (wait_s === 0) continue;
      const message =
        'Queries of past states have read too many events; retry after the time in Retry-After.';
      const window_s = Math.ceil(limits.rate_limit_window_ms / 1000);
      throw refusal(caller, { policy, limit, message }, wait_s, `w=${window_s}`);
    }
  }

  private acquire(caller: Caller, counts: Counts, bounds: readonly Bound[]): () => void {
    const keys = [...keysOf(caller), ALL].slice(0, bounds.length);
    for (const [at, bound] of bounds.entries())
      if (counts.of(keys[at]!) >= bound.limit)
        throw refusal(caller, bound, 1, 'qu="concurrent-requests"');
    for (const key of keys) counts.add(key, 1);
    let is_released = false;
    return () => {
      if (is_released) return;
      is_released = true;
      for (const key of keys) counts.add(key, -1);
    };
  }
}

/** Key of all callers of the process; no organization has it. */
const ALL = '';

/** Keys of the caller and of the organization. */
function keysOf({ drive_id, user_id, reply }: Caller): readonly [string, string] {
  return [`${drive_id} ${user_id || reply.request.ip}`, drive_id];
}

/** Number of running queries or feeds by key. */
class Counts {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string, by: number): void {
    const count = this.of(key) + by;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}

/** The error 429; adds its policy to the rate limit headers that are already set. */
function refusal(
  { reply }: Caller,
  { policy, limit, message }: Bound,
  retry_s: number,
  unit: string,
): ApiError {
  const beside = (header: string, item: string): string => {
    const known = reply.getHeader(header);
    return typeof known === 'string' ? `${known}, ${item}` : item;
  };
  const headers = {
    'Retry-After': String(retry_s),
    RateLimit: beside('ratelimit', `"${policy}";r=0;t=${retry_s}`),
    'RateLimit-Policy': beside('ratelimit-policy', `"${policy}";q=${limit};${unit}`),
  };
  return ApiError.of('rate.limited', { message, headers });
}

/** The long query of one request; aborted when the client disconnects. */
export class RequestQuery implements LongQuery {
  private readonly disconnected = new AbortController();
  private release: (() => void) | undefined;

  constructor(
    private readonly long_queries: LongQueries,
    private readonly caller: Caller,
  ) {
    const { raw } = caller.reply;
    const closed = (): void => {
      if (!raw.writableFinished) this.disconnected.abort();
    };
    if (raw.destroyed) closed();
    else raw.once('close', closed);
  }

  get signal(): AbortSignal {
    return this.disconnected.signal;
  }

  begin(): void {
    this.release ??= this.long_queries.begin(this.caller);
  }

  folded(events: number): void {
    this.long_queries.folded(this.caller, events);
  }

  end(): void {
    this.release?.();
    this.release = undefined;
  }
}
