/**
 * The event store: one stream per drive (and the stream `factory`), numbered from revision 0 without gaps.
 *
 * All text members are stored and returned byte for byte: hashes rest on them.
 */

/** An event ready to be stored. The engine has already numbered, timed, sealed and hashed it. */
export interface NewEvent {
  /** UUID; an append repeated with the same ids at the same place is answered like the first. */
  readonly event_id: string;
  /** Stored name, such as `GroupCreated`. */
  readonly type: string;
  /** Version of the event's schema. */
  readonly version: number;
  /** Milliseconds since epoch; never decreases along a stream. */
  readonly timestamp_ms: number;
  /** Canonical JSON (RFC 8785) of actor, command, correlation and the other circumstances. */
  readonly metadata: string;
  /** Canonical JSON (RFC 8785) of the event's body, sealed fields included as sealed boxes. */
  readonly data: string;
  /** SHA-256 over the previous event's hash and everything else stored here (32 bytes). */
  readonly hash: Uint8Array;
}

export interface StoredEvent extends NewEvent {
  readonly stream: string;
  readonly revision: number;
  /**
   * Place among the events of all streams, strictly increasing in the order of commits.
   * Promise: whoever has seen position p has been shown every event of every stream at or below p.
   */
  readonly position: number;
}

/** What folding needs of an event. */
export type FoldableEvent = Pick<
  StoredEvent,
  'revision' | 'event_id' | 'type' | 'timestamp_ms' | 'data' | 'hash'
>;

/** What an append promises once it resolves: the events are durable at these places. */
export interface Appended {
  readonly last_revision: number;
  readonly last_position: number;
}

/** The place of a stream's last event, enough to tell whether something derived still fits it. */
export interface StreamHead {
  readonly revision: number;
  readonly position: number;
  readonly event_id: string;
  readonly timestamp_ms: number;
  readonly hash: Uint8Array;
}

/** The head of a stream that ends with this event. */
export function headOf(last: StoredEvent): StreamHead {
  const { revision, position, event_id, timestamp_ms, hash } = last;
  return { revision, position, event_id, timestamp_ms, hash };
}

export type Direction = 'forward' | 'backward';

/** `expected_revision` of a stream that must not exist yet. */
export const NO_STREAM = -1;

/** Another writer was first. Nothing of the append is stored. */
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

/** The store did not tell in time whether the append happened. Repeat exactly the same batch to find out. */
export class AppendOutcomeUnknown extends Error {
  override readonly name = 'AppendOutcomeUnknown';
}

/** The store cannot be reached, so nothing was read; the same read may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/**
 * The server of the store cannot be reached, and nothing was sent to it: the same may succeed in a moment. Of an
 * append, an earlier call with the same events may be stored nevertheless.
 */
export class StoreUnreachable extends StoreUnavailable {
  /** @param told why, as one sentence for callers without a full stop: it names neither hosts nor users */
  constructor(
    message: string,
    options?: ErrorOptions,
    readonly told: string | null = null,
  ) {
    super(message, options);
  }
}

/**
 * The server of the store refuses this service, or is not the one that it trusts, and nothing was done. It stays so
 * until somebody changes rights, passwords or certificates.
 */
export class StoreRefused extends StoreUnreachable {
  /** @param of_appends true if it is appends that are refused */
  constructor(
    message: string,
    told: string,
    readonly of_appends: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options, told);
  }
}

/** An error and the errors behind it, each the cause of the one before. */
export function* causesOf(error: unknown): Generator<Error, void> {
  for (let at = error; at instanceof Error; at = at.cause) yield at;
}

/** Why the store cannot be used, for callers, if an error says so; without a full stop. */
export function toldIn(error: unknown): string | null {
  for (const at of causesOf(error)) if (at instanceof StoreUnreachable) return at.told;
  return null;
}

/** The same of a server beside the event store, which has keys, jobs or documents: it says nothing about appends. */
export class SideStoreUnreachable extends StoreUnreachable {}

/** True if that is behind an error. */
export function isUnreachable(error: unknown): boolean {
  return causesOf(error).some((at) => at instanceof StoreUnreachable);
}

/**
 * A file of the store cannot be used: damaged, missing beside others, or not to be opened. The message names it,
 * says what is wrong with it and what to do.
 */
export class StoreUnusable extends StoreUnavailable {}

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
      `stream ${stream}: the event at revision ${revision} (${type}) is none that this service wrote`,
    );
  }
}

/** By what a store drops events of a stream without being asked; null for each that is not set. */
export interface Retention {
  /** Events older than so many seconds. */
  readonly max_age_s: number | null;
  /** All but so many events. */
  readonly max_count: number | null;
  /** Events before this revision. */
  readonly truncate_before: number | null;
}

export interface Subscription {
  /**
   * Resolves when the handler is no longer running and will not be called again. So a handler may call it, but
   * must not wait for it.
   */
  stop(): Promise<void>;
}

export interface EventStore {
  /**
   * Stores all events or none, durably, at `expected_revision + 1` and following.
   * If exactly these events (by id, in order) already stand there, answers as the first append did.
   * @throws WrongExpectedRevision | AppendOutcomeUnknown | AppendTooLarge | StoreUnreachable; RangeError for no events or an
   * `expected_revision` below -1; any other Error means that nothing of the append is stored
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
   * `readStream` forward without what folding does not look at, so that long folds read less. Fewer events than there
   * are if they would take much memory, at least one.
   */
  readFoldable(stream: string, from: number, limit: number): Promise<readonly FoldableEvent[]>;

  /** Events that a long fold best reads at one time; 500 where absent. */
  readonly fold_page?: number;

  /** At most `limit` events of all streams with a position above `after`, in order; start with -1. */
  readAll(after: number, limit: number): Promise<readonly StoredEvent[]>;

  /**
   * A position from which a subscription shows everything that is appended from now on: no lower than that
   * of any event whose append was answered, lower than that of any append begun later; -1 if there is none.
   */
  lastPosition(): Promise<number>;

  /**
   * Calls `handle` with every event of all streams above `after`, first the stored ones, then live,
   * one batch at a time and in order, without gap or duplicate. The next batch waits for the handler.
   * A handler that throws stops the subscription; `failed` is told, or a process warning without it.
   */
  subscribeAll(
    after: number,
    handle: (events: readonly StoredEvent[]) => void | Promise<void>,
    failed?: (error: unknown) => void,
  ): Subscription;

  /** Revision of the last event with `timestamp_ms` ≤ `at_ms`, or -1 if there is none. */
  findRevisionByTime(stream: string, at_ms: number): Promise<number>;

  /** The last event's place, or null for an unknown stream. */
  head(stream: string): Promise<StreamHead | null>;

  /**
   * Resolves if an append of so many bytes can be expected to succeed now; leaves nothing behind. Absent where
   * only an append can tell. @throws Error that says why not
   */
  checkAppends?(bytes: number): Promise<void>;

  /**
   * What may cut events off a stream; null if nothing does. Absent in a store that never drops an event.
   * @throws StreamDeleted for a stream that was deleted for good
   */
  retention?(stream: string): Promise<Retention | null>;

  /**
   * Calls `changed` with the name of each stream whose {@link retention} may have changed since the promise resolved,
   * or that was deleted: at once while the store is there, else when it is back. Present where `retention` is.
   */
  watchStreams?(changed: (stream: string) => void): Promise<Subscription>;

  /** Settles what is under way, ends subscriptions, then releases files and connections. */
  close(): Promise<void>;
}
