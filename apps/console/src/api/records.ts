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
interface RecordKind {
  /** Name in `texts.families`. */
  readonly family: string;
  readonly read: (reads: Reads, id: string, options: Options) => Promise<object>;
}

/** Kinds whose family is not the plural of the word in their ids, or that have no `get` of their own. */
const OTHER_KINDS: Readonly<Record<string, RecordKind>> = {
  User: {
    family: 'contacts',
    read: (reads, id, options) => reads.contacts.get(id, options),
  },
  GroupInvite: {
    family: 'group_invites',
    read: (reads, id, options) => reads.groups.invites.get(id, options),
  },
  Folder: {
    family: 'folders',
    read: async (reads, id, options) => (await reads.directory.get_folder(id, options)).folder,
  },
  File: {
    family: 'files',
    read: async (reads, id, options) => (await reads.directory.get_file(id, options)).file,
  },
  DirectoryPermission: {
    family: 'directory_permissions',
    read: (reads, id, options) => reads.permissions.directory.get(id, options),
  },
  SystemPermission: {
    family: 'system_permissions',
    read: (reads, id, options) => reads.permissions.system.get(id, options),
  },
};

/** The kind of a record by its id; undefined for what has no page, such as `PUBLIC`. */
export function kindOf(id: string): RecordKind | undefined {
  const word = /^([A-Za-z]+)ID_/.exec(id)?.[1];
  if (word === undefined) return undefined;
  return OTHER_KINDS[word] ?? pluralKind(word);
}

interface Gets {
  get(id: string, options: Options): Promise<object>;
}

/** `ApiKey` -> `api_keys`, which `reads.api_keys.get` reads. */
function pluralKind(word: string): RecordKind | undefined {
  const family = `${word.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()}s`;
  if (!Object.hasOwn(texts.kinds, family)) return undefined;
  return {
    family,
    read: (reads, id, options) =>
      (reads as unknown as Readonly<Record<string, Gets>>)[family]!.get(id, options),
  };
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
