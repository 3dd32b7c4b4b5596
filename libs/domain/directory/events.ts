import type { EventSchemas } from '../kernel/event.js';
import type { UploadStatus } from './record.js';

/** Client-defined fields of a file or folder besides its place and content. */
export interface ItemFields {
  /** ms; -1 = never. */
  expires_at: number;
  shortcut_to: string | null;
  notes: string | null;
  external_id: string | null;
  external_payload: string | null;
}

/** True in all current events; see the record. Absent in older events, whose objects have the earlier kind of key. */
interface ObjectKeyed {
  keyed_by_version?: boolean;
}

interface ContentFields {
  extension: string;
  file_size: number;
  raw_url: string;
  upload_status: UploadStatus;
  /** The next three are present if the version takes the bytes of a former one, or a bucket has confirmed them. */
  content_id?: string;
  sha256?: string | null;
  media_type?: string | null;
}

interface ItemCreated extends ItemFields {
  name: string;
  parent_folder_uuid: string;
  disk_id: string;
  created_by: string;
  has_sovereign_permissions: boolean;
  label_ids: readonly string[];
  /** Id of the grant of all six types on a sovereign item to its creator; null for the owner and for other items. */
  creator_permission_id: string | null;
  /** End of that grant, ms: the creator's MANAGE on the parent ends then. Absent: never. */
  creator_permission_ends?: number;
}

interface ItemUpdated extends Partial<ItemFields> {
  updated_by: string;
  name?: string;
  label_ids?: readonly string[];
}

export interface DirectoryEvents {
  FileCreated: ItemCreated & ContentFields & ObjectKeyed & { file_id: string; version_id: string };
  FolderCreated: ItemCreated & { folder_id: string };
  /** The file's content was replaced; the previous version is kept. */
  FileVersionCreated: ItemUpdated &
    ContentFields &
    ObjectKeyed & {
      file_id: string;
      version_id: string;
      /** Name of the object of a former version; present if the version takes its content. */
      object_name?: string;
    };
  FileUpdated: ItemUpdated & { file_id: string } & Partial<ContentFields> &
    ObjectKeyed & {
      /** See the record; present if a rename or upload changes it. */
      object_name?: string | null;
    };
  FolderUpdated: ItemUpdated & { folder_id: string };
  /** The service has received the bytes of the file's current version, or of a new one. */
  FileContentStored: {
    file_id: string;
    version_id: string;
    content_id: string;
    stored_by: string;
    /** Hex. */
    sha256: string;
    /** Bytes. */
    size: number;
    media_type: string;
    /** A later expiry of the file, ms; absent if it stays. */
    expires_at?: number;
  };
  /** The service no longer keeps the bytes of former versions; their hashes remain. */
  VersionsReleased: { version_ids: readonly string[] };
  /** Bytes that no version has named for a time are deleted. */
  ContentsDeleted: { content_ids: readonly string[] };
  /** A file, or a folder with its content, was moved on its disk. */
  ItemMoved: { item_id: string; parent_folder_uuid: string; name: string };
  /**
   * A file, or a folder with its content, was copied. Ids in a copied tree derive from `copy_id` and
   * the ids of the sources.
   */
  ItemCopied: {
    source_id: string;
    copy_id: string;
    parent_folder_uuid: string;
    name: string;
    created_by: string;
    /** Expiry of copied files, ms; null: the expiry of their sources. */
    files_expire_at: number | null;
    /** Ids of items in the tree that were not copied; their content was not copied either. */
    left_out: readonly string[];
  };
  /** An item was moved with its content to its disk's trash, under a unique name. */
  ItemTrashed: {
    item_id: string;
    name: string;
    trashed_by: string;
    /** ms; absent in older events, whose items stay in the trash until a user removes them. */
    trashed_at?: number;
  };
  ItemRestored: { item_id: string; parent_folder_uuid: string; name: string };
  /** The service moved items to the trash: expired items, and sovereign items in expired folders. */
  ItemsExpired: {
    trashed: readonly { readonly item_id: string; readonly name: string }[];
    /** Items already in the trash; they no longer expire. */
    kept: readonly string[];
    /** New names of those whose name another item has meanwhile; absent in older events. */
    renamed?: readonly { readonly item_id: string; readonly name: string }[];
  };
  /** Items were permanently deleted, each with its content. */
  ItemsDeleted: { item_ids: readonly string[] };
}

export const directorySchemas: EventSchemas<DirectoryEvents> = {
  FileCreated: { version: 1 },
  FolderCreated: { version: 1 },
  FileVersionCreated: { version: 1 },
  FileUpdated: { version: 1 },
  FolderUpdated: { version: 1 },
  FileContentStored: { version: 1 },
  VersionsReleased: { version: 1 },
  ContentsDeleted: { version: 1 },
  ItemMoved: { version: 1 },
  ItemCopied: { version: 1 },
  ItemTrashed: { version: 1 },
  ItemRestored: { version: 1 },
  ItemsExpired: { version: 1 },
  ItemsDeleted: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends DirectoryEvents {}
}
