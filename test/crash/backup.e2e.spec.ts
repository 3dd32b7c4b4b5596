import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Client,
  type Organization,
  organizationOf,
  Client as ApiClient,
} from '../support/client.js';
import { download, put, sha256Of } from '../support/content.js';
import { makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { ops, OpsProcess } from '../support/ops.js';
import { buildServer, ServiceProcess } from '../support/processes.js';
import { onSmallContents } from '../support/small-contents.js';

/** Paths of the contents in a folder that are files of their own. */
function contentsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.writing/') && !path.includes('/small.db'));
}

const KIB = 1024;
/** Contents in the data folder: copying them takes long enough for a kill amid it. */
const CONTENTS = 150;

describe('backups', () => {
  let folder: string;
  let server: ServiceProcess | undefined;
  let org: Organization;
  let disk: TestDisk;
  const at = (name: string): string => join(folder, name);
  const data_dir = (): string => at('data');

  const start = async (data: string): Promise<ServiceProcess> => {
    await server?.kill('SIGKILL');
    return (server = await ServiceProcess.start('api', { DATA_DIR: data }));
  };
  const backUp = (to = at('backups')) =>
    ops(['backup', '--to', to, '--json'], { DATA_DIR: data_dir() });
  const restore = (to: string, ...more: string[]) =>
    ops(['restore', '--from', at('backups'), '--to', to, '--json', ...more]);
  const withKey = (to: string) => copyFile(join(data_dir(), 'master.key'), join(to, 'master.key'));
  /** The owner, on the service that runs now. */
  const owner = (): Client =>
    new ApiClient(`${server!.url}/v1/drive/${org.drive_id}`, org.admin.token, org.admin.user_id);
  const groupNames = async (): Promise<string[]> => {
    const { data } = await owner().post('/groups/list', { page_size: 1000 });
    return data.items.map(({ name }: { name: string }) => name);
  };
  async function upload(name: string, bytes: Uint8Array): Promise<string> {
    const { id } = await makeFile(org.admin, disk, name);
    expect((await put(org.admin, id, bytes)).status).toBe(200);
    return id as string;
  }
  async function expectWhole(data: string): Promise<void> {
    const { code, out, err } = await ops(['verify', '--content'], { DATA_DIR: data });
    expect({ code, err, out }).toMatchObject({ code: 0 });
  }

  beforeAll(() => buildServer(), 120_000);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drive-backup-'));
    const { url } = await start(data_dir());
    const { data } = await new ApiClient(url).post('/v1/factory/quickstart', { org_name: 'Kept' });
    org = organizationOf(url, data as never);
    disk = await makeDisk(org);
  });
  afterEach(async () => {
    await server?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('made under load hold all that was acknowledged before, and only whole commands', async () => {
    const bytes = randomBytes(100 * KIB);
    const file_id = await upload('kept.bin', bytes);
    const acknowledged: { name: string; at_ms: number }[] = [];
    let is_ended = false;
    const writing = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let nth = 0; !is_ended; nth++) {
          const name = `Group ${writer}-${nth}`;
          const actions = [0, 1].map((one) => ({
            path: 'groups/create',
            body: { name: `${name}.${one}` },
          }));
          const { status } = await org.admin.post('/transaction', { commands: actions });
          expect(status).toBe(200);
          acknowledged.push({ name, at_ms: Date.now() });
        }
      }),
    );
    while (acknowledged.length < 50) await nextTurn();
    const first = await backUp();
    const second_file = await upload('second.bin', randomBytes(10 * KIB));
    const second = await backUp();
    is_ended = true;
    await writing;
    expect([first.err, first.code, second.code]).toEqual(['', 0, 0]);
    const [one, two] = [JSON.parse(first.out), JSON.parse(second.out)];
    expect(one).toMatchObject({ contents: 1, copied: 1 });
    expect(two).toMatchObject({ contents: 2, copied: 1 });
    for (const path of [one.folder, at('backups')]) expect(statSync(path).mode & 0o077).toBe(0);
    for (const name of readdirSync(one.folder))
      expect(statSync(join(one.folder, name)).mode & 0o777).toBe(0o600);

    const restored = at('restored');
    const backup = one.folder.split('/').at(-1) as string;
    expect(await restore(restored, '--backup', backup)).toMatchObject({ code: 0 });
    await withKey(restored);
    await expectWhole(restored);
    await start(restored);
    const names = new Set(await groupNames());
    const before = acknowledged.filter(({ at_ms }) => at_ms < one.began_ms);
    expect(before.length).toBeGreaterThanOrEqual(50);
    for (const { name } of before) expect(names).toContain(`${name}.0`);
    for (const { name } of acknowledged)
      expect([name, names.has(`${name}.0`)]).toEqual([name, names.has(`${name}.1`)]);
    const found = await download(owner(), file_id);
    expect(sha256Of(found.bytes)).toBe(sha256Of(bytes));
    const absent = await owner().post('/directory/versions', { file_id: second_file });
    expect(absent.status).not.toBe(200);
  });

  it('can be restored as of a time', async () => {
    await org.admin.post('/groups/create', { name: 'Before' });
    const { data: then } = await org.admin.post('/organization/replay', {});
    const at_ms = Date.now();
    while (Date.now() === at_ms) await nextTurn();
    await org.admin.post('/groups/create', { name: 'After' });
    expect(await backUp()).toMatchObject({ code: 0 });
    const { code, out } = await restore(at('restored'), '--at', String(at_ms));
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ omitted_events: expect.any(Number) }),
    ]);
    expect(JSON.parse(out).omitted_events).toBeGreaterThan(0);
    await withKey(at('restored'));
    await expectWhole(at('restored'));
    await start(at('restored'));
    expect(await groupNames()).toContain('Before');
    expect(await groupNames()).not.toContain('After');
    const { data: now } = await owner().post('/organization/replay', { revision: then.revision });
    expect(now).toMatchObject({ state_hash: then.state_hash, chain_hash: then.chain_hash });
    // It goes on from there.
    expect((await owner().post('/groups/create', { name: 'Again' })).status).toBe(200);
  });

  it('are refused if a byte of them has changed, or into a folder with other data', async () => {
    await upload('small.bin', randomBytes(KIB));
    await upload('one.bin', randomBytes(100 * KIB));
    const { out } = await backUp();
    const { folder: backup } = JSON.parse(out);
    await expect(restore(data_dir())).resolves.toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty'),
    });
    const path = join(backup, 'events.db');
    const bytes = await readFile(path);
    await writeFile(path, Buffer.concat([bytes.subarray(0, -1), Buffer.of(bytes.at(-1)! ^ 1)]));
    await expect(restore(at('restored'))).resolves.toMatchObject({
      code: 1,
      err: expect.stringContaining('events.db is not what was backed up'),
    });
    await writeFile(path, bytes);
    const content = contentsIn(at('backups/content'))[0]!;
    const whole = await readFile(content);
    await writeFile(content, randomBytes(100 * KIB + 32));
    await expect(restore(at('restored'))).resolves.toMatchObject({
      code: 1,
      err: expect.stringContaining(`Content ${content.split('/').at(-1)}`),
    });
    await writeFile(content, whole);
    onSmallContents(at('backups/content'), 'UPDATE contents SET bytes = randomblob(length(bytes))');
    await expect(restore(at('restored'))).resolves.toMatchObject({
      code: 1,
      err: expect.stringMatching(/Content ContentID_\S+ of \S+ is not what was backed up/),
    });
    await expect(restore(at('other'), '--backup', 'none')).resolves.toMatchObject({ code: 1 });
  });

  it('survive a kill of the backup, and of the restore', async () => {
    const bytes = randomBytes(256 * KIB);
    const first = await upload('first.bin', bytes);
    expect(await backUp()).toMatchObject({ code: 0 });
    for (let nth = 1; nth < CONTENTS; nth++) await upload(`${nth}.bin`, bytes);

    const killed = new OpsProcess(['backup', '--to', at('backups')], { DATA_DIR: data_dir() });
    const unfinished = (): string[] =>
      readdirSync(at('backups')).filter((name) => name.startsWith('.unfinished'));
    while (unfinished().length === 0) await nextTurn();
    killed.kill('SIGKILL');
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect(unfinished()).toHaveLength(1);
    const earlier = await restore(at('earlier'));
    expect([earlier.code, JSON.parse(earlier.out).contents]).toEqual([0, 1]);

    const again = await backUp();
    expect([again.code, JSON.parse(again.out).contents]).toEqual([0, CONTENTS]);
    expect(unfinished()).toEqual([]);

    const interrupted = new OpsProcess(['restore', '--from', at('backups'), '--to', at('target')]);
    while (!existsSync(at('target/content'))) await nextTurn();
    interrupted.kill('SIGKILL');
    expect((await interrupted.ended).signal).toBe('SIGKILL');
    await withKey(at('target'));
    const refused = await start(at('target'));
    expect([refused.url, (await refused.ended).code]).toEqual(['', 1]);
    expect(refused.output).toContain('has not ended: run "ops restore" into this folder again');

    expect(await restore(at('target'))).toMatchObject({ code: 0 });
    await withKey(at('target'));
    await expectWhole(at('target'));
    await start(at('target'));
    expect(sha256Of((await download(owner(), first)).bytes)).toBe(sha256Of(bytes));
  });

  it('of servers are left to their own tools', async () => {
    const env = {
      EVENT_STORE: 'kurrentdb',
      KURRENTDB_URL: 'kurrentdb://127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:1',
    };
    const more = {
      DATA_DIR: at('other'),
      MASTER_KEY: '11'.repeat(32),
      SIGNING_KEY: '22'.repeat(32),
    };
    await expect(
      ops(['backup', '--to', at('backups')], { ...env, ...more }),
    ).resolves.toMatchObject({
      code: 2,
      err: expect.stringContaining('tools of KurrentDB'),
    });
  });
});
