import { texts } from '../texts.js';
import type { Reads } from './drive.js';

/** A record as the API shows it. */
export interface AnyRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

interface Options {
  readonly signal: AbortSignal;
}

/** Records of a kind: how they are named, and how one is read. */
export interface RecordKind {
  /** Name in `texts.families`. */
  readonly family: string;
  readonly read: (reads: Reads, id: string, options: Options) => Promise<object>;
}

const KINDS: Readonly<Record<string, RecordKind>> = {
  UserID_: {
    family: 'contacts',
    read: (reads, id, options) => reads.contacts.get(id, options),
  },
  GroupID_: { family: 'groups', read: (reads, id, options) => reads.groups.get(id, options) },
  GroupInviteID_: {
    family: 'group_invites',
    read: (reads, id, options) => reads.groups.invites.get(id, options),
  },
  DiskID_: { family: 'disks', read: (reads, id, options) => reads.disks.get(id, options) },
  FolderID_: {
    family: 'folders',
    read: async (reads, id, options) => (await reads.directory.get_folder(id, options)).folder,
  },
  FileID_: {
    family: 'files',
    read: async (reads, id, options) => (await reads.directory.get_file(id, options)).file,
  },
  DirectoryPermissionID_: {
    family: 'directory_permissions',
    read: (reads, id, options) => reads.permissions.directory.get(id, options),
  },
  SystemPermissionID_: {
    family: 'system_permissions',
    read: (reads, id, options) => reads.permissions.system.get(id, options),
  },
  ApiKeyID_: { family: 'api_keys', read: (reads, id, options) => reads.api_keys.get(id, options) },
  LabelID_: { family: 'labels', read: (reads, id, options) => reads.labels.get(id, options) },
  WebhookID_: { family: 'webhooks', read: (reads, id, options) => reads.webhooks.get(id, options) },
  DriveID_: { family: 'drives', read: (reads, id, options) => reads.drives.get(id, options) },
  PurchaseID_: {
    family: 'purchases',
    read: (reads, id, options) => reads.purchases.get(id, options),
  },
};

/** The kind of a record by its id; undefined for what has no page, such as `PUBLIC`. */
export function kindOf(id: string): RecordKind | undefined {
  return KINDS[id.slice(0, id.indexOf('_') + 1)];
}

/** What people call a record: its name, or what stands for one. */
export function nameOf(record: AnyRecord): string {
  const { id, name, title, value } = record;
  // The value of an API key is a mask.
  const named = id.startsWith('LabelID_') ? value : (name ?? title);
  if (typeof named === 'string' && named !== '') return named;
  if (id.startsWith('FolderID_') && named === '') return texts.directory.root;
  const { invitee_name, group_name, grantee_name, resource_name } = record;
  const parts = [invitee_name ?? grantee_name, group_name ?? resource_name].filter(
    (part) => typeof part === 'string' && part !== '',
  );
  return parts.length > 0 ? parts.join(' → ') : id;
}
