import { event, type DomainEvent } from '../../foundation/events.js';

/** The creation of a file or folder with only the required fields. */
export function itemMade(
  item_id: string,
  parent_folder_uuid: string,
  disk_id: string,
  created_by: string,
): DomainEvent {
  const item = {
    name: item_id,
    parent_folder_uuid,
    disk_id,
    created_by,
    has_sovereign_permissions: false,
    label_ids: [],
    creator_permission_id: null,
    expires_at: -1,
    shortcut_to: null,
    notes: null,
    external_id: null,
    external_payload: null,
  };
  if (item_id.startsWith('FolderID_'))
    return event('FolderCreated', { folder_id: item_id, ...item });
  const version_id = `${item_id}-1`.replace('FileID', 'FileVersionID');
  return event('FileCreated', { file_id: item_id, version_id, ...content, ...item });
}

/** Another version of a file. */
export function versionMade(file_id: string, updated_by: string): DomainEvent {
  const version_id = `${file_id}-2`.replace('FileID', 'FileVersionID');
  return event('FileVersionCreated', { file_id, version_id, updated_by, ...content });
}

const content = {
  extension: 'txt',
  file_size: 1,
  raw_url: '',
  upload_status: 'COMPLETED',
} as const;
