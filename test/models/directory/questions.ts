import {
  breadcrumbs,
  crumb,
  type Listing,
  listing,
  type ListBody,
  record,
  sharedWithMe,
  sortKey,
  versions,
} from './answers.js';
import type { Random } from './random.js';
import type { Session } from './session.js';
import { type Caller, type Disk, type Item, Tree } from './tree.js';

/** Every list, every page, external ids and the past, compared with the model. */
export async function compareAll(session: Session, random: Random): Promise<void> {
  const { tree } = session;
  for (const caller of ['owner', 'member'] as const) {
    for (const folder of tree.state.items.filter(({ kind }) => kind === 'folder'))
      await compareFolder(session, tree, caller, folder, asked(random));
    for (const disk of tree.state.disks)
      await compareShared(session, tree, caller, disk, asked(random));
    await compareExternalIds(session, caller);
  }
  for (const file of tree.state.items.filter((item) => item.kind === 'file')) {
    if (!tree.isPresent(file)) continue;
    const { data } = await session.org.admin.post('/directory/versions', { file_id: file.id });
    session.expect(versions(file), data.items, `versions of ${file.id}`);
  }
  await comparePast(session, random);
}

function asked(random: Random): ListBody & { page_size: number } {
  return {
    page_size: random.pick([1, 2, 3, 50]),
    ...(random.chance(0.3) && { direction: random.pick(['ASC', 'DESC'] as const) }),
    ...(random.chance(0.3) && {
      filters: random.pick(['.t', '.T', '(2)', '%', ' ', '\u00e9', '\u00c9', '']),
    }),
  };
}

async function compareFolder(
  session: Session,
  tree: Tree,
  caller: Caller,
  folder: Item,
  body: ListBody & { page_size: number },
  query = '',
): Promise<void> {
  const by_path = session.tree === tree && body.page_size === 3 && tree.isPresent(folder);
  const whole = by_path
    ? { path: tree.fullPath(folder), ...body }
    : { folder_id: folder.id, ...body };
  const what = `${caller} list${query} ${JSON.stringify(whole)}`;
  const status = !tree.isPresent(folder) ? 404 : tree.may(caller, 'VIEW', folder) ? 200 : 403;
  const answer = await ask(session, caller, whole, query);
  session.expect({ status }, answer, what);
  if (status !== 200) return;
  const head = {
    breadcrumbs: breadcrumbs(tree, caller, folder),
    permission_previews: tree.types(caller, folder),
  };
  const expected = listing(tree, caller, folder, body);
  await comparePages(session, tree, caller, whole, answer, { head, expected, what, query });
}

async function compareShared(
  session: Session,
  tree: Tree,
  caller: Caller,
  disk: Disk,
  body: ListBody & { page_size: number },
): Promise<void> {
  const whole = { disk_id: disk.id, ...body };
  const what = `${caller} list ${JSON.stringify(whole)}`;
  const answer = await ask(session, caller, whole, '');
  session.expect({ status: 200 }, answer, what);
  // directory.md 3: "breadcrumbs = disk root, then `shared-with-me` / "Shared with me"; `permission_previews` `[]`".
  const shared = { resource_id: 'shared-with-me', resource_name: 'Shared with me' };
  const head = { breadcrumbs: [crumb(tree, disk.root), shared], permission_previews: [] };
  const expected = sharedWithMe(tree, caller, disk.id, body);
  await comparePages(session, tree, caller, whole, answer, { head, expected, what, query: '' });
}

function ask(session: Session, caller: Caller, body: object, query: string) {
  return session.client(query ? 'owner' : caller).post(`/directory/list${query}`, body);
}

interface Expectation {
  readonly head: object;
  readonly expected: Listing;
  readonly what: string;
  readonly query: string;
}

/** Follows the cursor to the end: directory.md 3, `cursor`, "at most page_size items in total". */
async function comparePages(
  session: Session,
  tree: Tree,
  caller: Caller,
  body: { page_size: number },
  first: any,
  { head, expected, what, query }: Expectation,
): Promise<void> {
  const { page_size } = body;
  const totals = { total_folders: expected.folders.length, total_files: expected.files.length };
  const count = totals.total_folders + totals.total_files;
  const folders: any[] = [];
  const files: any[] = [];
  let answer = first;
  for (let seen = 0; ;) {
    session.expect({ status: 200, body: { ...head, ...totals } }, answer, what);
    // directory.md 3: "fields at top level, and repeated under `ok.data`".
    const { ok, ...top } = answer.body;
    session.expect(top, ok.data, `${what} under ok.data`);
    folders.push(...top.folders);
    files.push(...top.files);
    const on_page = top.folders.length + top.files.length;
    seen += on_page;
    session.expect({ on_page: Math.min(page_size, count - seen + on_page) }, { on_page }, what);
    session.expect({ at_end: seen >= count }, { at_end: top.cursor === null }, what);
    // "the sequence folders-then-files"
    if (top.files.length && folders.length < totals.total_folders)
      session.fail(`${what}: files before folders`);
    if (top.cursor === null) break;
    const name = seen % 2 ? 'cursor' : 'cursor_down';
    await comparePageBefore(session, caller, body, top.cursor, [...folders, ...files], query);
    answer = await ask(session, caller, { ...body, [name]: top.cursor }, query);
  }
  compareOrder(session, tree, caller, expected.folders, folders, what);
  compareOrder(session, tree, caller, expected.files, files, what);
}

/**
 * README 6: `cursor_up` asks for the page before a position. Whether the record that names the position belongs to it
 * is not said of the only cursor that this list sends.
 */
async function comparePageBefore(
  session: Session,
  caller: Caller,
  body: { page_size: number },
  cursor_up: string,
  shown: readonly any[],
  query: string,
): Promise<void> {
  const { body: page } = await ask(session, caller, { ...body, cursor_up }, query);
  const ids = [...page.folders, ...page.files].map(({ id }: any) => id);
  const possible = [shown, shown.slice(0, -1)].map((before) =>
    String(before.slice(-body.page_size).map(({ id }) => id)),
  );
  if (!possible.includes(String(ids)))
    session.fail(
      `${caller} page before ${JSON.stringify(body)}: ${String(ids)}, not ${possible.join(' or ')}`,
    );
}

/** Items with equal sort keys may come in any order among themselves. */
function compareOrder(
  session: Session,
  tree: Tree,
  caller: Caller,
  expected: readonly Item[],
  shown: readonly any[],
  what: string,
): void {
  const keys = expected.map((item) => sortKey(item).toString('hex'));
  const by_id = new Map(expected.map((item) => [item.id, item]));
  session.expect(expected.length, shown.length, `${what}: number of items`);
  for (const [index, each] of shown.entries()) {
    const item = by_id.get(each.id);
    if (!item) session.fail(`${what}: ${each.id} (${each.name}) is shown unexpectedly or twice`);
    by_id.delete(each.id);
    session.expect(keys[index], sortKey(item).toString('hex'), `${what}: place ${index}`);
    session.expect(record(tree, caller, item), each, what);
  }
}

/** organization.md, external_id: "ids the caller may not VIEW are left out". */
async function compareExternalIds(session: Session, caller: Caller): Promise<void> {
  const { tree } = session;
  const external_ids = ['x1', 'x2', 'x3'];
  const answer = await session.client(caller).post('/organization/external_id', { external_ids });
  for (const [index, external_id] of external_ids.entries()) {
    const ids = tree.state.items
      .filter(
        (item) =>
          item.external_id === external_id &&
          tree.isPresent(item) &&
          tree.may(caller, 'VIEW', item),
      )
      .map(({ id }) => id)
      .sort();
    const { success, internal_ids } = answer.data.results[index];
    session.expect(
      { success: ids.length > 0, ids },
      { success, ids: internal_ids.toSorted() },
      `${caller} external id ${external_id}`,
    );
  }
}

/** time-travel.md 4: the answer "the service would have answered at that point". */
async function comparePast(session: Session, random: Random): Promise<void> {
  const revisions = [...session.past.keys()];
  for (const revision of [random.pick(revisions), random.pick(revisions)]) {
    const { drive_id, url, users } = session.tree;
    const then = new Tree(structuredClone(session.past.get(revision)!), drive_id, url, users);
    const query = `?as_of=r${revision}`;
    session.log.push(`as of ${revision}`);
    await session.compareItemsOf(then, 'owner', query);
    await session.compareItemsOf(then, 'member', `${query}&as_user=${users.member}`);
    const folders = then.state.items.filter(({ kind }) => kind === 'folder');
    await compareFolder(session, then, 'owner', random.pick(folders), asked(random), query);
  }
}
