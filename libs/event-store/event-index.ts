/** Port of the index for history queries: which events concern which records, actors and requests. */

/** The indexed members of an event. */
export interface IndexedEvent {
  readonly revision: number;
  readonly type: string;
  /** Metadata as stored with the event: JSON of IndexedMetadata; other members are ignored. */
  readonly metadata: string;
  /** Records whose own fields the event changed, and its other resources. */
  readonly resource_ids: readonly string[];
}

/** The indexed members of an event's metadata. */
export interface IndexedMetadata {
  readonly actor: { readonly user_id: string | null };
  readonly command: string;
  readonly correlation_id: string;
  readonly allowed_by: readonly string[];
  readonly reason: string | null;
}

/** An indexed event as `indexText` has it. */
export type IndexEntry = readonly [
  revision: number,
  type: string,
  metadata: IndexedMetadata,
  resource_ids: readonly string[],
];

/**
 * Events for an index as JSON text, a list of `IndexEntry`: of all forms the cheapest to keep and to pass to other threads.
 */
export function indexText(entries: readonly string[]): string {
  return `[${entries.join()}]`;
}

/** An event in that text. */
export function entryText({ revision, type, metadata, resource_ids }: IndexedEvent): string {
  // Metadata are JSON already, so they are not encoded again.
  return `[${revision},${JSON.stringify(type)},${metadata},${JSON.stringify(resource_ids)}]`;
}

/** Position of an index: its last event, with the hash that reveals a rewound stream. */
export interface IndexPosition {
  readonly revision: number;
  readonly event_hash: Uint8Array;
}

/** All given members must match; of a list, one. */
export interface EventFilter {
  readonly resource_ids?: readonly string[];
  readonly actors?: readonly string[];
  readonly types?: readonly string[];
  readonly command?: string;
  readonly correlation_id?: string;
  readonly allowed_by?: string;
  /** A substring, ignoring case. */
  readonly reason?: string;
}

/** Revisions from `from` to `to`, both included. */
export interface RevisionRange {
  readonly from: number;
  readonly to: number;
}

/** A disposable cache, derived from the events. */
export interface EventIndex {
  /** The last indexed event, or null for a drive without an index. */
  position(drive_id: string): Promise<IndexPosition | null>;
  /**
   * Adds events and advances the position, all or nothing. The events must follow the position without a gap, the
   * first ones of a drive from revision 0; events that are already indexed change nothing. Several processes may
   * append concurrently: the position never decreases.
   * @param text see `indexText`
   */
  append(drive_id: string, text: string, position: IndexPosition): Promise<void>;
  /** Revisions of at most `limit` matching events of the range, from its beginning or (descending) its end. */
  find(
    drive_id: string,
    filter: EventFilter,
    range: RevisionRange,
    direction: 'ASC' | 'DESC',
    limit: number,
  ): Promise<readonly number[]>;
  /** Number of matching events in the range. */
  count(drive_id: string, filter: EventFilter, range: RevisionRange): Promise<number>;
  /** Number of matching events of each of these types in the range, in the order of the types. */
  countTypes(
    drive_id: string,
    filter: Omit<EventFilter, 'types'>,
    types: readonly string[],
    range: RevisionRange,
  ): Promise<readonly number[]>;
  /** Replaces a drive's index by another one, which then no longer exists; `drive_id` need not have had one. */
  replace(drive_id: string, by_drive_id: string): Promise<void>;
  drop(drive_id: string): Promise<void>;
}
