import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type Organization, organizationOf } from '../support/client.js';
import { download, put } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { describeWith, leftOut, NEEDS } from '../support/needs.js';
import { whyNoContainers } from '../support/podman.js';
import { REPOSITORY } from '../docs/markdown.js';
import { Composition } from './composition.js';
import { Engine } from './engine.js';
import { BASE, buildBase, buildEventStore, buildServers, SERVICE } from './images.js';
import { groupNames, Load } from './load.js';
import { eventually } from '../support/eventually.js';

/** Id of the user `node` of the image. */
const NODE_USER = 1000;
const MINUTE_MS = 60_000;
const MEGABYTE = 1_000_000;
/** The metric of accepted commands of a process. */
const ACCEPTED = 'commands_decided_total{outcome="accepted"}';
const MOST_ADDED_BYTES = 150 * MEGABYTE;

async function quickstart(url: string): Promise<Organization> {
  const body = { org_name: 'Acme', members: [{ name: 'Bob' }] };
  const { status, data } = await new Client(url).post('/v1/factory/quickstart', body);
  expect(status).toBe(200);
  return organizationOf(url, data);
}

/** What a replay from the first event tells of the end of the history. */
async function verified(admin: Client) {
  const { status, data, err } = await admin.post('/organization/replay', { verify: true });
  expect([status, err, data?.verified]).toEqual([200, undefined, true]);
  const { revision, state_hash, chain_hash, log_root } = data;
  return { revision, state_hash, chain_hash, log_root };
}

if (leftOut().includes('containers'))
  process.stdout.write(
    `The tests of the image are left out: ${whyNoContainers() ?? NEEDS.containers.advice}.\n`,
  );

describeWith('containers')('the image', () => {
  let engine: Engine;

  beforeAll(async () => {
    engine = new Engine();
    await buildBase(engine);
    await Promise.all([engine.build(SERVICE, REPOSITORY), buildServers(engine)]);
  }, 15 * MINUTE_MS);
  afterAll(() => engine?.stop(), MINUTE_MS);

  /** Runs a program of Debian in a new container. */
  const inImage = (program: string, ...args: readonly string[]): Promise<string> =>
    engine.podman('run', '--rm', '--entrypoint', program, SERVICE, ...args);
  /** Runs the image with these arguments. */
  const runImage = (...args: readonly string[]): Promise<string> =>
    engine.podman('run', '--rm', SERVICE, ...args);

  it(`adds at most ${MOST_ADDED_BYTES / MEGABYTE} MB to its base`, async () => {
    const sizes = await Promise.all(
      [SERVICE, BASE].map((name) =>
        engine.podman('image', 'inspect', '--format', '{{.Size}}', name),
      ),
    );
    const [whole, base] = sizes.map(Number) as [number, number];
    process.stdout.write(`image: ${whole} bytes, ${whole - base} of them beside its base\n`);
    expect(whole - base).toBeGreaterThan(10 * MEGABYTE);
    expect(whole - base).toBeLessThanOrEqual(MOST_ADDED_BYTES);
  });

  it('has one Node.js, no compiler, no development dependency and no source', async () => {
    const tests = ['-xdev', '-type', 'f', '-name', 'node', '-perm', '/111', '-size', '+1M'];
    expect(await inImage('find', '/usr', '/app', '/opt', ...tests)).toBe('/usr/local/bin/node');
    const modules = (await inImage('ls', 'node_modules')).split('\n');
    expect(modules).toContain('fastify');
    for (const name of ['typescript', 'jest', 'oxlint', 'prettier', 'vite'])
      expect(modules).not.toContain(name);
    const own = ['dist', 'node_modules', 'package.json', 'tools'];
    expect((await inImage('ls')).split('\n')).toEqual(own);
  });

  it('has the commands of the package, run by an ordinary user', async () => {
    expect(await runImage('ops', '--help')).toContain('verify');
    await expect(runImage('ops', 'no-such-command')).rejects.toThrow('no-such-command');
    await expect(runImage('no-such-program')).rejects.toThrow('Usage: drive-workspace');
    expect(await inImage('id', '-u')).toBe(`${NODE_USER}`);
    expect(await inImage('node', '--version')).toMatch(/^v24\./);
  });

  it.each(['serve', 'worker'])(
    'ends at once when told to while `%s` waits for a server',
    async (program) => {
      const servers = {
        EVENT_STORE: 'kurrentdb',
        KURRENTDB_URL: 'kurrentdb://127.0.0.1:1?tls=false',
        MONGODB_URL: 'mongodb://127.0.0.1:1/',
        STORE_WAIT_MS: '120000',
        MASTER_KEY: '11'.repeat(32),
        SIGNING_KEY: '22'.repeat(32),
      };
      const env = Object.entries(servers).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      await engine.podman('run', '--detach', '--name', 'waiting', ...env, SERVICE, program);
      await eventually(async () =>
        expect(await engine.logs('waiting')).toContain('waiting for a store'),
      );
      await engine.podman('stop', '--time', '20', 'waiting');
      // 137 after SIGKILL.
      expect(await engine.podman('inspect', '--format', '{{.State.ExitCode}}', 'waiting')).toBe(
        '143',
      );
      await engine.podman('rm', 'waiting');
    },
  );

  describe('in a container that can write only to its volume', () => {
    const NAME = 'embedded';
    const VOLUME = ['--volume', 'embedded-data:/data'];
    const READ_ONLY = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', ...VOLUME];
    let url: string;
    let org: Organization;
    let file_id: string;
    const bytes = randomBytes(3 * MEGABYTE);

    async function run(): Promise<void> {
      const options = ['--detach', '--name', NAME, '--publish', '127.0.0.1::3000', ...READ_ONLY];
      await engine.podman('run', ...options, SERVICE);
      url = `http://${await engine.podman('port', NAME, '3000/tcp')}`;
      await eventually(() => engine.podman('healthcheck', 'run', NAME));
    }
    /** The same organization at the address that the container has now. */
    const at = ({ token }: Client): Client => new Client(`${url}/v1/drive/${org.drive_id}`, token);

    it('serves organizations, content and the console', async () => {
      await run();
      const { status, body } = await new Client(url).get('/console');
      expect([status, body]).toEqual([200, expect.stringContaining('<script')]);
      org = await quickstart(url);
      file_id = (await makeFile(org.admin, await makeDisk(org), 'a.bin')).id;
      expect((await put(org.admin, file_id, bytes)).status).toBe(200);
    });

    it('has everything acknowledged after it was killed, in a new container on its volume', async () => {
      const load = new Load(org.admin, 4);
      await load.reached(50);
      await engine.podman('kill', '--signal', 'KILL', NAME);
      await load.stop();
      await engine.podman('rm', NAME);
      await run();
      expect(await load.wrong(at(org.admin))).toEqual([]);
      await verified(at(org.admin));
      const found = await download(at(org.admin), file_id);
      expect([found.status, found.bytes.equals(bytes)]).toEqual([200, true]);
    });

    it('is examined by `ops` in a container beside it, and within by npm', async () => {
      const beside = ['run', '--rm', ...READ_ONLY, SERVICE, 'ops'];
      expect(await engine.podman(...beside, 'orgs')).toContain('Acme');
      await engine.podman(...beside, 'verify', '--content');
      const within = ['exec', NAME, 'npm', 'run', '--silent', 'ops', '--'];
      expect(await engine.podman(...within, 'doctor')).toBe(
        await engine.podman(...beside, 'doctor'),
      );
    });

    it('is backed up from a container beside it', async () => {
      const folder = engine.path('backup');
      await mkdir(folder);
      await chown(folder, NODE_USER, NODE_USER);
      const options = ['--rm', ...READ_ONLY, '--volume', `${folder}:/backup`];
      await engine.podman('run', ...options, SERVICE, 'ops', 'backup', '--to', '/backup');
      const [backup] = (await readdir(folder)).filter((name) => name !== 'content');
      expect(await readdir(join(folder, backup!))).toContain('manifest.json');
    });

    it('ends in order', async () => {
      await engine.podman('stop', '--time', '20', NAME);
      const code = await engine.podman('inspect', '--format', '{{.State.ExitCode}}', NAME);
      expect([code, await engine.logs(NAME)]).toEqual(['0', expect.stringContaining('SIGTERM')]);
      await engine.podman('rm', NAME);
    });
  });

  describe('in docker-compose.yml, on the tests’ own database servers', () => {
    let all: Composition;
    let org: Organization;
    let file_id: string;
    const bytes = randomBytes(3 * MEGABYTE);

    beforeAll(async () => {
      await buildEventStore(engine);
      all = new Composition(engine);
      await all.up();
    }, 5 * MINUTE_MS);
    afterAll(() => all?.down(), MINUTE_MS);

    /** Shows what the containers wrote if the test fails. */
    const onServers = async (test: () => Promise<void>): Promise<void> => {
      try {
        await test();
      } catch (error) {
        process.stdout.write(`${await all.logs()}\n`);
        throw error;
      }
    };

    it('answers through the proxy, with all health checks passing', () =>
      onServers(async () => {
        await all.healthy();
        org = await quickstart(all.url);
        file_id = (await makeFile(org.admin, await makeDisk(org), 'a.bin')).id;
        expect((await put(org.admin, file_id, bytes)).status).toBe(200);
        expect((await new Client(all.url).get('/metrics')).status).toBe(404);
      }));

    it(
      'loses nothing when the API process of an organization is killed under load, and restarts it',
      () =>
        onServers(async () => {
          const load = new Load(org.admin, 4);
          await load.reached(50);
          const served = await Promise.all(all.apis.map((name) => all.metric(name, ACCEPTED)));
          const [busy, idle] = served[0]! > served[1]! ? all.apis : all.apis.toReversed();
          await all.crash(busy!);
          await load.reached(100);
          await load.stop();
          expect(await load.wrong()).toEqual([]);
          expect(await all.metric(idle!, ACCEPTED)).toBeGreaterThan(0);
          await all.healthy();
          expect(await all.restarts(busy!)).toBe(1);
          await verified(org.admin);
        }),
      2 * MINUTE_MS,
    );

    it(
      'restarts its API processes one after the other under load, losing at most their connections',
      () =>
        onServers(async () => {
          // The first requests after the crash of the test before may meet connections that nginx still has to it.
          const orgs = await Promise.all(
            Array.from({ length: 6 }, () => eventually(() => quickstart(all.url))),
          );
          const loads = orgs.map(({ admin }) => new Load(admin, 1, 100));
          const reached = (more: number) => Promise.all(loads.map((load) => load.reached(more)));
          await reached(10);
          for (const name of all.apis) {
            await all.stop([name]);
            expect(await all.exitCode(name)).toBe(0);
            await reached(10);
            await all.start(name);
            await all.healthy([name]);
            await eventually(async () => {
              await quickstart(all.url);
              expect(await all.metric(name, ACCEPTED)).toBeGreaterThan(0);
            });
          }
          await reached(10);
          await Promise.all(loads.map((load) => load.stop()));
          const failed = loads.map((load) => load.failed);
          process.stdout.write(`failed while API processes restarted: ${JSON.stringify(failed)}\n`);
          // nginx answers 502 if a process closes a connection on which a command is just sent.
          expect(failed.flat().filter((status) => status !== 502)).toEqual([]);
          // A client has one connection at a time to lose.
          expect(Math.max(...failed.map(({ length }) => length))).toBeLessThanOrEqual(
            all.apis.length,
          );
          expect((await Promise.all(loads.map((load) => load.wrong()))).flat()).toEqual([]);
          for (const { admin } of orgs) await verified(admin);
        }),
      2 * MINUTE_MS,
    );

    it(
      'has a worker take over the partitions of a dead one',
      () =>
        onServers(async () => {
          const held = (): Promise<number[]> =>
            Promise.all(all.workers.map((name) => all.metric(name, 'worker_partitions_held')));
          const [first, second] = await held();
          expect([first! > 0, second! > 0, first! + second!]).toEqual([true, true, 64]);
          const [dead, other] = all.workers;
          await all.kill(dead!);
          await eventually(async () =>
            expect(await all.metric(other!, 'worker_partitions_held')).toBe(64),
          );
          const { headers } = await org.admin.post('/groups/create', {
            name: 'After the takeover',
          });
          const demanded = { 'min-drive-revision': headers.get('drive-revision')! };
          expect(await groupNames(org.admin, demanded)).toContain('After the takeover');
          await all.start(dead!);
          await all.healthy();
        }),
      2 * MINUTE_MS,
    );

    it(
      'ends in order, and has everything after `down` and `up`',
      () =>
        onServers(async () => {
          const before = await verified(org.admin);
          const own = [...all.apis, ...all.workers];
          await all.stop(own);
          expect(await Promise.all(own.map((name) => all.exitCode(name)))).toEqual([0, 0, 0, 0]);
          await all.down();
          await all.up();
          await all.healthy();
          // More connections than one process of nginx takes: another may know of no API process yet.
          const statuses = await Promise.all(
            Array.from(
              { length: 40 },
              async () => (await new Client(all.url).get('/health')).status,
            ),
          );
          expect(statuses).toEqual(statuses.map(() => 200));
          expect(await verified(org.admin)).toEqual(before);
          const found = await download(org.admin, file_id);
          expect([found.status, found.bytes.equals(bytes)]).toEqual([200, true]);
          expect(await groupNames(org.admin)).toContain('After the takeover');
        }),
      3 * MINUTE_MS,
    );
  });
});
