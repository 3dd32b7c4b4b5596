import type { IndexPosition, Snapshot } from '../../event-store/stores.js';

/** Events beyond which another thread folds; their fold takes about as long as to write and read a small state. */
export const FAR = 20_000;

/** A snapshot, and how its state was folded. */
export interface FoldedSnapshot extends Snapshot {
  readonly events_folded: number;
  /** Revision of the snapshot from which they were folded; null for event 0. */
  readonly base_revision: number | null;
}

interface TakingIndex {
  /** Number of events to take at a time. */
  readonly append_events: number;
  /** @param text see `IndexText` */
  take(text: Uint8Array, last: IndexPosition): Promise<void>;
}

/** Takes what a fold from event 0 gives on its way. */
export interface Refolding {
  /** Takes the events for an event index; the fold waits if that is not fast enough. */
  readonly index?: TakingIndex | undefined;
  progress(events_folded: number): void;
}

/** Folds long spans of events in another thread. */
export interface FarFolder {
  /**
   * The state at a revision as a snapshot; of an earlier one if the store does not show all events yet. Null if there are
   * events unknown to this release: snapshots do not name them.
   * @param verify fold from event 0, and check every hash
   * @throws BrokenStream, TooLarge, Abandoned; Unavailable `interrupted`
   */
  fold(drive_id: string, revision: number, verify: boolean): Promise<FoldedSnapshot | null>;
  /**
   * The same from event 0, whatever snapshots there are, for the rebuild of what is derived from the events.
   * @throws BrokenStream, Abandoned; Unavailable `interrupted`
   */
  refold(drive_id: string, revision: number, taking: Refolding): Promise<Snapshot | null>;
}
