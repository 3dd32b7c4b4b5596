import { DIRECTORY_TYPES } from '../../kernel/permission-types.js';
import { Access } from '../../access/access.js';
import { clippedPath, fullPath } from '../../access/paths.js';
import { DISK_TYPES, type DiskType } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import { labelValues } from '../../relations/labels.js';
import { isInTrash, type Item } from '../../relations/directory-tree.js';
import {
  flag,
  integer,
  listOf,
  nullable,
  oneOf,
  type Shape,
  type Shown,
  text,
  view,
} from '../../kernel/view.js';

/** Members that views of files and folders share. */
export const itemView = view('Item', {
  id: text(),
  name: text(),
  full_directory_path: text('The clipped path for callers without VIEW on the disk’s root'),
  clipped_directory_path: text({ example: 'DiskID_3f0c…::../report.pdf' }),
  labels: listOf(text()),
  created_by: text(),
  created_at: integer(),
  last_updated_by: text(),
  last_updated_date_ms: integer('Moving, trashing and restoring do not count as updates'),
  disk_id: text(),
  disk_type: oneOf(DISK_TYPES) as Shape<DiskType | null>,
  deleted: flag('True for items in the trash, at any depth'),
  expires_at: integer('ms; -1 = never'),
  drive_id: text(),
  restore_trash_prior_folder_uuid: nullable(
    text('Previous folder of a trashed item; null for items that were not trashed themselves'),
  ),
  has_sovereign_permissions: flag(),
  shortcut_to: nullable(text()),
  notes: nullable(text()),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  permission_previews: listOf(oneOf(DIRECTORY_TYPES)),
});
export type ItemView = Shown<typeof itemView>;

/** True if the caller may see full paths. They name all ancestors, so they require VIEW on the disk's root. */
export function seesFullPaths(access: Access, disk_id: string): boolean {
  const disk = access.state.disks.get(disk_id);
  return disk !== undefined && access.canDirectory('VIEW', disk.root_folder);
}

/** True if the caller may see a disk's name, which requires VIEW on the disk or its root. */
export function seesDiskName(access: Access, disk_id: string): boolean {
  return access.can('VIEW', disk_id) || seesFullPaths(access, disk_id);
}

/** The full path for callers who may see it, else the clipped one. */
export function shownPath(access: Access, item: Item): string {
  const path = seesFullPaths(access, item.disk_id) ? fullPath : clippedPath;
  return path(access.state, item);
}

export function presentItem(context: Context, item: Item): ItemView {
  const { state } = context;
  const access = Access.of(context);
  return {
    id: item.id,
    name: item.name,
    full_directory_path: shownPath(access, item),
    clipped_directory_path: clippedPath(state, item),
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
