import type { DriveState } from '../../foundation/state.js';
import { forEach, type Steps } from '../../kernel/steps.js';
import type { TouchedKey } from '../../kernel/undo-log.js';
import type { Item } from '../../relations/directory-tree.js';

/** The time when an item expires, ms; Infinity for never. */
export function endOf(expires_at: number): number {
  return expires_at > 0 ? expires_at : Infinity;
}

/** The time when the sweep must process an item, ms: its expiry, or the end of its time in the trash. */
function dueAt({ expires_at, trashed_at }: Item, trash_ms: number): number {
  return Math.min(endOf(expires_at), trashed_at ? trashed_at + trash_ms : Infinity);
}

/** The earliest time at which one of these files or folders is due, ms; null if none ever is. */
export function* firstExpiry(
  state: DriveState,
  keys: readonly TouchedKey[],
  trash_ms: number,
): Steps<number | null> {
  let first = Infinity;
  yield* forEach(keys, ({ family, id }) => {
    if (family !== 'files' && family !== 'folders') return;
    const item = state[family].get(id) as Item | undefined;
    if (item) first = Math.min(first, dueAt(item, trash_ms));
  });
  return Number.isFinite(first) ? first : null;
}

/** The next time after `after_ms` at which a file or folder is due, ms; null if none is. */
export function nextExpiry(state: DriveState, after_ms: number, trash_ms: number): number | null {
  let next = Infinity;
  const note = (at_ms: number): void => {
    if (at_ms > after_ms) next = Math.min(next, at_ms);
  };
  for (const table of [state.files, state.folders]) {
    for (const id of table.by('ends', 'some time')) note(endOf(table.get(id)!.expires_at));
    for (const id of table.by('kept', 'for a time')) note(table.get(id)!.trashed_at! + trash_ms);
  }
  return Number.isFinite(next) ? next : null;
}
