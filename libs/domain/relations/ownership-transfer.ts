import type { Context } from '../foundation/decision.js';

/** A requested transfer that is neither completed nor cancelled within this time lapses, ms. */
const LAPSE_MS = 7 * 24 * 3_600_000;

/** The time from which a requested transfer may be completed, ms. */
export function transferReady({ state, settings }: Context): number {
  return state.organization.pending_since_ms + settings.transfer_wait_ms;
}

/** The user of the pending ownership transfer; null without one, or if it has lapsed. */
export function pendingOwner(context: Context): string | null {
  const { pending_owner_id } = context.state.organization;
  if (pending_owner_id === null) return null;
  return context.now >= transferReady(context) + LAPSE_MS ? null : pending_owner_id;
}
