/** How a rebuild of a drive's read models stands, as the process that runs it has told. */
export interface Rebuild {
  readonly drive_id: string;
  readonly job_id: string;
  readonly events_folded: number;
  readonly events_total: number;
  readonly documents_written: number;
  readonly started_ms: number;
  /** When its process was heard of last, ms. */
  readonly heard_ms: number;
  /** Null while it runs. */
  readonly finished_ms: number | null;
  /** Revision of the event that it ended with; null without one. */
  readonly revision: number | null;
  /** Why it failed; null if it did not. */
  readonly error: string | null;
}

/** Rebuilds under way and lately finished, so that any process can tell of them, and a drive has one at a time. */
export interface RebuildStore {
  /**
   * Notes a new rebuild, unless one of the same drive runs whose process was heard of at that time or later.
   * @returns the one that runs then
   */
  begin(
    rebuild: Rebuild,
    heard_since_ms: number,
  ): Promise<{ readonly rebuild: Rebuild; readonly is_new: boolean }>;
  /** Notes how one stands; nothing happens if it has finished, or another one of that name has begun since. */
  note(rebuild: Rebuild): Promise<void>;
  find(drive_id: string, job_id: string): Promise<Rebuild | null>;
  /** Forgets those begun before a time. */
  trim(before_ms: number): Promise<void>;
}
