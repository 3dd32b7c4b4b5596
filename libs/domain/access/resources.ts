import type { DriveState } from '../drive/state.js';
import { PREFIX } from '../kernel/ids.js';

export const TABLES = [
  'TABLE_DRIVES',
  'TABLE_DISKS',
  'TABLE_CONTACTS',
  'TABLE_GROUPS',
  'TABLE_API_KEYS',
  'TABLE_PERMISSIONS',
  'TABLE_WEBHOOKS',
  'TABLE_LABELS',
  'TABLE_INBOX',
  'TABLE_PURCHASES',
  'TABLE_AUDIT',
] as const;
export type TableId = (typeof TABLES)[number];

export function isTableId(id: string): id is TableId {
  return (TABLES as readonly string[]).includes(id);
}

const TABLE_OF_PREFIX: readonly (readonly [string, TableId])[] = [
  [PREFIX.drive, 'TABLE_DRIVES'],
  [PREFIX.disk, 'TABLE_DISKS'],
  [PREFIX.user, 'TABLE_CONTACTS'],
  [PREFIX.group, 'TABLE_GROUPS'],
  [PREFIX.invite, 'TABLE_GROUPS'],
  [PREFIX.api_key, 'TABLE_API_KEYS'],
  [PREFIX.webhook, 'TABLE_WEBHOOKS'],
  [PREFIX.label, 'TABLE_LABELS'],
  [PREFIX.purchase, 'TABLE_PURCHASES'],
];

/** The table that a system resource belongs to: a table to itself, unknown records to PERMISSIONS. */
export function tableOf(resource_id: string): TableId {
  if (isTableId(resource_id)) return resource_id;
  const known = TABLE_OF_PREFIX.find(([prefix]) => resource_id.startsWith(prefix));
  return known ? known[1] : 'TABLE_PERMISSIONS';
}

/** The resources whose system grants reach this one: its table, and the record itself (an invite's group). */
export function systemReach(state: DriveState, resource_id: string): readonly string[] {
  const table = tableOf(resource_id);
  if (table === resource_id) return [table];
  if (!resource_id.startsWith(PREFIX.invite)) return [table, resource_id];
  const invite = state.invites.get(resource_id);
  return invite ? [table, invite.group_id] : [table];
}

/** A node of the directory tree as far as permissions look at it. */
export interface DirectoryNode {
  readonly id: string;
  readonly parent_id: string | null;
  readonly is_folder: boolean;
  /** True cuts inheritance above this node. */
  readonly sovereign: boolean;
}

/** The folder (or file) of that id, undefined if there is none. */
export function directoryNode(state: DriveState, resource_id: string): DirectoryNode | undefined {
  const folder = state.folders.get(resource_id);
  return (
    folder && {
      id: folder.id,
      parent_id: folder.parent_folder_uuid,
      is_folder: true,
      sovereign: folder.has_sovereign_permissions,
    }
  );
}

/** The resource and the ancestors whose inheritable grants reach it: up to and with the first sovereign one. */
export function directoryChain(state: DriveState, resource_id: string): readonly string[] {
  const chain: string[] = [];
  for (let node = directoryNode(state, resource_id); node;) {
    chain.push(node.id);
    if (node.sovereign || node.parent_id === null) break;
    node = directoryNode(state, node.parent_id);
  }
  return chain;
}
