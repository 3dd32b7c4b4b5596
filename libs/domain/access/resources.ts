import type { DriveState } from '../foundation/state.js';
import { PREFIX } from '../kernel/ids.js';

/** The family that a record on which system grants can be placed is in; undefined where it is in none. */
export function systemFamilyOf(state: DriveState, record_id: string): string | undefined {
  const kind = state.kinds.of(record_id);
  if (!kind?.definition.table) return undefined;
  const { name } = kind.definition;
  return state.table(name)!.has(record_id) ? name : undefined;
}

/** The resources whose system grants reach this one: its table, and the record itself (an invite's group). */
export function systemReach(state: DriveState, resource_id: string): readonly string[] {
  const table = state.kinds.tableOf(resource_id);
  if (table === resource_id) return [table];
  if (!resource_id.startsWith(PREFIX.invite)) return [table, resource_id];
  const invite = state.invites.get(resource_id);
  return invite ? [table, invite.group_id] : [table];
}

/** A folder or file as far as permissions look at it; folders and files are such nodes as they stand. */
export interface DirectoryNode {
  readonly id: string;
  readonly parent_folder_uuid: string | null;
  readonly disk_id: string;
  readonly name: string;
  /** ms; -1 = never. */
  readonly expires_at: number;
  /** True cuts inheritance above this node. */
  readonly has_sovereign_permissions: boolean;
}

/** The folder (or file) of that id, undefined if there is none. */
export function directoryNode(state: DriveState, resource_id: string): DirectoryNode | undefined {
  return state.folders.get(resource_id) ?? state.files.get(resource_id);
}

/** True for the id of a folder; files cannot pass anything on. */
export function isFolder(state: DriveState, resource_id: string): boolean {
  return state.folders.has(resource_id);
}

/** Ids of what lies directly in a folder. */
export function* directoryChildren(state: DriveState, folder_id: string): Iterable<string> {
  yield* state.folders.by('parent', folder_id);
  yield* state.files.by('parent', folder_id);
}

/** Ids of folders without a parent: roots and trashes of disks. */
export function topFolders(state: DriveState): Iterable<string> {
  return state.folders.by('place', 'top');
}

/** Ids of the folders and files below top folders that cut inheritance off. */
export function* sovereignNodes(state: DriveState): Iterable<string> {
  yield* state.folders.by('place', 'sovereign');
  yield* state.files.by('place', 'sovereign');
}

/** True from the moment on from which an item is treated as absent. */
export function isExpired(node: DirectoryNode, now: number): boolean {
  return node.expires_at > 0 && node.expires_at <= now;
}

/** A folder or file with all its ancestors, nearest first. */
export interface DirectoryLine {
  /** Empty where the folder or file is absent. */
  readonly ids: readonly string[];
  /** Grants on this many of them reach it: up to and with the first sovereign one. */
  readonly reaching: number;
}

const ABSENT: DirectoryLine = { ids: [], reaching: 0 };

/**
 * Where grants that may reach a folder or file lie. Empty for what does not exist, and for what has
 * expired itself or lies in a folder that has, since such a folder goes with its content.
 */
export function directoryLine(state: DriveState, resource_id: string, now: number): DirectoryLine {
  const ids: string[] = [];
  let reaching = 0;
  let node = directoryNode(state, resource_id);
  while (node) {
    if (isExpired(node, now)) return ABSENT;
    ids.push(node.id);
    if (reaching === 0 && node.has_sovereign_permissions) reaching = ids.length;
    node =
      node.parent_folder_uuid === null ? undefined : directoryNode(state, node.parent_folder_uuid);
  }
  return { ids, reaching: reaching || ids.length };
}
