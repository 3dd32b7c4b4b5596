import type { DirectoryType } from '../../kernel/permission-types.js';
import { Access } from '../../access/access.js';
import { clippedPath, fullPath } from '../../access/paths.js';
import type { DiskType } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import { labelValues } from '../../relations/labels.js';
import { isInTrash, type Item } from '../../relations/directory-tree.js';

/** What the records of files and folders show alike. */
export interface ItemView {
  id: string;
  name: string;
  full_directory_path: string;
  clipped_directory_path: string;
  labels: string[];
  created_by: string;
  created_at: number;
  last_updated_by: string;
  last_updated_date_ms: number;
  disk_id: string;
  disk_type: DiskType | null;
  deleted: boolean;
  expires_at: number;
  drive_id: string;
  restore_trash_prior_folder_uuid: string | null;
  has_sovereign_permissions: boolean;
  shortcut_to: string | null;
  notes: string | null;
  external_id: string | null;
  external_payload: string | null;
  permission_previews: readonly DirectoryType[];
}

/** Full paths name all folders above, so only those who see the disk's root are shown them. */
export function seesFullPaths(access: Access, disk_id: string): boolean {
  const disk = access.state.disks.get(disk_id);
  return disk !== undefined && access.canDirectory('VIEW', disk.root_folder);
}

/** A disk's name is for those who may VIEW the disk or its root. */
export function seesDiskName(access: Access, disk_id: string): boolean {
  return access.can('VIEW', disk_id) || seesFullPaths(access, disk_id);
}

export function presentItem(context: Context, item: Item): ItemView {
  const { state } = context;
  const access = Access.of(context);
  const clipped_directory_path = clippedPath(state, item);
  return {
    id: item.id,
    name: item.name,
    full_directory_path: seesFullPaths(access, item.disk_id)
      ? fullPath(state, item)
      : clipped_directory_path,
    clipped_directory_path,
    labels: labelValues(state, item),
    created_by: item.created_by,
    created_at: item.created_at,
    last_updated_by: item.last_updated_by,
    last_updated_date_ms: item.last_updated_date_ms,
    disk_id: item.disk_id,
    disk_type: state.disks.get(item.disk_id)?.disk_type ?? null,
    deleted: isInTrash(state, item),
    expires_at: item.expires_at,
    drive_id: state.drive_id,
    restore_trash_prior_folder_uuid: item.restore_trash_prior_folder_uuid ?? null,
    has_sovereign_permissions: item.has_sovereign_permissions,
    shortcut_to: item.shortcut_to || null,
    notes: item.notes || null,
    external_id: item.external_id || null,
    external_payload: item.external_payload || null,
    permission_previews: access.directoryTypes(item.id),
  };
}
