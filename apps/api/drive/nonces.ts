import { Unavailable } from '../../../libs/engine/writer/call.js';
import type { WindowCounts } from '../../../libs/event-store/leases.js';
import { NonceWindow } from '../../../libs/identity/nonce-window.js';

/** Nonces of signed tokens: each is accepted once while its token lives, by this process or by all on its stores. */
export class Nonces {
  private readonly own = new NonceWindow();

  /** @param shared counts for all processes, in windows that no token outlives; null: there is this process alone */
  constructor(private readonly shared: WindowCounts | null) {}

  /** As `NonceWindow.accept`; a promise where others have to be asked. @throws Unavailable if they cannot be */
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

/** Unlike a rate limit, a nonce that nobody can count must not pass. */
async function isFirst(shared: WindowCounts, key: string): Promise<boolean> {
  try {
    return (await shared.add(key)).count === 1;
  } catch (cause) {
    throw new Unavailable('store-failed', { cause });
  }
}
