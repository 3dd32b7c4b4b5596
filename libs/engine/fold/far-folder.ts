import type { Snapshot } from '../../event-store/stores.js';

/** A snapshot, and how its state was folded. */
export interface FoldedSnapshot extends Snapshot {
  readonly events_folded: number;
  /** Revision of the snapshot from which they were folded; null for event 0. */
  readonly base_revision: number | null;
}

/** Folds long spans of events in another thread. */
export interface FarFolder {
  /**
   * The state at a revision as a snapshot; of an earlier one if the store does not show all events yet.
   * @param verify fold from event 0, and check every hash
   * @throws BrokenStream, TooLarge, Abandoned; Unavailable `interrupted`
   */
  fold(drive_id: string, revision: number, verify: boolean): Promise<FoldedSnapshot>;
}
