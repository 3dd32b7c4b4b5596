import { createHash } from 'node:crypto';
import { uuid5 } from '../../libs/domain/kernel/sha1.js';

/** A file or folder as the model keeps it: a place in a plain tree. */
export interface Node {
  readonly id: string;
  readonly kind: 'file' | 'folder';
  name: string;
  parent: Node | null;
  readonly children: Set<Node>;
  is_sovereign: boolean;
  expires_at: number;
  updated: number;
  /** Types granted on this very node, reaching down, by user. */
  readonly grants: Map<string, ReadonlySet<string>>;
  prior: Node | null;
  restore_name: string | null;
  trashed_by: string | null;
  /** 0 for what was not trashed itself. */
  trashed_at: number;
}

interface Wanted {
  readonly id: string;
  readonly name: string;
  readonly parent: Node;
  readonly expires_at: number;
  readonly policy: string;
  readonly is_sovereign?: boolean;
}

const ALL = new Set(['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE']);

/**
 * What a tree of files is to everybody, told once more in the plainest way: nodes with parents, every
 * question answered by walking. Commands answer the refusal, null if they were carried out.
 */
export class TreeModel {
  readonly nodes = new Map<string, Node>();
  now = 0;
  private readonly root: Node;
  private readonly trash_folder: Node;

  /** `rights`: types on the root by user; null for the owner. */
  constructor(
    root_id: string,
    trash_id: string,
    private readonly rights: Readonly<Record<string, ReadonlySet<string> | null>>,
    /** How long the trash keeps what was put there, ms. */
    private readonly trash_ms: number,
  ) {
    this.root = this.put('folder', root_id, '', null, true);
    this.trash_folder = this.put('folder', trash_id, '.trash', null, true);
    for (const [user, types] of Object.entries(rights))
      if (types) this.root.grants.set(user, types);
  }

  create(kind: Node['kind'], user: string, wanted: Wanted): string | null {
    const { id, name, parent, policy, expires_at, is_sovereign = false } = wanted;
    if (!this.exists(parent)) return 'folder-not-found';
    if (!this.can(user, 'UPLOAD', parent)) return 'forbidden';
    if (is_sovereign && !this.can(user, 'MANAGE', parent)) return 'forbidden';
    if (this.isTrashed(parent)) return 'in-trash';
    const existing = this.child(parent, kind, name);
    if (existing && policy === 'KEEP_ORIGINAL') return 'name-in-use';
    if (existing && policy !== 'KEEP_BOTH') {
      if (!this.can(user, 'EDIT', existing)) return 'forbidden';
      if (kind !== 'file') return null;
      if (!this.mayEndAt(user, existing, expires_at)) return 'forbidden';
      Object.assign(existing, { updated: this.now, expires_at });
      return null;
    }
    const made = this.put(kind, id, this.free(parent, kind, name), parent, is_sovereign);
    made.expires_at = expires_at;
    if (is_sovereign && this.rights[user] !== null) made.grants.set(user, ALL);
    return null;
  }

  rename(user: string, node: Node, name: string): string | null {
    if (!this.exists(node)) return `${node.kind}-not-found`;
    if (!this.can(user, 'EDIT', node)) return 'forbidden';
    if (!node.parent) return 'top-folder';
    const sibling = this.child(node.parent, node.kind, name);
    if (sibling && sibling !== node) return 'name-in-use';
    Object.assign(node, { name, updated: this.now, restore_name: null });
    return null;
  }

  expire(user: string, node: Node, expires_at: number): string | null {
    if (!this.exists(node)) return `${node.kind}-not-found`;
    if (!this.can(user, 'EDIT', node)) return 'forbidden';
    if (!this.mayEndAt(user, node, expires_at)) return 'forbidden';
    if (!node.parent) return 'top-folder';
    Object.assign(node, { expires_at, updated: this.now });
    return null;
  }

  trash(user: string, node: Node): string | null {
    const refused = this.refuseDelete(user, node);
    if (refused) return refused;
    if (this.isTrashed(node)) return 'in-trash';
    this.putIntoTrash(user, node);
    return null;
  }

  remove(user: string, node: Node): string | null {
    const refused = this.refuseDelete(user, node);
    if (!refused) this.drop(node);
    return refused;
  }

  copy(user: string, node: Node, to: Node, policy: string, id: string): string | null {
    if (!this.exists(node)) return `${node.kind}-not-found`;
    if (!this.exists(to)) return 'folder-not-found';
    if (!this.can(user, 'VIEW', node) || !this.can(user, 'UPLOAD', to)) return 'forbidden';
    const refused = this.refuseTransfer(node, to);
    if (refused) return refused;
    if (this.line(to).includes(node)) return 'into-itself';
    const visible = this.visibleContent(user, node);
    const name = this.arrive(user, node, to, node.name, policy);
    if (name === 'forbidden') return name;
    if (name === null) return this.refuseUnseen(user, to, node);
    // What had to make room went into the trash, perhaps out of the very folder that is copied.
    const content = visible.filter((one) => this.line(one).includes(node));
    const copies = new Map<Node, Node>();
    const make = (source: Node, copy_id: string, called: string, parent: Node): void => {
      const made = this.put(source.kind, copy_id, called, parent, false);
      made.expires_at = source.expires_at;
      copies.set(source, made);
    };
    make(node, id, name.slice(1), to);
    for (const source of content) {
      const prefix = source.kind === 'file' ? 'FileID_' : 'FolderID_';
      const copy_id = `${prefix}${uuid5(`${id} ${source.id}`)}`;
      make(source, copy_id, source.name, copies.get(source.parent!)!);
    }
    return null;
  }

  move(user: string, node: Node, to: Node, policy: string): string | null {
    if (!this.exists(node)) return `${node.kind}-not-found`;
    if (!this.exists(to)) return 'folder-not-found';
    const may_take = this.can(user, 'VIEW', node) && this.can(user, 'EDIT', node);
    if (!may_take || !this.can(user, 'UPLOAD', to)) return 'forbidden';
    if (!this.mayEndIn(user, node, to)) return 'forbidden';
    const refused = this.refuseTransfer(node, to);
    if (refused) return refused;
    if (this.line(to).includes(node)) return 'into-itself';
    if (node.parent === to) return null;
    const name = this.arrive(user, node, to, node.name, policy);
    if (name === 'forbidden') return name;
    if (name === null) return policy === 'KEEP_NEWER' ? this.refuseUnseen(user, to, node) : null;
    node.name = name.slice(1);
    this.hang(node, to);
    return null;
  }

  restore(user: string, node: Node, policy: string): string | null {
    if (!this.nodes.has(node.id) || !this.exists(node)) return 'not-in-trash';
    if (!node.prior || !this.isTrashed(node)) return 'not-in-trash';
    const has_prior = this.nodes.has(node.prior.id) && this.exists(node.prior);
    const to = has_prior ? node.prior : this.root;
    const undoes = has_prior && node.trashed_by === user;
    const may_move =
      this.can(user, 'VIEW', node) &&
      this.can(user, 'EDIT', node) &&
      this.can(user, 'UPLOAD', to) &&
      this.mayEndIn(user, node, to);
    if (!undoes && !may_move) return 'forbidden';
    if (this.isTrashed(to)) return 'in-trash';
    const name = this.arrive(user, node, to, node.restore_name ?? node.name, policy);
    if (name === null) return policy === 'KEEP_ORIGINAL' ? 'name-in-use' : null;
    if (name === 'forbidden') return name;
    const back = { prior: null, restore_name: null, trashed_by: null, trashed_at: 0 };
    Object.assign(node, { name: name.slice(1), ...back });
    this.hang(node, to);
    return null;
  }

  /** One round: what has expired goes into the trash, what lay there long enough goes for good. */
  sweep(): void {
    const nodes = [...this.nodes.values()];
    const expired = nodes
      .filter((node) => this.hasEnded(node) && (!node.parent || this.exists(node.parent)))
      .sort((one, other) => one.expires_at - other.expires_at || (one.id < other.id ? -1 : 1));
    const old = nodes.filter(
      (node) => node.trashed_at && node.trashed_at + this.trash_ms <= this.now,
    );
    const leaving = expired.filter((node) => !this.isTrashed(node));
    const closed_off = new Set<Node>();
    for (const node of nodes) {
      const line = this.line(node);
      const from = line.findIndex((one) => one !== node && leaving.includes(one));
      const uppermost = line
        .slice(0, Math.max(0, from))
        .findLast(({ is_sovereign }) => is_sovereign);
      if (uppermost) closed_off.add(uppermost);
    }
    const by_id = [...closed_off].sort((one, other) => (one.id < other.id ? -1 : 1));
    const trashed = [...by_id, ...leaving];
    // All names are chosen before anything of it comes to the trash.
    const names = new Map<Node, string>();
    const promised = new Map<Node, Set<string>>();
    const choose = (node: Node, folder: Node, stays: boolean): void => {
      const here = promised.get(folder) ?? new Set<string>();
      promised.set(folder, here);
      const name = this.free(folder, node.kind, node.name, here, stays);
      here.add(`${node.kind} ${name}`);
      names.set(node, name);
    };
    const staying = expired.filter((node) => !leaving.includes(node));
    for (const node of staying) choose(node, node.parent!, true);
    for (const node of trashed) choose(node, this.trash_folder, false);
    for (const node of staying) {
      const name = names.get(node)!;
      // It is restored under the name that it had when it was trashed.
      if (name !== node.name && node.prior) node.restore_name ??= node.name;
      node.name = name;
    }
    for (const node of trashed) this.putIntoTrash(null, node, names.get(node));
    for (const node of [...trashed, ...expired]) if (this.hasEnded(node)) node.expires_at = -1;
    for (const node of old) if (this.nodes.has(node.id)) this.drop(node);
  }

  folders(): Node[] {
    return [...this.nodes.values()].filter(({ kind }) => kind === 'folder');
  }

  childrenOf(folder_id: string): Node[] {
    return [...(this.nodes.get(folder_id)?.children ?? [])];
  }

  paths(): string[] {
    return [...this.nodes.values()].map((node) => {
      const names = this.line(node).map(({ name }) => name);
      const end = node.kind === 'folder' ? '/' : '';
      return `${node.kind === 'folder' ? 'FolderID' : 'FileID'} DiskID_1::${names.toReversed().join('/')}${end}`;
    });
  }

  /** Names of what a user sees in a folder, in order; or the refusal. */
  listing(user: string, folder: Node): { folders: string[]; files: string[] } | string {
    if (!this.exists(folder)) return 'folder-not-found';
    if (!this.can(user, 'VIEW', folder)) return 'forbidden';
    const seen = this.childrenOf(folder.id)
      .filter((node) => this.exists(node) && this.can(user, 'VIEW', node))
      .map((node) => ({ node, key: `${node.name.toLowerCase()}\u0000${digest(node.id)}` }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const names = (kind: Node['kind']): string[] =>
      seen.filter(({ node }) => node.kind === kind).map(({ node }) => node.name);
    return { folders: names('folder'), files: names('file') };
  }

  private put(
    kind: Node['kind'],
    id: string,
    name: string,
    parent: Node | null,
    is_sovereign: boolean,
  ): Node {
    const made: Node = {
      id,
      kind,
      name,
      parent: null,
      children: new Set(),
      is_sovereign,
      expires_at: -1,
      updated: this.now,
      grants: new Map(),
      prior: null,
      restore_name: null,
      trashed_by: null,
      trashed_at: 0,
    };
    this.nodes.set(id, made);
    if (parent) this.hang(made, parent);
    return made;
  }

  private hang(node: Node, parent: Node): void {
    node.parent?.children.delete(node);
    node.parent = parent;
    parent.children.add(node);
  }

  private forget(node: Node): void {
    node.parent?.children.delete(node);
    this.nodes.delete(node.id);
  }

  /** The node and all above it. */
  private line(node: Node): Node[] {
    return node.parent ? [node, ...this.line(node.parent)] : [node];
  }

  private exists(node: Node): boolean {
    return this.line(node).every(({ expires_at }) => expires_at <= 0 || expires_at > this.now);
  }

  private hasEnded({ expires_at }: Node): boolean {
    return expires_at > 0 && expires_at <= this.now;
  }

  private mayEndAt(user: string, node: Node, expires_at: number): boolean {
    if (expires_at === node.expires_at) return true;
    const is_sooner = endOf(expires_at) < endOf(node.expires_at) || endOf(expires_at) <= this.now;
    return !is_sooner || this.mayDelete(user, node);
  }

  private mayEndIn(user: string, node: Node, to: Node): boolean {
    const end = (one: Node): number =>
      Math.min(...this.line(one).map(({ expires_at }) => endOf(expires_at)));
    return end(to) >= end(node) || this.mayDelete(user, node);
  }

  private isTrashed(node: Node): boolean {
    return this.line(node).includes(this.trash_folder);
  }

  private can(user: string, type: string, node: Node): boolean {
    if (this.rights[user] === null) return true;
    const line = this.line(node);
    const cut = line.findIndex(({ is_sovereign }) => is_sovereign);
    return line.slice(0, cut + 1).some((one) => {
      const types = one.grants.get(user);
      return types?.has(type) || types?.has('MANAGE');
    });
  }

  private mayDelete(user: string, node: Node): boolean {
    if (node.parent && this.can(user, 'DELETE', node.parent)) return true;
    const own = node.grants.get(user);
    return this.rights[user] === null || own?.has('DELETE') === true;
  }

  private refuseDelete(user: string, node: Node): string | null {
    if (!this.exists(node)) return `${node.kind}-not-found`;
    if (!this.mayDelete(user, node)) return 'forbidden';
    return node.parent ? null : 'top-folder';
  }

  private refuseTransfer(node: Node, to: Node): string | null {
    if (!node.parent) return 'top-folder';
    return this.isTrashed(node) || this.isTrashed(to) ? 'in-trash' : null;
  }

  private child(folder: Node, kind: Node['kind'], name: string): Node | undefined {
    return this.childrenOf(folder.id).find(
      (node) => node.kind === kind && node.name === name && this.exists(node),
    );
  }

  private free(
    folder: Node,
    kind: Node['kind'],
    name: string,
    promised: ReadonlySet<string> = new Set(),
    is_shown_again = false,
  ): string {
    const [, stem, ending] = /^(.+?)(\.[^.]*)?$/s.exec(name)!;
    const parts = kind === 'file' ? [stem!, ending ?? ''] : [name, ''];
    let found = name;
    // Expired items hold their names in the trash, where a sweep shows them again; there others may have them by then.
    const has_expired = folder === this.trash_folder && !is_shown_again;
    const holders = this.childrenOf(folder.id).filter(
      (node) => node.kind === kind && (has_expired || this.exists(node)),
    );
    const isTaken = (): boolean =>
      holders.some((node) => node.name === found) || promised.has(`${kind} ${found}`);
    for (let nth = 2; isTaken(); nth++) found = `${parts[0]} (${nth})${parts[1]}`;
    return found;
  }

  /** `=` and the name under which a node may come to a folder; null if what is there is kept. */
  private arrive(
    user: string,
    node: Node,
    to: Node,
    name: string,
    policy: string,
  ): `=${string}` | 'forbidden' | null {
    const existing = this.child(to, node.kind, name);
    if (!existing) return `=${name}`;
    if (policy === 'KEEP_BOTH') return `=${this.free(to, node.kind, name)}`;
    if (policy === 'KEEP_ORIGINAL' || existing === node) return null;
    if (policy === 'KEEP_NEWER' && node.updated <= existing.updated) return null;
    if (!this.mayDelete(user, existing)) return 'forbidden';
    this.putIntoTrash(user, existing);
    return `=${name}`;
  }

  /** What is kept in the place of a node is answered, and so not shown to everybody. */
  private refuseUnseen(user: string, to: Node, node: Node): string | null {
    return this.can(user, 'VIEW', this.child(to, node.kind, node.name)!) ? null : 'forbidden';
  }

  private putIntoTrash(user: string | null, node: Node, promised?: string): void {
    const name = promised ?? this.free(this.trash_folder, node.kind, node.name);
    node.restore_name = name === node.name ? null : node.name;
    const { parent: prior } = node;
    Object.assign(node, { name, prior, trashed_by: user, trashed_at: this.now });
    this.hang(node, this.trash_folder);
  }

  private visibleContent(user: string, node: Node): Node[] {
    const seen = this.childrenOf(node.id).filter(
      (child) => this.exists(child) && this.can(user, 'VIEW', child),
    );
    return seen.flatMap((child) => [child, ...this.visibleContent(user, child)]);
  }

  private drop(node: Node): void {
    for (const child of this.childrenOf(node.id)) this.drop(child);
    this.forget(node);
  }
}

function endOf(expires_at: number): number {
  return expires_at > 0 ? expires_at : Infinity;
}

function digest(id: string): string {
  return createHash('sha1').update(id).digest('hex').slice(0, 32);
}
