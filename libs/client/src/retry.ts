import { ConnectionError, DriveError } from './errors.js';

/** Limits of retries. */
export interface RetryOptions {
  /** Attempts of a request, the first included. Default: 5; 1: no retries. */
  readonly attempts?: number;
  /** Wait before the second attempt in ms, doubled before each further one. Default: 200. */
  readonly first_wait_ms?: number;
  /** Longest wait in ms; an error that asks for a longer one is thrown. Default: 30,000. */
  readonly max_wait_ms?: number;
}

export type RetryLimits = Required<RetryOptions>;

export const RETRY_LIMITS: RetryLimits = { attempts: 5, first_wait_ms: 200, max_wait_ms: 30_000 };

/**
 * Runs an attempt until it succeeds, its error is final, or the attempts are used up.
 *
 * @param is_repeatable whether a repetition is harmless if the first attempt was carried out
 * @throws the error of the last attempt; the reason of `signal`
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  is_repeatable: boolean,
  limits: RetryLimits,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let nth = 1; ; nth++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const wait_ms = waitBefore(error, nth, is_repeatable, limits);
      if (wait_ms === null || nth >= limits.attempts) throw error;
      await sleep(wait_ms, signal);
    }
  }
}

/** Milliseconds to wait before the next attempt; null: the error is final. */
export function waitBefore(
  error: unknown,
  nth: number,
  is_repeatable: boolean,
  limits: RetryLimits,
): number | null {
  if (!isTransient(error, is_repeatable)) return null;
  const asked_s = error.retry_after_s;
  if (asked_s === null) return backoff(nth, limits);
  const asked_ms = asked_s * 1000;
  // Clients that were refused together do not come back together.
  return asked_ms > limits.max_wait_ms ? null : asked_ms + Math.random() * limits.first_wait_ms;
}

/** Whether a later attempt may succeed: rate limits, unavailable service, lost connections. */
export function isTransient(
  error: unknown,
  is_repeatable: boolean,
): error is DriveError | ConnectionError {
  if (!(error instanceof DriveError || error instanceof ConnectionError)) return false;
  // A request that was limited has not been carried out.
  if (error.status === 429) return true;
  if (!is_repeatable) return false;
  return error instanceof DriveError
    ? error.status === 503
    : error.status === null || error.status >= 500;
}

/** A random wait that grows with the attempts made. */
export function backoff(nth: number, { first_wait_ms, max_wait_ms }: RetryLimits): number {
  const longest = Math.min(first_wait_ms * 2 ** Math.min(nth - 1, 30), max_wait_ms);
  return longest / 2 + (Math.random() * longest) / 2;
}

/** @throws the reason of `signal` */
export function sleep(wait_ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, wait_ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
