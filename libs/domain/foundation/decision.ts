import type { DirectoryType } from '../kernel/permission-types.js';
import type { DriveState } from './state.js';
import type { DomainEvent } from './events.js';
import type { MissingRights } from './missing-rights.js';
import type { Refusal, RefusalCode } from '../kernel/refusal.js';
import type { Opener } from '../kernel/sealed.js';

/** Why a request comes without an identity. */
export type TokenFlaw = Extract<
  RefusalCode,
  'token-missing' | 'token-malformed' | 'unauthenticated'
>;

/** How a caller proved who they are. */
export type Via = 'API_KEY' | 'SIGNATURE' | 'REDEEM_CODE' | 'FACTORY' | 'SYSTEM' | 'ANONYMOUS';

/** The caller as resolved from the credential at the moment of the decision. */
export interface Caller {
  /** `''` for callers without an identity (codes, the factory, the service itself). */
  readonly user_id: string;
  readonly api_key_id: string | null;
  readonly via: Via;
  /** When the key used for this call ends, ms; -1 = never. */
  readonly key_expires_at: number;
  /** Holds a key that administers the factory. */
  readonly is_factory_admin?: boolean;
  /** Of a caller without an identity: what was wrong with the token; absent if there was none. */
  readonly token?: TokenFlaw;
}

/** What the installation decides, not the drive. */
export interface DomainSettings {
  /** Public base URL of this server, no trailing slash. */
  readonly host_url: string;
  readonly frontend_url: string;
  /** Version of this server as shown by `about`. */
  readonly version: string;
  /** Waiting time of an ownership transfer, ms. */
  readonly transfer_wait_ms: number;
  /** What "Group for All" gets on the root of a new disk; empty for nothing. */
  readonly everyone_disk_permissions: readonly DirectoryType[];
  /** Most files and folders that one command copies, trashes, restores or removes. */
  readonly items_per_action: number;
  /** How long the trash keeps what was put there, ms. */
  readonly trash_ms: number;
}

/** Everything a decision or an answer may rest on. Pure: time, keys and settings come in here. */
export interface Context {
  readonly state: DriveState;
  /** Time of the decision or answer, ms. */
  readonly now: number;
  readonly caller: Caller;
  readonly open: Opener;
  readonly settings: DomainSettings;
  /** When a user was last seen, ms; 0 if unknown or in the past. Not history. */
  readonly lastOnline: (user_id: string) => number;
  /** True if secrets are masked for every caller: in replay and reads of the past. */
  readonly masked: boolean;
  /** Where rights that are asked for in vain are noted; absent where nobody looks at it. */
  readonly missing?: MissingRights;
}

export interface Accepted {
  readonly events: readonly DomainEvent[];
  /** What let the command through: `OWNER`, `SELF`, `CODE`, `FACTORY`, `SYSTEM`, or ids. */
  readonly allowed_by: readonly string[];
  /**
   * What only the decision knows and the answer needs, such as a count before the change. Plain JSON:
   * under an idempotency key it is stored with the events.
   */
  readonly outcome?: unknown;
}

export type Decision = Accepted | Refusal;

/** Chooses events or a refusal; reads no clock, makes no ids. */
export type Decider<Command> = (context: Context, command: Command) => Decision;

export function accept(allowed_by: readonly string[], ...events: DomainEvent[]): Accepted {
  return { events, allowed_by };
}

/** A command as the engine knows it: how it is decided, and what it answers just after its events. */
export interface CommandDefinition<Command, Answer> {
  /** Imperative name, stored with the events. */
  readonly name: string;
  readonly decide: Decider<Command>;
  /**
   * Presents the outcome from the state just after the command's events. A repeated request is
   * presented anew from the same events with `masked` on and other fresh values, so ids come from the
   * events, and secrets of the command are told only while it is off.
   */
  readonly answer: (
    context: Context,
    command: Command,
    events: readonly DomainEvent[],
    outcome?: unknown,
  ) => Answer;
}
