import { describeWithMongo } from '../servers/mongodb/describe.js';
import { Client, type Organization } from '../support/client.js';
import { withoutPresence } from '../support/replicas.js';
import { TestService } from '../support/service.js';
import { Random } from '../../apps/demo/random.js';
import { movedToServers } from './servers.js';
import { Known, Worker } from './worker.js';

const SEED = Number(process.env.SCENARIO_SEED ?? 20_251_121);
const ORGANIZATIONS = 5;
const MEMBERS = 9;
const COMMANDS = 10_000;
const SAMPLES = 20;
/** What members may do, so that most of their commands are not refused. */
const MEMBER_GRANTS = [
  ['GROUPS', ['CREATE', 'VIEW', 'EDIT', 'INVITE']],
  ['CONTACTS', ['CREATE', 'VIEW', 'EDIT']],
  ['DISKS', ['CREATE', 'VIEW', 'EDIT', 'DELETE']],
  ['PERMISSIONS', ['CREATE', 'VIEW', 'EDIT', 'DELETE']],
  ['INBOX', ['CREATE']],
] as const;

interface Sample {
  readonly organization: number;
  readonly revision: number;
  readonly state_hash: string;
  readonly log_root: string;
}

describe(`${COMMANDS} commands by 50 users in ${ORGANIZATIONS} organizations (seed ${SEED})`, () => {
  let service: TestService;
  const organizations: Organization[] = [];
  const samples: Sample[] = [];
  const statuses = new Map<number, number>();
  const failures: unknown[] = [];

  /** The owner of an organization, at the address of this run of the service. */
  const owner = (at: number): Client => {
    const { drive_id, admin } = organizations[at]!;
    return new Client(`${service.url}/v1/drive/${drive_id}`, admin.token);
  };

  const replay = async (at: number, body: object): Promise<any> => {
    const { status, data, err } = await owner(at).post('/organization/replay', body);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };

  const expectSamples = async (body: object): Promise<void> => {
    for (const { organization, revision, state_hash, log_root } of samples)
      expect(await replay(organization, { revision, ...body })).toMatchObject({
        revision,
        state_hash,
        log_root,
      });
  };

  beforeAll(async () => {
    service = await TestService.start({}, { limits: { snapshot_every_events: 500 } });
    for (let at = 0; at < ORGANIZATIONS; at++) {
      const names = Array.from({ length: MEMBERS }, (_, member) => `Member ${member}`);
      const organization = await service.organization(...names);
      organizations.push(organization);
      const { data } = await organization.admin.post('/groups/list');
      for (const [resource_id, permission_types] of MEMBER_GRANTS)
        await organization.admin.post('/permissions/system/create', {
          resource_id,
          permission_types,
          granted_to: data.items[0].id,
        });
    }
    await Promise.all(organizations.map((organization, at) => work(organization, at)));
  });

  afterAll(() => service.stop());

  /** All users of one organization at once; in between the owner notes where it stands. */
  async function work(organization: Organization, at: number): Promise<void> {
    const people = [organization.admin, ...organization.members];
    const users = people.map(({ user_id }) => user_id);
    const known = new Known();
    const steps = COMMANDS / ORGANIZATIONS / people.length;
    const every = Math.floor(steps / SAMPLES);
    await Promise.all(
      people.map(async (client, person) => {
        const random = new Random(SEED + at * 1000 + person);
        const worker = new Worker(client, known, users, random);
        for (let step = 0; step < steps; step++) {
          const { status, body } = await worker.step();
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status >= 500) failures.push(body);
          if (person === 0 && step % every === 0) await sample(at);
        }
      }),
    );
    await sample(at);
  }

  async function sample(at: number): Promise<void> {
    const { revision, state_hash, log_root } = await replay(at, {});
    samples.push({ organization: at, revision, state_hash, log_root });
  }

  it('sends that many, most of them accepted, none failing', () => {
    const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    expect(sent).toBe(COMMANDS);
    expect(failures).toEqual([]);
    expect(statuses.get(200)!).toBeGreaterThan(COMMANDS / 2);
    expect(samples.length).toBeGreaterThanOrEqual(SAMPLES * ORGANIZATIONS);
  });

  it('replays every noted point to the hash it had live', () => expectSamples({}), 120_000);

  it('and with every hash checked from event 0', () => expectSamples({ verify: true }), 120_000);

  it('and after a restart', async () => {
    await service.restart();
    await expectSamples({});
  });

  it('rebuilds read models that equal those before, document for document', async () => {
    for (let at = 0; at < ORGANIZATIONS; at++) {
      const before = await everything(owner(at));
      const { status } = await owner(at).post('/organization/reindex');
      expect(status).toBe(200);
      expect(withoutPresence(await everything(owner(at)))).toEqual(withoutPresence(before));
    }
  });

  describeWithMongo('moved', () => {
    it('moves to servers with every hash and every list the same', async () => {
      const said = (url: string) =>
        Promise.all(
          organizations.map(async ({ drive_id, admin }) => {
            const client = new Client(`${url}/v1/drive/${drive_id}`, admin.token);
            return { hashes: await hundredths(client), shown: await everything(client) };
          }),
        );
      const here = await said(service.url);
      const points = here.reduce((sum, { hashes }) => sum + hashes.length, 0);
      expect(points).toBeGreaterThan(COMMANDS / 2 / 100);
      const there = await movedToServers(service.data_dir, service.url, said);
      expect(withoutPresence(there)).toEqual(withoutPresence(here));
    });
  });
});

/** Where an organization stood at every hundredth revision, and stands. */
async function hundredths(owner: Client): Promise<unknown[]> {
  const { data: now } = await owner.post('/organization/replay', { hash: false });
  const hashes: unknown[] = [];
  for (let revision = 0; revision <= now.revision; revision += 100) {
    const { data } = await owner.post('/organization/replay', { revision });
    const { state_hash, chain_hash, log_root, counts } = data;
    hashes.push({ revision, state_hash, chain_hash, log_root, counts });
  }
  return hashes;
}

/** Every record of every family that lists and replay show to the owner. */
async function everything(owner: Client): Promise<unknown> {
  const families: Record<string, unknown[]> = {};
  for (const family of ['contacts', 'groups', 'disks']) {
    families[family] = [];
    let cursor_down: string | null = null;
    do {
      const body = { page_size: 1000, cursor_down };
      const { data }: { data?: any } = await owner.post(`/${family}/list`, body);
      families[family].push(...data.items);
      cursor_down = data.cursor_down;
    } while (cursor_down);
  }
  const shown = ['group_invites', 'directory_permissions', 'system_permissions', 'api_keys'];
  for (const family of [...shown, 'folders', 'shortlinks', 'superswaps', 'organization']) {
    families[family] = [];
    let cursor_down: string | null = null;
    do {
      const body = { include: [family], page_size: 1000, cursor_down };
      const { data }: { data?: any } = await owner.post('/organization/replay', body);
      families[family].push(...data.state[family].items);
      cursor_down = data.state[family].cursor_down;
    } while (cursor_down);
  }
  return families;
}
