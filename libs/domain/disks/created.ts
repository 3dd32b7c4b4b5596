import { DISK_DEFAULTS } from './record.js';
import { filled } from '../kernel/fields.js';
import { event, type DomainEvent } from '../foundation/events.js';
import type { DomainSettings } from '../foundation/decision.js';
import type { DiskSettings, FreshDisk } from './commands.js';

/** The creator of a disk, and the properties of its drive. */
export interface DiskCreator {
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
    autoexpire_ms: disk.autoexpire_ms || null,
  });
}
