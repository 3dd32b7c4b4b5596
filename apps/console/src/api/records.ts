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

type Read = (reads: Reads, id: string, options: Options) => Promise<object>;

/** Records of a kind: how they are named, and how one is read. */
interface RecordKind {
  /** Name in `texts.families`. */
  readonly family: string;
  readonly read: Read;
}

/** How records are read of families that have no `get` under their own name. */
const OTHER_READS: Readonly<Record<string, Read>> = {
  group_invites: (reads, id, options) => reads.groups.invites.get(id, options),
  folders: async (reads, id, options) => (await reads.directory.get_folder(id, options)).folder,
  files: async (reads, id, options) => (await reads.directory.get_file(id, options)).file,
  directory_permissions: (reads, id, options) => reads.permissions.directory.get(id, options),
  system_permissions: (reads, id, options) => reads.permissions.system.get(id, options),
};

interface Gets {
  get(id: string, options: Options): Promise<object>;
}

/** The kind of a record by its id; undefined for what has no page, such as `PUBLIC`. */
export function kindOf(id: string): RecordKind | undefined {
  const word = /^([A-Za-z]+)ID_/.exec(id)?.[1];
  if (word === undefined) return undefined;
  const family = word === 'User' ? 'contacts' : pluralOf(word);
  if (!Object.hasOwn(texts.kinds, family)) return undefined;
  const read: Read = (reads, of, options) =>
    (reads as unknown as Readonly<Record<string, Gets>>)[family]!.get(of, options);
  return { family, read: OTHER_READS[family] ?? read };
}

/** `ApiKey` -> `api_keys`. */
function pluralOf(word: string): string {
  return `${word.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()}s`;
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
