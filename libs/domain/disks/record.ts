import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Opened, Sealed } from '../kernel/sealed.js';

export const DISK_TYPES = [
  'BROWSER_CACHE',
  'LOCAL_SSD',
  'AWS_BUCKET',
  'STORJ_WEB3',
  'ICP_CANISTER',
] as const;
export type DiskType = (typeof DISK_TYPES)[number];

/** The fields of a disk that a client may change. */
export interface DiskFields {
  name: string;
  public_note: string | null;
  private_note: string | null;
  auth_json: Sealed<string | null>;
  endpoint: string | null;
  /** Lifetime given to new files, ms; null = off. */
  autoexpire_ms: number | null;
  /** Maximum bytes of stored content on the disk; absent or null = unlimited. */
  quota_bytes?: number | null;
  /** Number of versions of a file whose content is kept, the current one included; absent or null = all. */
  keep_versions?: number | null;
  /** Days for which the content of a former version is kept; absent or null = unlimited. */
  keep_versions_days?: number | null;
  external_id: string | null;
  external_payload: string | null;
}

export interface Disk extends RecordBase, Readonly<DiskFields> {
  readonly disk_type: DiskType;
  readonly root_folder: string;
  readonly trash_folder: string;
  readonly created_at: number;
}

const CLOUD_TYPES = new Set<DiskType>(['AWS_BUCKET', 'STORJ_WEB3']);

/** True for disks whose content is in a bucket with signed URLs. */
export function isCloud({ disk_type }: Pick<Disk, 'disk_type'>): boolean {
  return CLOUD_TYPES.has(disk_type);
}

/** True for disks whose content is in the service's own content store. */
export function isOwnStorage({ disk_type }: Pick<Disk, 'disk_type'>): boolean {
  return disk_type === 'LOCAL_SSD';
}

export const DISK_DEFAULTS: Opened<Omit<DiskFields, 'name'>> = {
  public_note: null,
  private_note: null,
  auth_json: null,
  endpoint: null,
  autoexpire_ms: null,
  external_id: null,
  external_payload: null,
};

export const diskFamily: FamilyDefinition<Disk> = {
  name: 'disks',
  prefix: PREFIX.disk,
  table: 'TABLE_DISKS',
  noun: 'disk',
  defaults: {
    label_ids: [],
    ...DISK_DEFAULTS,
    quota_bytes: null,
    keep_versions: null,
    keep_versions_days: null,
  },
  user_fields: [],
  indexes: byExternalId,
};

/** Fields that files and folders share, besides their place. */
export interface ItemDetails {
  readonly shortcut_to: string | null;
  readonly notes: string | null;
  readonly external_id: string | null;
  readonly external_payload: string | null;
  /** Parent folder before the item was trashed; null for items that were not trashed themselves. */
  readonly restore_trash_prior_folder_uuid: string | null;
  /** Name before the item was trashed, if the trash changed it. */
  readonly restore_name: string | null;
  readonly trashed_by: string | null;
  /**
   * Time when the item was trashed, ms; 0 or absent for other items, and for those trashed before the field existed.
   */
  readonly trashed_at?: number;
}

/** Settings of an item that a caller has not given. */
export const ITEM_SETTINGS = {
  expires_at: -1,
  has_sovereign_permissions: false,
  shortcut_to: null,
  notes: null,
  external_id: null,
  external_payload: null,
} as const;

/** Fields of an item that was not trashed itself. */
export const NOT_TRASHED = {
  restore_trash_prior_folder_uuid: null,
  restore_name: null,
  trashed_by: null,
} as const;

/** Indexes of the items that expire, and of those whose time in the trash is limited. */
export const endingIndexes = {
  ends: (item: { readonly expires_at: number }) => (item.expires_at > 0 ? 'some time' : null),
  kept: (item: Partial<ItemDetails>) => (item.trashed_at ? 'for a time' : null),
} as const;

/** Digits of the latest time, in ms, that a number has exactly. */
const TIME_DIGITS = 16;
const textOfTime = (ms: number): string => String(ms).padStart(TIME_DIGITS, '0');

/** Orders of these items, the earliest first: of all items on a disk with a file lifetime, only a few have expired. */
export const endingOrders = {
  expiry: {
    index: 'ends',
    text: ({ expires_at }: { readonly expires_at: number }) => textOfTime(expires_at),
  },
  trashed: {
    index: 'kept',
    text: ({ trashed_at = 0 }: Partial<ItemDetails>) => textOfTime(trashed_at),
  },
} as const;

/** Index value of items with notes or external fields. */
export function isDescribed(item: Partial<ItemDetails>): 'somehow' | null {
  const { notes, external_id, external_payload } = item;
  return notes || external_id || external_payload ? 'somehow' : null;
}

/** A folder. Its path is computed from its parents, never stored. */
export interface Folder extends RecordBase, Partial<ItemDetails> {
  /** `''` for a disk's root, `.trash` for its trash. */
  readonly name: string;
  readonly parent_folder_uuid: string | null;
  readonly disk_id: string;
  readonly created_by: string;
  readonly created_at: number;
  readonly last_updated_by: string;
  readonly last_updated_date_ms: number;
  readonly expires_at: number;
  /** True stops the inheritance of permissions from above this folder. */
  readonly has_sovereign_permissions: boolean;
}

/** Index value of top-level and sovereign nodes, so that they are found without walking the tree. */
export function placeOf(node: {
  readonly parent_folder_uuid: string | null;
  readonly has_sovereign_permissions: boolean;
}): 'top' | 'sovereign' | null {
  if (node.parent_folder_uuid === null) return 'top';
  return node.has_sovereign_permissions ? 'sovereign' : null;
}

export const folderFamily: FamilyDefinition<Folder> = {
  name: 'folders',
  prefix: PREFIX.folder,
  defaults: {
    label_ids: [],
    parent_folder_uuid: null,
    ...ITEM_SETTINGS,
    ...NOT_TRASHED,
    trashed_at: 0,
  },
  user_fields: ['created_by', 'last_updated_by', 'trashed_by'],
  indexes: {
    ...byExternalId,
    place: (folder) => placeOf(folder),
    parent: (folder) => folder.parent_folder_uuid,
    disk: (folder) => folder.disk_id,
    sibling: (folder) => folder.parent_folder_uuid && `${folder.parent_folder_uuid}/${folder.name}`,
    ...endingIndexes,
    described: isDescribed,
  },
  orders: { name: { index: 'parent', text: (folder) => folder.name }, ...endingOrders },
  windows: (folder) => [folder.expires_at],
};

/** Refusals of this family's commands and queries. */
export const diskRefusals = {
  'disk-not-found': notFound('disk'),
  'disk-without-credentials': {
    type: 'disk.without-credentials',
    status: 400,
    title: 'The disk has no credentials for signing uploads.',
  },
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    disks: Disk;
    folders: Folder;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof diskRefusals> {}
}
