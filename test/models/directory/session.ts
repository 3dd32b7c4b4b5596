import type { Client, Organization } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { learnCopy, learnUpdate } from './changes.js';
import { decide } from './decide.js';
import { ANY_TEXT } from './decision.js';
import type { Action } from './inputs.js';
import { difference } from './same.js';
import { type Caller, type Disk, type Item, Tree } from './tree.js';

/** How often each action had each outcome, to see that the random requests are worth something. */
export const outcomes = new Map<string, number>();

const TRASH_MS = 30 * 86_400_000;

/** A clock that specs set. */
export interface Clock {
  now: number;
}

/** The service and the model of one organization, side by side. */
export class Session {
  /** Requests sent so far, to show a failing sequence. */
  readonly log: string[] = [];
  /** States to compare answers about the past with, by revision. */
  readonly past = new Map<number, Tree['state']>();
  private count = 0;
  /** Steps begun so far. */
  steps = 0;

  private constructor(
    readonly service: TestService,
    readonly clock: Clock,
    readonly org: Organization,
    readonly tree: Tree,
  ) {}

  static async open(service: TestService, clock: Clock): Promise<Session> {
    const org = await service.organization('Bob');
    const users = { owner: org.admin.user_id, member: org.members[0]!.user_id };
    const lists = { disks: [], items: [], grants: [], labels: [], group_id: '' };
    const state = { now: clock.now, ...lists, used_ids: new Set<string>() };
    const tree = new Tree(state, org.drive_id, service.url, users);
    const session = new Session(service, clock, org, tree);
    await session.makeDisk('LOCAL_SSD', null);
    await session.makeDisk('BROWSER_CACHE', 3_600_000);
    for (const value of ['red', 'blue']) {
      const { data } = await org.admin.post('/labels/create', { value });
      tree.state.labels.push({ id: data.id, value });
    }
    return session;
  }

  client(caller: Caller): Client {
    return caller === 'owner' ? this.org.admin : this.org.members[0]!;
  }

  /** Ids are equal whenever a sequence runs again. */
  readonly freshId = (prefix: string): string => `${prefix}_own-${++this.count}`;

  setClock(now: number): void {
    this.clock.now = now;
    this.tree.state.now = now;
  }

  /** disks.md, create: root and trash folders; permissions-model.md 8: the grant of "Group for All". */
  async makeDisk(disk_type: string, autoexpire_ms: number | null): Promise<void> {
    const name = `Disk ${this.tree.state.disks.length}`;
    const { data } = await this.org.admin.post('/disks/create', { name, disk_type, autoexpire_ms });
    const disk = { id: data.id, name, type: disk_type, autoexpire_ms } as Disk;
    disk.root = this.topFolder(disk, data.root_folder, '');
    disk.trash = this.topFolder(disk, data.trash_folder, '.trash');
    this.tree.state.disks.push(disk);
    this.tree.state.items.push(disk.root, disk.trash);
    const asked = { filters: { resource_id: data.root_folder } };
    const grants = await this.org.admin.post('/permissions/directory/list', asked);
    this.tree.state.grants.push({
      id: grants.data.items[0].id,
      item: disk.root,
      granted_to: 'group',
      types: ['VIEW', 'UPLOAD', 'EDIT'],
      inheritable: true,
    });
    this.tree.state.group_id = grants.data.items[0].granted_to;
  }

  private topFolder(disk: Disk, id: string, name: string): Item {
    const { owner } = this.tree.users;
    const texts = { notes: null, external_id: null, external_payload: null, shortcut_to: null };
    const trash = {
      deleted: false,
      prior_folder_id: null,
      prior_name: name,
      trashed_by: null,
      trashed_at: 0,
    };
    const file = { versions: [], extension: '', raw_url: null, upload_status: '' };
    return {
      ...{ kind: 'folder', id, disk, name, parent: null, labels: [], created_by: owner },
      ...{ created_at: this.tree.now, updated_by: owner, updated_at: this.tree.now },
      ...{ is_touched: false, is_copied: false, expires_at: -1, sovereign: true },
      ...trash,
      ...texts,
      ...file,
    };
  }

  /** Sends a batch and compares every outcome; first as a dry run, if wanted. */
  async act(caller: Caller, actions: readonly Action[], dry_run: boolean): Promise<void> {
    if (dry_run) {
      const copy = new Tree(
        structuredClone(this.tree.state),
        this.tree.drive_id,
        this.tree.url,
        this.tree.users,
      );
      await this.actOn(copy, caller, actions, { 'dry-run': 'true' });
    }
    await this.actOn(this.tree, caller, actions, {});
  }

  private async actOn(
    tree: Tree,
    caller: Caller,
    actions: readonly Action[],
    headers: Record<string, string>,
  ): Promise<void> {
    const what = `${caller}${headers['dry-run'] ? ', dry run' : ''}: ${JSON.stringify(actions)}`;
    this.log.push(what);
    const answer = await this.client(caller).post('/directory/action', { actions }, headers);
    this.expect({ status: 200, length: actions.length }, { ...answer, length: answer.body.length });
    for (const [index, action] of actions.entries()) {
      const outcome = answer.body[index];
      this.log.push(`  -> ${JSON.stringify(outcome.response).slice(0, 200)}`);
      this.expect({ id: ANY_TEXT, request: action }, outcome);
      this.compare(tree, caller, action, outcome);
    }
  }

  private compare(tree: Tree, caller: Caller, action: Action, outcome: any): void {
    const decision = decide(tree, caller, action);
    const kind = `${action.action} ${outcome.response.error?.code ?? 'accepted'}`;
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    const { result, error } = outcome.response;
    const what = `${caller} ${JSON.stringify(action)}`;
    if (error) {
      const codes = 'refused' in decision ? decision.refused : (decision.may_refuse ?? []);
      this.expect({ success: false }, outcome);
      if (!codes.includes(error.code))
        this.fail(
          `${what}: refused with ${error.code} (${error.message}), expected ${codes.join(' or ') || 'success'}`,
        );
      return;
    }
    this.expect({ success: true }, outcome);
    if ('refused' in decision)
      this.fail(`${what}: accepted, expected ${decision.refused.join(' or ')}`);
    this.expect(decision.apply(result), result, what);
  }

  /** Compares every item as both callers get it; learns what answers did not tell yet. */
  async compareItems(): Promise<void> {
    await this.learnIds();
    for (const caller of ['owner', 'member'] as const) await this.compareItemsOf(this.tree, caller);
  }

  async compareItemsOf(tree: Tree, caller: Caller, query = ''): Promise<number> {
    const { items } = tree.state;
    let revision = -1;
    for (let from = 0; from < items.length; from += 100) {
      const some = items.slice(from, from + 100);
      const actions = some.map(({ kind, id }) => ({
        action: kind === 'file' ? 'GET_FILE' : 'GET_FOLDER',
        payload: { id },
      }));
      const client = this.client(query ? 'owner' : caller);
      const answer = await client.post(`/directory/action${query}`, { actions });
      this.expect({ status: 200 }, answer);
      revision = Number(answer.headers.get('drive-revision'));
      for (const [index, action] of actions.entries()) {
        const { response } = answer.body[index];
        if (!query && caller === 'owner') this.learn(some[index]!, response.result);
        this.compare(tree, caller, action, answer.body[index]);
      }
    }
    if (!query && !this.past.has(revision)) this.past.set(revision, structuredClone(tree.state));
    return revision;
  }

  async expectGone(kind: string, id: string): Promise<void> {
    const actions = [{ action: `GET_${kind.toUpperCase()}`, payload: { id } }];
    const { body } = await this.org.admin.post('/directory/action', { actions });
    this.expect({ success: false, response: { error: { code: 404 } } }, body[0], `GET ${id}`);
  }

  private learn(item: Item, result: any): void {
    const shown = result?.[item.kind];
    if (!shown) return;
    if (item.is_copied) learnCopy(this.tree, item, shown);
    if (item.is_touched) learnUpdate(this.tree, item, shown);
    const version = item.versions.at(-1);
    if (version?.id === '?') version.id = this.learnId(shown.version_id);
  }

  /**
   * directory.md 2, Expiry: a sweep moves expired items to the trash, removes items of a disk with `autoexpire_ms` for
   * good, and removes what has lain in the trash for TRASH_DAYS.
   */
  async learnSweep(): Promise<void> {
    const { tree } = this;
    const isTrashed = (item: Item): boolean => item.parent === item.disk.trash;
    const before = new Set(tree.state.items.filter((each) => isTrashed(each)));
    for (const item of before)
      if (item.trashed_at + TRASH_MS <= tree.now) tree.remove([item, ...tree.allBelow(item)]);
    const hasExpired = (item: Item): boolean => item.expires_at > 0 && item.expires_at <= tree.now;
    const isBelowExpired = (item: Item): boolean =>
      item.parent !== null && (hasExpired(item.parent) || isBelowExpired(item.parent));
    const sovereign = tree.state.items.filter((item) => item.sovereign && isBelowExpired(item));
    for (;;) {
      const expired = tree.state.items.find(
        (item) => hasExpired(item) && !tree.isInTrash(item) && !isBelowExpired(item),
      );
      if (!expired) break;
      await this.endOf(expired);
    }
    // What a sweep does with expired items that are in the trash already, or in a folder that it moves, is not said.
    const ended = tree.state.items.filter((each) => hasExpired(each));
    for (const item of ended) await this.learnEnd(item);
    for (const item of sovereign)
      if (!isTrashed(item) && (await this.isShownInTrash(item))) tree.trash(item, 'service');
    const isNamed = (item: Item): boolean =>
      ended.includes(item) || (isTrashed(item) && !before.has(item));
    await this.learnNames(tree.state.items.filter((each) => isNamed(each)));
  }

  private async endOf(expired: Item): Promise<void> {
    const { tree } = this;
    // "A sovereign folder below an expired one is kept: it moves to the trash as an item of its own". Of a sovereign
    // file nothing is said, nor whether a folder that is kept holds on to the sovereign ones in it.
    const isKept = async (item: Item): Promise<boolean> =>
      (item.kind === 'folder' && tree.allBelow(expired).includes(item)) ||
      this.isShownInTrash(item);
    for (const item of tree.allBelow(expired).filter(({ sovereign }) => sovereign))
      if (await isKept(item)) tree.trash(item, 'service');
    if (expired.disk.autoexpire_ms) tree.remove([expired, ...tree.allBelow(expired)]);
    else {
      tree.trash(expired, 'service');
      expired.expires_at = -1;
    }
  }

  /**
   * In which order a sweep trashes items is not said, nor whether those that had expired in the trash hold their names
   * meanwhile: only that each name is unique there.
   */
  private async learnNames(items: readonly Item[]): Promise<void> {
    for (const item of items) {
      const shown = await this.recordOf(item);
      if (shown) item.name = shown.name;
    }
    for (const item of items) {
      const others = this.tree.children(item.parent!, item.kind).filter((each) => each !== item);
      if (this.tree.isPresent(item) && others.some(({ name }) => name === item.name))
        this.fail(`${item.id}: its name ${item.name} is not unique in the trash`);
    }
  }

  private async isShownInTrash(item: Item): Promise<boolean> {
    return (await this.recordOf(item))?.parent_folder_uuid === item.disk.trash.id;
  }

  private async recordOf({ kind, id }: Item): Promise<any> {
    const actions = [{ action: `GET_${kind.toUpperCase()}`, payload: { id } }];
    const { body } = await this.org.admin.post('/directory/action', { actions });
    return body[0].response.result?.[kind];
  }

  private async learnEnd(item: Item): Promise<void> {
    const shown = await this.recordOf(item);
    if (!shown) return;
    this.expect({ deleted: true, expires_at: -1 }, shown, `${item.id} after a sweep`);
    if (shown.parent_folder_uuid !== item.parent!.id) this.tree.trash(item, 'service');
    item.expires_at = -1;
  }

  /** Finds ids of copied content by its place and name. */
  private async learnIds(): Promise<void> {
    for (const item of this.tree.state.items) {
      if (item.id !== '?') continue;
      const list = await this.org.admin.post('/directory/list', {
        folder_id: item.parent!.id,
        page_size: 1000,
      });
      const records: any[] = list.body[item.kind === 'file' ? 'files' : 'folders'];
      const found = records.find(({ name }) => name === item.name);
      if (!found) this.fail(`no ${item.kind} ${item.name} in ${item.parent!.id}`);
      item.id = this.learnId(found.id);
    }
  }

  private learnId(id: string): string {
    if (this.tree.state.used_ids.has(id)) this.fail(`the new id ${id} was used before`);
    this.tree.state.used_ids.add(id);
    return id;
  }

  expect(expected: unknown, actual: unknown, what = ''): void {
    const found = difference(expected, actual);
    if (found) this.fail(`${what} ${found}`);
  }

  fail(what: string): never {
    throw new Mismatch(what, this.log, this.steps);
  }
}

export class Mismatch extends Error {
  constructor(
    readonly what: string,
    readonly log: readonly string[],
    /** Number of the step that showed it. */
    readonly step: number,
  ) {
    super(what);
  }
}
