import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { failureOf } from '../../apps/ops/failure.js';
import { missingIn } from '../../apps/ops/commands/transfer/backup-gaps.js';
import { Sweeps } from '../../libs/application/sweeps.js';
import { ContentFiles } from '../../libs/content-store/files/content-files.js';
import type { Organization } from '../support/client.js';
import { download, put } from '../support/content.js';
import { damagePage } from '../../libs/event-store/sqlite/damaged-page.contract.js';
import { act, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { ops, type OpsRun } from '../support/ops.js';
import { TestService } from '../support/service.js';

const DAY_MS = 86_400_000;

describe('backups and exports of a running service', () => {
  let folder: string;
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;
  let now: number;
  const at = (name: string): string => join(folder, name);
  const backUp = (to: string, ...more: string[]): Promise<OpsRun> =>
    ops(['backup', '--to', to, '--json', ...more], { DATA_DIR: service.data_dir });
  const upload = async (name: string, bytes: string | Buffer = name): Promise<string> => {
    const { id } = await makeFile(org.admin, disk, name);
    expect((await put(org.admin, id, bytes)).status).toBe(200);
    return id as string;
  };
  /** Ends the retention of deleted files. */
  const sweepLater = async (): Promise<void> => {
    now += 61 * DAY_MS;
    await service.server.app.get(Sweeps, { strict: false }).content.sweep();
  };
  const storedIds = async (): Promise<string[]> =>
    (await service.server.stores.contents.list(org.drive_id, '', 100)).map(
      ({ content_id }) => content_id,
    );

  beforeEach(async () => {
    now = Date.now();
    folder = mkdtempSync(join(tmpdir(), 'ops-backup-'));
    const own = { EVENT_STORE: 'sqlite', SIDE_STORE: 'sqlite', CONTENT_STORE: 'files' };
    service = await TestService.start(own, { clock: () => now });
    org = await service.organization();
    disk = await makeDisk(org);
  });
  afterEach(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('refuse the data folder as their target, and leave it as it is', async () => {
    const id = await upload('a.txt');
    const writing = join(service.data_dir, 'content/.writing/in-flight');
    writeFileSync(writing, 'an upload in flight');
    const names = readdirSync(service.data_dir);
    for (const to of [service.data_dir, join(service.data_dir, 'backups')]) {
      const { code, err } = await backUp(to);
      expect([code, err]).toEqual([2, expect.stringContaining('is the data folder')]);
    }
    const files = ['--out', at('all.ndjson'), '--keys', at('all.keys')];
    for (const content of ['content', '', 'new']) {
      const to = ['--content', join(service.data_dir, content)];
      const { code, err } = await ops(['export', '--data-dir', service.data_dir, ...files, ...to], {
        KEYS_PASSPHRASE: 'a long enough passphrase',
      });
      expect([code, err]).toEqual([2, expect.stringContaining('lies in the data folder')]);
    }
    expect(readdirSync(service.data_dir)).toEqual(names);
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(writing)).toBe(true);
    expect((await download(org.admin, id)).bytes.toString()).toBe('a.txt');
  });

  it('name lost contents, and keep the last backup that has them', async () => {
    await upload('kept.txt');
    const [kept_id] = await storedIds();
    const file_id = await upload('lost.txt');
    const lost_id = (await storedIds()).find((id) => id !== kept_id)!;
    const nameOf = ({ out }: OpsRun): string => JSON.parse(out).folder.split('/').at(-1);
    const first = await backUp(at('backups'));
    const second = await backUp(at('backups'));
    expect([second.code, JSON.parse(second.out).missing]).toEqual([0, []]);
    await service.server.stores.contents.delete({ drive_id: org.drive_id, content_id: lost_id });
    for (const _ of ['after the loss', 'later']) {
      const { code, out } = await backUp(at('backups'), '--keep', '1');
      expect([code, JSON.parse(out)]).toEqual([
        1,
        expect.objectContaining({
          contents: 1,
          missing: [{ drive_id: org.drive_id, content_id: lost_id }],
          deleted: { backups: [expect.any(String)], contents: 0 },
        }),
      ]);
    }
    const left = readdirSync(at('backups')).filter((name) => name !== 'lock.db');
    expect(left).toContain(nameOf(second));
    expect([left.includes(nameOf(first)), left.length]).toEqual([false, 3]);
    const from = ['--from', at('backups'), '--to', at('restored'), '--backup', nameOf(second)];
    const restored = await ops(['restore', ...from, '--json']);
    expect([restored.code, JSON.parse(restored.out).contents]).toEqual([0, 2]);
    const { code, out } = await ops(['backup', '--to', at('backups')], {
      DATA_DIR: service.data_dir,
    });
    expect([code, out]).toEqual([1, expect.stringContaining(`${lost_id} is missing`)]);

    // What the service deletes after the copy of the events is not missing.
    await act(org.admin, 'DELETE_FILE', { id: file_id, permanent: true });
    await sweepLater();
    const last = left
      .filter((name) => name !== 'content')
      .sort()
      .at(-1)!;
    expect(await missingIn(at(`backups/${last}`), service.server.stores.events)).toEqual([]);
  });

  it('are not made of a damaged database, which doctor names as well', async () => {
    await upload('kept.txt');
    await service.server.close();
    const first = await backUp(at('backups'));
    expect(first.code).toBe(0);
    for (const name of ['side.db', 'events.db', 'content/small.db']) {
      const path = join(service.data_dir, name);
      copyFileSync(path, at('whole.db'));
      // Behind the pages that opening it reads.
      damagePage(path, 3);
      const doctor = await ops(['doctor'], { DATA_DIR: service.data_dir });
      const damaged = expect.stringContaining(`BAD  ${path} is damaged (`);
      expect([name, doctor.code, doctor.out]).toEqual([name, 1, damaged]);
      copyFileSync(at('whole.db'), path);
    }
    damagePage(join(service.data_dir, 'events.db'), 6);
    const second = await backUp(at('backups'), '--keep', '1');
    expect([second.code, second.out]).toEqual([1, '']);
    expect(second.err).toContain('events.db is damaged (');
    expect(existsSync(JSON.parse(first.out).folder)).toBe(true);
  });

  it('leave the folder with --keep, with the contents that only they list', async () => {
    const large = randomBytes(100 * 1024);
    await upload('kept.txt');
    await upload('kept.bin', large);
    const deleted = [await upload('deleted.txt'), await upload('deleted.bin', large)];
    const first = JSON.parse((await backUp(at('backups'))).out);
    for (const id of deleted) await act(org.admin, 'DELETE_FILE', { id, permanent: true });
    await sweepLater();
    await upload('later.txt');
    const { code, err, out } = await backUp(at('backups'), '--keep', '1');
    expect({ code, err, ...JSON.parse(out) }).toMatchObject({
      ...{ code: 0, err: '', contents: 3, copied: 1, missing: [] },
      deleted: { backups: [first.folder.split('/').at(-1)], contents: 2 },
    });
    expect(existsSync(first.folder)).toBe(false);
    const copies = ContentFiles.reading(at('backups/content'));
    expect(await copies.list(org.drive_id, '', 100)).toHaveLength(3);
    await copies.close();
    const restored = await ops(['restore', '--from', at('backups'), '--to', at('new'), '--json']);
    expect(JSON.parse(restored.out).contents).toBe(3);
  });

  it('are restored as of a past time, and say so if the time is later than the backup', async () => {
    await backUp(at('backups'));
    const from = ['restore', '--from', at('backups')];
    const later = new Date().toISOString();
    const future = new Date(Date.now() + 3_600_000).toISOString();
    expect(await ops([...from, '--to', at('future'), '--at', future])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not a past time'),
    });
    const { code, out } = await ops([...from, '--to', at('new'), '--at', later]);
    expect([code, out]).toEqual([0, expect.stringContaining('The backup began before')]);
  });

  it('are read at a past point once restored, also before a service ran on them', async () => {
    // A tile covers 256 events.
    const events = Array.from({ length: 300 }, (_, nth) => `Group ${nth}`);
    await Promise.all(events.map((name) => org.admin.post('/groups/create', { name })));
    await backUp(at('backups'));
    await ops(['restore', '--from', at('backups'), '--to', at('new')]);
    const { data_dir } = service;
    for (const name of ['master.key', 'signing.key'])
      copyFileSync(join(data_dir, name), join(at('new'), name));
    const env = { DATA_DIR: at('new') };
    const point = ['--at', 'r1', '--drive', org.drive_id, '--json'];
    for (const command of ['replay', 'digest']) {
      const { code, out, err } = await ops([command, ...point], env);
      expect([code, err]).toEqual([0, '']);
      const { revision, log_root } = JSON.parse(out);
      const served = await org.admin.get('/organization/digest?revision=1');
      expect([revision, log_root]).toEqual([1, served.data.log_root]);
    }
  });

  it('are checked without a restore, restored without damaged contents on request, and repaired', async () => {
    for (const name of ['whole.txt', 'lost.txt', 'rotten.txt']) await upload(name);
    const [whole, lost, rotten] = await storedIds();
    const { drive_id } = org;
    await backUp(at('backups'));
    const from = ['restore', '--from', at('backups')];
    const check = async (): Promise<OpsRun> => ops([...from, '--check']);
    expect(await check()).toMatchObject({ code: 0, out: expect.stringContaining('3 contents') });

    const copies = await ContentFiles.open(at('backups/content'));
    const size = (await copies.size({ drive_id, content_id: rotten! }))!;
    for (const content_id of [lost!, rotten!]) await copies.delete({ drive_id, content_id });
    await copies.write({ drive_id, content_id: rotten! }, [randomBytes(size)]);
    await copies.close();
    const says = [
      `BAD  Content ${lost} of ${drive_id} is missing from the backup`,
      `BAD  Content ${rotten} of ${drive_id} is not what was backed up`,
    ];
    const found = await check();
    expect([found.code, found.out.split('\n').filter((line) => line.startsWith('BAD'))]).toEqual([
      1,
      expect.arrayContaining(says),
    ]);
    expect(readdirSync(folder)).toEqual(['backups']);
    expect(await ops([...from, '--to', at('strict')])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Content \S+ of \S+ is (missing|not what)/),
    });
    const partly = await ops([...from, '--to', at('partly'), '--skip-damaged-content']);
    expect(partly).toMatchObject({
      code: 1,
      out: expect.stringMatching(/the digests of all others match, .*2 damaged contents left out/),
    });
    const restored = ContentFiles.reading(at('partly/content'));
    expect((await restored.list(drive_id, '', 9)).map((one) => one.content_id)).toEqual([whole]);
    await restored.close();

    expect(JSON.parse((await backUp(at('backups'))).out).copied).toBe(1);
    expect((await check()).code).toBe(1);
    expect(JSON.parse((await backUp(at('backups'), '--verify')).out).copied).toBe(1);
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('name a target that cannot be a folder, or a database without room', async () => {
    for (const command of [
      ['backup', '--to', '/proc/backups'],
      ['restore', '--from', at('backups'), '--to', '/proc/restored'],
    ]) {
      await backUp(at('backups'));
      const { code, err } = await ops(command, { DATA_DIR: service.data_dir });
      expect([code, err]).toEqual([
        3,
        `${command.at(-1)} cannot be used as a folder: its file system does not support folders.\n`,
      ]);
    }
    const db = new DatabaseSync(':memory:');
    db.exec('PRAGMA max_page_count = 2; CREATE TABLE rows (value BLOB)');
    const failed = await Promise.resolve()
      .then(() => db.exec('INSERT INTO rows VALUES (zeroblob(100000))'))
      .catch(failureOf);
    db.close();
    expect(failed).toMatchObject({
      name: 'Failure',
      exit_code: 3,
      message: 'A database cannot be used: database or disk is full.',
    });
  });

  it('need a folder to be restored into, or only a check', async () => {
    for (const more of [[], ['--check', '--to', at('new')]])
      expect(await ops(['restore', '--from', at('backups'), ...more])).toMatchObject({
        code: 2,
        err: expect.stringContaining('Give either --to or --check.'),
      });
  });
});
