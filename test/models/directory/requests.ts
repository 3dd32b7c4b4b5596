import type { Action } from './inputs.js';
import type { Kind } from './names.js';
import type { Random } from './random.js';
import type { Item, Tree } from './tree.js';

/** Random actions on a tree: mostly sensible, with many name conflicts, and some that must be refused. */

const NAMES = ['a', 'b', 'a.txt', 'b.txt', 'a (2)', 'a (2).txt'];
const ODD_NAMES = [
  ...['A', 'A.TXT', 'x.tar.gz', 'a:b', 'a;b', ' ', '..a', 'trash', 'a%b_c', '100%', '🙂.png'],
  // The same letter, composed and decomposed.
  ...['\u00e9', 'e\u0301', '\u00c9', '\u00e9.txt', 'e\u0301.txt'],
  ...['x'.repeat(256), 'y'.repeat(250), `${'\u00e9'.repeat(60)}1`, `${'\u00e9'.repeat(60)}2`],
];
const BAD_NAMES = [
  '',
  'a/b',
  'a::b',
  ':::',
  '.',
  '..',
  '.trash',
  'x'.repeat(257),
  'a\u0001',
  '\u007f',
  7,
];
const RESOLUTIONS = ['KEEP_BOTH', 'REPLACE', 'KEEP_NEWER', 'KEEP_ORIGINAL'];

export class Requests {
  constructor(
    private readonly tree: Tree,
    private readonly random: Random,
    private readonly freshId: (prefix: string) => string,
  ) {}

  action(is_alone: boolean): Action {
    const is_empty = this.live().length < 10;
    const crowded = this.tree.state.items.length > 34;
    const verb = this.random.weighted([
      [is_empty ? 30 : crowded ? 1 : 8, 'CREATE'],
      [4, 'UPDATE'],
      [crowded ? 8 : 3, 'DELETE'],
      [crowded ? 1 : 3, 'COPY'],
      [5, 'MOVE'],
      [this.tree.state.items.some((item) => item.deleted) ? 6 : 1, 'RESTORE'],
      [1, 'GET'],
    ]);
    const kind: Kind = this.random.chance(0.5) ? 'file' : 'folder';
    const noun = kind.toUpperCase();
    if (verb === 'RESTORE') return { action: 'RESTORE_TRASH', payload: this.restore(is_alone) };
    const payload: any = this.payload(verb, kind, is_alone);
    const field = verb === 'CREATE' ? 'parent_folder_uuid' : 'id';
    // The older form names the item beside the payload.
    if (!this.random.chance(0.05)) return { action: `${verb}_${noun}`, payload };
    const { [field]: resource_id, ...rest } = payload;
    return { action: `${verb}_${noun}`, payload: rest, target: { resource_id } };
  }

  creation(): Action {
    const kind: Kind = this.random.chance(0.5) ? 'file' : 'folder';
    return { action: `CREATE_${kind.toUpperCase()}`, payload: this.create(kind, true) };
  }

  private payload(verb: string, kind: Kind, is_alone: boolean): object {
    if (verb === 'CREATE') return this.create(kind, is_alone);
    if (verb === 'UPDATE') return this.update(kind);
    if (verb === 'GET') return { id: this.itemId(kind) };
    if (verb === 'DELETE')
      return { id: this.itemId(kind), ...(this.random.chance(0.3) && { permanent: true }) };
    const id = this.itemId(kind);
    const destination = this.destination(this.tree.find(id));
    const to =
      this.random.chance(0.2) && destination.path
        ? { destination_folder_path: destination.path }
        : { destination_folder_id: destination.id };
    return { id, ...to, ...this.resolution(is_alone) };
  }

  private create(kind: Kind, is_alone: boolean): object {
    const { random } = this;
    const { item: parent, id } = this.destination();
    const disk_id =
      random.chance(0.96) && parent ? parent.disk.id : random.pick(this.tree.state.disks).id;
    const own = kind === 'file' ? this.fileFields() : {};
    const common = { name: this.name(), parent_folder_uuid: id, disk_id, ...own };
    const file = random.pick(this.live('file'));
    if (kind === 'file' && file && random.chance(0.08)) {
      const { name, id: of_file } = file;
      const place = { parent_folder_uuid: file.parent!.id, disk_id: file.disk.id };
      return { ...common, ...this.fields(kind), ...place, name, id: of_file };
    }
    return {
      ...common,
      ...this.fields(kind),
      ...this.resolution(is_alone),
      ...(random.chance(0.3) && { id: this.freshId(kind === 'file' ? 'FileID' : 'FolderID') }),
      ...(random.chance(0.04) && { id: random.pick([...this.tree.state.used_ids]) }),
      ...(random.chance(0.15) && { has_sovereign_permissions: true }),
    };
  }

  private fileFields(): object {
    const { random } = this;
    return {
      file_size: random.weighted([
        [60, random.below(1e6)],
        [3, 0],
        [1, -1],
        [1, 1.5],
      ]),
      ...(random.chance(0.1) && { extension: random.pick(['txt', '.md', '', 'no good']) }),
    };
  }

  /** Fields that create and update share. */
  private fields(kind: Kind): object {
    const { random } = this;
    const soon = this.tree.now + random.pick([1, 500, 60_000, 3_600_000]);
    return {
      ...(random.chance(0.15) && { labels: this.labels() }),
      ...(random.chance(0.15) && { notes: random.pick(['note', '', null]) }),
      ...(random.chance(0.15) && { external_id: random.pick(['x1', 'x2', null]) }),
      ...(random.chance(0.05) && { external_payload: random.pick(['{}', null]) }),
      ...(random.chance(0.12) && {
        expires_at: random.pick([soon, soon, -1, this.tree.now - 1, -2]),
      }),
      ...(random.chance(0.05) && { shortcut_to: this.itemId(kind) }),
      ...(kind === 'file' &&
        random.chance(0.1) && {
          raw_url: random.pick(['https://example.com/x', 'ftp://example.com', 'x']),
        }),
    };
  }

  private labels(): string[] {
    return [...this.tree.state.labels.map(({ value }) => value), 'none'].filter(() =>
      this.random.chance(0.5),
    );
  }

  private update(kind: Kind): object {
    return {
      id: this.itemId(kind),
      ...(this.random.chance(0.55) && { name: this.name() }),
      ...this.fields(kind),
      ...(kind === 'file' && this.random.chance(0.05) && { upload_status: 'PENDING' }),
    };
  }

  private restore(is_alone: boolean): object {
    const { random, tree } = this;
    const trashed = tree.state.items.filter((item) => item.parent === item.disk.trash);
    const kind: Kind = random.chance(0.5) ? 'file' : 'folder';
    const id = trashed.length && random.chance(0.85) ? random.pick(trashed).id : this.itemId(kind);
    const clashing = this.clashing(tree.find(id));
    const folders = [...this.live('folder'), ...tree.state.disks.map(({ root }) => root)];
    const folder = random.pick(clashing.length && random.chance(0.5) ? clashing : folders);
    const path =
      tree.fullPath(folder) + random.pick(['', '', '', 'a/', 'a/b', 'new/deep/', 'a//b', '../']);
    return {
      id,
      ...(random.chance(0.3) && { restore_to_folder_path: path }),
      ...this.resolution(is_alone),
    };
  }

  private resolution(is_alone: boolean): object {
    // After another action of the same batch the model may not know yet which of two items is newer.
    const choices = is_alone ? RESOLUTIONS : RESOLUTIONS.filter((each) => each !== 'KEEP_NEWER');
    if (this.random.chance(0.01)) return { file_conflict_resolution: 'NEITHER' };
    return this.random.chance(0.7) ? { file_conflict_resolution: this.random.pick(choices) } : {};
  }

  private name(): unknown {
    return this.random.weighted([
      [20, this.random.pick(NAMES)],
      [4, this.random.pick(ODD_NAMES)],
      [1, this.random.pick(BAD_NAMES)],
    ]);
  }

  /** Items outside of trash, without root and trash folders. */
  live(kind?: Kind): Item[] {
    return this.tree.state.items.filter(
      (item) =>
        item.parent !== null &&
        (!kind || item.kind === kind) &&
        this.tree.isPresent(item) &&
        !this.tree.isInTrash(item),
    );
  }

  private itemId(kind: Kind): any {
    const { random, tree } = this;
    const of = (items: readonly Item[], id: string) => random.pick(items)?.id ?? id;
    const unknown = this.freshId(kind === 'file' ? 'FileID' : 'FolderID');
    const choose = random.weighted<() => unknown>([
      [80, () => of(this.live(kind), unknown)],
      [
        9,
        () =>
          of(
            tree.state.items.filter((item) => item.kind === kind && tree.isInTrash(item)),
            unknown,
          ),
      ],
      [
        3,
        () =>
          of(
            tree.state.items.filter((item) => item.parent === null),
            unknown,
          ),
      ],
      [1, () => unknown],
      [2, () => of(this.live(), unknown)],
      [2, () => random.pick([...tree.state.used_ids])],
      [1, () => random.pick(['', 'FileID_', 'FolderID_a b', 7, tree.state.disks[0]!.id])],
    ]);
    return choose();
  }

  /** Folders that have another item of the same name. */
  private clashing(source?: Item): Item[] {
    const name = source?.deleted ? source.prior_name : source?.name;
    const isClash = (item: Item) =>
      item.name === name && item.kind === source?.kind && item !== source;
    return this.live()
      .filter((item) => item.disk === source?.disk && isClash(item))
      .map((item) => item.parent!);
  }

  private destination(source?: Item): { id: any; item?: Item | undefined; path?: string } {
    const { random, tree } = this;
    const roots = tree.state.disks
      .filter(({ id }) => !source || id === source.disk.id || random.chance(0.1))
      .map(({ root }) => root);
    const folders = this.live('folder').filter((item) => !source || item.disk === source.disk);
    const inside = source ? tree.below(source).filter(({ kind }) => kind === 'folder') : [];
    const trashed = tree.state.items.filter(
      (item) => item.kind === 'folder' && tree.isInTrash(item),
    );
    const item = random.weighted<Item | undefined>([
      [12, random.pick(folders) ?? random.pick(roots)],
      [8, random.pick(roots)],
      [1, random.pick(trashed)],
      [1, random.pick(inside)],
      [2, source?.parent ?? undefined],
      [10, random.pick(this.clashing(source))],
      [1, source],
    ]);
    if (!item)
      return {
        id: random.chance(0.5) ? this.itemId('folder') : random.pick(tree.state.disks).root.id,
      };
    return { id: item.id, item, path: tree.fullPath(item) };
  }
}
