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

/** The idempotency key of a request. */
export interface Idempotency {
  /** SHA-256 (hex) of caller and key. */
  readonly key: string;
  /**
   * HMAC-SHA-256 (hex) of path and canonical body under the client's key. That is not stored, so nobody can
   * test a guess at what was sent against the digest, which stays in the events for ever.
   */
  readonly body: string;
  /** The same as earlier releases stored it, for repeats of requests that those took: SHA-256 (hex). */
  readonly earlier_body?: string;
  /** The same key under ids that the caller had earlier, as `key`; a superswap may have come between. */
  readonly earlier_keys?: readonly string[];
}

/** What a request brings beside the command; stored with its events. */
export interface CommandRequest {
  readonly credential: Credential;
  /** The request's id. */
  readonly correlation_id: string;
  /** From `Audit-Reason`. */
  readonly reason: string | null;
  /** Null without an idempotency key. */
  readonly idempotency: Idempotency | null;
  /** The latest revision that the record named by the command may have; Infinity: any it has. */
  readonly if_match?: number | undefined;
  /** True: everything is decided, nothing is appended. */
  readonly dry_run?: boolean;
}

/** A request that the service makes itself. */
export function systemRequest(correlation_id: string): CommandRequest {
  return { credential: { kind: 'system' }, correlation_id, reason: null, idempotency: null };
}

/** An event as a command made it. */
export interface DecidedEvent {
  /** As stored, or as it would have been. */
  readonly event: NewEvent & { readonly revision: number };
  /** Its body in clear. */
  readonly body: DomainEvent['data'];
  /** Records whose own fields it changed. */
  readonly touched: readonly TouchedKey[];
}

export interface Answered<Answer> {
  readonly data: Answer;
  /** Revision of the command's last event; of the state it was decided on if it made none. */
  readonly revision: number;
  /** Revision at which the record that the answer shows last changed; absent if it shows none. */
  readonly record_revision?: number | undefined;
  /** Of a dry run: the events that would have been appended at `revision`. */
  readonly dry_run?: readonly DecidedEvent[];
  /** True: this is what the first use of the idempotency key answered, presented again. */
  readonly is_repeated?: true;
}

/** The request was done before under its idempotency key; its answer rests on the events of then. */
export interface Repeated {
  readonly repeated: KeyUse;
}

/** A command of a transaction must be prepared outside the queue; once it is, all is asked again. */
export interface Pending {
  readonly pending: Promise<unknown>;
}

/** What comes out of a drive's queue. */
export type CommandResult = Outcome<unknown> | Repeated | Pending;

export function isPending(settled: object): settled is Pending {
  return 'pending' in settled;
}

/** A command of a transaction, ready to be decided. */
export interface PreparedCommand {
  readonly definition: CommandDefinition<unknown, unknown>;
  readonly command: unknown;
  readonly credential: Credential;
  readonly if_match: number | undefined;
}

/**
 * Makes a command of a transaction from the results of the earlier ones. The same results give the
 * same command, however often it is asked.
 */
export type Preparation = (results: readonly unknown[]) => PreparedCommand | Refusal | Pending;

export interface Refused {
  readonly refusal: Refusal;
  readonly revision: number;
  /** Of a transaction: place of the command that was refused. */
  readonly index?: number;
}

export type Outcome<Answer> = Answered<Answer> | Refused;

export function isRefused(outcome: Outcome<unknown>): outcome is Refused {
  return 'refusal' in outcome;
}

export function isRepeated(settled: CommandResult): settled is Repeated {
  return 'repeated' in settled;
}

export type UnavailableReason =
  /** Too many commands wait for this drive. */
  | 'overloaded'
  /** The state or the read model did not come in time to a revision that the caller demanded. */
  | 'behind'
  /** The read model did not come in time to what this process has acknowledged, or near enough for commands. */
  | 'read-model-behind'
  /** A batch in flight did not settle in time for a query. */
  | 'busy'
  /** The store did not tell whether the command happened. */
  | 'outcome-unknown'
  /** Other writers were faster each time. */
  | 'conflict'
  /** The stream holds events this release does not know. */
  | 'closed'
  /** The stored events do not fit each other; the drive is not served. */
  | 'broken'
  /** The drive's state takes more memory than one may. */
  | 'too-large'
  /** The drive is being brought here from another installation. */
  | 'importing'
  /** The drive's keys are not here, so nothing can be sealed: it can only be read. */
  | 'sealed'
  /** No server of the store could be reached; nothing was sent. */
  | 'store-unavailable'
  /** The store failed; nothing happened. */
  | 'store-failed'
  | 'stopping';

/** The drive cannot answer now; nothing is wrong with the request. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  constructor(
    readonly reason: UnavailableReason,
    options?: { cause?: unknown },
  ) {
    super(`unavailable: ${reason}`, options);
  }
}

/** A command with the request that brought it. */
export interface QueuedCommand {
  /** Commands decided in its place: in order, all or none, answered by the list of their results. */
  readonly steps?: readonly Preparation[];
  readonly definition: CommandDefinition<unknown, unknown>;
  readonly command: unknown;
  /** The same object for all commands of one request, which wait in the queue together. */
  readonly request: CommandRequest;
  /** Place of the command in its request. */
  readonly command_index: number;
}

/** One of several commands that a request runs one after another, each its own transaction. */
export interface CommandOfMany {
  readonly definition: CommandDefinition<never, unknown>;
  readonly command: unknown;
}

/** One command on its way through a drive's queue. */
export interface Call extends QueuedCommand {
  readonly settle: (outcome: CommandResult) => void;
  readonly fail: (error: unknown) => void;
  /** How often it was decided and others appended first; since when. */
  conflicts: number;
  first_conflict_ms?: number;
}

/** The record that a command names as its own, if it is there. */
export function recordNamedBy(state: DriveState, command: unknown): RecordBase | undefined {
  const { id, permission_id } = command as { id?: string; permission_id?: string };
  return recordOf(state, id ?? permission_id ?? '');
}
