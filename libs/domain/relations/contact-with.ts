import type { DriveState } from '../foundation/state.js';

/** The contact whose current or former id this is; former ids cannot be given to others. */
export function contactWith(state: DriveState, user_id: string) {
  const [former] = state.contacts.where('past_id', user_id);
  return state.contacts.get(user_id) ?? former;
}
