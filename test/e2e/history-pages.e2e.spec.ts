import type { Organization } from '../support/client.js';
import { act, makeDisk, makeFolder } from '../support/directory.js';
import { TestService } from '../support/service.js';

describe('a page of history', () => {
  let service: TestService;
  let org: Organization;
  const history = async (body: object): Promise<any> => {
    const { status, data, err } = await org.admin.post('/organization/history', body);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };

  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    org = await service.organization('Bob');
  });
  afterAll(() => service.stop());

  it('leads to the next one after a superswap of the person in between', async () => {
    const [bob] = org.members;
    for (const name of ['B1', 'B2', 'B3'])
      await org.admin.post('/contacts/update', { id: bob!.user_id, name });
    const query = { resource_id: bob!.user_id, page_size: 2 };
    const { items, cursor_down } = await history(query);
    const swap = { current_user_id: bob!.user_id, new_user_id: 'UserID_bob' };
    await org.admin.post('/organization/superswap_user', swap);
    const next = await history({ ...query, cursor_down });
    expect(next.items[0].revision).toBe(items[1].revision - 1);
  });

  it('has fewer events where these are long, and all pages have every event once', async () => {
    const disk = await makeDisk(org);
    const { id } = await makeFolder(org.admin, disk, 'Long');
    const notes = 'x'.repeat(8_000);
    const long = { disk_id: disk.id, parent_folder_uuid: id, file_size: 1, notes };
    // All at once are more than a body may have.
    for (let batch = 0; batch < 5; batch++) {
      const actions = Array.from({ length: 20 }, (_, nth) => ({
        action: 'CREATE_FILE',
        payload: { ...long, name: `${batch}-${nth}.txt`, external_payload: notes },
      }));
      expect((await org.admin.post('/directory/action', { actions })).status).toBe(200);
    }
    for (let nth = 0; nth < 6; nth++)
      await act(org.admin, 'COPY_FOLDER', { id, destination_folder_id: disk.root_folder });
    const whole = { types: ['ItemCopied'], page_size: 6 };
    const { total, page_size, items: newest, ...first } = await history(whole);
    expect([total, page_size]).toEqual([6, 6]);
    expect(newest.length).toBeLessThan(6);
    const seen = [...newest];
    let cursor_down = first.cursor_down;
    let cursor_up: string | null = null;
    while (cursor_down) {
      const page = await history({ ...whole, cursor_down });
      seen.push(...page.items);
      ({ cursor_down, cursor_up } = page);
    }
    const revisions = (events: any[]): number[] => events.map(({ revision }) => revision);
    expect(new Set(revisions(seen)).size).toBe(6);
    expect(revisions(seen)).toEqual(revisions(seen).toSorted((one, other) => other - one));
    const last_page = await history({ ...whole, cursor_up });
    const beside = revisions(last_page.items);
    const at = revisions(seen).indexOf(beside[0]!);
    expect(beside).toEqual(revisions(seen).slice(at, at + beside.length));
    expect(last_page.cursor_up).not.toBeNull();
  });
});
