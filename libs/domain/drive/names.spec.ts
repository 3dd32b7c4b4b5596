import { event } from '../foundation/events.js';
import { diskCommands } from '../disks/commands.js';
import { EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { permissionCommands } from '../permissions/definitions.js';
import { namesIn, resourceName } from './names.js';

describe('names of records', () => {
  let drive: SpecDrive;
  const name = (id: string) => resourceName(namesIn(drive.context(OWNER)), id);
  const grantOn = (nth: number, resource_id: string, granted_to?: string) =>
    drive.when(permissionCommands.CreateSystemPermission, OWNER, {
      resource_id,
      permission_types: ['VIEW'],
      ...(granted_to && { granted_to }),
      fresh: {
        permission_id: `SystemPermissionID_${nth}`,
        placeholder_id: `PlaceholderPermissionGranteeID_${nth}`,
        code: 'RedeemTokenID_1',
        code_digest: 'digest',
      },
    });

  beforeEach(() => {
    drive = new SpecDrive();
  });

  it('are their name fields, or else their ids', () => {
    expect(name(OWNER)).toBe('Owner');
    expect(name(EVERYONE)).toBe('Group for All');
    expect(name('UserID_nobody')).toBe('UserID_nobody');
    expect(name('nonsense')).toBe('nonsense');
  });

  it('describe PUBLIC and placeholders', () => {
    expect(name('PUBLIC')).toBe('everybody');
    expect(name('TABLE_DISKS')).toBe('the table DISKS');
    expect(name('PlaceholderPermissionGranteeID_x')).toBe('the holder of the code');
  });

  it('of invites and grants consist of two other names', () => {
    expect(name('GroupInviteID_owner')).toBe('Owner in Group for All');
    expect(name('SystemPermissionID_everyone')).toBe('Group for All on the table DISKS');
  });

  it('of a folder without a name are those of its disk', () => {
    drive.when(diskCommands.CreateDisk, OWNER, {
      name: 'Archive',
      disk_type: 'LOCAL_SSD',
      fresh: {
        disk_id: 'DiskID_1',
        root_folder: 'FolderID_root',
        trash_folder: 'FolderID_trash',
        everyone_permission_id: 'DirectoryPermissionID_e',
        root_permission_id: 'DirectoryPermissionID_r',
        trash_permission_id: 'DirectoryPermissionID_t',
      },
    });
    expect(name('FolderID_root')).toBe('Archive');
    expect(name('FolderID_trash')).toBe('.trash');
    expect(name('DirectoryPermissionID_e')).toBe('Group for All on Archive');
  });

  it('are finite, even for a circle of grants on grants', () => {
    grantOn(1, OWNER, EVERYONE);
    grantOn(2, 'SystemPermissionID_1');
    drive.given(
      event('SystemPermissionUpdated', {
        permission_id: 'SystemPermissionID_1',
        resource_id: 'SystemPermissionID_2',
      }),
    );
    expect(name('SystemPermissionID_1')).toBe('Group for All on SystemPermissionID_2');
    expect(name('SystemPermissionID_2')).toBe('the holder of the code on SystemPermissionID_1');
  });
});
