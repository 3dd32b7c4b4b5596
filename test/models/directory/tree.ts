import { freeName, type Kind } from './names.js';

/** One plain model of disks, folders and files: objects that point to each other, looked through from start to end. */

export type Caller = 'owner' | 'member';

export interface Disk {
  id: string;
  name: string;
  type: string;
  autoexpire_ms: number | null;
  root: Item;
  trash: Item;
}

export interface Version {
  id: string;
  created_by: string;
  created_at: number;
  size: number;
  /** content.md 2: "hex or null where unknown". */
  sha256: string | null;
  media_type: string | null;
}

export interface Item {
  kind: Kind;
  /** An id that starts with `?` is not known yet: the service chose it in an answer that did not name it. */
  id: string;
  disk: Disk;
  name: string;
  /** None for root and trash folders. */
  parent: Item | null;
  labels: Label[];
  created_by: string;
  created_at: number;
  updated_by: string;
  updated_at: number;
  /** Its last change is one of which the contract does not say whether it counts as an update. */
  is_touched: boolean;
  /** Fields of which the contract does not say whether a copy has them are taken from the first answer. */
  is_copied: boolean;
  deleted: boolean;
  expires_at: number;
  prior_folder_id: string | null;
  /** Name before the trash made it unique; the contract does not say that a restore brings it back. */
  prior_name: string;
  trashed_by: string | null;
  trashed_at: number;
  sovereign: boolean;
  shortcut_to: string | null;
  notes: string | null;
  external_id: string | null;
  external_payload: string | null;
  // Files only.
  versions: Version[];
  extension: string;
  raw_url: string | null;
  upload_status: string;
}

export interface Label {
  id: string;
  value: string;
}

export interface Grant {
  id: string;
  item: Item;
  granted_to: 'group' | 'member' | 'PUBLIC';
  types: string[];
  inheritable: boolean;
}

/** permissions-model.md 2: order of the enumeration. */
export const TYPES = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'];

/** The whole state; `structuredClone` of `state` is an earlier state to remember. */
export interface State {
  now: number;
  disks: Disk[];
  items: Item[];
  grants: Grant[];
  labels: Label[];
  /** "Group for All". */
  group_id: string;
  /** README 3: "an id already used in this drive, even by a deleted record". */
  used_ids: Set<string>;
}

export class Tree {
  constructor(
    public state: State,
    readonly drive_id: string,
    readonly url: string,
    readonly users: Readonly<Record<Caller, string>>,
  ) {}

  get now(): number {
    return this.state.now;
  }

  /** directory.md 2, Expiry: "an item with `expires_at` > 0 and ≤ now is treated as absent everywhere". */
  isPresent(item: Item): boolean {
    const expired = item.expires_at > 0 && item.expires_at <= this.now;
    return !expired && (item.parent === null || this.isPresent(item.parent));
  }

  find(id: string): Item | undefined {
    return this.state.items.find((item) => item.id === id && this.isPresent(item));
  }

  children(folder: Item, kind?: Kind): Item[] {
    return this.state.items.filter(
      (item) => item.parent === folder && (!kind || item.kind === kind) && this.isPresent(item),
    );
  }

  /** What lies below a folder, expired items included. */
  allBelow(folder: Item): Item[] {
    const direct = this.state.items.filter((item) => item.parent === folder);
    return direct.flatMap((item) => [item, ...this.allBelow(item)]);
  }

  below(folder: Item): Item[] {
    return this.allBelow(folder).filter((item) => this.isPresent(item));
  }

  isWithin(item: Item, folder: Item): boolean {
    return item === folder || (item.parent !== null && this.isWithin(item.parent, folder));
  }

  /** Root and trash folders. */
  isTop(item: Item): boolean {
    return item.parent === null;
  }

  isInTrash(item: Item): boolean {
    return this.isWithin(item, item.disk.trash);
  }

  sibling(folder: Item, kind: Kind, name: string): Item | undefined {
    return this.children(folder, kind).find((item) => item.name === name);
  }

  freeName(folder: Item, kind: Kind, name: string): string {
    const taken = this.children(folder, kind).map((item) => item.name);
    return freeName(name, kind, new Set(taken));
  }

  /** directory.md 1: full path of files and folders. */
  fullPath(item: Item): string {
    if (item === item.disk.root) return `${item.disk.id}::/`;
    if (item === item.disk.trash) return `${item.disk.id}::.trash/`;
    return this.fullPath(item.parent!) + item.name + (item.kind === 'folder' ? '/' : '');
  }

  /** directory.md 1: "two or more segments: `<DiskID>::../last`; one: `<DiskID>::last`; none: `<DiskID>::/`". */
  clippedPath(item: Item): string {
    const [disk, path] = this.fullPath(item).split('::') as [string, string];
    const segments = path.split('/').filter((segment) => segment !== '');
    const end = item.kind === 'folder' ? '/' : '';
    if (segments.length === 0) return `${disk}::/`;
    return `${disk}::${segments.length > 1 ? '../' : ''}${segments.at(-1)}${end}`;
  }

  /** directory.md 1: "`full_directory_path` is shown to holders of VIEW on the disk's root, else it equals the clipped path". */
  shownPath(caller: Caller, item: Item): string {
    return this.may(caller, 'VIEW', item.disk.root) ? this.fullPath(item) : this.clippedPath(item);
  }

  /** permissions-model.md 5, types(grantee, resource). */
  types(caller: Caller, item: Item): string[] {
    if (caller === 'owner') return TYPES;
    const held = new Set<string>();
    for (let member: Item | null = item; member; member = member.sovereign ? null : member.parent)
      for (const grant of this.state.grants)
        // The member of the model is in "Group for All": every grant names somebody in its grantee set.
        if (grant.item === member && (member === item || grant.inheritable))
          for (const type of grant.types) held.add(type);
    return TYPES.filter((type) => held.has(type));
  }

  /** permissions-model.md 2: "MANAGE implies the other five when an operation is authorized". */
  may(caller: Caller, type: string, item: Item): boolean {
    const types = this.types(caller, item);
    return types.includes(type) || types.includes('MANAGE');
  }

  /** permissions-model.md 7: "D:DELETE on the parent folder, or D:DELETE granted directly on the resource". */
  mayDelete(caller: Caller, item: Item): boolean {
    if (caller === 'owner' || (item.parent && this.may(caller, 'DELETE', item.parent))) return true;
    return this.directTypes(item).some((type) => type === 'DELETE' || type === 'MANAGE');
  }

  directTypes(item: Item): string[] {
    return this.state.grants.filter((grant) => grant.item === item).flatMap(({ types }) => types);
  }

  /** Removes items with what belongs to them: directory.md 4, Trash, "Permanent". */
  remove(items: readonly Item[]): void {
    const gone = new Set(items);
    this.state.items = this.state.items.filter((item) => !gone.has(item));
    this.state.grants = this.state.grants.filter(({ item }) => !gone.has(item));
  }

  /** directory.md 4, Trash: "re-parented to the trash folder (name made unique), `deleted` true, prior folder". */
  trash(item: Item, by: string): void {
    item.prior_folder_id = item.parent!.id;
    item.prior_name = item.name;
    item.name = this.freeName(item.disk.trash, item.kind, item.name);
    item.parent = item.disk.trash;
    item.trashed_by = by;
    item.trashed_at = this.now;
    for (const each of [item, ...this.allBelow(item)]) Object.assign(each, { deleted: true });
    this.touch(item);
  }

  /** A change after which the contract leaves open whether `last_updated_*` follows. */
  touch(item: Item): void {
    for (const each of [item, ...this.allBelow(item)]) each.is_touched = true;
  }
}
