import type { FastifyReply } from 'fastify';
import type { LongQuery } from '../../../libs/engine/tasks/long-query.js';
import { ApiError } from '../platform/errors.js';
import type { Settings } from '../platform/settings/settings.js';
import { EventWindows } from './event-windows.js';

/** Whose request it is. */
export interface Caller {
  readonly drive_id: string;
  /** `''` for callers without an identity. */
  readonly user_id: string;
  readonly reply: FastifyReply;
}

/** One bound that a request may hit. */
interface Bound {
  /** Names the policy in the headers. */
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
  | 'folded_events_per_caller'
  | 'folded_events_per_drive'
  | 'rate_limits'
  | 'rate_limit_window_ms'
>;

/**
 * Bounds what a caller, and all callers of an organization together, may ask of the past at one time and in a
 * window: such a request is small and may cost the folding of a whole stream.
 */
export class LongQueries {
  private readonly questions = new Counts();
  private readonly feeds = new Counts();
  private readonly events: EventWindows;

  constructor(private readonly limits: Limits) {
    this.events = new EventWindows(limits.rate_limit_window_ms);
  }

  /** The long query of a request, to be passed to its handler. */
  queryOf(caller: Caller): RequestQuery {
    return new RequestQuery(this, caller);
  }

  /** Takes a place for a question; gives what gives it back. @throws ApiError 429 */
  begin(caller: Caller): () => void {
    const { limits } = this;
    this.checkEvents(caller);
    return this.take(caller, this.questions, [
      {
        policy: 'caller-questions',
        limit: limits.long_questions_per_caller,
        message: 'Too many questions about the past are being answered for this caller.',
      },
      {
        policy: 'drive-questions',
        limit: limits.long_questions_per_drive,
        message: 'Too many questions about the past are being answered for this organization.',
      },
    ]);
  }

  /** Takes a place for a live feed; gives what gives it back. @throws ApiError 429 */
  openFeed(caller: Caller): () => void {
    const { limits } = this;
    this.checkEvents(caller);
    return this.take(caller, this.feeds, [
      {
        policy: 'caller-feeds',
        limit: limits.feeds_per_caller,
        message: 'This caller listens to too many live feeds.',
      },
      {
        policy: 'drive-feeds',
        limit: limits.feeds_per_drive,
        message: 'Too many live feeds of this organization are open.',
      },
    ]);
  }

  /** Notes events folded for a caller. Those of a question under way may go beyond the bound; the next one waits. */
  folded(caller: Caller, events: number): void {
    for (const key of keysOf(caller)) this.events.add(key, events);
  }

  private checkEvents(caller: Caller): void {
    const { rate_limits, rate_limit_window_ms, ...limits } = this.limits;
    if (!rate_limits) return;
    const bounds = [
      ['caller-events', limits.folded_events_per_caller],
      ['drive-events', limits.folded_events_per_drive],
    ] as const;
    for (const [at, key] of keysOf(caller).entries()) {
      const [policy, limit] = bounds[at]!;
      const wait_s = this.events.secondsOver(key, limit);
      if (wait_s === 0) continue;
      const message = 'Too many events were read for questions about the past.';
      const window_s = Math.ceil(rate_limit_window_ms / 1000);
      throw refusal(caller, { policy, limit, message }, wait_s, `w=${window_s}`);
    }
  }

  private take(caller: Caller, counts: Counts, bounds: readonly Bound[]): () => void {
    const keys = keysOf(caller);
    for (const [at, bound] of bounds.entries())
      if (counts.of(keys[at]!) >= bound.limit)
        throw refusal(caller, bound, 1, 'qu="concurrent-requests"');
    for (const key of keys) counts.add(key, 1);
    let is_given_back = false;
    return () => {
      if (is_given_back) return;
      is_given_back = true;
      for (const key of keys) counts.add(key, -1);
    };
  }
}

/** Of the caller, then of the organization. */
function keysOf({ drive_id, user_id, reply }: Caller): readonly [string, string] {
  return [`${drive_id} ${user_id || reply.request.ip}`, drive_id];
}

/** How many are under way, by key. */
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

/** 429 with the policy beside those that were looked at before. */
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

/** What is done for one request: abandoned when its client goes. */
export class RequestQuery implements LongQuery {
  private readonly gone = new AbortController();
  private giveBack: (() => void) | undefined;

  constructor(
    private readonly questions: LongQueries,
    private readonly caller: Caller,
  ) {
    const { raw } = caller.reply;
    const closed = (): void => {
      if (!raw.writableFinished) this.gone.abort();
    };
    if (raw.destroyed) closed();
    else raw.once('close', closed);
  }

  get signal(): AbortSignal {
    return this.gone.signal;
  }

  begin(): void {
    this.giveBack ??= this.questions.begin(this.caller);
  }

  folded(events: number): void {
    this.questions.folded(this.caller, events);
  }

  end(): void {
    this.giveBack?.();
    this.giveBack = undefined;
  }
}
