/**
 * Jobs: positions of reactors, pending deliveries, and attempts. They are not part of the history; losing them loses
 * deliveries, not facts.
 */

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

/** Times of the last report of a rebuild that counts as running, ms, both included. */
export interface HeardWithin {
  readonly from_ms: number;
  readonly to_ms: number;
}

/**
 * Rebuilds in progress and recently finished, so that any process can report them, and each drive has only one at a
 * time.
 */
export interface RebuildStore {
  /**
   * Stores a new rebuild, unless one of the same drive is running that has reported within that time.
   * @returns the running one
   */
  begin(
    rebuild: Rebuild,
    heard: HeardWithin,
  ): Promise<{ readonly rebuild: Rebuild; readonly is_new: boolean }>;
  /** Stores a report; no effect if the rebuild has finished or was replaced. */
  note(rebuild: Rebuild): Promise<void>;
  find(drive_id: string, job_id: string): Promise<Rebuild | null>;
  /** Deletes those begun before a time. */
  trim(before_ms: number): Promise<void>;
}

/** A position in a drive's stream: revision and hash of an event. */
export interface ReactorPosition {
  readonly drive_id: string;
  /** Revision of the last processed event; -1 for none. */
  readonly revision: number;
  /** Hash of that event; the genesis hash before the first. */
  readonly event_hash: Uint8Array;
}

export interface OpenReactor extends ReactorPosition {
  /** Time of the last opening, ms. */
  readonly opened_ms: number;
  /** Reason of the quarantine; null while the reactor works. */
  readonly quarantined: string | null;
}

/**
 * Longest wait for a webhook's turn, ms. A turn further ahead was set by a clock that was ahead, and is due: else
 * nothing would be delivered until that time.
 */
export const LONGEST_WAIT_MS = 3_600_000;

export interface NewDelivery {
  readonly drive_id: string;
  readonly webhook_id: string;
  /** UUID, the same for every delivery of one occurrence to one webhook. */
  readonly delivery_id: string;
  /** Kind of occurrence, such as `file.created`. */
  readonly event: string;
  /** Revision of its event; null if it has none. */
  readonly revision: number | null;
  /** Opaque text; its length counts towards `QueueBounds.bytes`. */
  readonly sealed: string;
  readonly queued_ms: number;
}

export interface Delivery extends NewDelivery {
  /**
   * Unique and increasing over all deliveries of the store, never used again, not even after the store
   * was lost or restored from a backup: opened, it leaves out numbers up to the current time in ms.
   */
  readonly nonce: number;
  readonly attempts: number;
  /** Time of the earliest attempt by the clock, ms; null before. */
  readonly first_ms: number | null;
}

export type AttemptOutcome =
  | 'delivered'
  /** Will be retried. */
  | 'failed'
  /** Will not be retried automatically. */
  | 'quarantined';

/** The stored result of one attempt, or of a delivery quarantined without one. */
export interface NewAttempt {
  readonly at_ms: number;
  /** HTTP status; null if there was no answer. */
  readonly status: number | null;
  readonly latency_ms: number;
  readonly outcome: AttemptOutcome;
  /** Cause of the failure, in a few words; null for a success. */
  readonly reason: string | null;
}

export interface Attempt extends NewAttempt {
  /** Increasing in the order in which attempts were stored. */
  readonly id: number;
  readonly delivery_id: string;
  readonly event: string;
  readonly revision: number | null;
  /** Null for a delivery that was never queued. */
  readonly nonce: number | null;
  /** Number of the attempt within its delivery, from 1; 0 if there was none. */
  readonly attempt: number;
}

/** Bounds of a webhook's queue. Deliveries beyond them are stored as quarantined, never lost silently. */
export interface QueueBounds {
  readonly count: number;
  readonly bytes: number;
}

/** What is stored instead of an attempt for a delivery that is quarantined without one. */
export function notAttempted(at_ms: number, reason: string): NewAttempt {
  return { at_ms, status: null, latency_ms: 0, outcome: 'quarantined', reason };
}

/** The same for a delivery beyond the bounds of its queue. */
export function tooMuch(at_ms: number): NewAttempt {
  return notAttempted(at_ms, 'too much waits for this webhook');
}

/** A page of attempts: those after or before an id in the given direction. */
export interface AttemptPage {
  readonly direction: 'ASC' | 'DESC';
  readonly limit: number;
  readonly after?: number;
  readonly before?: number;
}

export interface JobCounts {
  readonly waiting: number;
  /** Stored attempts with that outcome. */
  readonly quarantined: number;
  readonly reactors_quarantined: number;
}

/** Promise: every resolved write survives a crash of the process; `open` also a power failure. */
export interface JobStore {
  /** Rebuilds of read models, which are jobs too. */
  readonly rebuilds: RebuildStore;
  /**
   * Opens a drive's reactor at this position. An open one keeps its position and only stores the time; a quarantined
   * one restarts here, and its pending deliveries are dropped.
   */
  open(position: ReactorPosition, at_ms: number): Promise<void>;
  reactor(drive_id: string): Promise<OpenReactor | null>;
  /** At most `limit` open reactors with drive ids after the given one, in that order. */
  reactors(after_drive_id: string, limit: number): Promise<readonly OpenReactor[]>;
  quarantinedReactors(limit: number): Promise<readonly OpenReactor[]>;
  /** Quarantines a reactor until it is opened again; its drive's deliveries are not due meanwhile. */
  quarantine(drive_id: string, reason: string): Promise<void>;
  /** Removes a reactor last opened before that time. */
  close(drive_id: string, opened_before_ms: number): Promise<void>;
  /**
   * Advances a reactor and queues the deliveries of the step, both or neither.
   * @returns false, with nothing changed, if it is not at `from` or is quarantined
   */
  advance(
    from: ReactorPosition,
    to: ReactorPosition,
    found: readonly NewDelivery[],
    bounds: QueueBounds,
  ): Promise<boolean>;

  /**
   * Queues deliveries in this order, each after the pending ones of its webhook.
   * @returns the number of those within the bounds
   */
  enqueue(deliveries: readonly NewDelivery[], bounds: QueueBounds): Promise<number>;
  /** The first pending delivery of each due webhook, longest due first, except those of some drives. */
  due(now_ms: number, limit: number, not_of?: readonly string[]): Promise<readonly Delivery[]>;
  /**
   * Takes a webhook's turn, so that no other process delivers to it meanwhile: none of its deliveries is due before
   * `until_ms`, unless this one is postponed or finished first. After a crash it is due again then, or earlier with a
   * single process.
   * @returns the first pending delivery; null if the webhook is not due, another process has its turn, or nothing is
   *   pending
   */
  claim(
    drive_id: string,
    webhook_id: string,
    now_ms: number,
    until_ms: number,
  ): Promise<Delivery | null>;
  /** Time of the next turn after that time, ms; null if there is none. */
  nextDue(after_ms: number): Promise<number | null>;
  /** Pending deliveries of a drive with nonces above the given one, in order of nonces. */
  waitingIn(drive_id: string, after_nonce: number, limit: number): Promise<readonly Delivery[]>;
  /** Stores an attempt; the delivery and all after it wait until `next_ms`. */
  postpone(delivery: Delivery, attempt: NewAttempt, next_ms: number): Promise<void>;
  /** Stores the final attempt of a delivery and removes it from the queue; the next one is due at once. */
  finish(delivery: Delivery, attempt: NewAttempt): Promise<void>;
  /** Quarantines a delivery without an attempt. If it is the first of its webhook, the next one is due at once. */
  dismiss(delivery: Delivery, at_ms: number, reason: string): Promise<void>;
  /** Drops all pending deliveries of a webhook, in turns. A caller with a claim keeps it until all are dropped. */
  drop(drive_id: string, webhook_id: string): Promise<void>;

  attempts(drive_id: string, webhook_id: string, page: AttemptPage): Promise<readonly Attempt[]>;
  attemptCount(drive_id: string, webhook_id: string): Promise<number>;
  /** Deletes attempts before a time, and beyond the given number per webhook. */
  trim(before_ms: number, most_per_webhook: number): Promise<void>;
  counts(): Promise<JobCounts>;
}
