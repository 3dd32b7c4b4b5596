import { firstExpiry } from '../../domain/directory/items/expiry.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { ExpiryStore } from '../../event-store/stores.js';
import type { Drive } from '../writer/drive.js';

/**
 * Notes when something of a drive expires, before the events that say so are appended: so whoever sweeps finds
 * every such drive, whatever becomes of this process.
 */
export class ExpiryNotes {
  constructor(
    private readonly store: ExpiryStore,
    private readonly clock: () => number,
    private readonly trash_ms: number,
  ) {}

  /** As of `DriveServices.appending`. */
  appending(
    { drive_id, head, state }: Drive,
    touched: readonly TouchedKey[],
  ): Promise<void> | null {
    const at_ms = firstExpiry(state, touched, this.trash_ms);
    if (at_ms === null) return null;
    const revision = head.revision + 1;
    return this.store.note([{ drive_id, at_ms, revision, noted_ms: this.clock() }]);
  }
}

/** What two answers of `DriveServices.appending` come to. */
export function both(
  one: Promise<void> | null | undefined,
  other: Promise<void> | null,
): Promise<void> | null {
  return one && other ? Promise.all([one, other]).then(() => {}) : (one ?? other);
}
