import { CachedByState } from '../../kernel/cached-by-state.js';
import { Access, gives } from '../../access/access.js';
import { isCounting } from '../../access/grants.js';
import type { Permission } from '../../access/permission.js';
import { countingDirectoryGrants } from '../../access/visible.js';
import type { Context } from '../../foundation/decision.js';
import type { DriveState } from '../../foundation/state.js';
import { type OrderedIds, OrderedIndex } from '../../kernel/indexes/ordered-index.js';
import type { Replacement } from '../../kernel/table.js';
import { isFile, isInTrash, type Item, liveItem } from '../../relations/directory-tree.js';

/** Items up to which finding them for each request is fast. */
const FEW = 250;
/** Maximum cached users per state, as each takes memory for all of its items; beyond it all of them are dropped. */
const MOST_CACHED = 8;

const cached_by_state = new CachedByState<SharedItems>(MOST_CACHED);

/**
 * The items on which a grant to the caller, to one of the caller's groups, or to everyone gives VIEW, without disks'
 * own folders and what is in a trash.
 * @param few number of items up to which nothing is cached
 */
export function sharedItems(context: Context, few = FEW): SharedItems {
  const { state, caller } = context;
  const access = Access.of(context);
  state.undo_log.edges.pass(context.now);
  const cached = cached_by_state.get(state, caller.user_id);
  if (cached?.follows(access)) return cached;
  const found = new SharedItems(access);
  if (cached || found.size > few) cached_by_state.set(state, caller.user_id, found);
  return found;
}

interface Place {
  readonly group: string;
  readonly name: string;
}

class SharedItems {
  private readonly places = new Map<string, Place>();
  private readonly index = new OrderedIndex();
  private readonly grantees: ReadonlySet<string>;
  private readonly epoch: number;
  /** Active grants to the caller when the items were found. */
  private grants = 0;
  private versions: readonly [permissions: number, files: number, folders: number];

  constructor(access: Access) {
    const { state, grantees } = access;
    this.grantees = grantees;
    this.epoch = state.undo_log.edges.epoch;
    this.versions = versionsOf(state);
    for (const grant of countingDirectoryGrants(access)) {
      this.grants += 1;
      const item = gives(grant, 'VIEW') ? listed(access, grant.resource_id) : undefined;
      if (item) this.places.set(item.id, placeOf(item));
    }
  }

  get size(): number {
    return this.places.size;
  }

  /** Those of one kind on a disk, by name. */
  inOrder(disk_id: string, kind: 'folders' | 'files'): OrderedIds {
    const group = groupOf(disk_id, kind);
    const { places } = this;
    return this.index.of(group, function* () {
      for (const [id, place] of places) if (place.group === group) yield [id, place.name];
    });
  }

  /** Follows what has changed since. @returns false if the items are to be found again */
  follows(access: Access): boolean {
    const { state } = access;
    if (this.epoch !== state.undo_log.edges.epoch || !this.hasSameGrantees(access)) return false;
    const [permissions_version, files_version, folders_version] = this.versions;
    const permissions = state.directory_permissions.since(permissions_version);
    const files = state.files.since(files_version);
    const folders = state.folders.since(folders_version);
    if (!permissions || !files || !folders) return false;
    const concerned = new Set<string>();
    for (const { before, after } of permissions)
      for (const grant of [before, after])
        if (grant && this.grantees.has(grant.granted_to)) concerned.add(grant.resource_id);
    const moved: string[] = [];
    for (const replaced of [...files, ...folders]) {
      const { id } = (replaced.after ?? replaced.before)!;
      concerned.add(id);
      if (isMoved(replaced)) moved.push(id);
    }
    const most = Math.max(FEW, this.grants);
    for (const id of contentIn(state, moved)) {
      concerned.add(id);
      // Finding all again costs less than a longer walk.
      if (concerned.size > most) return false;
    }
    for (const id of concerned) this.place(id, access);
    this.versions = versionsOf(state);
    return true;
  }

  private hasSameGrantees({ grantees }: Access): boolean {
    return (
      grantees === this.grantees ||
      (grantees.size === this.grantees.size && grantees.isSubsetOf(this.grantees))
    );
  }

  private place(id: string, access: Access): void {
    const before = this.places.get(id);
    const item = this.isShared(id, access) ? listed(access, id) : undefined;
    const after = item && placeOf(item);
    if (before) this.index.delete(before.group, id, before.name);
    this.places.delete(id);
    if (!after) return;
    this.index.add(after.group, id, after.name);
    this.places.set(id, after);
  }

  private isShared(id: string, { state, now }: Access): boolean {
    const isMeant = (grant: Permission): boolean =>
      this.grantees.has(grant.granted_to) && isCounting(grant, now) && gives(grant, 'VIEW');
    return state.directory_permissions.where('resource', id).some(isMeant);
  }
}

function versionsOf({ directory_permissions, files, folders }: DriveState) {
  return [directory_permissions.version, files.version, folders.version] as const;
}

/** The item with that id, unless the list leaves it out. */
function listed({ state, now }: Access, id: string): Item | undefined {
  const item = liveItem(state, id, now);
  return !item || item.parent_folder_uuid === null || isInTrash(state, item) ? undefined : item;
}

/** True if what is in a folder may have come to a trash or to its end, or back. */
function isMoved({ before, after }: Replacement<Item>): boolean {
  if (!before || !after || isFile(after)) return false;
  const { parent_folder_uuid, expires_at } = before;
  return parent_folder_uuid !== after.parent_folder_uuid || expires_at !== after.expires_at;
}

/** Ids of the files and folders in some folders, at any depth. Enters each folder once, nested ones too. */
function* contentIn({ files, folders }: DriveState, folder_ids: readonly string[]) {
  // A Set iterates entries added meanwhile.
  const entered = new Set(folder_ids);
  for (const at of entered) {
    yield* files.by('parent', at);
    for (const id of folders.by('parent', at)) {
      yield id;
      entered.add(id);
    }
  }
}

function placeOf(item: Item): Place {
  return { group: groupOf(item.disk_id, isFile(item) ? 'files' : 'folders'), name: item.name };
}

function groupOf(disk_id: string, kind: 'folders' | 'files'): string {
  return `${kind} ${disk_id}`;
}
