import { event, type DomainEvent } from '../../../libs/domain/foundation/events.js';
import { directoryGranted } from '../../../libs/domain/permissions/testing/events.js';
import { Random } from '../harness/random.js';
import { beginning, type SeededDrive } from './plans.js';

/** Folders directly below the root; the member may see the first of them. */
export const TOP_FOLDERS = 10;
/** Levels of folders below the root. */
const LEVELS = 12;

const idOf = (prefix: string, n: number): string => `${prefix}${new Random(n * 4 + 3).uuid()}`;
export const diskId = (): string => idOf('DiskID_', 0);
export const rootId = (): string => idOf('FolderID_', -1);
/** Id of the n-th folder; the first `TOP_FOLDERS` lie at the top, all others below one of them. */
export const folderId = (n: number): string => idOf('FolderID_', n + 10);
export const fileId = (n: number): string => idOf('FileID_', n + 1_000_000);

/** Number of the folder that the n-th one lies in: each top folder has a tenth of all, twelve levels deep. */
export function parentOf(n: number): number {
  const top = n % TOP_FOLDERS;
  const nth = Math.floor(n / TOP_FOLDERS);
  // One folder in a dozen goes down a level, the others lie beside each other.
  const above = nth < LEVELS ? nth - 1 : nth % LEVELS;
  return above * TOP_FOLDERS + top;
}

export interface TreeSize {
  readonly folders: number;
  readonly files: number;
  /** Each file expires, at the end of time, and has an external id. */
  readonly is_described?: boolean;
}

/** The latest time that clients may send, ms. */
const END_MS = Date.UTC(9999, 0);

/** A disk with a tree of folders, and files in all of them. */
export function* tree(
  drive: SeededDrive,
  seed: number,
  { folders, files, is_described }: TreeSize,
): Generator<DomainEvent> {
  const random = new Random(seed);
  const { owner, member } = drive;
  yield* beginning(drive, random);
  yield event('DiskCreated', {
    disk_id: diskId(),
    disk_type: 'LOCAL_SSD',
    created_by: owner.user_id,
    root_folder: rootId(),
    trash_folder: idOf('FolderID_', -2),
    everyone_grant: null,
    creator_grants: null,
    name: 'Seeded',
    public_note: null,
    private_note: null,
    auth_json: null,
    endpoint: null,
    autoexpire_ms: null,
    external_id: null,
    external_payload: null,
  });
  const item = (name: string, parent: number | null) => ({
    name,
    parent_folder_uuid: parent === null ? rootId() : folderId(parent),
    disk_id: diskId(),
    created_by: owner.user_id,
    has_sovereign_permissions: false,
    label_ids: [],
    creator_permission_id: null,
    expires_at: -1,
    shortcut_to: null,
    notes: null,
    external_id: null,
    external_payload: null,
  });
  for (let n = 0; n < folders; n++)
    yield event('FolderCreated', {
      ...item(`${random.text(12)} ${n}`, n < TOP_FOLDERS ? null : parentOf(n)),
      folder_id: folderId(n),
    });
  yield directoryGranted(
    `DirectoryPermissionID_${random.uuid()}`,
    folderId(0),
    member.user_id,
    owner.user_id,
    'VIEW',
  );
  for (let n = 0; n < files; n++)
    yield event('FileCreated', {
      ...item(`${random.text(18)} ${n}.pdf`, n % folders),
      ...(is_described && { expires_at: END_MS - n, external_id: `crm-${n}-${seed}` }),
      file_id: fileId(n),
      version_id: `FileVersionID_${random.uuid()}`,
      extension: 'pdf',
      file_size: random.below(1e7),
      raw_url: '',
      upload_status: 'QUEUED',
    });
}
