import { Unavailable } from '../../../libs/engine/writer/call.js';
import type { WindowCounts } from '../../../libs/event-store/leases.js';
import { NonceWindow } from '../../../libs/identity/nonce-window.js';

/** Nonces of signed tokens. Each is accepted once while its token is valid, by all processes on the same stores. */
export class Nonces {
  private readonly own = new NonceWindow();

  /** @param shared counts for all processes, in windows longer than any token is valid; null: this is the only process */
  constructor(private readonly shared: WindowCounts | null) {}

  /** Like `NonceWindow.accept`; a promise if there are other processes. @throws Unavailable if the store fails */
  accept(
    user_id: string,
    nonce: string,
    expires_ms: number,
    now_ms: number,
  ): boolean | Promise<boolean> {
    if (!this.own.accept(user_id, nonce, expires_ms, now_ms)) return false;
    return this.shared === null || isFirst(this.shared, `nonce:${user_id} ${nonce}`);
  }
}

/** True if the nonce is new. If it cannot be counted, the request fails; rate limits admit it instead. */
async function isFirst(shared: WindowCounts, key: string): Promise<boolean> {
  try {
    return (await shared.add(key)).count === 1;
  } catch (cause) {
    throw new Unavailable('store-failed', { cause });
  }
}
