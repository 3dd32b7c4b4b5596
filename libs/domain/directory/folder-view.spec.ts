import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { diskCommands } from '../disks/commands.js';
import { presentFolder } from './folder-view.js';
import type { Folder } from '../disks/record.js';

const USER = 'UserID_a';

/** A disk with the folder /a/b, and an item in its trash. */
function drive(): SpecDrive {
  const made = new SpecDrive();
  made.when(diskCommands.CreateDisk, OWNER, {
    name: 'Disk',
    disk_type: 'LOCAL_SSD',
    fresh: {
      disk_id: 'DiskID_1',
      root_folder: 'FolderID_root',
      trash_folder: 'FolderID_trash',
      everyone_permission_id: 'DirectoryPermissionID_everyone',
      root_permission_id: 'DirectoryPermissionID_root',
      trash_permission_id: 'DirectoryPermissionID_trash',
    },
  });
  for (const [id, name, parent] of [
    ['FolderID_a', 'a', 'FolderID_root'],
    ['FolderID_b', 'b', 'FolderID_a'],
    ['FolderID_gone', 'gone', 'FolderID_trash'],
  ] as const)
    made.state.folders.put(folder(id, name, parent));
  return made;
}

const folder = (id: string, name: string, parent_folder_uuid: string): Folder => ({
  id,
  name,
  parent_folder_uuid,
  disk_id: 'DiskID_1',
  created_by: OWNER,
  created_at: T0,
  last_updated_by: OWNER,
  last_updated_date_ms: T0,
  expires_at: -1,
  has_sovereign_permissions: false,
});

describe('presentFolder', () => {
  it.each([
    ['FolderID_root', 'DiskID_1::/', 'DiskID_1::/'],
    ['FolderID_a', 'DiskID_1::/a/', 'DiskID_1::a/'],
    ['FolderID_b', 'DiskID_1::/a/b/', 'DiskID_1::../b/'],
    ['FolderID_trash', 'DiskID_1::.trash/', 'DiskID_1::.trash/'],
    ['FolderID_gone', 'DiskID_1::.trash/gone/', 'DiskID_1::../gone/'],
  ])('computes the paths of %s from its parents', (id, full, clipped) => {
    const made = drive();
    const record = made.state.folders.get(id)!;
    expect(presentFolder(made.context(OWNER), record)).toMatchObject({
      full_directory_path: full,
      clipped_directory_path: clipped,
    });
  });

  it('shows the full path and children only to callers who may see them', () => {
    const made = drive();
    const record = made.state.folders.get('FolderID_a')!;
    expect(presentFolder(made.context(USER), record)).toMatchObject({
      full_directory_path: 'DiskID_1::a/',
      subfolder_uuids: [],
      permission_previews: [],
    });
    expect(presentFolder(made.context(OWNER), record)).toMatchObject({
      subfolder_uuids: ['FolderID_b'],
      disk_type: 'LOCAL_SSD',
      drive_id: 'DriveID_spec',
    });
  });

  it('shows the first 100 children of each kind by name, and how many there are', () => {
    const made = drive();
    const names = Array.from({ length: 150 }, (_, nth) => String(nth).padStart(3, '0'));
    for (const name of names.toReversed())
      made.state.folders.put(folder(`FolderID_x${name}`, name, 'FolderID_b'));
    const record = made.state.folders.get('FolderID_b')!;
    const view = presentFolder(made.context(OWNER), record);
    expect(view.subfolder_uuids).toEqual(names.slice(0, 100).map((name) => `FolderID_x${name}`));
    expect([view.subfolder_count, view.file_count, view.file_uuids]).toEqual([150, 0, []]);
    expect(presentFolder(made.context(USER), record)).toMatchObject({
      subfolder_uuids: [],
      subfolder_count: 0,
    });
  });
});
