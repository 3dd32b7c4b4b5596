import { Unavailable } from '../../../libs/engine/writer/call.js';
import type { NonceStore } from '../../../libs/event-store/stores.js';
import { NonceWindow } from '../../../libs/identity/nonce-window.js';

/**
 * Nonces of signed tokens. Each is accepted once while its token is valid, by all processes on the same stores, also
 * after a restart.
 */
export class Nonces {
  private readonly own = new NonceWindow();

  constructor(private readonly store: NonceStore) {}

  /** Like `NonceWindow.accept`. @throws Unavailable if the store fails: then the request fails */
  async accept(
    user_id: string,
    nonce: string,
    expires_ms: number,
    now_ms: number,
  ): Promise<boolean> {
    if (!this.own.accept(user_id, nonce, expires_ms, now_ms)) return false;
    try {
      return await this.store.use(`${user_id} ${nonce}`, expires_ms, now_ms);
    } catch (cause) {
      throw new Unavailable('store-failed', { cause });
    }
  }
}
