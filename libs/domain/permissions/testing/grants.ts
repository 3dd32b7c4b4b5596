import type { Permission } from '../../access/permission.js';
import { event, type DomainEvent } from '../../foundation/events.js';
import { FOR_EVER } from './events.js';
import type { DiskEvents } from '../../disks/events.js';
import type { Folder } from '../../disks/record.js';
import { grouped, invited } from '../../groups/testing/events.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';

export const ROOT = 'FolderID_root';
export const TRASH = 'FolderID_trash';

export const fresh = {
  permission_id: 'fresh',
  placeholder_id: 'PlaceholderPermissionGranteeID_fresh',
  code: 'RedeemTokenID_fresh',
  code_digest: 'digest-of-fresh',
};

type Given = Partial<Permission> & {
  granted_to: string;
  permission_types: readonly string[];
};

function grant(type: string, permission_id: string, resource_id: string, given: Given) {
  const data = { permission_id, resource_id, granted_by: OWNER, ...FOR_EVER, ...given };
  return { type, data } as unknown as DomainEvent;
}

/** The event of an inheritable grant by the owner; by default permanent. */
export function directoryGrant(id: string, resource_id: string, given: Given): DomainEvent {
  return grant('DirectoryPermissionCreated', `DirectoryPermissionID_${id}`, resource_id, given);
}

/** The event of a grant by the owner; by default permanent. */
export function systemGrant(id: string, resource_id: string, given: Given): DomainEvent {
  return grant('SystemPermissionCreated', `SystemPermissionID_${id}`, resource_id, given);
}

/** A group of this owner, with the user as a member until a time. */
export function groupOf(
  group_id: string,
  user_id: string,
  expires_at = -1,
  owner: string = OWNER,
): DomainEvent[] {
  const named = (which: string): string =>
    `${group_id}_${which}`.replace('GroupID', 'GroupInviteID');
  return [
    grouped(group_id, owner, named('admin')),
    invited(named('member'), group_id, user_id, { inviter_id: owner, expires_at }),
  ];
}

/** A disk without default grants. */
export function diskMade(fields: Partial<DiskEvents['DiskCreated']> = {}): DomainEvent {
  return event('DiskCreated', {
    disk_id: 'DiskID_1',
    name: 'Archive',
    disk_type: 'LOCAL_SSD',
    public_note: null,
    private_note: null,
    auth_json: null,
    endpoint: null,
    autoexpire_ms: null,
    external_id: null,
    external_payload: null,
    created_by: OWNER,
    root_folder: ROOT,
    trash_folder: TRASH,
    everyone_grant: null,
    creator_grants: null,
    ...fields,
  });
}

export const disk = diskMade();

/** Creates a folder below another. */
export function folder(
  drive: SpecDrive,
  id: string,
  parent_folder_uuid: string,
  fields: Partial<Folder> = {},
): void {
  const root = drive.state.folders.get(ROOT)!;
  const own = { has_sovereign_permissions: false, name: id.replace('FolderID_', '') };
  drive.state.folders.put({ ...root, ...own, ...fields, id, parent_folder_uuid });
}

export const FOLDER = 'FolderID_f';

/** A disk with a folder `FOLDER` on its root. */
export function driveWithFolder(): SpecDrive {
  const drive = new SpecDrive().given(disk);
  folder(drive, FOLDER, ROOT);
  return drive;
}

/** The same, with these types on the folder for user a. */
export function whereUserHas(types: string[], given: object = {}): SpecDrive {
  return driveWithFolder().given(
    directoryGrant('a', FOLDER, { granted_to: 'UserID_a', permission_types: types, ...given }),
  );
}
