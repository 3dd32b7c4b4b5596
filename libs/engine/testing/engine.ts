import { newDriveState } from '../../domain/drive/state.js';
import { event } from '../../domain/foundation/events.js';
import type { Credential } from '../../domain/access/caller.js';
import { accept, type CommandDefinition } from '../../domain/foundation/decision.js';
import { factoryCommands, type SpawnDrive } from '../../domain/factory/commands.js';
import { groupCommands } from '../../domain/groups/definitions.js';
import { EVERYONE, OWNER, SPEC_SETTINGS, T0 } from '../../domain/testing/drive.js';
import { MemorySideStores } from '../../event-store/memory/index.js';
import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import type { EventStore } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import { MemoryReadModel } from '../../read-model/memory/memory-read-model.js';
import { repeating } from '../../read-model/memory/testing/repeating.js';
import type {
  Document,
  LocalReadModel,
  ReadModel,
  ReadModelSchema,
} from '../../read-model/port.js';
import { type CommandRequest, isRefused, type Outcome } from '../writer/call.js';
import { Drives } from '../drives/drives.js';
import type { Drive } from '../writer/drive.js';
import { emptyState, foldOnto } from '../fold/fold.js';
import { type ProcessRole, ROLES } from '../drives/role.js';
import { DEFAULT_LIMITS, type EngineLimits } from '../drives/limits.js';
import type { BackgroundWork } from '../drives/engine-options.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import type { WriteObserver } from '../following/write-observer.js';
import { type Timer, TIMER } from '../writer/write-turns.js';
import { FaultyEvents } from './faulty-events.js';

export const DRIVE_A = 'DriveID_a';

/** Every family as the read model of these specs holds it: in order, without any text. */
export const SPEC_SCHEMA: ReadModelSchema = Object.fromEntries(
  newDriveState('').tables.map(({ definition }) => [
    definition.name,
    {
      created_at: (record: object) => (record as { created_at: number }).created_at,
      filter_text: () => '',
      fields: {},
    },
  ]),
);

export function request(credential: Credential, correlation_id = 'spec'): CommandRequest {
  return { credential, correlation_id, reason: null, idempotency: null };
}

export const FACTORY = request({ kind: 'factory' });

/** A bare organization owned by `OWNER`. */
export function spawnCommand(drive_id: string): SpawnDrive {
  return {
    drive_id,
    organization_name: 'Spec Org',
    owner_id: OWNER,
    owner_name: 'Olivia Owner',
    spawn_note: 'spawned for a spec',
    fresh: {
      subject_key_id: 'subject-owner',
      spawn_redeem_code: 'RedeemTokenID_spawn',
      spawn_redeem_digest: 'digest-of-spawn',
      everyone_group_id: EVERYONE,
      everyone_invite_id: 'GroupInviteID_owner',
      everyone_permission_id: 'SystemPermissionID_everyone',
    },
  };
}

/** Notes something of any size in the drive's history; leaves no record. */
export const Note: CommandDefinition<{ payload: unknown }, number> = {
  name: 'Note',
  decide: (_, { payload }) =>
    accept(['OWNER'], event('InboxNotified', { inbox_notif_id: 'n', topic: null, payload })),
  answer: ({ state }) => state.revision,
};

/** Counts over all processes of a spec, as ids must differ between them. */
let groups_made = 0;

/** One of several processes that all do everything on the same stores. */
export const PEER: ProcessRole = { ...ROLES.worker, background: 'all' };

export interface EngineSpecOptions {
  readonly limits?: Partial<EngineLimits>;
  readonly events?: EventStore;
  readonly side?: SideStores;
  readonly schema?: ReadModelSchema;
  readonly role?: ProcessRole;
  /** In place of a read model of its own. */
  readonly read_model?: ReadModel<Document> | LocalReadModel;
  readonly timer?: Timer;
  readonly observer?: WriteObserver;
  /** Work that another thread does. */
  readonly background?: BackgroundWork;
}

/** Drives on stores in memory, with a clock that stands still and appends that fail when told to. */
export class EngineSpec {
  now = T0;
  /** By how much the clock was set, while as much time has not passed. */
  stepped_ms = 0;
  /** What operators were told of appends. */
  readonly notices: string[] = [];
  readonly reports: { what: string; drive_id: string; error: unknown }[] = [];
  readonly events: FaultyEvents;
  readonly side: SideStores;
  readonly read_model: ReadModel<Document> | LocalReadModel;
  readonly drives: Drives;

  constructor(options: EngineSpecOptions = {}) {
    const { limits, events, side, schema, role = ROLES.embedded } = options;
    this.read_model = options.read_model ?? new MemoryReadModel(schema ?? SPEC_SCHEMA);
    this.events = new FaultyEvents(events ?? new MemoryEventStore());
    this.side = side ?? new MemorySideStores();
    this.drives = new Drives({
      events: this.events,
      side: this.side,
      read_model: this.read_model,
      limits: { ...DEFAULT_LIMITS, ...limits },
      settings: SPEC_SETTINGS,
      role,
      clock: () => this.now,
      timer: options.timer ?? {
        ...TIMER,
        now: () => performance.now() + this.now - T0 - this.stepped_ms,
      },
      ...(options.observer && { observer: options.observer }),
      ...options.background,
      report: (what, drive_id, error) => this.reports.push({ what, drive_id, error }),
      notice: (what, failure) =>
        this.notices.push(failure ? `${what}: ${String(failure.error)}` : what),
    });
  }

  /** Sets the clock forward or back; timers go on. */
  setClock(by_ms: number): void {
    this.now += by_ms;
    this.stepped_ms += by_ms;
  }

  /** A new process on the same stores: it knows nothing but what they hold, and no fault. */
  restarted(limits?: Partial<EngineLimits>): EngineSpec {
    const { store: events } = this.events;
    const next = new EngineSpec({ events, side: this.side, ...(limits && { limits }) });
    next.now = this.now;
    return next;
  }

  /** Another process beside this one, which follows what others write. */
  async beside(options: Omit<EngineSpecOptions, 'events' | 'side'> = {}): Promise<EngineSpec> {
    const { store: events } = this.events;
    const other = new EngineSpec({ role: PEER, ...options, events, side: this.side });
    other.now = this.now;
    await other.drives.start();
    return other;
  }

  /** Makes a drive owned by `OWNER`. */
  async spawn(drive_id = DRIVE_A, more: Partial<SpawnDrive> = {}): Promise<Drive> {
    const outcome = await this.drives.commands.spawn(
      drive_id,
      { definition: factoryCommands.SpawnDrive, command: { ...spawnCommand(drive_id), ...more } },
      { definition: factoryCommands.NameDrive, command: { drive_id } },
      FACTORY,
    );
    if (isRefused(outcome)) throw new Error(`not spawned: ${outcome.refusal.refusal}`);
    return this.drives.open(drive_id);
  }

  /** Runs a command as the owner, or as another user. */
  run<Command, Answer>(
    definition: CommandDefinition<Command, Answer>,
    command: NoInfer<Command>,
    { user_id = OWNER, drive_id = DRIVE_A, correlation_id = 'spec' } = {},
  ): Promise<Outcome<Answer>> {
    const credential: Credential = { kind: 'signature', user_id };
    return this.drives.commands.run(
      drive_id,
      definition,
      command,
      request(credential, correlation_id),
    );
  }

  note(payload: unknown = 'noted') {
    return this.run(Note, { payload });
  }

  /** Creates a group; with an id given it is the client's choice. */
  group(name: string, id?: string, where: { drive_id?: string } = {}) {
    const nth = ++groups_made;
    const fresh = { group_id: `GroupID_${nth}`, invite_id: `GroupInviteID_${nth}` };
    return this.run(groupCommands.CreateGroup, { name, ...(id && { id }), fresh }, where);
  }

  /** Names of the groups that the read model lists, in order of the alphabet. */
  async listedGroups(drive_id = DRIVE_A): Promise<string[]> {
    const { read_model } = this;
    const reads = read_model.durable
      ? read_model
      : repeating((await this.drives.open(drive_id)).reads!);
    const { items } = await reads.list(drive_id, {
      family: 'groups',
      direction: 'ASC',
      page_size: 10_000,
      visible: 'all',
    });
    return items.map(({ record }) => (record as { name: string }).name).sort();
  }

  /** The drive as its events alone make it. */
  async folded(drive_id = DRIVE_A): Promise<FoldedState> {
    const folded = emptyState(drive_id);
    await foldOnto(folded, this.events, { to: Infinity, verify: true });
    return folded;
  }
}
