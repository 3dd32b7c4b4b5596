import type { DriveState } from '../../domain/foundation/state.js';

/** All ids that what goes by this one has had, by superswaps before and after; others only this one. */
export function allIdsOf(state: DriveState, id: string): readonly string[] {
  const ids = new Set([id]);
  const swaps = [...state.superswaps.values()];
  // A set walks what is added to it on the way, so chains of swaps are followed to their ends.
  for (const known of ids)
    for (const { old_user_id, new_user_id } of swaps) {
      if (old_user_id === known) ids.add(new_user_id);
      if (new_user_id === known) ids.add(old_user_id);
    }
  return [...ids];
}
