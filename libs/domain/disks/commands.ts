import type { Fresh } from '../foundation/fresh.js';
import { PREFIX } from '../kernel/ids.js';
import type { Opened } from '../kernel/sealed.js';
import { DISK_DEFAULTS, type DiskFields, type DiskType } from './record.js';
import { changes, filled, given, isEmpty } from '../kernel/fields.js';
import { type DomainEvent, event } from '../foundation/events.js';
import { type ById, decidedBy, namedCommands } from '../foundation/commands.js';
import { accept, type Context, type Decider, type DomainSettings } from '../foundation/decision.js';
import { Access } from '../access/access.js';
import { type Refusal, refuse, refuseIdInUse, refuseItems } from '../kernel/refusal.js';
import { refuseAuthJson } from './auth-json.js';
import { deletion, recordAnswers } from '../foundation/record-answers.js';
import { presentDisk } from './reads.js';

/** Ids for a new disk, its folders and its grants. */
export interface FreshDisk {
  disk_id: string;
  root_folder: string;
  trash_folder: string;
  everyone_permission_id: string;
  root_permission_id: string;
  trash_permission_id: string;
}

export function freshDisk(fresh: Fresh): FreshDisk {
  return {
    disk_id: fresh.id(PREFIX.disk),
    root_folder: fresh.id(PREFIX.folder),
    trash_folder: fresh.id(PREFIX.folder),
    everyone_permission_id: fresh.id(PREFIX.directory_permission),
    root_permission_id: fresh.id(PREFIX.directory_permission),
    trash_permission_id: fresh.id(PREFIX.directory_permission),
  };
}

/** The fields of the record; an `autoexpire_ms` of 0 also means off. */
type Fields = Partial<Opened<Omit<DiskFields, 'name'>>>;

/** Fields that events contain only if they are set. */
const STORAGE = ['quota_bytes', 'keep_versions', 'keep_versions_days'] as const;

/** Settings of a new disk. Absent fields are empty. */
export interface DiskSettings extends Fields {
  id?: string;
  name: string;
  disk_type: DiskType;
}

export interface CreateDisk extends DiskSettings {
  fresh: FreshDisk;
}

export interface UpdateDisk extends Fields {
  id: string;
  name?: string;
}

/** The creator of a disk, and the properties of its drive. */
interface DiskCreator {
  created_by: string;
  owner_id: string;
  /** `''` if the group was deleted. */
  everyone_group_id: string;
  settings: DomainSettings;
}

/** The event of a new disk, with its default grants. */
export function diskCreated(
  disk: DiskSettings,
  fresh: FreshDisk,
  creator: DiskCreator,
): DomainEvent {
  const { created_by, owner_id, everyone_group_id: group_id } = creator;
  const permission_types = creator.settings.everyone_disk_permissions;
  const { everyone_permission_id: permission_id, root_permission_id, trash_permission_id } = fresh;
  return event('DiskCreated', {
    disk_id: disk.id ?? fresh.disk_id,
    disk_type: disk.disk_type,
    created_by,
    root_folder: fresh.root_folder,
    trash_folder: fresh.trash_folder,
    everyone_grant:
      group_id && permission_types.length > 0
        ? { permission_id, group_id, permission_types }
        : null,
    creator_grants: created_by === owner_id ? null : { root_permission_id, trash_permission_id },
    name: disk.name,
    ...filled(DISK_DEFAULTS, disk),
    ...given(disk, STORAGE),
    autoexpire_ms: disk.autoexpire_ms || null,
  });
}

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
    ...changes(DISK_DEFAULTS, command, 'name', ...STORAGE),
    ...(command.autoexpire_ms !== undefined && { autoexpire_ms: command.autoexpire_ms || null }),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  return accept(allowed, event('DiskUpdated', { disk_id: disk.id, ...fields }));
};

export const deleteDisk: Decider<ById> = (context, command) => {
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

const answers = recordAnswers('disks', presentDisk);

export const diskCommands = namedCommands({
  CreateDisk: decidedBy(createDisk, {
    generate: freshDisk,
    answer: answers.created('DiskCreated', 'disk_id'),
  }),

  UpdateDisk: answers.update(updateDisk),

  DeleteDisk: deletion(deleteDisk),
});
