import type { RecordBase } from '../../domain/kernel/record.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { recordOf } from '../../domain/foundation/record-of.js';
import type { DomainEvent } from '../../domain/foundation/events.js';
import type { Credential } from '../../domain/access/caller.js';
import type { CommandDefinition } from '../../domain/foundation/decision.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import type { NewEvent } from '../../event-store/port.js';
import type { KeyUse } from '../idempotency/recent-keys.js';

export interface Idempotency {
  /** SHA-256 (hex) of caller and key. */
  readonly key: string;
  /**
   * HMAC-SHA-256 (hex) of path and canonical body under the client's key. The key is not stored, so guesses of the
   * content cannot be tested against the digest, which stays in the events permanently.
   */
  readonly body: string;
  /** The digest in the format of earlier releases, for repetitions of their requests: SHA-256 (hex). */
  readonly earlier_body?: string;
  /**
   * What `key` is under another id of the caller. A superswap may come between two uses, and even between the arrival of a
   * request and its decision: this process may not have seen it yet.
   */
  readonly keyOf?: (user_id: string) => string;
}

/** The part of a request beside the command; stored with its events. */
export interface CommandRequest {
  readonly credential: Credential;
  readonly correlation_id: string;
  /** From `Audit-Reason`. */
  readonly reason: string | null;
  /** Null without an idempotency key. */
  readonly idempotency: Idempotency | null;
  /** Latest revision at which the record named by the command may have changed; Infinity: any. */
  readonly if_match?: number | undefined;
  /** True: the command is decided, but nothing is appended. */
  readonly dry_run?: boolean;
  /** Aborted when the caller of a dry run has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

export function systemRequest(correlation_id: string): CommandRequest {
  return { credential: { kind: 'system' }, correlation_id, reason: null, idempotency: null };
}

export interface DecidedEvent {
  /** As stored, or as it would be stored. */
  readonly event: NewEvent & { readonly revision: number };
  /** Its body in clear. */
  readonly body: DomainEvent['data'];
  /** Records whose own fields it changed. */
  readonly touched: readonly TouchedKey[];
}

export interface Answered<Answer> {
  readonly data: Answer;
  /** Revision of the command's last event; without events, of the state it was decided on. */
  readonly revision: number;
  /** Revision of the last change of the record in the answer; absent if it shows none. */
  readonly record_revision?: number | undefined;
  /** True if the command appended nothing: then no append has checked that the state was the newest. */
  readonly is_unchecked?: true;
  /** In a dry run: the events that would be appended at `revision`. */
  readonly dry_run?: readonly DecidedEvent[];
  /** True: the answer repeats that of the first use of the idempotency key. */
  readonly is_repeated?: true;
}

/** The request was completed before under its idempotency key; its answer is based on the earlier events. */
export interface Repeated {
  readonly repeated: KeyUse;
}

/** A command of a transaction must be prepared outside the queue; then the whole transaction is decided again. */
export interface Pending {
  readonly pending: Promise<unknown>;
}

/** Result of a drive's queue. */
export type CommandResult = Outcome<unknown> | Repeated | Pending;

export function isPending(result: object): result is Pending {
  return 'pending' in result;
}

/** A command of a transaction, ready to be decided. */
export interface PreparedCommand {
  readonly definition: CommandDefinition<unknown, unknown>;
  readonly command: unknown;
  readonly credential: Credential;
  readonly if_match: number | undefined;
}

/**
 * Creates a command of a transaction from the results of the earlier ones. It must be deterministic: it may be called
 * several times.
 */
export type Preparation = (results: readonly unknown[]) => PreparedCommand | Refusal | Pending;

export interface Refused {
  readonly refusal: Refusal;
  readonly revision: number;
  /** In a transaction: index of the refused command. */
  readonly index?: number;
}

export type Outcome<Answer> = Answered<Answer> | Refused;

export function isRefused(outcome: Outcome<unknown>): outcome is Refused {
  return 'refusal' in outcome;
}

export function isRepeated(result: CommandResult): result is Repeated {
  return 'repeated' in result;
}

export type UnavailableReason =
  /** Too many queued commands for this drive. */
  | 'overloaded'
  /** The state or the read model did not reach the requested revision in time. */
  | 'behind'
  /** The read model did not reach this process's acknowledged writes in time, or lags too far for commands. */
  | 'read-model-behind'
  /** A batch in flight did not end in time for a query. */
  | 'busy'
  /** It is unknown whether the store has stored the command. */
  | 'outcome-unknown'
  /** Concurrent writers kept winning. */
  | 'conflict'
  /** The stream holds events unknown to this release. */
  | 'closed'
  /** The stored events do not match each other; the drive is not served. */
  | 'broken'
  /** The drive's state exceeds the memory limit. */
  | 'too-large'
  /** The drive is being imported from another installation. */
  | 'importing'
  /** The drive's keys are missing, so nothing can be sealed: it is read-only. */
  | 'sealed'
  /** The store is unreachable; nothing was sent. */
  | 'store-unavailable'
  /** The store failed; nothing was stored. */
  | 'store-failed'
  /** The thread that worked on the question has ended. */
  | 'interrupted'
  | 'stopping';

/** The drive cannot answer now; the request itself is valid. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  constructor(
    readonly reason: UnavailableReason,
    options?: { cause?: unknown },
  ) {
    super(`unavailable: ${reason}`, options);
  }
}

export interface QueuedCommand {
  /**
   * Commands of a transaction, decided in place of `command`: in order, all or none, answered by the list of their
   * results.
   */
  readonly steps?: readonly Preparation[];
  readonly definition: CommandDefinition<unknown, unknown>;
  readonly command: unknown;
  /** The same object for all commands of one request, which are adjacent in the queue. */
  readonly request: CommandRequest;
  readonly command_index: number;
  /** Bytes of the results so far, by command: the same array for all commands of one request; absent if it has one. */
  readonly result_bytes?: number[];
}

/** One of several commands of a request, each its own transaction. */
export interface CommandOfMany {
  readonly definition: CommandDefinition<never, unknown>;
  readonly command: unknown;
}

/** One command in a drive's queue. */
export interface Call extends QueuedCommand {
  readonly resolve: (outcome: CommandResult) => void;
  readonly fail: (error: unknown) => void;
  /** Number of conflicts, and time of the first one. */
  conflicts: number;
  first_conflict_ms?: number;
}

/** The record that a command names as its own, if it exists. */
export function recordNamedBy(state: DriveState, command: unknown): RecordBase | undefined {
  const { id, permission_id } = command as { id?: string; permission_id?: string };
  return recordOf(state, id ?? permission_id ?? '');
}
