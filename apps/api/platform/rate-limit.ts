import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from './errors.js';
import type { Settings } from './settings/settings.js';

/** Result of counting one request in its window. */
export interface RateLimitResult {
  readonly allowed: boolean;
  /** Requests left in this window, never below 0. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly reset_s: number;
}

/** Port: counts requests under a key; its window allows `limit` of them. */
export interface RateLimits {
  take(key: string, limit: number, requests?: number): Promise<RateLimitResult>;
}

/** Most keys held at a time; about 30 MB. */
const MAX_KEYS = 100_000;

/** Fixed windows in this process's memory. A window begins with the key's first request. */
export class MemoryRateLimits implements RateLimits {
  private readonly limiter: RateLimiterMemory;
  /** Keys by the end of their window, which is also their order of insertion. */
  private readonly ends = new Map<string, number>();

  constructor(
    private readonly window_ms: number,
    private readonly max_keys = MAX_KEYS,
  ) {
    this.limiter = new RateLimiterMemory({ points: 1, duration: window_ms / 1000 });
  }

  async take(key: string, limit: number, requests = 1): Promise<RateLimitResult> {
    const { consumedPoints: used, msBeforeNext: rest_ms } = await this.limiter.penalty(
      key,
      requests,
    );
    if (used === requests) await this.remember(key);
    return {
      allowed: used <= limit,
      remaining: Math.max(limit - used, 0),
      // Longer than a window after the clock was set back.
      reset_s: Math.max(Math.ceil(Math.min(rest_ms, this.window_ms) / 1000), 1),
    };
  }

  /** Number of keys held. */
  get size(): number {
    return this.ends.size;
  }

  /**
   * Records a new window. Evicts ended windows and, above the maximum, the oldest ones: an attacker with
   * that many addresses would not be stopped by one more window.
   */
  private async remember(key: string): Promise<void> {
    const now_ms = performance.now();
    this.ends.delete(key);
    this.ends.set(key, now_ms + this.window_ms);
    for (const [oldest, end_ms] of this.ends) {
      if (end_ms > now_ms && this.ends.size <= this.max_keys) return;
      this.ends.delete(oldest);
      if (end_ms > now_ms) await this.limiter.delete(oldest);
    }
  }
}

/** One limit that applies to a request. */
interface RateLimitCheck {
  /** Name of the policy in the headers: lower-case letters. */
  readonly policy: string;
  /** Requests with the same policy and key are counted together. */
  readonly key: string;
  readonly limit: number;
}

/** `headers` belong on every response; `error` is to be thrown if present. */
interface RateVerdict {
  readonly headers: Readonly<Record<string, string>>;
  readonly error?: ApiError;
}

const UNLIMITED: RateVerdict = { headers: {} };

/**
 * Counts requests and writes the headers of draft-ietf-httpapi-ratelimit-headers (revisions 08 to
 * 11: lists of named items with q and w, r and t).
 */
export class RateGate {
  constructor(
    private readonly limits: RateLimits | null,
    private readonly window_ms: number,
  ) {}

  /** The gate as configured. @param shared counts for all processes; absent: this process counts alone */
  static of(settings: Settings, shared?: RateLimits): RateGate {
    const window_ms = settings.rate_limit_window_ms;
    const limits = shared ?? new MemoryRateLimits(window_ms);
    return new RateGate(settings.rate_limits ? limits : null, window_ms);
  }

  /** True if rate limits are off. */
  get is_open(): boolean {
    return this.limits === null;
  }

  /**
   * Counts a request, or one that costs as much as several, against several limits, in order, up to the first exceeded
   * one. So a client over its own limit does not use up a limit that it shares with others.
   */
  async pass(checks: readonly RateLimitCheck[], requests = 1): Promise<RateVerdict> {
    if (!this.limits) return UNLIMITED;
    const window_s = Math.ceil(this.window_ms / 1000);
    const policies = checks.map(({ policy, limit }) => `"${policy}";q=${limit};w=${window_s}`);
    const states: string[] = [];
    let refusal: RateLimitResult | undefined;
    for (const { policy, key, limit } of checks) {
      const take = await this.limits.take(`${policy}:${key}`, limit, requests);
      states.push(`"${policy}";r=${take.remaining};t=${take.reset_s}`);
      if (!take.allowed) {
        refusal = take;
        break;
      }
    }
    const headers = { RateLimit: states.join(', '), 'RateLimit-Policy': policies.join(', ') };
    if (!refusal) return { headers };
    const retry = { 'Retry-After': String(refusal.reset_s) };
    return { headers, error: ApiError.of('rate.limited', { headers: retry }) };
  }
}
