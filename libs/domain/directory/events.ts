import type { EventSchemas } from '../kernel/event.js';
import type { UploadStatus } from './record.js';

/** What clients may say of a file or folder beside its place and content. */
export interface ItemFields {
  /** ms; -1 = never. */
  expires_at: number;
  shortcut_to: string | null;
  notes: string | null;
  external_id: string | null;
  external_payload: string | null;
}

/** True in all events of today: see the record. Absent where the object is keyed as it was before. */
interface ObjectKeyed {
  keyed_by_version?: boolean;
}

export interface ContentFields {
  extension: string;
  file_size: number;
  raw_url: string;
  upload_status: UploadStatus;
}

interface ItemCreated extends ItemFields {
  name: string;
  parent_folder_uuid: string;
  disk_id: string;
  created_by: string;
  has_sovereign_permissions: boolean;
  label_ids: readonly string[];
  /** Grant of all six types to a creator who is not the owner, on what is sovereign; else null. */
  creator_permission_id: string | null;
}

interface ItemUpdated extends Partial<ItemFields> {
  updated_by: string;
  name?: string;
  label_ids?: readonly string[];
}

export interface DirectoryEvents {
  FileCreated: ItemCreated & ContentFields & ObjectKeyed & { file_id: string; version_id: string };
  FolderCreated: ItemCreated & { folder_id: string };
  /** The file's content was replaced; the version before is kept as such. */
  FileVersionCreated: ItemUpdated &
    ContentFields &
    ObjectKeyed & { file_id: string; version_id: string };
  FileUpdated: ItemUpdated & { file_id: string } & Partial<ContentFields> &
    ObjectKeyed & {
      /** See the record; told where a rename or upload changes it. */
      object_name?: string | null;
    };
  FolderUpdated: ItemUpdated & { folder_id: string };
  /** A file, or a folder with all that lies in it, went somewhere else on its disk. */
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
    /** When copied files expire, ms; null: as their sources. */
    files_expire_at: number | null;
    /** What in the tree was not copied, with all below it. */
    left_out: readonly string[];
  };
  /** Put into its disk's trash under a name of its own; its content goes along. */
  ItemTrashed: {
    item_id: string;
    name: string;
    trashed_by: string;
    /** ms; absent in events of before, whose items stay in the trash until somebody removes them. */
    trashed_at?: number;
  };
  ItemRestored: { item_id: string; parent_folder_uuid: string; name: string };
  /** Put into the trash by the service, as they had expired, or lay closed off in what had. */
  ItemsExpired: {
    trashed: readonly { readonly item_id: string; readonly name: string }[];
    /** These lay in the trash already, and do not expire any more. */
    kept: readonly string[];
  };
  /** Gone for good, each with all that lies in it. */
  ItemsDeleted: { item_ids: readonly string[] };
}

export const directorySchemas: EventSchemas<DirectoryEvents> = {
  FileCreated: { version: 1 },
  FolderCreated: { version: 1 },
  FileVersionCreated: { version: 1 },
  FileUpdated: { version: 1 },
  FolderUpdated: { version: 1 },
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
