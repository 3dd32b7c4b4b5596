import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { ContentFiles } from '../../libs/content-store/files/content-files.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { startServer } from '../../apps/api/server.js';
import { Client, type Organization } from '../support/client.js';
import { download, put, sha256Of } from '../support/content.js';
import { act, makeDisk, makeFile } from '../support/directory.js';
import { ops, type OpsRun } from '../support/ops.js';
import { TestService } from '../support/service.js';

const CLEAR = 'these bytes must not lie in clear on any disk';
const env = { KEYS_PASSPHRASE: 'a long enough passphrase' };

describe('moving organizations with their content', () => {
  const former = Buffer.concat([Buffer.from(CLEAR), randomBytes(150_000)]);
  const current = randomBytes(70_000);
  let folder: string;
  let service: TestService;
  let org: Organization;
  let id: string;
  let former_version: string;
  let copy: string;
  let exported: OpsRun;
  let made = 0;

  const path = (name: string): string => join(folder, name);
  const exporting = (name: string): Promise<OpsRun> =>
    ops(
      [
        ...['export', '--data-dir', service.data_dir, '--out', path(`${name}.ndjson`)],
        ...['--keys', path(`${name}.keys`), '--content', path('content'), '--json'],
      ],
      env,
    );
  const importing = (data_dir: string, ...more: string[]): Promise<OpsRun> =>
    ops(
      [
        ...['import', path('all.ndjson'), '--keys', path('all.keys'), '--data-dir', data_dir],
        ...['--json', ...more],
      ],
      env,
    );
  const content = (): string[] => ['--content', path('content')];
  const filesOf = (root: string): string[] =>
    (readdirSync(root, { recursive: true }) as string[])
      .map((name) => join(root, name))
      .filter((name) => statSync(name).isFile());
  /** Asks a service on an imported folder. */
  const at = async (data_dir: string, ask: (admin: Client) => Promise<void>): Promise<void> => {
    const settings = loadSettings({ PORT: '0', DATA_DIR: data_dir, LOG_LEVEL: 'silent' });
    const server = await startServer(settings, { logger: new JsonLogger('silent') });
    try {
      await ask(new Client(`${server.url}/v1/drive/${org.drive_id}`, org.admin.token));
    } finally {
      await server.close();
    }
  };
  const revisionOf = async (admin: Client): Promise<number> =>
    (await admin.post('/organization/replay')).data.revision;
  const fresh = (): string => path(`data-${++made}`);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'content-transfer-'));
    service = await TestService.start({ CONTENT_STORE: 'files' });
    org = await service.organization();
    const disk = await makeDisk(org);
    const file = await makeFile(org.admin, disk, 'a.bin');
    ({ id, version_id: former_version } = file);
    await put(org.admin, id, former);
    await put(org.admin, id, current);
    const empty = await makeFile(org.admin, disk, 'empty.bin');
    await put(org.admin, empty.id, '');
    const copied = await act(org.admin, 'COPY_FILE', {
      id,
      destination_folder_id: disk.root_folder,
    });
    copy = copied.result.id;
    exported = await exporting('all');
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /** Of the organization, what an import has done. */
  const of = ({ out }: OpsRun) =>
    JSON.parse(out).streams.find((one: any) => one.drive_id === org.drive_id);

  it('copies each content once, encrypted, and none again', async () => {
    expect([exported.code, exported.err]).toEqual([0, '']);
    const { contents } = JSON.parse(exported.out);
    expect(contents).toEqual({ copied: 3, existing: 0, omitted: [] });
    const all = ContentFiles.reading(path('content'));
    expect(await all.list(org.drive_id, '', 10)).toHaveLength(3);
    await all.close();
    for (const name of filesOf(path('content')))
      expect(readFileSync(name).includes(CLEAR)).toBe(false);
    const again = await exporting('again');
    expect(JSON.parse(again.out).contents).toEqual({ copied: 0, existing: 3, omitted: [] });
  });

  it('brings all versions, whole, and does nothing the second time', async () => {
    const to = fresh();
    const first = await importing(to, ...content());
    expect([first.code, first.err]).toEqual([0, '']);
    expect(of(first)).toMatchObject({ contents: 3, missing_contents: 0, omitted: [] });
    let revision = 0;
    await at(to, async (admin) => {
      revision = await revisionOf(admin);
      expect(revision).toBe(await revisionOf(org.admin));
      for (const [file, query, bytes] of [
        [id, '', current],
        [copy, '', current],
        [id, `?version_id=${former_version}`, former],
      ] as const) {
        const got = await download(admin, file, query);
        expect([got.status, got.bytes.equals(bytes)]).toEqual([200, true]);
      }
    });
    const second = await importing(to, ...content());
    expect(of(second)).toMatchObject({ written: 0, contents: 0, missing_contents: 0 });
    await at(to, async (admin) => expect(await revisionOf(admin)).toBe(revision));
    const checked = await ops(['verify', '--content', '--data-dir', to]);
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('3 contents')]);
  });

  it('without content says that it is not available, and takes new content', async () => {
    const to = fresh();
    const run = await importing(to);
    expect([run.code, run.err]).toEqual([0, '']);
    let revision = 0;
    await at(to, async (admin) => {
      revision = await revisionOf(admin);
      expect(revision).toBe((await revisionOf(org.admin)) + 1);
      const { data } = await admin.post('/directory/versions', { file_id: id });
      expect(data.items.map((one: any) => [one.content_available, one.sha256])).toEqual([
        [false, sha256Of(current)],
        [false, sha256Of(former)],
      ]);
      const gone = await download(admin, id);
      expect([gone.status, gone.body.err.type]).toEqual([410, 'content.gone']);
    });
    await importing(to);
    await at(to, async (admin) => {
      expect(await revisionOf(admin)).toBe(revision);
      expect((await put(admin, id, current)).status).toBe(200);
      expect((await download(admin, id)).bytes.equals(current)).toBe(true);
    });
    const { code } = await ops(['doctor', '--data-dir', to]);
    expect(code).toBe(0);
  });

  it('refuses damaged content before the organization is opened, resumes, and may omit it', async () => {
    const to = fresh();
    const damaged = filesOf(path('content')).find((name) => statSync(name).size > 100_000)!;
    const bytes = readFileSync(damaged);
    const changed = Buffer.from(bytes);
    changed[70_000]! ^= 1;
    writeFileSync(damaged, changed);
    const refused = await importing(to, ...content());
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(
      /^DriveID_\S+: 1 contents cannot be copied; ContentID_\S+ is damaged: frame 1 is not what was stored\. Repair/,
    );
    const omitted = fresh();
    const omitting = await importing(omitted, ...content(), '--skip-missing-content');
    expect([omitting.code, omitting.err]).toEqual([
      1,
      expect.stringContaining('A problem was found'),
    ]);
    expect(JSON.parse(omitting.out).streams).toContainEqual(
      expect.objectContaining({ contents: 2, missing_contents: 1 }),
    );
    writeFileSync(damaged, bytes);
    // What was omitted is deleted there, and is not copied later without a record of it.
    const later = await importing(omitted, ...content());
    expect([later.code, of(later)]).toEqual([0, expect.objectContaining({ contents: 0 })]);
    const usage = await ops(['content', 'sweep', '--data-dir', omitted, '--json']);
    expect(JSON.parse(usage.out)).toContainEqual(expect.objectContaining({ leftovers: 0 }));
    const resumed = await importing(to, ...content());
    expect(resumed.code).toBe(0);
    await at(to, async (admin) =>
      expect((await download(admin, id)).bytes.equals(current)).toBe(true),
    );
  });

  it('needs the keys, and a folder that exists', async () => {
    const without = ['import', path('all.ndjson'), '--data-dir', fresh(), ...content()];
    expect(await ops(without)).toMatchObject({
      code: 2,
      err: '--content needs --keys: content is encrypted.\n',
    });
    const nowhere = await importing(fresh(), '--content', path('nowhere'));
    expect(nowhere).toMatchObject({ code: 2, err: `${path('nowhere')} does not exist.\n` });
  });

  it('migrates it into another installation', async () => {
    const [from, to, also] = [fresh(), fresh(), fresh()];
    expect((await importing(from, ...content())).code).toBe(0);
    for (const [target, ...more] of [[to, '--content'], [also]] as [string, ...string[]][]) {
      const settings = path(`settings-${made++}`);
      writeFileSync(settings, `DATA_DIR=${target}\n`);
      const run = await ops(['migrate', '--data-dir', from, '--to', settings, '--json', ...more]);
      expect([run.code, run.err]).toEqual([0, '']);
    }
    await at(to, async (admin) =>
      expect((await download(admin, copy)).bytes.equals(current)).toBe(true),
    );
    await at(also, async (admin) => expect((await download(admin, copy)).status).toBe(410));
  });
});
