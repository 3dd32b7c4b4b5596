/** Status of a rebuild of a drive's read models, as reported by its process. */
export interface Rebuild {
  readonly drive_id: string;
  readonly job_id: string;
  readonly events_folded: number;
  readonly events_total: number;
  readonly documents_written: number;
  readonly started_ms: number;
  /** Time of the last report, ms. */
  readonly heard_ms: number;
  /** Null while it runs. */
  readonly finished_ms: number | null;
  /** Revision of its last event; null without one. */
  readonly revision: number | null;
  /** Cause of the failure; null if it has not failed. */
  readonly error: string | null;
}

/**
 * Rebuilds in progress and recently finished, so that any process can report them, and each drive has only one at a
 * time.
 */
export interface RebuildStore {
  /**
   * Stores a new rebuild, unless one of the same drive is running that has reported since that time.
   * @returns the running one
   */
  begin(
    rebuild: Rebuild,
    heard_since_ms: number,
  ): Promise<{ readonly rebuild: Rebuild; readonly is_new: boolean }>;
  /** Stores a report; no effect if the rebuild has finished or was replaced. */
  note(rebuild: Rebuild): Promise<void>;
  find(drive_id: string, job_id: string): Promise<Rebuild | null>;
  /** Deletes those begun before a time. */
  trim(before_ms: number): Promise<void>;
}
