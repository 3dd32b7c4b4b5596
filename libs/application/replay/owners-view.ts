import type { DriveState } from '../../domain/foundation/state.js';
import type { Context } from '../../domain/foundation/decision.js';
import { type Refusal, refuse } from '../../domain/kernel/refusal.js';
import { BrokenStream } from '../../engine/fold/fold.js';

/** The context of the owner on a past state, with all secrets masked. */
export function ownersView(context: Context, state: DriveState, at_ms: number): Context {
  const user_id = state.organization.owner_id;
  return {
    ...context,
    state,
    now: at_ms,
    caller: { user_id, via: 'SYSTEM', api_key_id: null, key_expires_at: -1 },
    lastOnline: () => 0,
    masked: true,
  };
}

/** The result of a task that folds events; a refusal if the stored events are damaged. */
export async function folding<T>(task: T | Promise<T>): Promise<T | Refusal> {
  try {
    return await task;
  } catch (error) {
    if (!(error instanceof BrokenStream)) throw error;
    const { revision, reason } = error;
    return refuse('chain-broken', { pointer: '', reason: `revision ${revision}: ${reason}` });
  }
}
