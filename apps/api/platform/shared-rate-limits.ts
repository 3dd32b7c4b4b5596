import type { WindowCounts } from '../../../libs/event-store/leases.js';
import { MemoryRateLimits, type RateLimits, type Take } from './rate-limit.js';

export interface SharedRateLimitsOptions {
  /** How long a request waits for the store's count, ms. */
  readonly answer_within_ms?: number;
  /** How long the store is left alone after it failed or was too slow, ms. */
  readonly rest_ms?: number;
  /** Most keys remembered as over their limit; the oldest are forgotten first. */
  readonly max_keys?: number;
  /** Told of a failure, at most once in `rest_ms`. */
  readonly report?: (error: unknown) => void;
}

/**
 * Windows counted in a store, so by all processes together. A key over its limit is refused without asking
 * until its window ends. While the store fails, each process counts for itself: requests go on.
 */
export class SharedRateLimits implements RateLimits {
  private readonly alone: MemoryRateLimits;
  /** Ends of the windows of keys over their limit, ms, in the order in which they were found so. */
  private readonly refused = new Map<string, number>();
  private readonly options: Required<SharedRateLimitsOptions>;
  /** Until then the store is left alone, ms. */
  private rests_until_ms = 0;

  constructor(
    private readonly counts: WindowCounts,
    window_ms: number,
    options: SharedRateLimitsOptions = {},
  ) {
    this.alone = new MemoryRateLimits(window_ms);
    this.options = {
      ...{ answer_within_ms: 250, rest_ms: 5_000, max_keys: 100_000, report: () => {} },
      ...options,
    };
  }

  async take(key: string, limit: number): Promise<Take> {
    const now_ms = Date.now();
    const refused_until_ms = this.refused.get(key) ?? 0;
    if (refused_until_ms > now_ms)
      return { allowed: false, remaining: 0, reset_s: seconds(refused_until_ms - now_ms) };
    if (now_ms < this.rests_until_ms) return this.alone.take(key, limit);
    try {
      const { count, rest_ms } = await this.inTime(this.counts.add(key));
      if (count > limit) this.refuse(key, now_ms + rest_ms);
      return {
        allowed: count <= limit,
        remaining: Math.max(limit - count, 0),
        reset_s: seconds(rest_ms),
      };
    } catch (error) {
      // Of many requests that fail at a time, one tells.
      if (Date.now() >= this.rests_until_ms) this.options.report(error);
      this.rests_until_ms = Date.now() + this.options.rest_ms;
      return this.alone.take(key, limit);
    }
  }

  private refuse(key: string, until_ms: number): void {
    this.refused.delete(key);
    this.refused.set(key, until_ms);
    for (const oldest of this.refused.keys()) {
      if (this.refused.size <= this.options.max_keys) return;
      this.refused.delete(oldest);
    }
  }

  /** Rejects when the answer takes too long; it is not waited for any more then. */
  private async inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { answer_within_ms } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error(`no count within ${answer_within_ms} ms`);
      timer = setTimeout(() => reject(error), answer_within_ms);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const seconds = (ms: number): number => Math.max(Math.ceil(ms / 1000), 1);
