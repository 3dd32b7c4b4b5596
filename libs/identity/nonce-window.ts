/** Default bound of a window: entries of up to 150 bytes, so about 20 MB when full. */
const DEFAULT_NONCE_CAPACITY = 100_000;

/**
 * Remembers the nonces of valid tokens, so that each is accepted once. Kept in this process's memory, outside
 * history.
 *
 * Promise: between two calls that return true for the same user and nonce, the first token has expired. A window full
 * of valid nonces refuses new ones, since forgetting one would allow a replay; setting the clock back does not make
 * an expired token valid.
 */
export class NonceWindow {
  readonly #expires_ms = new Map<string, number>();
  /** Keys by the second in which they expire, so that pruning touches only what it removes. */
  readonly #by_second = new Map<number, string[]>();
  #latest_ms = -Infinity;
  #pruned_second = -Infinity;

  /** @param capacity most nonces held at one time */
  constructor(readonly capacity: number = DEFAULT_NONCE_CAPACITY) {
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw new RangeError('A nonce window holds at least one nonce');
    }
  }

  /** Stored nonces: the valid ones and those expired within the last second. */
  get size(): number {
    return this.#expires_ms.size;
  }

  /**
   * True on the first use of a valid token's nonce; false after that, for an expired token, and while the window is
   * full. Call it after the signature has been verified, or anybody could use up the nonces of others.
   * @param expires_ms last moment at which the token is valid, ms
   */
  accept(user_id: string, nonce: string, expires_ms: number, now_ms: number): boolean {
    this.#latest_ms = Math.max(this.#latest_ms, now_ms);
    if (expires_ms < this.#latest_ms) return false;
    this.#prune();
    // User ids contain no space, so two pairs never share a key.
    const key = `${user_id} ${nonce}`;
    const seen_ms = this.#expires_ms.get(key);
    if (seen_ms !== undefined && seen_ms >= this.#latest_ms) return false;
    if (seen_ms === undefined && this.#expires_ms.size >= this.capacity) return false;
    this.#remember(key, expires_ms);
    return true;
  }

  #remember(key: string, expires_ms: number): void {
    this.#expires_ms.set(key, expires_ms);
    const second = Math.floor(expires_ms / 1000);
    const keys = this.#by_second.get(second);
    if (keys === undefined) this.#by_second.set(second, [key]);
    else keys.push(key);
  }

  #prune(): void {
    const current = Math.floor(this.#latest_ms / 1000);
    if (current === this.#pruned_second) return;
    this.#pruned_second = current;
    for (const [second, keys] of this.#by_second) {
      if (second < current) this.#forget(second, keys);
    }
  }

  /** A key may have been used again in a later second; then it stays. */
  #forget(second: number, keys: readonly string[]): void {
    this.#by_second.delete(second);
    for (const key of keys) {
      if (this.#expires_ms.get(key)! < this.#latest_ms) this.#expires_ms.delete(key);
    }
  }
}
