import type { Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

describe('an empty page of a list that has become shorter', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization();
  });
  afterAll(() => service.stop());

  const made = async (names: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const title of names)
      ids.push((await org.admin.post('/purchases/create', { title })).data.id);
    return ids;
  };
  const remove = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) await org.admin.post('/purchases/delete', { id });
  };
  const titles = (page: any): string[] => page.items.map((one: any) => one.title);

  describe.each([
    ['purchases/list', {}],
    [
      'organization/search',
      { query: 'frontier', categories: ['PURCHASES'], sort_by: 'ALPHABETICAL' },
    ],
    [
      'organization/search',
      { query: 'frontier', categories: ['PURCHASES'], sort_by: 'CREATED_AT' },
    ],
    ['organization/search', { query: 'frontier', categories: ['PURCHASES'], sort_by: 'SCORE' }],
  ])('%s %j', (path, body) => {
    describe.each(['ASC', 'DESC'])('%s', (direction) => {
      const page = async (more: object): Promise<any> =>
        (await org.admin.post(`/${path}`, { ...body, direction, page_size: 2, ...more })).data;
      let ids: readonly string[] = [];
      /** The ids in the order of the list. */
      const listed = async (): Promise<string[]> =>
        (await page({ page_size: 10 })).items.map((one: any) => one.resource_id ?? one.id);

      beforeEach(async () => {
        ids = await made(['frontier 1', 'frontier 2', 'frontier 3', 'frontier 4']);
      });
      afterEach(() => remove(ids));

      it('leads back from beyond its end', async () => {
        const all = await listed();
        const first = await page({});
        await remove(all.slice(2));
        const empty = await page({ cursor_down: first.cursor_down });
        expect(empty).toMatchObject({ items: [], total: 2, cursor: null, cursor_down: null });
        expect(empty.cursor_up).toEqual(expect.any(String));
        const back = await page({ cursor_up: empty.cursor_up });
        expect(titles(back)).toEqual(titles(first));
        expect([back.cursor_up, back.cursor_down]).toEqual([null, null]);
      });

      it('leads forth from before its beginning', async () => {
        const all = await listed();
        const first = await page({});
        const second = await page({ cursor_down: first.cursor_down });
        await remove(all.slice(0, 2));
        const empty = await page({ cursor_up: second.cursor_up });
        expect(empty).toMatchObject({ items: [], total: 2, cursor_up: null });
        expect(empty.cursor_down).toEqual(expect.any(String));
        expect(empty.cursor).toBe(empty.cursor_down);
        expect(titles(await page({ cursor_down: empty.cursor_down }))).toEqual(titles(second));
      });

      it('has no cursors if nothing is left', async () => {
        const { cursor_down } = await page({});
        await remove(ids);
        const nothing = { items: [], total: 0, cursor: null, cursor_down: null, cursor_up: null };
        expect(await page({ cursor_down })).toMatchObject(nothing);
        expect(await page({})).toMatchObject(nothing);
      });
    });
  });
});
