import type { Organization } from '../support/client.js';
import { makeDisk, makeFolder } from '../support/directory.js';
import { TestService } from '../support/service.js';

/** Characters of JSON that the items of one answer may have. */
const MOST_CHARS = 4 * 1024 ** 2;
const LONG = 'n'.repeat(8_192);
/** A search shows one of their long fields. */
const GROUPS = 520;
/** A fifth of them folders. */
const ITEMS = 550;

type Page = Record<string, any>;

describe('a page of long records', () => {
  let service: TestService;
  let org: Organization;
  let folder_id: string;

  const ask = async (path: string, body: object): Promise<Page> => {
    const { status, data } = await org.admin.post(`/${path}`, body);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
    return data;
  };
  const read = (path: string, body: object): Promise<Page> =>
    ask(path, { page_size: 1_000, ...body });

  beforeAll(async () => {
    service = await TestService.start({ BODY_LIMIT_BYTES: '4000000' });
    org = await service.organization();
    const notes = { public_note: LONG, private_note: LONG, external_payload: LONG };
    for (let made = 0; made < GROUPS; made += 10) {
      const commands = Array.from({ length: 10 }, (_, nth) => ({
        path: 'groups/create',
        body: { name: `Long ${made + nth}`, ...notes },
      }));
      await ask('transaction', { commands });
    }
    const disk = await makeDisk(org);
    ({ id: folder_id } = await makeFolder(org.admin, disk, 'Long'));
    const item = { disk_id: disk.id, parent_folder_uuid: folder_id, notes: LONG };
    for (let made = 0; made < ITEMS; made += 50) {
      const actions = Array.from({ length: 50 }, (_, nth) => ({
        action: nth % 5 === 0 ? 'CREATE_FOLDER' : 'CREATE_FILE',
        payload: { ...item, name: `${made + nth}`, external_payload: LONG, file_size: 1 },
      }));
      await ask('directory/action', { actions });
    }
  });
  afterAll(() => service.stop());

  const byGroups = { categories: ['GROUPS'], query: 'long ' };
  it.each<[string, object, (page: Page) => any[], number]>([
    ['groups/list', {}, ({ items }) => items, GROUPS + 1],
    [
      'directory/list',
      {
        get folder_id() {
          return folder_id;
        },
      },
      ({ folders, files }) => [...folders, ...files],
      ITEMS,
    ],
    ['organization/search', { ...byGroups, sort_by: 'CREATED_AT' }, ({ items }) => items, GROUPS],
    ['organization/search', { ...byGroups, sort_by: 'UPDATED_AT' }, ({ items }) => items, GROUPS],
    ['organization/search', { ...byGroups, sort_by: 'SCORE' }, ({ items }) => items, GROUPS],
    ['organization/search', { ...byGroups, sort_by: 'ALPHABETICAL' }, ({ items }) => items, GROUPS],
    ['organization/replay', { include: ['groups'] }, ({ state }) => state.groups.items, GROUPS + 1],
    [
      'organization/compare',
      { from: { revision: 0 }, include: ['groups'] },
      ({ items }) => items,
      GROUPS,
    ],
  ])(
    'of %s %j ends early, and its cursors lead to every record once, both ways',
    async (path, body, itemsOf, count) => {
      for (const direction of ['ASC', 'DESC']) {
        const cursorsOf = (page: Page) => page.state?.groups ?? page;
        const pages: Page[] = [];
        const walk = async (cursor: 'cursor_down' | 'cursor_up', from: string | null) => {
          const ids: string[] = [];
          let next = from;
          do {
            const page = await read(path, { ...body, direction, ...(next && { [cursor]: next }) });
            const items = itemsOf(page);
            expect(JSON.stringify(items).length).toBeLessThan(1.05 * MOST_CHARS);
            const found = items.map((one: any) => one.id ?? one.resource_id ?? one.record_id);
            if (cursor === 'cursor_down') ids.push(...found);
            else ids.unshift(...found);
            pages.push(page);
            next = cursorsOf(page)[cursor];
          } while (next);
          return ids;
        };
        const down = await walk('cursor_down', null);
        expect(new Set(down).size).toBe(count);
        expect(down).toHaveLength(count);
        expect(pages.length).toBeGreaterThan(1);
        const last = pages.at(-1)!;
        const before_last = down.slice(0, -itemsOf(last).length);
        expect(await walk('cursor_up', cursorsOf(last).cursor_up)).toEqual(before_last);
      }
    },
  );

  it('leaves room for the other families of a replay', async () => {
    const { state } = await read('organization/replay', { include: ['ALL'] });
    const families = Object.values<Page>(state);
    const chars = families.map(({ items }) => JSON.stringify(items).length);
    expect(chars.reduce((sum, each) => sum + each, 0)).toBeLessThan(MOST_CHARS + 100_000);
    expect(families.filter(({ items, total }) => total > 0 && items.length === 0)).toEqual([]);
    const cut = families.filter(({ items, total }) => items.length < total);
    expect(cut.length).toBeGreaterThan(1);
    expect(cut.every(({ cursor_down }) => typeof cursor_down === 'string')).toBe(true);
  });
});
