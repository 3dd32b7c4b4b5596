import type { Disk } from '../../disks/record.js';
import type { DriveState } from '../../foundation/state.js';
import { forEach, type Steps } from '../../kernel/steps.js';
import type { Table } from '../../kernel/table.js';
import type { TouchedKey } from '../../kernel/undo-log.js';
import type { Item } from '../../relations/directory-tree.js';

/** The time when an item expires, ms; Infinity for never. */
export function endOf(expires_at: number): number {
  return expires_at > 0 ? expires_at : Infinity;
}

/** The expiry of a file that is created now on this disk, ms; null if the disk does not limit it. */
export function endOnDisk({ autoexpire_ms }: Disk, now: number): number | null {
  return autoexpire_ms ? Math.min(now + autoexpire_ms, Number.MAX_SAFE_INTEGER) : null;
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
  for (const table of [state.files, state.folders] as readonly Table<Item>[]) {
    const expiring = table.inOrder('expiry', 'some time');
    const in_trash = table.inOrder('trashed', 'for a time');
    for (const times of [
      expiring.map(({ expires_at }) => expires_at),
      in_trash.map(({ trashed_at }) => trashed_at! + trash_ms),
    ])
      next = Math.min(next, times.find((at_ms) => at_ms > after_ms) ?? Infinity);
  }
  return Number.isFinite(next) ? next : null;
}
