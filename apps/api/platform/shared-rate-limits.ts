import type { WindowCounts } from '../../../libs/event-store/leases.js';
import { MemoryRateLimits, type RateLimits, type RateLimitResult } from './rate-limit.js';

interface SharedRateLimitsOptions {
  /** Maximum wait of a request for the store's count, ms. */
  readonly answer_within_ms?: number;
  /** Pause before the store is asked again after it failed or timed out, ms. */
  readonly rest_ms?: number;
  /** Most keys held as over their limit; the oldest are evicted first. */
  readonly max_keys?: number;
  /** Called with a failure, at most once per `rest_ms`. */
  readonly report?: (error: unknown) => void;
}

/**
 * Rate limits counted in a store for all processes together. A key over its limit is refused without a query
 * until its window ends. While the store fails, each process counts alone and requests continue.
 */
export class SharedRateLimits implements RateLimits {
  private readonly alone: MemoryRateLimits;
  /** Window ends (ms) of keys over their limit, in the order in which they exceeded it. */
  private readonly exceeded = new Map<string, number>();
  private readonly options: Required<SharedRateLimitsOptions>;
  /** The store is not asked before this time, ms. */
  private paused_until_ms = 0;

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

  async take(key: string, limit: number, requests = 1): Promise<RateLimitResult> {
    const now_ms = performance.now();
    const exceeded_until_ms = this.exceeded.get(key) ?? 0;
    if (exceeded_until_ms > now_ms)
      return { allowed: false, remaining: 0, reset_s: seconds(exceeded_until_ms - now_ms) };
    if (now_ms < this.paused_until_ms) return this.alone.take(key, limit, requests);
    try {
      const { count, rest_ms } = await this.inTime(this.counts.add(key, requests));
      if (count > limit) this.recordExceeded(key, now_ms + rest_ms);
      return {
        allowed: count <= limit,
        remaining: Math.max(limit - count, 0),
        reset_s: seconds(rest_ms),
      };
    } catch (error) {
      // If many requests fail at the same time, only the first one reports it.
      if (performance.now() >= this.paused_until_ms) this.options.report(error);
      this.paused_until_ms = performance.now() + this.options.rest_ms;
      return this.alone.take(key, limit, requests);
    }
  }

  private recordExceeded(key: string, until_ms: number): void {
    this.exceeded.delete(key);
    this.exceeded.set(key, until_ms);
    for (const oldest of this.exceeded.keys()) {
      if (this.exceeded.size <= this.options.max_keys) return;
      this.exceeded.delete(oldest);
    }
  }

  /** Rejects if the answer takes longer than `answer_within_ms`. */
  private async inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { answer_within_ms } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error(`the store returned no count within ${answer_within_ms} ms`);
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
