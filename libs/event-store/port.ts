/**
 * The event store: one stream per drive (and the stream `factory`), numbered from revision 0 without gaps.
 *
 * All text members are stored and returned byte for byte, because hashes cover them.
 */

/**
 * How long a server that has lost its role as leader may answer reads with old data, ms. Measured on EventStoreDB
 * 23.10.6: up to 1 s after a frozen leader thaws. A deposed primary of MongoDB does the same until it notices.
 */
export const OLD_ANSWERS_MS = 2_000;

/** An event ready to be stored: numbered, timed, sealed and hashed by the engine. */
export interface NewEvent {
  /** UUID; an append repeated with the same ids at the same place is answered like the first. */
  readonly event_id: string;
  /** Stored name, such as `GroupCreated`. */
  readonly type: string;
  /** Version of the event's schema. */
  readonly version: number;
  /** Milliseconds since epoch; never decreases along a stream. */
  readonly timestamp_ms: number;
  /** Canonical JSON (RFC 8785) of actor, command, correlation and other circumstances. */
  readonly metadata: string;
  /** Canonical JSON (RFC 8785) of the event's body, sealed fields included as sealed boxes. */
  readonly data: string;
  /** SHA-256 over the previous event's hash and all other stored members (32 bytes). */
  readonly hash: Uint8Array;
}

export interface StoredEvent extends NewEvent {
  readonly stream: string;
  readonly revision: number;
  /**
   * Position among the events of all streams, strictly increasing in commit order. Promise: a reader that has seen
   * position p has been shown every event of every stream at or below p.
   */
  readonly position: number;
}

/** The part of an event that folding needs. */
export type FoldableEvent = Pick<
  StoredEvent,
  'revision' | 'event_id' | 'type' | 'timestamp_ms' | 'data' | 'hash'
>;

/** A complete subtree of a stream's Merkle tree (RFC 6962): its root over 2^level leaves. */
export interface Subtree {
  readonly level: number;
  /** 32 characters, one a byte. */
  readonly root: string;
}

/** Work on a page of events that another thread can do. */
export interface PreparedParts {
  /** Recompute all hashes, the first event's from this one. */
  readonly genesis?: Uint8Array;
  /** Hash the subtrees. */
  readonly subtrees?: boolean;
  /** Read the metadata as well, as UTF-8. */
  readonly metadata?: boolean;
}

/** An event for folding with its metadata as stored, or their UTF-8. */
export type EventWithMetadata = FoldableEvent & { readonly metadata: string | Uint8Array };

/** Events for folding, and what was prepared with them. */
export interface FoldablePage extends ReadonlyArray<FoldableEvent> {
  /** The largest complete subtrees over the page's leaves, in order. */
  readonly subtrees?: readonly Subtree[];
}

/** Result of a durable append. */
export interface Appended {
  readonly last_revision: number;
  readonly last_position: number;
}

/** The part of a stream's last event that suffices to check whether derived data still matches it. */
export type StreamHead = Pick<StoredEvent, 'revision' | 'timestamp_ms' | 'hash'>;

export type Direction = 'forward' | 'backward';

/** `expected_revision` of a stream that must not exist yet. */
export const NO_STREAM = -1;

/** Another writer was faster. Nothing of the append is stored. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected_revision: number,
    readonly actual_revision: number,
  ) {
    super(`stream ${stream}: expected revision ${expected_revision}, found ${actual_revision}`);
  }
}

/** The store did not confirm the append in time. Repeat exactly the same batch to learn the outcome. */
export class AppendOutcomeUnknown extends Error {
  override readonly name = 'AppendOutcomeUnknown';
}

/** The store is unavailable, so nothing was read; the same read may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/**
 * The store's server is unreachable, and nothing was sent: a retry may succeed soon. An earlier attempt of the same
 * append may be stored nevertheless.
 */
export class StoreUnreachable extends StoreUnavailable {
  /** @param public_message the reason, as a sentence for callers without a full stop, hosts and users */
  constructor(
    message: string,
    options?: ErrorOptions,
    readonly public_message: string | null = null,
  ) {
    super(message, options);
  }
}

/**
 * The store's server refuses this service, or is not trusted, and nothing was done. This lasts until permissions,
 * passwords or certificates are changed.
 */
export class StoreRefused extends StoreUnreachable {
  /** @param of_appends true if appends are refused */
  constructor(
    message: string,
    public_message: string,
    readonly of_appends: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options, public_message);
  }
}

/** An error followed by its chain of causes. */
export function* causesOf(error: unknown): Generator<Error, void> {
  for (let at = error; at instanceof Error; at = at.cause) yield at;
}

/** The reason for callers why the store cannot be used, if an error has one; without a full stop. */
export function publicMessageOf(error: unknown): string | null {
  for (const at of causesOf(error)) if (at instanceof StoreUnreachable) return at.public_message;
  return null;
}

/** The same for a server of keys, jobs or documents: it says nothing about appends. */
export class SideStoreUnreachable extends StoreUnreachable {}

/** True if an error is caused by an unreachable server. */
export function isUnreachable(error: unknown): boolean {
  return causesOf(error).some((at) => at instanceof StoreUnreachable);
}

/**
 * A file of the store cannot be used: damaged, missing beside others, or not to be opened. The message names it,
 * says what is wrong with it and what to do.
 */
export class StoreUnusable extends StoreUnavailable {}

/** The file of the events is damaged: the streams that it shows are no longer whole. */
export class EventsUnusable extends StoreUnusable {}

/** The store refuses an append above its size bound; nothing is stored. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}

/** The stream was deleted, or all of it cut off, by other means than this service, which never does so. */
export class StreamDeleted extends Error {
  override readonly name = 'StreamDeleted';
  constructor(
    readonly stream: string,
    options?: ErrorOptions,
    /** True for a tombstone: the stream never comes back. */
    readonly for_good = false,
  ) {
    super(`stream ${stream} was deleted in the event store`, options);
  }
}

/** An event in a stream of this service that something else appended. */
export class ForeignEvent extends Error {
  override readonly name = 'ForeignEvent';
  constructor(
    readonly stream: string,
    readonly revision: number,
    /** The event's type, as it is stored. */
    readonly type: string,
  ) {
    super(
      `stream ${stream}: the event at revision ${revision} (${type}) was not written by this service`,
    );
  }
}

/** An event that a stream must have was dropped from it. */
export class EventMissing extends Error {
  override readonly name = 'EventMissing';
  constructor(
    readonly stream: string,
    readonly revision: number,
  ) {
    super(`stream ${stream}: the event at revision ${revision} is missing`);
  }
}

/** Rules by which a store drops events of a stream automatically; null for each that is not set. */
export interface Retention {
  /** Drops events older than so many seconds. */
  readonly max_age_s: number | null;
  /** Drops all but so many events. */
  readonly max_count: number | null;
  /** Drops events before this revision. */
  readonly truncate_before: number | null;
}

export interface Subscription {
  /**
   * Resolves when the handler has ended and will not be called again. A handler may call it, but must not await it.
   */
  stop(): Promise<void>;
}

export interface EventStore {
  /**
   * Stores all events or none, durably, at `expected_revision + 1` and following. If exactly these events (by id, in
   * order) are already stored there, it answers like the first append.
   * @throws WrongExpectedRevision | AppendOutcomeUnknown | AppendTooLarge | StoreUnreachable; RangeError for no
   *   events or an `expected_revision` below -1; after any other Error nothing of the append is stored
   */
  append(stream: string, expected_revision: number, events: readonly NewEvent[]): Promise<Appended>;

  /**
   * At most `limit` events from revision `from` (inclusive) in the given direction; `[]` past the end
   * or for an unknown stream. Backward reads may start at `Infinity` for the last event.
   */
  readStream(
    stream: string,
    from: number,
    direction: Direction,
    limit: number,
  ): Promise<readonly StoredEvent[]>;

  /**
   * `readStream` forward without the members that folding ignores, so that long folds read less. To bound memory it
   * may return fewer events than exist, at least one.
   */
  readFoldable(stream: string, from: number, limit: number): Promise<readonly FoldableEvent[]>;

  /**
   * `readFoldable` in another thread, with work on the page done there. Null if the caller has to read itself: the
   * thread is not ready, the rest of the stream is short, or a hash does not match. Absent if there is no such thread.
   */
  readPrepared?(
    stream: string,
    from: number,
    limit: number,
    wanted: PreparedParts,
  ): Promise<FoldablePage | null>;

  /** Best page size for a long fold, in events; 500 if absent. */
  readonly fold_page?: number;

  /** At most `limit` events of all streams with a position above `after`, in order; start with -1. */
  readAll(after: number, limit: number): Promise<readonly StoredEvent[]>;

  /**
   * A position from which a subscription shows every later event: at least that of any acknowledged event, lower than
   * that of any append begun later; -1 if there is none.
   */
  lastPosition(): Promise<number>;

  /**
   * Calls `handle` with every event of all streams above `after`, first the stored ones, then live, one batch at a
   * time and in order, without gap or duplicate. The next batch waits for the handler. If a handler throws, the
   * subscription stops and `failed` is called, or without it a process warning is emitted.
   */
  subscribeAll(
    after: number,
    handle: (events: readonly StoredEvent[]) => void | Promise<void>,
    failed?: (error: unknown) => void,
  ): Subscription;

  /** Revision of the last event with `timestamp_ms` ≤ `at_ms`, or -1 if there is none. */
  findRevisionByTime(stream: string, at_ms: number): Promise<number>;

  /** The stream's last event, or null for an unknown stream. */
  head(stream: string): Promise<StreamHead | null>;

  /**
   * Resolves if an append of so many bytes can be expected to succeed now; stores nothing. Absent if only an append
   * can tell. @throws Error with the reason
   */
  checkAppends?(bytes: number): Promise<void>;

  /**
   * The retention of a stream; null if there is none. Absent in a store that never drops an event.
   * @throws StreamDeleted for a permanently deleted stream
   */
  retention?(stream: string): Promise<Retention | null>;

  /**
   * Calls `changed` with the name of each stream whose {@link retention} may have changed since the promise resolved,
   * or that was deleted; while the store is unavailable, after that. Present if `retention` is.
   */
  watchStreams?(changed: (stream: string) => void): Promise<Subscription>;

  /** Completes pending calls, ends subscriptions, then releases files and connections. */
  close(): Promise<void>;
}
