import type { DirectoryType } from '../kernel/permission-types.js';
import type { DriveState } from './state.js';
import type { DomainEvent } from './events.js';
import type { Fresh } from './fresh.js';
import type { MissingRights } from './missing-rights.js';
import type { RecordBase } from '../kernel/record.js';
import type { Refusal, RefusalCode } from '../kernel/refusal.js';
import type { Opener } from '../kernel/sealed.js';
import type { Steps } from '../kernel/steps.js';

/** Reason why a request has no identity. */
export type TokenFlaw = Extract<
  RefusalCode,
  'token-missing' | 'token-malformed' | 'unauthenticated'
>;

/** How a caller was authenticated. */
export type Via = 'API_KEY' | 'SIGNATURE' | 'REDEEM_CODE' | 'FACTORY' | 'SYSTEM' | 'ANONYMOUS';

/** The caller as resolved from the credential at the moment of the decision. */
export interface Caller {
  /** `''` for callers without an identity (codes, the factory, the service itself). */
  readonly user_id: string;
  readonly api_key_id: string | null;
  readonly via: Via;
  /** Expiry of the key used for this call, ms; -1 = never. */
  readonly key_expires_at: number;
  /** True for holders of a factory admin key. */
  readonly is_factory_admin?: boolean;
  /** For a caller without an identity: the problem of the token; absent without a token. */
  readonly token?: TokenFlaw;
}

/** Settings of the installation, not of the drive. */
export interface DomainSettings {
  /** Public base URL of this server, no trailing slash. */
  readonly host_url: string;
  readonly frontend_url: string;
  /** Version of this server as shown by `about`. */
  readonly version: string;
  /** Waiting time of an ownership transfer, ms. */
  readonly transfer_wait_ms: number;
  /** Permissions of "Group for All" on the root of a new disk; empty for none. */
  readonly everyone_disk_permissions: readonly DirectoryType[];
  /** Name of the disk that new organizations get in the service's own storage; empty for none. */
  readonly default_disk: string;
  /** Maximum files and folders that one command copies, trashes, restores or removes. */
  readonly items_per_action: number;
  /** How long items stay in the trash, ms. */
  readonly trash_ms: number;
  /** True: content in a bucket only counts as complete once the bucket has confirmed it. */
  readonly verify_bucket_uploads: boolean;
  /** Maximum size of one content, bytes. */
  readonly content_max_bytes: number;
  /** Maximum bytes of all contents of a drive; 0 = unlimited. */
  readonly content_quota_bytes: number;
  /** How long bytes are kept after the last version that named them was removed, ms. */
  readonly content_retention_ms: number;
}

/** Counts records that decisions only look at. Like changed records, they end a batch, a dry run or a transaction. */
export class Visits {
  count = 0;

  add(records: number): void {
    this.count += records;
  }
}

/** All inputs of a decision or an answer besides the command. Pure: time, keys and settings are passed in here. */
export interface Context {
  readonly state: DriveState;
  /** Time of the decision or answer, ms. */
  readonly now: number;
  readonly caller: Caller;
  readonly open: Opener;
  readonly settings: DomainSettings;
  /** When a user was last seen, ms; 0 if unknown or in a past state. Not part of the history. */
  readonly lastOnline: (user_id: string) => number;
  /** True if secrets are masked for every caller: in replay and reads of the past. */
  readonly masked: boolean;
  /** Records failed permission checks; absent if they are not needed. */
  readonly missing?: MissingRights;
  /** Counts records visited by decisions that walk through a tree; absent where nothing is decided. */
  readonly visits?: Visits;
}

export interface Accepted {
  readonly events: readonly DomainEvent[];
  /** Evidence of the authorization: `OWNER`, `SELF`, `CODE`, `FACTORY`, `SYSTEM`, or ids. */
  readonly allowed_by: readonly string[];
  /**
   * Data that only the decision has and the answer needs, such as a count before the change. Plain JSON: under an
   * idempotency key it is stored with the events.
   */
  readonly outcome?: unknown;
}

export type Decision = Accepted | Refusal;

/** Returns events or a refusal; reads no clock, generates no ids. */
export type Decider<Command> = (context: Context, command: Command) => Decision;

/** A decision that looks at many records. */
export type SteppedDecider<Command> = (context: Context, command: Command) => Steps<Decision>;

export function accept(allowed_by: readonly string[], ...events: DomainEvent[]): Accepted {
  return { events, allowed_by };
}

/** A command without its generated values. */
export type InputOf<Command> = Omit<Command, 'fresh'>;

/** A command for the engine: its decider, and its answer just after its events. */
export interface CommandDefinition<Command, Answer> {
  /** Imperative name, stored with the events. */
  readonly name: string;
  readonly decide: Decider<Command>;
  /** The same in steps, if it looks at many records. */
  readonly deciding?: SteppedDecider<Command>;
  /** The existing record that the command changes, if it names it otherwise than by id: for If-Match. */
  readonly named?: (context: Context, command: Command) => RecordBase | undefined;
  /** Generates the values that the command needs, its member `fresh`. */
  readonly generate?: (fresh: Fresh) => object;
  /**
   * Presents the outcome from the state just after the command's events. A repeated request is presented again from
   * the same events with `masked` on and other generated values. Ids must therefore come from the events, and secrets
   * of the command may be shown only while `masked` is off.
   */
  readonly answer: (
    context: Context,
    command: Command,
    events: readonly DomainEvent[],
    outcome?: unknown,
  ) => Answer;
  /**
   * How to find the decision's outcome again in the state just before the command's events, for a repeated request;
   * null if it has none. Without this function the outcome is stored with the events, so it has to be small.
   */
  readonly recoverOutcome?: (command: Command) => ((before: Context) => unknown) | null;
}
