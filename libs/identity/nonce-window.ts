/** Default bound of a window: entries of up to 150 bytes, so about 20 MB when full. */
const DEFAULT_NONCE_CAPACITY = 100_000;

/**
 * Remembers the nonces of tokens that are still alive, so that each is accepted once. Kept in this
 * process's memory, outside history.
 *
 * What it promises: between two calls that answer true for the same user and nonce, the first token
 * died. Full of living nonces it refuses new ones, for to forget one would let its token be shown
 * again; a clock set back cannot bring a dead token to life either.
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

  /** Nonces held: the living ones and those that died within the last second. */
  get size(): number {
    return this.#expires_ms.size;
  }

  /**
   * True the first time a living token's nonce is shown, false ever after, for a dead token, and
   * while the window is full. Call it once the signature has been verified, else anybody fills it.
   * @param expires_ms last moment at which the token is valid, ms
   */
  accept(user_id: string, nonce: string, expires_ms: number, now_ms: number): boolean {
    this.#latest_ms = Math.max(this.#latest_ms, now_ms);
    if (expires_ms < this.#latest_ms) return false;
    this.#prune();
    // No user id holds a space, so two pairs never share a key.
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

  /** A key may have come back in a later second; then it stays. */
  #forget(second: number, keys: readonly string[]): void {
    this.#by_second.delete(second);
    for (const key of keys) {
      if (this.#expires_ms.get(key)! < this.#latest_ms) this.#expires_ms.delete(key);
    }
  }
}
