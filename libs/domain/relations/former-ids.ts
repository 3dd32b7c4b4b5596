import type { DriveState } from '../foundation/state.js';

/** True for an id that a live contact had before a superswap. No user can act under it. */
export function isFormerId(state: DriveState, user_id: string): boolean {
  return state.contacts.count('past_id', user_id) > 0;
}
