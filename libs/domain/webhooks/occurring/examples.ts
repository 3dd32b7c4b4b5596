import type { FileView } from '../../directory/file-view.js';
import type { FolderView } from '../../directory/folder-view.js';
import type { ItemView } from '../../directory/items/item-view.js';
import type { InviteView } from '../../groups/invites-reads.js';
import type { GroupView } from '../../groups/reads.js';
import type { Occurrence, Payload } from './occurrences.js';
import type { WebhookEvent } from '../record.js';

/** The sides of an occurrence that a delivery of it shows. */
export type Sides = Pick<Occurrence, 'before' | 'after'>;

const DRIVE_ID = 'DriveID_example';
const USER_ID = 'UserID_example';
const HOST_URL = 'https://example.com';

/**
 * An invented payload in the form of an event's deliveries, for testing a webhook. It contains no data of any
 * organization.
 */
export function exampleOf(event: WebhookEvent, now: number): Sides {
  const [family, what] = event.split('.') as [string, string];
  switch (family) {
    case 'file':
    case 'subfile': {
      const type = family;
      return itemSides(what, now, (name) => ({ type, file: exampleFile(name, now) }));
    }
    case 'folder':
    case 'subfolder': {
      const type = family;
      return itemSides(what, now, (name) => ({ type, folder: exampleFolder(name, now) }));
    }
    default:
      return OTHERS[event as keyof typeof OTHERS](now);
  }
}

function itemSides(what: string, now: number, item: (name: string) => Payload): Sides {
  switch (what) {
    case 'created':
      return { after: item('example') };
    case 'deleted':
      return { before: item('example') };
    case 'shared':
      return { after: exampleShare(now) };
    case 'updated':
      return { before: item('example'), after: item('example renamed') };
    default:
      return { before: item('example'), after: item('example') };
  }
}

type ItemEvent = Extract<WebhookEvent, `${'file' | 'subfile' | 'folder' | 'subfolder'}.${string}`>;

const OTHERS: { readonly [E in Exclude<WebhookEvent, ItemEvent>]: (now: number) => Sides } = {
  'group.invite.created': (now) => ({ after: exampleInvite('', now) }),
  'group.invite.updated': (now) => ({
    before: exampleInvite('', now),
    after: exampleInvite('example', now),
  }),
  'drive.restore_trash': (now) => {
    const restored = exampleFile('example', now);
    const prior = { restore_trash_prior_folder_uuid: restored.parent_folder_uuid };
    const trashed = { ...restored, ...prior, parent_folder_uuid: 'FolderID_example_trash' };
    return { before: { type: 'file', file: trashed }, after: { type: 'file', file: restored } };
  },
  'drive.state_diffs': (now) => ({ after: { type: 'state_diffs', data: exampleEvent(now) } }),
  'label.added': () => ({ after: exampleLabel(true) }),
  'label.removed': () => ({ after: exampleLabel(false) }),
  'org.superswap_user': () => ({
    before: { type: 'superswap_userid', content: USER_ID },
    after: { type: 'superswap_userid', content: 'UserID_example_new' },
  }),
  'org.inbox.new_mail': () => ({
    after: { type: 'org_inbox_new_notif', drive_id: DRIVE_ID, topic: 'example', payload: {} },
  }),
};

function exampleItem(id: string, name: string, now: number): ItemView {
  return {
    id,
    name,
    full_directory_path: `DiskID_example::${name}`,
    clipped_directory_path: `DiskID_example::${name}`,
    labels: [],
    created_by: USER_ID,
    created_at: now,
    last_updated_by: USER_ID,
    last_updated_date_ms: now,
    disk_id: 'DiskID_example',
    disk_type: 'LOCAL_SSD',
    deleted: false,
    expires_at: -1,
    drive_id: DRIVE_ID,
    restore_trash_prior_folder_uuid: null,
    has_sovereign_permissions: false,
    shortcut_to: null,
    notes: null,
    external_id: null,
    external_payload: null,
    permission_previews: [],
  };
}

function exampleFile(name: string, now: number): FileView {
  return {
    ...exampleItem('FileID_example', `${name}.txt`, now),
    parent_folder_uuid: 'FolderID_example_parent',
    version_id: 'FileVersionID_example',
    file_version: 1,
    prior_version: null,
    next_version: null,
    extension: 'txt',
    file_size: 0,
    raw_url: `${HOST_URL}/example.txt`,
    upload_status: 'COMPLETED',
    media_type: null,
    sha256: null,
    content_available: true,
  };
}

function exampleFolder(name: string, now: number): FolderView {
  return {
    ...exampleItem('FolderID_example', name, now),
    parent_folder_uuid: 'FolderID_example_parent',
    subfolder_uuids: [],
    file_uuids: [],
    subfolder_count: 0,
    file_count: 0,
  };
}

function exampleShare(now: number): Payload {
  return {
    type: 'share_tracking',
    id: 'ShareTrackID_example',
    hash: btoa(JSON.stringify({ id: 'ShareTrackID_example', from_user: USER_ID })),
    to_user: USER_ID,
    resource_id: 'FileID_example',
    resource_name: 'example',
    drive_id: DRIVE_ID,
    timestamp_ms: now,
    host_url: HOST_URL,
  };
}

function exampleInvite(note: string, now: number): Payload {
  const group: GroupView = {
    id: 'GroupID_example',
    name: 'example',
    owner: USER_ID,
    avatar: '',
    public_note: '',
    private_note: '',
    admin_invites: [],
    member_invites: [],
    created_at: now,
    last_modified_at: now,
    drive_id: DRIVE_ID,
    host_url: HOST_URL,
    labels: [],
    external_id: null,
    external_payload: null,
    member_previews: [],
    member_count: 0,
    admin_count: 0,
    permission_previews: [],
  };
  const group_invite: InviteView = {
    id: 'GroupInviteID_example',
    group_id: group.id,
    inviter_id: USER_ID,
    invitee_id: USER_ID,
    role: 'MEMBER',
    note,
    active_from: -1,
    expires_at: -1,
    created_at: now,
    last_modified_at: now,
    redeem_code: null,
    from_placeholder_invitee: null,
    labels: [],
    external_id: null,
    external_payload: null,
    group_name: group.name,
    group_avatar: '',
    invitee_name: 'example',
    invitee_avatar: null,
    permission_previews: [],
  };
  return { type: 'group_invite', group, group_invite };
}

function exampleLabel(add: boolean): Payload {
  const resource = { resource_id: 'FileID_example', label_id: 'LabelID_example' };
  return { type: 'label', ...resource, label_value: 'example', add };
}

/** An event record; a spec compares its members with those of a real one. */
function exampleEvent(now: number): object {
  return {
    revision: 0,
    event_id: '00000000-0000-0000-0000-000000000000',
    type: 'InboxNotified',
    version: 1,
    timestamp_ms: now,
    actor: { api_key_id: null, user_id: USER_ID, via: 'API_KEY' },
    command: 'NotifyInbox',
    correlation_id: 'example',
    allowed_by: [],
    reason: null,
    resource_ids: [],
    resource_count: 0,
    hash: '0'.repeat(64),
  };
}
