import { firstExpiry } from '../../domain/directory/items/expiry.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { ExpiryStore } from '../../event-store/stores.js';
import type { Drive } from '../writer/drive.js';

/**
 * Stores the next expiry of a drive before the events that set it are appended. A sweep therefore finds every such
 * drive, even if this process crashes.
 */
export class ExpiryNotes {
  constructor(
    private readonly store: ExpiryStore,
    private readonly clock: () => number,
    private readonly trash_ms: number,
  ) {}

  /** See `DriveServices.appending`. */
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

/** Combines two results of `DriveServices.appending`. */
export function both(
  one: Promise<void> | null | undefined,
  other: Promise<void> | null,
): Promise<void> | null {
  return one && other ? Promise.all([one, other]).then(() => {}) : (one ?? other);
}
