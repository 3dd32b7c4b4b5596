import type { RecordBase } from '../kernel/record.js';
import type { DirectoryPermission } from '../permissions/record.js';
import type { Invite } from '../groups/record.js';
import type { Folder } from '../disks/record.js';
import type { Superswap } from '../organization/record.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';
import type { Opener } from '../kernel/sealed.js';
import type { Context } from '../foundation/decision.js';
import { RECORD_KINDS } from './record-kinds.js';

/** Looks up records for names, and decrypts sealed names. */
export interface Naming {
  readonly find: (family: string, id: string) => RecordBase | undefined;
  readonly open: Opener;
  /** True for a record of which only the kind may be shown, also within the names of others; absent: none. */
  readonly isHidden?: IsHidden | undefined;
}

export type IsHidden = (family: string, record: RecordBase) => boolean;

export function namesIn({ state, open }: Pick<Context, 'state' | 'open'>): Naming {
  return { find: (family, id) => state.table(family)?.get(id), open };
}

type Namer<R extends RecordBase> = (naming: Naming, record: R) => string;

/** Fields with a record's name, in families without their own rule. */
const NAMING_FIELDS = ['name', 'title', 'value'] as const;

const grantName: Namer<DirectoryPermission> = (naming, { granted_to, resource_id }) =>
  `${partName(naming, granted_to)} on ${partName(naming, resource_id)}`;

/** Names of records in the other families. */
const namers: Readonly<Record<string, Namer<never>>> = {
  group_invites: ((naming, { invitee_id, group_id }) =>
    `${partName(naming, invitee_id)} in ${partName(naming, group_id)}`) as Namer<Invite>,
  directory_permissions: grantName,
  system_permissions: grantName,
  folders: ((naming, { name, disk_id }) => name || partName(naming, disk_id)) as Namer<Folder>,
  superswaps: ((_, { old_user_id, new_user_id }) =>
    `${old_user_id} to ${new_user_id}`) as Namer<Superswap>,
};

/** Families named after two other records. */
const COMPOSED: ReadonlySet<string> = new Set([
  'group_invites',
  'directory_permissions',
  'system_permissions',
]);

/** The display name of a record: its name, or else its id. */
export function recordName(naming: Naming, family: string, record: RecordBase): string {
  const own = namers[family];
  if (own) return own(naming, record as never);
  for (const field of NAMING_FIELDS) {
    const value = (record as unknown as Record<string, unknown>)[field];
    if (value === undefined) continue;
    const name = naming.open(value, field);
    if (typeof name === 'string' && name !== '') return name;
  }
  return record.id;
}

/** Names of ids that are not records. */
const KNOWN_WORDS: Readonly<Record<string, string>> = { [PUBLIC]: 'everybody' };

/** The display name of an id; the id itself for a missing record. */
export function resourceName(naming: Naming, id: string): string {
  const known = KNOWN_WORDS[id];
  if (known) return known;
  if (id.startsWith('TABLE_')) return `the table ${id.slice('TABLE_'.length)}`;
  if (id.startsWith(PREFIX.placeholder_grantee) || id.startsWith(PREFIX.placeholder_invitee))
    return 'the holder of the code';
  const family = RECORD_KINDS.familyOf(id);
  const record = family === undefined ? undefined : naming.find(family, id);
  if (!record) return id;
  const is_hidden = naming.isHidden?.(family!, record) ?? false;
  return is_hidden ? `another record (${family})` : recordName(naming, family!, record);
}

/**
 * The display name within another name. Records with composed names are shown by id: a grant may be on a grant, even on
 * itself.
 */
function partName(naming: Naming, id: string): string {
  return COMPOSED.has(RECORD_KINDS.familyOf(id) ?? '') ? id : resourceName(naming, id);
}
