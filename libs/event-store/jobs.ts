/**
 * What reactors must remember: how far they have looked, what waits to be delivered, and what became of
 * it. None of it is history; losing it costs deliveries, not facts.
 */

import type { RebuildStore } from './rebuilds.js';

/** A place in a drive's stream, named by its event's revision and hash. */
export interface ReactorPosition {
  readonly drive_id: string;
  /** Of the last event looked at; -1 for none. */
  readonly revision: number;
  /** Of that event; what stands for it before the first. */
  readonly event_hash: Uint8Array;
}

export interface OpenReactor extends ReactorPosition {
  /** When it was last opened, ms. */
  readonly opened_ms: number;
  /** Why it stands still; null while it works. */
  readonly quarantined: string | null;
}

/** Something to be sent to a webhook. */
export interface NewDelivery {
  readonly drive_id: string;
  readonly webhook_id: string;
  /** UUID, equal whenever the same occurrence is sent to the same webhook. */
  readonly delivery_id: string;
  /** Kind of occurrence, such as `file.created`. */
  readonly event: string;
  /** Of the event that caused it; null if none did. */
  readonly revision: number | null;
  /** Opaque text; its length counts towards `QueueBounds.bytes`. */
  readonly sealed: string;
  readonly queued_ms: number;
}

export interface Delivery extends NewDelivery {
  /** Unique and increasing over all deliveries of the store, never used again. */
  readonly nonce: number;
  /** How often it was tried. */
  readonly attempts: number;
  /** When it was first tried, ms; null before. */
  readonly first_ms: number | null;
}

export type AttemptOutcome =
  | 'delivered'
  /** Will be tried again. */
  | 'failed'
  /** Will not be tried again by itself. */
  | 'quarantined';

/** What is remembered of one attempt, or of a delivery given up without one. */
export interface NewAttempt {
  readonly at_ms: number;
  /** HTTP status; null if there was no answer. */
  readonly status: number | null;
  readonly latency_ms: number;
  readonly outcome: AttemptOutcome;
  /** What went wrong, in a few words; null if nothing did. */
  readonly reason: string | null;
}

export interface Attempt extends NewAttempt {
  /** Increasing in the order in which attempts were noted. */
  readonly id: number;
  readonly delivery_id: string;
  readonly event: string;
  readonly revision: number | null;
  /** Null for what was never queued. */
  readonly nonce: number | null;
  /** Counts the attempts of one delivery from 1; 0 for what was never tried. */
  readonly attempt: number;
}

/** How much may wait for one webhook. What comes on top is noted as quarantined, never silently lost. */
export interface QueueBounds {
  readonly count: number;
  readonly bytes: number;
}

/** A page of attempts: those after or before an id in the direction asked for. */
export interface AttemptPage {
  readonly direction: 'ASC' | 'DESC';
  readonly limit: number;
  readonly after?: number;
  readonly before?: number;
}

export interface JobCounts {
  readonly waiting: number;
  /** Attempts remembered with that outcome. */
  readonly quarantined: number;
  /** Reactors that stand still. */
  readonly reactors_quarantined: number;
}

/** Promise: whatever resolves is kept through a crash of the process; `open` also through a power cut. */
export interface JobStore {
  /** Rebuilds of read models, which are jobs too. */
  readonly rebuilds: RebuildStore;
  /**
   * Opens a drive's reactor at this position. One that is open stays where it is and only notes the
   * time; one that was quarantined starts here anew, and what waited for it is dropped.
   */
  open(position: ReactorPosition, at_ms: number): Promise<void>;
  reactor(drive_id: string): Promise<OpenReactor | null>;
  /** At most `limit` open reactors whose drive's id sorts after the given one, in that order. */
  reactors(after_drive_id: string, limit: number): Promise<readonly OpenReactor[]>;
  /** At most `limit` of the reactors that stand still. */
  standing(limit: number): Promise<readonly OpenReactor[]>;
  /** Lets a reactor stand still until it is opened anew; nothing waiting for its drive is due meanwhile. */
  quarantine(drive_id: string, reason: string): Promise<void>;
  /** Forgets a reactor last opened before that time. */
  close(drive_id: string, opened_before_ms: number): Promise<void>;
  /**
   * Moves a reactor on and queues what it found on the way, both or neither.
   * @returns false, with nothing changed, if it does not stand at `from` or is quarantined
   */
  advance(
    from: ReactorPosition,
    to: ReactorPosition,
    found: readonly NewDelivery[],
    bounds: QueueBounds,
  ): Promise<boolean>;

  /** Queues deliveries in this order, each behind what waits for its webhook. */
  enqueue(deliveries: readonly NewDelivery[], bounds: QueueBounds): Promise<void>;
  /** The first waiting delivery of each webhook whose turn has come, those due longest first. */
  due(now_ms: number, limit: number): Promise<readonly Delivery[]>;
  /**
   * Takes a webhook's turn, so that no other process delivers to it meanwhile: nothing of it is due before
   * `until_ms`, unless the delivery is postponed or finished first. After a crash it is due again then, or
   * earlier where there is but one process.
   * @returns what waits first; null if its turn has not come or another has it, or nothing waits
   */
  claim(
    drive_id: string,
    webhook_id: string,
    now_ms: number,
    until_ms: number,
  ): Promise<Delivery | null>;
  /** When the next turn comes after that time, ms; null if nothing waits so. */
  nextDue(after_ms: number): Promise<number | null>;
  /** How much waits for a webhook. */
  waiting(drive_id: string, webhook_id: string): Promise<QueueBounds>;
  /** What waits in a drive, in the order of nonces above the given one. */
  waitingIn(drive_id: string, after_nonce: number, limit: number): Promise<readonly Delivery[]>;
  /** Notes an attempt; the delivery and all behind it wait until `next_ms`. */
  postpone(delivery: Delivery, attempt: NewAttempt, next_ms: number): Promise<void>;
  /** Notes the end of a delivery and takes it off the queue; the next one is due at once. */
  finish(delivery: Delivery, attempt: NewAttempt): Promise<void>;
  /** Drops all that waits for a webhook. */
  drop(drive_id: string, webhook_id: string): Promise<void>;

  attempts(drive_id: string, webhook_id: string, page: AttemptPage): Promise<readonly Attempt[]>;
  attemptCount(drive_id: string, webhook_id: string): Promise<number>;
  /** Forgets attempts before a time, and of each webhook all but the newest so many. */
  trim(before_ms: number, most_per_webhook: number): Promise<void>;
  counts(): Promise<JobCounts>;
}
