/** Port of the index that history is looked up in: which events concern what. */

/** What is looked for in an event. */
export interface IndexedEvent {
  readonly revision: number;
  readonly type: string;
  /**
   * Circumstances as stored with the event: JSON of `actor.user_id`, `command`, `correlation_id`,
   * `allowed_by` (a list) and `reason`; other members are not looked at.
   */
  readonly metadata: string;
  /** Records whose own fields the event changed, and what it is about beside records. */
  readonly resource_ids: readonly string[];
}

/** How far an index has come: its last event, with the hash by which a rewound stream is noticed. */
export interface IndexPosition {
  readonly revision: number;
  readonly event_hash: Uint8Array;
}

/** All that are given must hold; of a list, one. */
export interface EventFilter {
  readonly resource_ids?: readonly string[];
  readonly actors?: readonly string[];
  readonly types?: readonly string[];
  readonly command?: string;
  readonly correlation_id?: string;
  readonly allowed_by?: string;
  /** A substring in any case. */
  readonly reason?: string;
}

/** Revisions from `from` to `to`, both included. */
export interface RevisionRange {
  readonly from: number;
  readonly to: number;
}

/** A disposable cache: it follows from the events. */
export interface EventIndex {
  /** The last event taken in, or null for a drive without an index. */
  position(drive_id: string): Promise<IndexPosition | null>;
  /**
   * Takes in events and moves the position, all or nothing. They follow the position without a gap, the
   * first ones of a drive from revision 0; events that are there already change nothing. Several processes
   * may do so at one time: the position never goes back.
   */
  append(drive_id: string, events: readonly IndexedEvent[], position: IndexPosition): Promise<void>;
  /** Revisions of at most `limit` matching events of the range, from its beginning or (descending) its end. */
  find(
    drive_id: string,
    filter: EventFilter,
    range: RevisionRange,
    direction: 'ASC' | 'DESC',
    limit: number,
  ): Promise<readonly number[]>;
  /** How many events of the range match. */
  count(drive_id: string, filter: EventFilter, range: RevisionRange): Promise<number>;
  /** Puts one index in another's place, which is gone then; `drive_id` need not have had one. */
  replace(drive_id: string, by_drive_id: string): Promise<void>;
  drop(drive_id: string): Promise<void>;
}
