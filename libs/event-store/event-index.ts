/** Port of the index for history queries: which events concern which records, actors and requests. */

export interface IndexedEvent {
  readonly revision: number;
  readonly type: string;
  /** Metadata as stored with the event, or its UTF-8: JSON of IndexedMetadata; other members are ignored. */
  readonly metadata: string | Uint8Array;
  /** Records whose own fields the event changed, its other resources, and what else such records are found by. */
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

/** An indexed event as `IndexText` has it. */
export type IndexEntry = readonly [
  revision: number,
  type: string,
  resource_ids: readonly string[],
  metadata: IndexedMetadata,
];

const FIRST_ROOM_BYTES = 4 * 1024;
/** Maximum UTF-8 bytes of a character (UTF-16 code unit). */
const BYTES_PER_CHAR = 3;
const [OPEN, COMMA, CLOSE] = Buffer.from('[,]') as unknown as readonly [number, number, number];

/**
 * Collects events for an index as the UTF-8 of a JSON text, a list of `IndexEntry`. Millions pass through in a rebuild:
 * bytes outside the heap cost the garbage collector nothing, and move to other threads without a copy.
 */
export class IndexText {
  private bytes = Buffer.alloc(0);
  private end = 0;
  /** Likely needed for the next events. */
  private room_bytes = FIRST_ROOM_BYTES;

  /** Length so far, bytes. */
  get length(): number {
    return this.end;
  }

  add({ revision, type, metadata, resource_ids }: IndexedEvent): void {
    const first = JSON.stringify([revision, type, resource_ids]);
    this.ensureRoom(BYTES_PER_CHAR * (first.length + metadata.length) + '[]'.length);
    this.bytes[this.end] = this.end === 0 ? OPEN : COMMA;
    this.end++;
    this.write(first);
    // The list goes on with the metadata, which are JSON already.
    this.bytes[this.end - 1] = COMMA;
    this.write(metadata);
    this.bytes[this.end++] = CLOSE;
  }

  /** A copy of the events so far. */
  copy(): Uint8Array {
    const events = this.bytes.subarray(0, this.end);
    return Buffer.concat([events, Buffer.from(this.end === 0 ? '[]' : ']')]);
  }

  /** The events so far, in a buffer of their own; begins again without any. */
  take(): Uint8Array {
    this.ensureRoom('[]'.length);
    if (this.end === 0) this.write('[');
    this.write(']');
    const taken = this.bytes.subarray(0, this.end);
    this.room_bytes = this.bytes.length;
    this.bytes = Buffer.alloc(0);
    this.end = 0;
    return taken;
  }

  private write(text: string | Uint8Array): void {
    if (typeof text === 'string') this.end += this.bytes.write(text, this.end);
    else {
      this.bytes.set(text, this.end);
      this.end += text.length;
    }
  }

  private ensureRoom(bytes: number): void {
    const needed = this.end + bytes;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length, this.room_bytes));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}

/** Events as `EventIndex.append` takes them. */
export function indexText(events: Iterable<IndexedEvent>): Uint8Array {
  const text = new IndexText();
  for (const event of events) text.add(event);
  return text.take();
}

/** The events in such a text. */
export function entriesIn(text: Uint8Array): IndexEntry[] {
  return JSON.parse(new TextDecoder().decode(text)) as IndexEntry[];
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
  /** Number of events in an append with which adding many is fastest. */
  readonly append_events: number;
  /** Number of times that all entries were lost while it was open, also of a drive's earlier position; absent: never. */
  readonly losses?: number;
  /** The last indexed event, or null for a drive without an index. */
  position(drive_id: string): Promise<IndexPosition | null>;
  /**
   * Adds events and advances the position, all or nothing. The events must follow the position without a gap, the
   * first ones of a drive from revision 0; events that are already indexed change nothing. Several processes may
   * append concurrently: the position never decreases.
   * @param text see `IndexText`; it belongs to the index from now on
   */
  append(drive_id: string, text: Uint8Array, position: IndexPosition): Promise<void>;
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
  /**
   * Revision of the first of these events that the index has otherwise than they are; null if there is none. Events
   * behind its position are none.
   * @param text see `IndexText`; consecutive events
   */
  firstDifference(drive_id: string, text: Uint8Array): Promise<number | null>;
  /** Replaces a drive's index by another one, which then no longer exists; `drive_id` need not have had one. */
  replace(drive_id: string, by_drive_id: string): Promise<void>;
  drop(drive_id: string): Promise<void>;
}
