import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from './errors.js';
import type { Settings } from './settings/settings.js';

/** What one request found in its window. */
export interface Take {
  readonly allowed: boolean;
  /** Requests left in this window, never below 0. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly reset_s: number;
}

/** Port: counts one request against a key whose window allows `limit` of them. */
export interface RateLimits {
  take(key: string, limit: number): Promise<Take>;
}

/** Most keys remembered at a time; about 30 MB. */
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

  async take(key: string, limit: number): Promise<Take> {
    const { consumedPoints: used, msBeforeNext: rest_ms } = await this.limiter.penalty(key);
    if (used === 1) await this.remember(key);
    return {
      allowed: used <= limit,
      remaining: Math.max(limit - used, 0),
      reset_s: Math.max(Math.ceil(rest_ms / 1000), 1),
    };
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.ends.size;
  }

  /**
   * Drops ended windows and, if there is still no room, the oldest ones. An attacker with
   * that many addresses would not be stopped by keeping one of them.
   */
  private async remember(key: string): Promise<void> {
    const now_ms = Date.now();
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
export interface RateLimitCheck {
  /** Names the policy in the headers: lower-case letters. */
  readonly policy: string;
  /** Whose requests are counted together; the policy's name is put before it. */
  readonly key: string;
  readonly limit: number;
}

/** `headers` belong on the answer whatever it is; `error` is what to throw, if anything. */
export interface RateVerdict {
  readonly headers: Readonly<Record<string, string>>;
  readonly error?: ApiError;
}

const UNLIMITED: RateVerdict = { headers: {} };

/**
 * Counts requests and words the headers of draft-ietf-httpapi-ratelimit-headers (revisions 08 to
 * 11: lists of named items with q and w, r and t).
 */
export class RateGate {
  constructor(
    private readonly limits: RateLimits | null,
    private readonly window_ms: number,
  ) {}

  /** The gate that the settings ask for. @param shared counts for all processes; without it, this one counts alone */
  static of(settings: Settings, shared?: RateLimits): RateGate {
    const window_ms = settings.rate_limit_window_ms;
    const limits = shared ?? new MemoryRateLimits(window_ms);
    return new RateGate(settings.rate_limits ? limits : null, window_ms);
  }

  /** True where nothing is limited. */
  get is_open(): boolean {
    return this.limits === null;
  }

  /**
   * Counts one request against several limits, in order. The first that refuses ends it, so that a
   * client over its own limit does not use up what it shares with others.
   */
  async pass(checks: readonly RateLimitCheck[]): Promise<RateVerdict> {
    if (!this.limits) return UNLIMITED;
    const window_s = Math.ceil(this.window_ms / 1000);
    const policies = checks.map(({ policy, limit }) => `"${policy}";q=${limit};w=${window_s}`);
    const states: string[] = [];
    let refusal: Take | undefined;
    for (const { policy, key, limit } of checks) {
      const take = await this.limits.take(`${policy}:${key}`, limit);
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
