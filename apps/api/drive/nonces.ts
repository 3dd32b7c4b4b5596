import { Unavailable } from '../../../libs/engine/writer/call.js';
import { LONGEST_NONCE_MS, type NonceStore } from '../../../libs/event-store/stores.js';

/**
 * Nonces of signed tokens. Each is accepted once while its token is valid, by all processes on the same stores, also
 * after a restart.
 */
export class Nonces {
  /** The highest time so far. */
  private latest_ms = -Infinity;

  constructor(private readonly store: NonceStore) {}

  /**
   * True on the first use of a valid token's nonce; false after that, and for an expired token. Small steps back of the
   * clock do not make it valid; after a large one, tokens of now would be refused until the former time. Call it after
   * the signature has been verified, or anybody could use up the nonces of others.
   * @param expires_ms last moment at which the token is valid, ms
   * @throws Unavailable if the store fails: then the request fails, and may be repeated unless the nonce was counted
   */
  async accept(
    user_id: string,
    nonce: string,
    expires_ms: number,
    now_ms: number,
  ): Promise<boolean> {
    const is_set_back = now_ms < this.latest_ms - LONGEST_NONCE_MS;
    this.latest_ms = is_set_back ? now_ms : Math.max(this.latest_ms, now_ms);
    if (expires_ms < this.latest_ms) return false;
    try {
      // User ids contain no space, so two pairs never share a key.
      return await this.store.use(`${user_id} ${nonce}`, expires_ms, this.latest_ms);
    } catch (cause) {
      throw new Unavailable('store-failed', { cause });
    }
  }
}
