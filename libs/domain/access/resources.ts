import type { DriveState } from '../foundation/state.js';
import { PREFIX } from '../kernel/ids.js';
import type { Table } from '../kernel/table.js';

/** The family of a record that can have system grants; undefined if it is in none. */
export function systemFamilyOf(state: DriveState, record_id: string): string | undefined {
  const kind = state.kinds.of(record_id);
  if (!kind?.definition.table) return undefined;
  const { name } = kind.definition;
  return state.table(name)!.has(record_id) ? name : undefined;
}

/** The resources whose system grants apply to this one: its table, and the record itself (an invite's group). */
export function systemReach(state: DriveState, resource_id: string): readonly string[] {
  const table = state.kinds.tableOf(resource_id);
  if (table === resource_id) return [table];
  if (!resource_id.startsWith(PREFIX.invite)) return [table, resource_id];
  const invite = state.invites.get(resource_id);
  return invite ? [table, invite.group_id] : [table];
}

/** The properties of a folder or file that permissions use. */
export interface DirectoryNode {
  readonly id: string;
  readonly parent_folder_uuid: string | null;
  readonly disk_id: string;
  readonly name: string;
  /** ms; -1 = never. */
  readonly expires_at: number;
  /** True blocks inheritance from above this node. */
  readonly has_sovereign_permissions: boolean;
}

/** The folder (or file) of that id, undefined if there is none. */
export function directoryNode(state: DriveState, resource_id: string): DirectoryNode | undefined {
  return state.folders.get(resource_id) ?? state.files.get(resource_id);
}

/** A folder or file and its ancestors, nearest first. */
export function* nodesUpwards(state: DriveState, resource_id: string): Generator<DirectoryNode> {
  for (let id: string | null = resource_id; id !== null;) {
    const node = directoryNode(state, id);
    if (!node) return;
    yield node;
    id = node.parent_folder_uuid;
  }
}

/**
 * What folders pass on to their content, each computed once, from what its parent passes on: so many folders cost
 * what there are, however deep. Valid only until the state changes.
 */
export class PassedDown<T> {
  private readonly by_folder = new Map<string, T>();

  /**
   * @param top what comes from above folders without a parent, and from missing ones
   * @param passOn what a folder passes on if so much comes from above
   */
  constructor(
    private readonly state: DriveState,
    private readonly top: T,
    private readonly passOn: (folder: DirectoryNode, above: T) => T,
  ) {}

  /** Number of folders remembered. */
  get size(): number {
    return this.by_folder.size;
  }

  /** Null stands for the parent of folders without one. */
  by(folder_id: string | null): T {
    const { state, by_folder, passOn } = this;
    const line: DirectoryNode[] = [];
    let passed_on = this.top;
    for (let id = folder_id; id !== null; id = line.at(-1)!.parent_folder_uuid) {
      const known = by_folder.get(id);
      if (known !== undefined) {
        passed_on = known;
        break;
      }
      const folder = state.folders.get(id);
      if (!folder) break;
      line.push(folder);
    }
    for (const folder of line.toReversed()) {
      passed_on = passOn(folder, passed_on);
      by_folder.set(folder.id, passed_on);
    }
    return passed_on;
  }
}

/** True for the id of a folder; files pass nothing on. */
export function isFolder(state: DriveState, resource_id: string): boolean {
  return state.folders.has(resource_id);
}

/** Ids of a folder's children. */
export function* directoryChildren(state: DriveState, folder_id: string): Iterable<string> {
  yield* state.folders.by('parent', folder_id);
  yield* state.files.by('parent', folder_id);
}

/** Ids of folders without a parent: roots and trashes of disks. */
export function topFolders(state: DriveState): Iterable<string> {
  return state.folders.by('place', 'top');
}

/** Ids of the folders and files below top folders that block inheritance. */
export function* sovereignNodes(state: DriveState): Iterable<string> {
  yield* state.folders.by('place', 'sovereign');
  yield* state.files.by('place', 'sovereign');
}

/** True from the moment of expiry, when an item is hidden and an invite ends. */
export function isExpired({ expires_at }: { readonly expires_at: number }, now: number): boolean {
  return expires_at > 0 && expires_at <= now;
}

/** The files or folders that have expired, the earliest first; the table must not change meanwhile. */
export function* expiredIn<R extends DirectoryNode>(table: Table<R>, now: number): Generator<R> {
  for (const item of table.inOrder('expiry', 'some time')) {
    if (!isExpired(item, now)) return;
    yield item;
  }
}

/** A folder or file with all its ancestors, nearest first. */
interface DirectoryLine {
  /** Empty if the folder or file does not exist. */
  readonly ids: readonly string[];
  /** Grants on this many of them apply: up to and including the first sovereign one. */
  readonly reaching: number;
}

const ABSENT: DirectoryLine = { ids: [], reaching: 0 };

/**
 * The resources whose grants may apply to a folder or file. Empty for a missing or expired item, and for one in an
 * expired folder, since such a folder expires with its content.
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
