import type { DriveState } from '../drive/state.js';
import type { TouchedKey } from '../kernel/journal.js';
import type { Item } from './tree.js';

/** When the first of these records expires, of those that are files or folders and will, ms; null if none does. */
export function firstExpiry(state: DriveState, keys: readonly TouchedKey[]): number | null {
  let first = Infinity;
  for (const { family, id } of keys) {
    if (family !== 'files' && family !== 'folders') continue;
    const { expires_at } = (state[family].get(id) as Item | undefined) ?? { expires_at: -1 };
    if (expires_at > 0) first = Math.min(first, expires_at);
  }
  return Number.isFinite(first) ? first : null;
}

/** When a file or folder expires next after a time, ms; null if none does. */
export function nextExpiry(state: DriveState, after_ms: number): number | null {
  let next = Infinity;
  for (const table of [state.files, state.folders])
    for (const { expires_at } of table.where('ends', 'some time') as readonly Item[])
      if (expires_at > after_ms) next = Math.min(next, expires_at);
  return Number.isFinite(next) ? next : null;
}
