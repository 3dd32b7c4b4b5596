import { Access } from '../access/access.js';
import type { Context } from '../drive/decision.js';
import type { DriveState } from '../drive/state.js';
import { labelValues } from '../labels/joined.js';
import type { DirectoryType } from '../permissions/record.js';
import type { DiskType, Folder } from './record.js';

/** Most children that one folder record names; `directory/list` has the rest. */
const MOST_CHILDREN_SHOWN = 1000;

export interface FolderView {
  id: string;
  name: string;
  parent_folder_uuid: string | null;
  subfolder_uuids: string[];
  full_directory_path: string;
  clipped_directory_path: string;
  labels: string[];
  created_by: string;
  created_at: number;
  last_updated_by: string;
  last_updated_date_ms: number;
  disk_id: string;
  disk_type: DiskType | null;
  expires_at: number;
  drive_id: string;
  has_sovereign_permissions: boolean;
  permission_previews: readonly DirectoryType[];
}

/** A folder as the caller of `context` sees it. */
export function presentFolder(context: Context, folder: Folder): FolderView {
  const { state } = context;
  const access = Access.of(context);
  const disk = state.disks.get(folder.disk_id);
  const clipped_directory_path = clippedPath(state, folder);
  const sees_paths = disk !== undefined && access.canDirectory('VIEW', disk.root_folder);
  return {
    id: folder.id,
    name: folder.name,
    parent_folder_uuid: folder.parent_folder_uuid,
    subfolder_uuids: visibleSubfolders(access, folder),
    full_directory_path: sees_paths ? fullPath(state, folder) : clipped_directory_path,
    clipped_directory_path,
    labels: labelValues(state, folder),
    created_by: folder.created_by,
    created_at: folder.created_at,
    last_updated_by: folder.last_updated_by,
    last_updated_date_ms: folder.last_updated_date_ms,
    disk_id: folder.disk_id,
    disk_type: disk?.disk_type ?? null,
    expires_at: folder.expires_at,
    drive_id: state.drive_id,
    has_sovereign_permissions: folder.has_sovereign_permissions,
    permission_previews: access.directoryTypes(folder.id),
  };
}

/** Names from the disk's top folder down to this one; a root is `''`, a trash folder `.trash`. */
function segments(state: DriveState, folder: Folder): string[] {
  const names: string[] = [];
  for (let at: Folder | undefined = folder; at;) {
    names.unshift(at.name);
    at = at.parent_folder_uuid === null ? undefined : state.folders.get(at.parent_folder_uuid);
  }
  return names;
}

function fullPath(state: DriveState, folder: Folder): string {
  return `${folder.disk_id}::${segments(state, folder).join('/')}/`;
}

/** The path with everything above the folder itself left out, so that it names no other folder. */
function clippedPath(state: DriveState, folder: Folder): string {
  const names = segments(state, folder).filter((name) => name !== '');
  if (names.length === 0) return `${folder.disk_id}::/`;
  return `${folder.disk_id}::${names.length > 1 ? '../' : ''}${names.at(-1)}/`;
}

function visibleSubfolders(access: Access, folder: Folder): string[] {
  const shown: string[] = [];
  for (const id of access.state.folders.by('parent', folder.id)) {
    if (shown.length === MOST_CHILDREN_SHOWN) break;
    if (access.canDirectory('VIEW', id)) shown.push(id);
  }
  return shown;
}
