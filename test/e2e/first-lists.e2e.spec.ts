import { type Answer, Client } from '../support/client.js';
import { COMBINATION } from '../support/combination.js';
import { TestService } from '../support/service.js';

/** So many that they are indexed in several turns of the event loop. */
const BEFORE = 2_000;
const AT_ONCE = 100;
const QUERIES = 8;
const COMMANDS = 40;

describe('the first queries after a start, while commands go on', () => {
  let service: TestService;
  let admin: Client;

  beforeAll(async () => {
    service = await TestService.start();
    const org = await service.organization();
    for (let nth = 0; nth < BEFORE; nth += AT_ONCE) {
      const commands = Array.from({ length: AT_ONCE }, (_, at) => ({
        path: 'groups/create',
        body: { name: `Group of ${nth + at}` },
      }));
      const { status } = await org.admin.post('/transaction', { commands });
      if (status !== 200) throw new Error(`status ${status}`);
    }
    await service.restart();
    admin = new Client(`${service.url}/v1/drive/${org.drive_id}`, org.admin.token);
  });
  afterAll(() => service?.stop());

  it('show one state each, and what was written before them', async () => {
    const created: number[] = [];
    const shown: { readonly revision: number; readonly total: number }[] = [];
    const revisionOf = ({ status, headers }: Answer): number => {
      expect(status).toBe(200);
      return Number(headers.get('drive-revision'));
    };
    const list = async (filters = ''): Promise<number> => {
      const answer = await admin.post('/groups/list', { page_size: 5, filters });
      const revision = revisionOf(answer);
      shown.push({ revision, total: answer.data.total });
      return revision;
    };
    const search = async (): Promise<void> => {
      const body = { query: 'group ', categories: ['GROUPS'], page_size: 5 };
      const answer = await admin.post('/organization/search', body);
      shown.push({ revision: revisionOf(answer), total: answer.data.total });
    };
    const replay = async (): Promise<void> => {
      const answer = await admin.post('/organization/replay', { include: ['groups'] });
      shown.push({ revision: answer.data.revision, total: answer.data.state.groups.total });
    };
    const create = async (): Promise<void> => {
      const revision = revisionOf(await admin.post('/groups/create', { name: 'A group of then' }));
      created.push(revision);
      expect(await list()).toBeGreaterThanOrEqual(revision);
    };
    const commands = Array.from({ length: COMMANDS }, create);
    const queries = Array.from({ length: QUERIES }, () => [
      list(),
      list('group '),
      search(),
      replay(),
    ]);
    await Promise.all([...commands, ...queries.flat()]);
    expect(shown).toHaveLength(COMMANDS + 4 * QUERIES);
    // With the group of everyone.
    const totalAt = (at: number): number =>
      BEFORE + 1 + created.filter((revision) => revision <= at).length;
    const missing = shown.filter(({ revision, total }) => total < totalAt(revision));
    expect(missing).toEqual([]);
    // Documents in a database may be ahead of the revision of the answer.
    const ahead = shown.filter(({ revision, total }) => total > totalAt(revision));
    expect(COMBINATION === null ? ahead : []).toEqual([]);
  });
});
