import { Client, type Organization } from '../support/client.js';
import { asThen } from '../support/past.js';
import { TestService } from '../support/service.js';
import { Random } from '../../apps/demo/random.js';
import { Known, Worker } from './worker.js';

const SEED = Number(process.env.SCENARIO_SEED ?? Date.now() & 0x7fffffff);
const COMMANDS = Number(process.env.AS_OF_COMMANDS ?? 60);
/** Time between two commands: windows of a few seconds open and close on the way. */
const STEP_MS = 700;

/** One question with what was answered when it was new. */
interface Asked {
  readonly revision: number;
  readonly who: Client;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: object | undefined;
  readonly status: number;
  readonly answer: unknown;
}

type Question = Pick<Asked, 'method' | 'path' | 'body'>;

const get = (path: string): Question => ({ method: 'GET', path, body: undefined });
const post = (path: string, body: object = {}): Question => ({ method: 'POST', path, body });

/** A fixed set of reads over everything that is known at the moment. */
function questions(known: Known, users: readonly string[]): Question[] {
  const last = (ids: readonly (string | { id: string })[]): string[] => {
    const found = ids.at(-1);
    return found === undefined ? [] : [typeof found === 'string' ? found : found.id];
  };
  const families = {
    contacts: known.contacts,
    groups: known.groups,
    disks: known.disks,
    'groups/invites': known.invites,
    'permissions/system': known.system_grants,
    'permissions/directory': known.directory_grants,
    api_keys: known.keys,
  };
  return [
    ...Object.entries(families).flatMap(([path, ids]) =>
      last(ids).map((id) => get(`/${path}/get/${id}`)),
    ),
    ...['contacts', 'groups', 'disks', 'permissions/system'].map((path) => post(`/${path}/list`)),
    post('/groups/list', { page_size: 2, direction: 'DESC', filters: '~w' }),
    ...last(known.groups).flatMap((group_id) => [
      post('/groups/invites/list', { group_id }),
      ...users.map((user_id) => post('/groups/validate', { group_id, user_id })),
    ]),
    ...last(known.folders).flatMap((resource_id) => [
      post('/permissions/directory/list', { filters: { resource_id } }),
      ...users.map((grantee_id) =>
        post('/permissions/directory/check', { resource_id, grantee_id }),
      ),
    ]),
    ...users.map((grantee_id) =>
      post('/permissions/system/check', { resource_id: 'TABLE_GROUPS', grantee_id }),
    ),
    post(`/api_keys/list/${users[1]}`),
    post('/organization/search', { query: '~w', sort_by: 'CREATED_AT' }),
    get('/organization/about'),
  ];
}

describe(`answers as of ${COMMANDS} past revisions (seed ${SEED})`, () => {
  let service: TestService;
  let organization: Organization;
  let now_ms = Date.now();
  const asked: Asked[] = [];

  beforeAll(async () => {
    service = await TestService.start(
      { PUBLIC_URL: 'https://drive.example', FRONTEND_URL: 'https://web.example' },
      { clock: () => now_ms, limits: { snapshot_every_events: 50 } },
    );
    organization = await service.organization('Ann', 'Bob');
    const { admin, members } = organization;
    const { data } = await admin.post('/groups/list');
    for (const table of ['GROUPS', 'CONTACTS', 'DISKS', 'PERMISSIONS'])
      await admin.post('/permissions/system/create', {
        resource_id: `TABLE_${table}`,
        permission_types: ['CREATE', 'VIEW', 'EDIT', 'INVITE'],
        granted_to: table === 'GROUPS' ? members[0]!.user_id : data.items[0].id,
      });
    const people = [admin, ...members];
    const users = people.map(({ user_id }) => user_id);
    const known = new Known();
    const random = new Random(SEED);
    const workers = people.map((client) => new Worker(client, known, users, random));
    let revision = -1;
    // After a refused command nobody is asked, so a seed with many of them gets more commands.
    const lacksAnswers = (): boolean => asked.length <= COMMANDS * 3;
    for (let step = 0; step < COMMANDS || (lacksAnswers() && step < COMMANDS * 20); step++) {
      now_ms += STEP_MS;
      const answer = await random.pick(workers)!.step();
      const reached = Number(answer.headers.get('drive-revision'));
      // A revision's own time is that of its event: later looks at it may see other windows.
      if (reached === revision || answer.status !== 200) continue;
      revision = reached;
      for (const who of people)
        for (const question of questions(known, users)) {
          const { method, path, body } = question;
          const { status, body: answered } = await ask(who, question);
          asked.push({ revision, who, method, path, body, status, answer: asThen(answered) });
        }
    }
  });

  afterAll(() => service.stop());

  function ask(who: Client, { method, path, body }: Question, query = '') {
    return who.send(method, path + query, body && JSON.stringify(body));
  }

  async function expectSameAnswers(): Promise<void> {
    const admin = new Client(
      `${service.url}/v1/drive/${organization.drive_id}`,
      organization.admin.token,
    );
    for (const { revision, who, status, answer, ...question } of asked) {
      const query = `?as_of=r${revision}&as_user=${who.user_id}`;
      const then = await ask(admin, question, query);
      const reflects = status === 200 ? then.headers.get('drive-revision') : String(revision);
      expect(reflects).toBe(String(revision));
      expect({
        ...question,
        revision,
        who: who.user_id,
        status: then.status,
        answer: asThen(then.body),
      }).toEqual({ ...question, revision, who: who.user_id, status, answer });
    }
  }

  it('are those that were given then', async () => {
    expect(asked.length).toBeGreaterThan(COMMANDS * 3);
    expect(asked.filter(({ status }) => status === 400)).toEqual([]);
    const statuses = new Set(asked.map(({ status }) => status));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 403]));
    await expectSameAnswers();
  });

  it('are the same after a restart', async () => {
    await service.restart();
    await expectSameAnswers();
  });
});
