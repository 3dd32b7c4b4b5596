import { type DomainEvent, event } from '../../drive/events.js';
import type { Permission } from '../record.js';
import type { DiskEvents } from '../../disks/events.js';
import type { Folder } from '../../disks/record.js';
import { OWNER, type SpecDrive } from '../../testing/drive.js';

export const ROOT = 'FolderID_root';
export const TRASH = 'FolderID_trash';

export const fresh = {
  permission_id: 'fresh',
  placeholder_id: 'PlaceholderPermissionGranteeID_fresh',
  code: 'RedeemTokenID_fresh',
  code_digest: 'digest-of-fresh',
};

/** What a grant of the owner holds beside what it grants: for ever, inheritable, without a code. */
export const OF_THE_OWNER = {
  granted_by: OWNER,
  begin_date_ms: 0,
  expiry_date_ms: -1,
  inheritable: true,
  note: '',
  metadata: null,
  external_id: null,
  external_payload: null,
  redeem_code: null,
  redeem_digest: '',
};

type Given = Partial<Permission> & {
  granted_to: string;
  permission_types: readonly string[];
};

function grant(type: string, permission_id: string, resource_id: string, given: Given) {
  const data = { permission_id, resource_id, ...OF_THE_OWNER, ...given };
  return { type, data } as unknown as DomainEvent;
}

/** The owner's inheritable grant, for ever unless said otherwise, as an event of the past. */
export function directoryGrant(id: string, resource_id: string, given: Given): DomainEvent {
  return grant('DirectoryPermissionCreated', `DirectoryPermissionID_${id}`, resource_id, given);
}

/** The owner's grant, for ever unless said otherwise, as an event of the past. */
export function systemGrant(id: string, resource_id: string, given: Given): DomainEvent {
  return grant('SystemPermissionCreated', `SystemPermissionID_${id}`, resource_id, given);
}

/** A group of this owner that the user belongs to until a time. */
export function groupOf(
  group_id: string,
  user_id: string,
  expires_at = -1,
  owner: string = OWNER,
): DomainEvent[] {
  const external = { external_id: null, external_payload: null };
  const texts = { avatar: '', public_note: '', private_note: '', host_url: '' };
  return [
    event('GroupCreated', {
      group_id,
      owner,
      admin_invite_id: `${group_id}_admin`.replace('GroupID', 'GroupInviteID'),
      name: 'Finance',
      ...texts,
      ...external,
    }),
    event('GroupInviteCreated', {
      invite_id: `${group_id}_member`.replace('GroupID', 'GroupInviteID'),
      group_id,
      inviter_id: owner,
      invitee_id: user_id,
      role: 'MEMBER',
      note: '',
      active_from: 0,
      expires_at,
      redeem_code: null,
      redeem_digest: '',
      from_placeholder_invitee: null,
      ...external,
    }),
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

/** Puts a folder below another. */
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
