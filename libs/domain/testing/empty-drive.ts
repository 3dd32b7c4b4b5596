import { newDriveState } from '../drive/state.js';
import type { DriveState } from '../foundation/state.js';
import type { DomainEvent } from '../foundation/events.js';
import type { Credential } from '../access/caller.js';
import { resolveCaller } from '../access/caller.js';
import type { CommandDefinition, Context } from '../foundation/decision.js';
import { evolve } from '../drive/evolve.js';
import { isRefusal } from '../kernel/refusal.js';
import type { Sealed } from '../kernel/sealed.js';
import { SPEC_SETTINGS, T0 } from './drive.js';

/** Ids for the one disk of a spec. */
export const FRESH_DISK = {
  disk_id: 'DiskID_1',
  root_folder: 'FolderID_root',
  trash_folder: 'FolderID_trash',
  everyone_permission_id: 'DirectoryPermissionID_everyone',
  root_permission_id: 'DirectoryPermissionID_root',
  trash_permission_id: 'DirectoryPermissionID_trash',
};

/** A stream without events. Its commands are run by the factory unless `who` is given. */
export class EmptyDrive {
  readonly state: DriveState;

  constructor(
    drive_id: string,
    readonly settings = SPEC_SETTINGS,
  ) {
    this.state = newDriveState(drive_id);
  }

  when<Command, Answer>(
    definition: CommandDefinition<Command, Answer>,
    command: NoInfer<Command>,
    who: Credential = { kind: 'factory' },
  ) {
    const context = this.context(who);
    const decision = definition.decide(context, command);
    if (isRefusal(decision)) return { ...decision, events: [], allowed_by: [], answer: null };
    for (const { type, data } of decision.events) this.apply(type, data);
    const answer = definition.answer(context, command, decision.events);
    return { ...decision, refusal: null, details: [], answer };
  }

  context(who: Credential): Context {
    const caller = resolveCaller(this.state, who, T0);
    if (isRefusal(caller)) throw new Error('spec caller refused');
    return {
      state: this.state,
      now: T0,
      caller,
      open: <T>(value: Sealed<T>): T => value as T,
      settings: this.settings,
      lastOnline: () => 0,
      masked: false,
    };
  }

  private apply(type: DomainEvent['type'], data: unknown): void {
    const revision = this.state.revision + 1;
    evolve(this.state, { revision, type, data, event_id: `event-${revision}`, timestamp_ms: T0 });
  }
}
