import { newDriveState } from '../drive/state.js';
import { event, type DomainEvent } from '../foundation/events.js';
import type { Credential } from '../access/caller.js';
import { resolveCaller } from '../access/caller.js';
import type { CommandDefinition, Context, DomainSettings } from '../foundation/decision.js';
import { evolve } from '../drive/evolve.js';
import { isRefusal, type RefusalCode } from '../kernel/refusal.js';
import type { Opener, Sealed } from '../kernel/sealed.js';

/** Times and users shared by all specs. */
export const T0 = 1_700_000_000_000;
export const DRIVE = 'DriveID_spec';
export const OWNER = 'UserID_owner';
export const EVERYONE = 'GroupID_everyone';

export const SPEC_SETTINGS: DomainSettings = {
  host_url: 'http://host.example',
  frontend_url: 'http://front.example',
  version: '0.0.0',
  transfer_wait_ms: 24 * 3_600_000,
  everyone_disk_permissions: ['VIEW', 'UPLOAD', 'EDIT'],
  default_disk: '',
  items_per_action: 50_000,
  trash_ms: 30 * 86_400_000,
  verify_bucket_uploads: false,
  content_max_bytes: 5 * 2 ** 30,
  content_quota_bytes: 0,
  content_retention_ms: 30 * 86_400_000,
};

/** Specs seal no fields, so opening returns the value itself. */
const open: Opener = <T>(value: Sealed<T>): T => value as T;

/** The first event of the drive of all specs: `OWNER` is its owner, `EVERYONE` its Group for All. */
export const spawned: DomainEvent = event('OrganizationSpawned', {
  drive_id: DRIVE,
  organization_name: 'Spec Org',
  owner_id: OWNER,
  name: 'Owner',
  subject_key_id: 'subject-owner',
  host_url: SPEC_SETTINGS.host_url,
  frontend_url: SPEC_SETTINGS.frontend_url,
  spawn_redeem_code: 'RedeemTokenID_spawn',
  spawn_redeem_digest: 'digest-of-spawn',
  spawn_note: 'spawned for a spec',
  email: null,
  external_id: null,
  everyone_group_id: EVERYONE,
  everyone_invite_id: 'GroupInviteID_owner',
  everyone_permission_id: 'SystemPermissionID_everyone',
});

/**
 * A drive for given/when/then specs: `given(...)` applies events, `when(...)` runs a command and returns its events,
 * answer or refusal.
 */
export class SpecDrive {
  readonly state = newDriveState(DRIVE);
  now = T0;
  settings = SPEC_SETTINGS;

  constructor() {
    this.given(spawned);
  }

  /** Applies events, one millisecond apart. */
  given(...events: readonly DomainEvent[]): this {
    for (const { type, data } of events) {
      const revision = this.state.revision + 1;
      const event_id = `event-${revision}`;
      evolve(this.state, { revision, type, data, event_id, timestamp_ms: this.now });
      this.now += 1;
    }
    this.state.undo_log.forget();
    return this;
  }

  /** Advances the clock. */
  after(ms: number): this {
    this.now += ms;
    return this;
  }

  /** The context in which a signed-in user (or another credential) is answered now. */
  context(who: string | Credential): Context {
    const credential: Credential =
      typeof who === 'string' ? { kind: 'signature', user_id: who } : who;
    const caller = resolveCaller(this.state, credential, this.now);
    if (isRefusal(caller)) throw new Error(`spec caller refused: ${caller.refusal}`);
    return {
      state: this.state,
      now: this.now,
      caller,
      open,
      settings: this.settings,
      lastOnline: () => 0,
      masked: false,
    };
  }

  /** Runs a command for a caller: decides, applies, answers. */
  when<Command, Answer>(
    definition: CommandDefinition<Command, Answer>,
    who: string | Credential,
    command: NoInfer<Command>,
  ): Outcome<Answer> {
    const context = this.context(who);
    const decision = definition.decide(context, command);
    if (isRefusal(decision))
      return { events: [], allowed_by: [], refusal: decision.refusal, answer: null };
    this.given(...decision.events);
    return {
      events: decision.events,
      allowed_by: decision.allowed_by,
      refusal: null,
      answer: definition.answer(this.context(who), command, decision.events, decision.outcome),
    };
  }
}

export interface Outcome<Answer> {
  readonly events: readonly DomainEvent[];
  readonly allowed_by: readonly string[];
  readonly refusal: RefusalCode | null;
  /** Null if refused. */
  readonly answer: Answer | null;
}
