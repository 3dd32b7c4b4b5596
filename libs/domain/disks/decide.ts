import { event } from '../foundation/events.js';
import { Access } from '../access/access.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import { given, isEmpty } from '../kernel/fields.js';
import { type Refusal, refuse, refuseIdInUse, refuseItems } from '../kernel/refusal.js';
import { refuseAuthJson } from './auth-json.js';
import type { CreateDisk, DeleteDisk, UpdateDisk } from './commands.js';
import { diskCreated } from './created.js';

const UPDATABLE = [
  'name',
  'public_note',
  'private_note',
  'auth_json',
  'endpoint',
  'external_id',
  'external_payload',
] as const;

export const createDisk: Decider<CreateDisk> = (context, command) => {
  const { state, caller, settings } = context;
  const invalid = refuseAuthJson(command.disk_type, command.auth_json);
  if (invalid) return invalid;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_DISKS');
  if (!allowed) return access.denied();
  if (command.id && state.isUsed(state.disks, command.id)) return refuseIdInUse();
  const { owner_id, default_everyone_group_id: everyone_group_id } = state.organization;
  const creator = { created_by: caller.user_id, owner_id, everyone_group_id, settings };
  return accept(allowed, diskCreated(command, command.fresh, creator));
};

export const updateDisk: Decider<UpdateDisk> = (context, command) => {
  const disk = context.state.disks.get(command.id);
  if (!disk) return refuse('disk-not-found');
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('EDIT', disk.id);
  if (!allowed) return access.denied();
  // Checked after permissions: the required content depends on the disk's type, which is confidential.
  const invalid = refuseAuthJson(disk.disk_type, command.auth_json);
  if (invalid) return invalid;
  const fields = {
    ...given(command, UPDATABLE),
    ...(command.autoexpire_ms !== undefined && { autoexpire_ms: command.autoexpire_ms || null }),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  return accept(allowed, event('DiskUpdated', { disk_id: disk.id, ...fields }));
};

export const deleteDisk: Decider<DeleteDisk> = (context, command) => {
  const disk = context.state.disks.get(command.id);
  if (!disk) return refuse('disk-not-found');
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('DELETE', disk.id);
  if (!allowed) return access.denied();
  const too_much = refuseTooMuchOn(context, disk.id);
  if (too_much) return too_much;
  return accept(allowed, event('DiskDeleted', { disk_id: disk.id }));
};

/** Refuses the deletion of a disk with more content than one command may affect. */
function refuseTooMuchOn({ state, settings }: Context, disk_id: string): Refusal | null {
  const { items_per_action: most } = settings;
  const count = state.files.count('disk', disk_id) + state.folders.count('disk', disk_id);
  return count <= most ? null : refuseItems(`has ${count} files and folders`, most);
}
